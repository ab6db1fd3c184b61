"""Files of a corpus that are lost or damaged: its index and its frontier."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.faults.disks import compare
from benchmarks.faults.runs import Row, crawl_command, run
from benchmarks.resume import PROJECT, documents
from benchmarks.site import FolderSite, GeneratedSite

if TYPE_CHECKING:
    from benchmarks.faults.runs import Ended

LIMIT_SECONDS = 120.0
# What is written anew at every run, and the files that the faults are in.
_NO_EXPORTS = {"report.html", "stats.json", "manifest.json", ".lock"}
_SEGMENT_RE = re.compile(rb"<seg>(.*?)</seg>", re.DOTALL)
_NOISE = bytes(range(1, 256))


def _overwrite(path: Path, start: int, stop: int) -> None:
    data = bytearray(path.read_bytes())
    data[start:stop] = (_NOISE * (1 + (stop - start) // len(_NOISE)))[: stop - start]
    path.write_bytes(data)


def _overwrite_middle(path: Path) -> None:
    size = path.stat().st_size
    _overwrite(path, size // 4, 3 * size // 4)


# What is done to a file of SQLite.
DAMAGES: dict[str, Callable[[Path], object]] = {
    "absent": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "header": lambda path: _overwrite(path, 0, 100),
    "middle": _overwrite_middle,
    "cut off": lambda path: os.truncate(path, path.stat().st_size // 2),
}


def _damage(corpus: Path, name: str, damage: str) -> None:
    for rest in corpus.glob(f"{name}-*"):  # of a write-ahead log
        rest.unlink()
    DAMAGES[damage](corpus / name)


def _exports(corpus: Path) -> dict[str, str]:
    """Return the digests of what a corpus holds beside its index and its frontier."""
    return {
        str(path.relative_to(corpus)): blake2b(path.read_bytes()).hexdigest()
        for path in corpus.rglob("*")
        if path.is_file() and path.name not in _NO_EXPORTS and ".db" not in path.name
    }


def _results(corpus: Path) -> dict[str, list[bytes]]:
    """Return the pairs (their URLs and files) and the segments of the units."""
    pairs = [
        b"\t".join(line.split(b"\t")[:2] + line.split(b"\t")[4:6])
        for path in sorted(corpus.glob("pairs/*.tsv"))
        for line in path.read_bytes().splitlines()
    ]
    units = [
        segment
        for path in sorted(corpus.glob("*.tmx"))
        for segment in _SEGMENT_RE.findall(path.read_bytes())
    ]
    return {"pairs": sorted(pairs), "segments": sorted(units)}


def lost_indexes(folder: Path) -> Iterator[Row]:
    """Run commands over a corpus whose index is lost or damaged, then rebuild it."""
    with FolderSite(PROJECT / "demo" / "www") as site:
        whole = folder / "whole"
        arguments = {"langs": "de,it", "domain": "demo"}
        row = Row("6 undisturbed")
        row.add(
            run(
                crawl_command(whole, site.urls[:1], arguments, spider="bilingual"),
                folder / "0.log",
                LIMIT_SECONDS,
            )
        )
        results = _results(whole)
        row.expected = row.kept = len(documents(whole))
        row.complain(not results["segments"], "no units to lose")
        yield row
        for damage in DAMAGES:
            corpus = folder / damage
            shutil.copytree(whole, corpus)
            _damage(corpus, "corpus.db", damage)
            again = crawl_command(corpus, site.urls[:1], arguments, spider="bilingual")
            yield _refuse(folder, corpus, damage, again)
            shutil.rmtree(corpus)
            shutil.copytree(whole, corpus)
            _damage(corpus, "corpus.db", damage)
            yield _rebuild(folder, corpus, damage, results)


def _refuse(folder: Path, corpus: Path, damage: str, again: list[str]) -> Row:
    """Run commands that have to refuse; count the files that they leave as they were."""
    before = _exports(corpus)
    row = Row(f"6 index {damage}, commands", len(before))
    commands = [[name, str(corpus)] for name in ("pair", "export")]
    for command in (*commands, again):
        log = folder / f"{damage}-{command[0]}.log"
        ended = run(command, log, LIMIT_SECONDS)
        _add(row, ended, corpus, command[0])
    after = _exports(corpus)
    row.kept = sum(after.get(name) == digest for name, digest in before.items())
    return row


def _add(row: Row, ended: Ended, corpus: Path, name: str) -> None:
    count = len(row.complaints)
    row.add_refused(ended, corpus)
    is_named = any("reindex" in line for line in ended.messages)
    row.complain(not is_named, "reindex is not named")
    row.complaints[count:] = [f"{name}: {one}" for one in row.complaints[count:]]


def _rebuild(
    folder: Path, corpus: Path, damage: str, results: dict[str, list[bytes]]
) -> Row:
    """Rebuild an index and run the stages; count documents, pairs and segments."""
    row = Row(f"6 index {damage}, reindex")
    kept = documents(corpus)
    for name in ("reindex", "pair", "align", "export"):
        row.add(
            run(
                [name, str(corpus)],
                folder / f"{damage}-after-{name}.log",
                LIMIT_SECONDS,
            )
        )
    compare(row, corpus, kept)
    for name, found in _results(corpus).items():
        expected = results[name]
        same = sum(one in found for one in expected)
        row.expected += len(expected)
        row.kept += same
        more = len(found) - len(expected)
        row.complain(found != expected, f"{same} of {len(expected)} {name}, {more:+}")
    return row


PAGES = 150
HOSTS = 4


def damaged_frontiers(folder: Path) -> Iterator[Row]:
    """Damage frontier.db between two runs of a crawl."""
    with GeneratedSite(PAGES, HOSTS) as site:
        seeds = site.urls[:1]
        whole = folder / "whole"
        row = Row("10 undisturbed", PAGES)
        row.add(run(crawl_command(whole, seeds), folder / "0.log", LIMIT_SECONDS))
        expected = documents(whole)
        row.kept = len(expected)
        yield row
        some = {"FRONTIER_MAX_PAGES": str(PAGES // 3)}
        for damage in DAMAGES:
            corpus = folder / damage
            row = Row(f"10 frontier {damage}")
            log = folder / f"{damage}-1.log"
            row.add(
                run(crawl_command(corpus, seeds, settings=some), log, LIMIT_SECONDS)
            )
            done = set(documents(corpus))
            _damage(corpus, "frontier.db", damage)
            site.take_requests()
            _go_on(row, folder, corpus, crawl_command(corpus, seeds))
            asked = set(site.urls).intersection(site.take_requests())
            again = PAGES - len(done)
            # Pages that were under way may be asked for twice.
            row.complain(
                len(asked) > again + len(done) // 2,
                f"{len(asked)} requests for {again} pages",
            )
            compare(row, corpus, expected)
            yield row


def _go_on(row: Row, folder: Path, corpus: Path, command: list[str]) -> None:
    """Run a crawl again; where it says that it cannot, do as it says."""
    ended = run(command, folder / f"{corpus.name}-2.log", LIMIT_SECONDS)
    if not ended.status:
        row.add(ended)
        return
    row.add_refused(ended, corpus)
    if any("reindex" in line for line in ended.messages):
        log = folder / f"{corpus.name}-reindex.log"
        row.add(run(["reindex", str(corpus)], log, LIMIT_SECONDS))
        row.add(run(command, folder / f"{corpus.name}-3.log", LIMIT_SECONDS))
