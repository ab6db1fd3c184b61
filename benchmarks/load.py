"""Crawls under load: many pages, many hosts, long queues, many links, large pages.

``python -m benchmarks.load [--only soak,…]`` serves generated pages on loopback, crawls them with
``scrapy crawl monolingual``, and watches the crawl from outside until all pages were asked for. A
row each: pages that were asked for of those there are, seconds, and for the second and the last
tenth of the pages the rate (pages a second), the memory of all processes of the crawl in MB, and
the open files of the crawler. Where nothing grows, both tenths are the same.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.faults.runs import crawl_command
from benchmarks.resume import PROJECT
from benchmarks.site import GeneratedSite, Site, host_of, make_answer, render

SOAK_PAGES, SOAK_HOSTS = 100_000, 1_000
MANY_HOSTS, SLOW_SECONDS = 10_000, 5.0
QUEUE = 200_000
LINKS = 2_000
LARGE_BYTES = 9_900_000
_LIMIT_SECONDS = 3_600.0
_POLL_SECONDS = 0.5
# robots.txt and the reservation file.
_FILES_A_HOST = 2
_SILENT_SECONDS = 60.0
_SETTINGS = {
    "FRONTIER_TRAPS": "False",  # the pages are alike on purpose
    "WORKERS": str(min(2, os.cpu_count() or 1)),
}
HEADING = "case | asked for | of | seconds | pages/s | MB | files"


@dataclass(frozen=True, slots=True)
class Sample:
    """A moment of a crawl: requests so far, seconds, MB of its processes, open files."""

    requests: int
    seconds: float
    megabytes: float
    files: int


def read_processes(leader: int) -> tuple[float, int]:
    """Return MB of a process group, and the open files of its leader."""
    pages = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == leader:
            pages += int(fields[21])
    try:
        files = len(os.listdir(f"/proc/{leader}/fd"))  # noqa: PTH208 - names alone
    except OSError:
        files = 0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6, files


def watch(command: Sequence[str], site: Site, pages: int, log: Path) -> list[Sample]:
    """Run a crawl until so many requests have come, or none comes any more; then end it."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "scrapy", *command],
            cwd=PROJECT,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    begun = last = time.monotonic()
    samples: list[Sample] = []
    try:
        while process.poll() is None and time.monotonic() - begun < _LIMIT_SECONDS:
            time.sleep(_POLL_SECONDS)
            requests = site.count_requests()
            now = time.monotonic()
            if not samples or requests > samples[-1].requests:
                last = now
            sample = Sample(requests, now - begun, *read_processes(process.pid))
            samples.append(sample)
            if requests >= pages or now - last > _SILENT_SECONDS:
                break
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return samples


def _tenth(samples: Sequence[Sample], number: int) -> tuple[float, float, int]:
    """Return rate, memory and open files in a tenth of the requests, counted from 0."""
    total = samples[-1].requests
    inside = [s for s in samples if number <= 10 * s.requests / total <= number + 1]
    inside = inside or [samples[-1]]  # a tenth may pass between two samples
    first, last = inside[0], inside[-1]
    seconds = max(last.seconds - first.seconds, _POLL_SECONDS)
    rate = (last.requests - first.requests) / seconds
    return rate, max(s.megabytes for s in inside), max(s.files for s in inside)


def _print_row(case: str, samples: Sequence[Sample], pages: int) -> None:
    if not samples or not samples[-1].requests:
        raise SystemExit(f"{case}: the crawl has asked for nothing")
    early, late = _tenth(samples, 1), _tenth(samples, 9)
    pairs = (
        f"{a:,.0f} → {b:,.0f} ({b / max(a, 1):.2f})"
        for a, b in zip(early, late, strict=True)
    )
    asked, seconds = samples[-1].requests, samples[-1].seconds
    print(
        case,
        f"{asked:,}",
        f"{pages:,}",
        f"{seconds:.0f}",
        *pairs,
        sep=" | ",
        flush=True,
    )


