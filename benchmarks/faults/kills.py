"""Ends without warning in the crawl and in every stage: SIGKILL, and power cuts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from benchmarks.faults.runs import Row, Run, crawl_command, run
from benchmarks.faults.stops import HOSTS, LANGS, PAGES, iter_bilingual, url_of
from benchmarks.postgresql import run_postgresql
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

    def kill(command: Sequence[str], corpus: Path, seconds: float) -> None:
        Run(command, corpus.with_suffix(".log")).wait(seconds)

    yield from _end_at_moments("12 killed", folder, kill)


def killed_builds(folder: Path) -> Iterator[Row]:
    """Kill the stages over the parts of two crawlers at moments, and run them again."""
    said = "17 build killed"

    make_answers = partial(iter_bilingual, hosts=HOSTS)
    with Site(make_answers, HOSTS) as site, run_postgresql() as server:
        if server is None:
            yield Row(f"{said}: left out, needs PostgreSQL")
            return
        parts, whole = folder / "parts", folder / "whole"
        seeds = [url_of(LANGS[0], 0, site.port, host) for host in range(HOSTS)]
        crawlers = [
            Run(_share(parts, seeds, server.url, name), folder / f"{name}.log")
            for name in ("one", "other")
        ]
        undisturbed = Row(f"{said}: undisturbed", HOSTS * len(LANGS) * PAGES)
        for crawler in crawlers:
            undisturbed.add(crawler.wait(LIMIT_SECONDS))
        shutil.copytree(parts, whole)
        built = run(["build", str(whole)], folder / "whole.log", LIMIT_SECONDS)
        undisturbed.add(built)
        found = contents(whole)
        undisturbed.kept = sum(name.startswith("xml/") for name in found)
        yield undisturbed
    for moment in MOMENTS:
        corpus = folder / f"at-{moment:.0%}"
        shutil.copytree(parts, corpus)
        command = ["build", str(corpus)]
        Run(command, corpus.with_suffix(".log")).wait(built.seconds * moment)
        row = Row(f"{said} at {moment:.0%} of the time")
        row.add(run(command, corpus.with_suffix(".again.log"), LIMIT_SECONDS))
        _compare(row, corpus, found)
        yield row


def _share(corpus: Path, seeds: Sequence[str], server: str, name: str) -> list[str]:
    """Return the command of a crawler that shares the frontier with others."""
    settings = {"FRONTIER_STORE": server, "FRONTIER_CRAWLER": name}
    langs = {"langs": ",".join(LANGS)}
    return crawl_command(corpus, seeds, langs, spider="bilingual", settings=settings)


def power_cuts(folder: Path) -> Iterator[Row]:
    """Cut the power at moments of all stages: what was never fsynced is gone; run again."""
    library = _build_recorder(folder)
    if library is None:
        yield Row("13 power cuts: left out, need Linux and a C compiler")
        return

    def cut(command: Sequence[str], corpus: Path, seconds: float) -> None:
        _cut_power(command, corpus, library, seconds)

    yield from _end_at_moments("13 power cut", folder, cut)


def _build_recorder(folder: Path) -> Path | None:
    """Return the library that records what is synchronized, None where it cannot be built."""
    library = folder / "power.so"
    build = ["cc", "-O2", "-shared", "-fPIC", "-o", str(library), str(_SOURCE), "-ldl"]
    with suppress(OSError):
        subprocess.run(build, check=False, capture_output=True)
    return library if library.is_file() else None


def _cut_power(
    command: Sequence[str], written: Path, library: Path, seconds: float
) -> None:
    """Run a command for some seconds; leave of the folder that it writes what was synchronized."""
    shadow = written.with_suffix(".synced")
    shadow.mkdir(parents=True)
    recorder = {
        "LD_PRELOAD": str(library),
        "POWER_ROOT": str(written),
        "POWER_SHADOW": str(shadow),
    }
    log = written.with_suffix(".log")
    Run(command, log, {**os.environ, **recorder}).wait(seconds)
    restore(written, shadow)
    shutil.rmtree(shadow)


def power_cut_of_one(folder: Path) -> Iterator[Row]:
    """Cut the power of one of two crawlers, and start it again; then build the corpus."""
    said = "18 power cut of one crawler"
    library = _build_recorder(folder)
    make_answers = partial(iter_bilingual, hosts=HOSTS)
    with Site(make_answers, HOSTS) as site, run_postgresql() as server:
        if server is None or library is None:
            yield Row(f"{said}: left out, needs Linux, a C compiler and PostgreSQL")
            return
        seeds = [url_of(lang, 0, site.port, h) for h in range(HOSTS) for lang in LANGS]
        whole: dict[str, bytes] = {}
        seconds = 0.0
        for moment in (0.0, *MOMENTS[::3]):
            corpus = folder / f"power-{moment:.0%}".replace("%", "")
            one, other = (
                _share(corpus, seeds, server.url, name) for name in ("one", "other")
            )
            site.take_requests()
            row = Row(f"{said} at {moment:.0%} of the time")
            beside = Run(other, corpus.with_suffix(".other.log"))
            if moment:
                part = corpus / "parts" / "one"
                _cut_power(one, part, library, seconds * moment)
            row.add(run(one, corpus.with_suffix(".log"), LIMIT_SECONDS))
            row.add(beside.wait(LIMIT_SECONDS))
            row.add(run(["build", str(corpus)], folder / "build.log", LIMIT_SECONDS))
            if not moment:
                whole, seconds = contents(corpus), row.runs[0].seconds
            asked = [url for url in site.take_requests() if url.endswith(".html")]
            row.fault += f" ({len(asked) - len(set(asked))} twice)"
            _compare(row, corpus, whole)
            yield row


def _end_at_moments(
    said: str, folder: Path, end: Callable[[Sequence[str], Path, float], None]
) -> Iterator[Row]:
    """Crawl undisturbed; then have crawls ended after some seconds each, and run them again.

    The name of a row tells how many pages the second run asked for.
    """
    with Site(iter_bilingual, 1) as site:
        undisturbed = Row(f"{said}: undisturbed", len(LANGS) * PAGES)
        corpus = folder / "whole"
        command = _crawl(corpus, site.port)
        undisturbed.add(run(command, folder / "whole.log", LIMIT_SECONDS))
        whole = contents(corpus)
        undisturbed.kept = sum(name.startswith("xml/") for name in whole)
        has_memory = any(name.endswith(".tmx") for name in whole)
        undisturbed.complain(not has_memory, "no memory to lose")
        yield undisturbed
        for moment in MOMENTS:
            corpus = folder / f"at-{moment:.0%}"
            command = _crawl(corpus, site.port)
            end(command, corpus, undisturbed.runs[0].seconds * moment)
            site.take_requests()
            again = run(command, corpus.with_suffix(".again.log"), LIMIT_SECONDS)
            asked = {url for url in site.take_requests() if url.endswith(".html")}
            row = Row(f"{said} at {moment:.0%} of the time ({len(asked)} left)")
            row.add(again)
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
