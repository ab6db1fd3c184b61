"""Ends without warning in the crawl and in every stage: SIGKILL, and power cuts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

from benchmarks.faults.runs import Row, Run, crawl_command, run
from benchmarks.faults.stops import LANGS, PAGES, iter_bilingual, url_of
from benchmarks.site import Site

LIMIT_SECONDS = 180.0
# Moments of a run at which it ends, as shares of the time that it takes undisturbed.
MOMENTS = tuple(n / 10 for n in range(2, 10))
_SOURCE = Path(__file__).with_name("power.c")
_DATE_RE = re.compile(rb'(?:creation|change)date="[^"]*"')
_FOLDERS = ("xml", "duplicates", "pairs", "cesalign")


def contents(corpus: Path) -> dict[str, bytes]:
    """Return documents, pairs, alignments and memories of a corpus, without dates."""
    files = [p for name in _FOLDERS for p in (corpus / name).glob("*") if p.is_file()]
    return {
        path.relative_to(corpus).as_posix(): _DATE_RE.sub(b"", path.read_bytes())
        for path in [*files, *corpus.glob("*.tmx")]
    }


def _crawl(corpus: Path, port: int) -> list[str]:
    seeds = [url_of(lang, 0, port) for lang in LANGS]
    return crawl_command(corpus, seeds, {"langs": ",".join(LANGS)}, spider="bilingual")


def _compare(row: Row, corpus: Path, whole: dict[str, bytes]) -> None:
    found = contents(corpus)
    row.expected = len(whole)
    row.kept = sum(found.get(name) == data for name, data in whole.items())
    row.complain(len(found.keys() - whole) > 0, "files that should not be there")


def killed_runs(folder: Path) -> Iterator[Row]:
    """Kill a bilingual crawl at moments of all its stages, and run it again."""
    with Site(iter_bilingual, 1) as site:
        whole, seconds = yield from _undisturbed("12", folder, site.port)
        for number, moment in enumerate(MOMENTS):
            corpus = folder / f"killed-{number}"
            row = Row(f"12 killed at {moment:.0%} of the time")
            command = _crawl(corpus, site.port)
            Run(command, folder / f"{number}.log").wait(seconds * moment)
            site.take_requests()
            row.add(run(command, folder / f"{number}-again.log", LIMIT_SECONDS))
            _note_again(row, site)
            _compare(row, corpus, whole)
            yield row


def _note_again(row: Row, site: Site) -> None:
    """Write into the name of a row how many pages the second run asked for."""
    asked = [url for url in site.take_requests() if url.endswith(".html")]
    row.fault += f" ({len(set(asked))} left)"


def _undisturbed(
    number: str, folder: Path, port: int
) -> Generator[Row, None, tuple[dict[str, bytes], float]]:
    row = Row(f"{number} undisturbed", len(LANGS) * PAGES)
    row.add(run(_crawl(folder / "whole", port), folder / "0.log", LIMIT_SECONDS))
    whole = contents(folder / "whole")
    row.kept = sum(name.startswith("xml/") for name in whole)
    row.complain(not any(name.endswith(".tmx") for name in whole), "no memory to lose")
    yield row
    return whole, row.runs[0].seconds


def power_cuts(folder: Path) -> Iterator[Row]:
    """Cut the power at moments of all stages: what was never fsynced is gone; run again."""
    library = folder / "power.so"
    build = ["cc", "-O2", "-shared", "-fPIC", "-o", str(library), str(_SOURCE), "-ldl"]
    with suppress(OSError):
        subprocess.run(build, check=False, capture_output=True)
    if not library.is_file():
        yield Row("13 power cuts: left out, need Linux and a C compiler")
        return
    with Site(iter_bilingual, 1) as site:
        whole, seconds = yield from _undisturbed("13", folder, site.port)
        for number, moment in enumerate(MOMENTS):
            corpus, shadow = folder / f"cut-{number}", folder / f"synced-{number}"
            shadow.mkdir()
            row = Row(f"13 power cut at {moment:.0%} of the time")
            command = _crawl(corpus, site.port)
            recorder = {
                "LD_PRELOAD": str(library),
                "POWER_ROOT": str(corpus),
                "POWER_SHADOW": str(shadow),
            }
            log = folder / f"{number}.log"
            Run(command, log, {**os.environ, **recorder}).wait(seconds * moment)
            restore(corpus, shadow)
            site.take_requests()
            row.add(run(command, folder / f"{number}-again.log", LIMIT_SECONDS))
            _note_again(row, site)
            _compare(row, corpus, whole)
            yield row


def restore(corpus: Path, shadow: Path) -> None:
    """Make of a folder what a power cut leaves of it; see ``power.c``."""
    names = shadow / "names"
    lines = names.read_text("utf-8").splitlines() if names.is_file() else []
    kept = {}
    for line in lines:
        identity, _, name = line.partition("\t")
        synced = shadow / identity
        kept[name] = synced.read_bytes() if synced.is_file() else b""
    shutil.rmtree(corpus, ignore_errors=True)
    for path, data in ((Path(name), data) for name, data in kept.items()):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