def _run(case: str, site: Site, seed: str, pages: int, **settings: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        command = crawl_command(
            corpus, [seed], {"scope": "any"}, settings={**_SETTINGS, **settings}
        )
        samples = watch(command, site, pages, Path(folder) / "log")
        _print_row(case, samples, pages)


def soak(scale: float) -> None:
    """Crawl very many pages of many hosts."""
    pages, hosts = int(SOAK_PAGES * scale), int(SOAK_HOSTS * scale)
    with GeneratedSite(pages, hosts, 4) as site:
        asked = pages + _FILES_A_HOST * hosts
        _run(f"{pages:,} pages, {hosts:,} hosts", site, site.urls[0], asked)


def many_hosts(scale: float) -> None:
    """Crawl very many hosts, without and with a slow third among them."""
    hosts = int(MANY_HOSTS * scale)
    pages = 2 * hosts
    for slow_seconds in (0.0, SLOW_SECONDS):
        said = f"{hosts:,} hosts" + (", a third slow" if slow_seconds else "")
        with GeneratedSite(pages, hosts, 2, slow_seconds=slow_seconds) as site:
            asked = pages + _FILES_A_HOST * hosts
            _run(said, site, site.urls[0], asked)


def _iter_queue(
    pages: int, links: int, queue: int, port: int
) -> Iterator[tuple[str, bytes]]:
    """Yield pages of a host; each links to so many addresses until all have been named."""
    origin = f"http://{host_of(0, 1)}:{port}"
    for number in range(pages):
        draw = random.Random(number)
        first = number * links
        targets = [n for n in range(first, first + links) if n < queue]
        draw.shuffle(targets)
        anchors = "".join(f'<a href="/{n}.html">page {n}</a> ' for n in targets)
        body = render(number, pages, 1, port, 3).replace(b"</body>", anchors.encode())
        yield f"{origin}/{number}.html", make_answer(body)


def long_queue(scale: float) -> None:
    """Crawl a host of which 200,000 addresses are queued, most of them not there."""
    queue = int(QUEUE * scale)
    asked = queue // 40
    with Site(partial(_iter_queue, queue // LINKS + 1, LINKS, queue), 1) as site:
        seed = f"http://{host_of(0, 1)}:{site.port}/0.html"
        _run(f"a host with {queue:,} queued", site, seed, asked)


def many_links(scale: float) -> None:
    """Crawl pages with 2,000 links each, to each other and to pages that are not there."""
    pages = int(300 * scale)
    with Site(partial(_iter_linked, pages), 1) as site:
        seed = f"http://{host_of(0, 1)}:{site.port}/0.html"
        _run(f"{LINKS:,} links a page", site, seed, pages)


def _iter_linked(pages: int, port: int) -> Iterator[tuple[str, bytes]]:
    """Yield pages of a host that link to each other, and as often to pages that are not there."""
    origin = f"http://{host_of(0, 1)}:{port}"
    anchors = "".join(
        f'<a href="/{n if n < pages else 10**6 + n}.html">page {n}</a> '
        for n in range(LINKS)
    )
    for number in range(pages):
        body = render(number, pages, 1, port, 3).replace(b"</body>", anchors.encode())
        yield f"{origin}/{number}.html", make_answer(body)


def _iter_large(pages: int, port: int) -> Iterator[tuple[str, bytes]]:
    origin = f"http://{host_of(0, 1)}:{port}"
    for number in range(pages):
        body = render(number, pages, 1, port, 14)
        paragraph = body[body.index(b"<h1>") : body.index(b"</body>")]
        text = paragraph * (LARGE_BYTES // len(paragraph))
        yield f"{origin}/{number}.html", make_answer(body.replace(b"</body>", text))


def large_pages(scale: float) -> None:
    """Crawl pages of 9.9 MB, with the time that they need: by default they are dropped."""
    pages = max(10, int(30 * scale))
    with Site(partial(_iter_large, pages), 1) as site:
        seed = f"http://{host_of(0, 1)}:{site.port}/0.html"
        _run("pages of 9.9 MB", site, seed, pages, WORKERS_CPU_SECONDS="30")


CASES: dict[str, Callable[[float], None]] = {
    "soak": soak,
    "hosts": many_hosts,
    "queue": long_queue,
    "links": many_links,
    "large": large_pages,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each case."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(CASES))
    parser.add_argument("--scale", type=float, default=1.0, help="of all numbers")
    options = parser.parse_args(arguments)
    print(HEADING, flush=True)
    for name in options.only.split(","):
        CASES[name](options.scale)
    return 0


if __name__ == "__main__":
    sys.exit(main())
