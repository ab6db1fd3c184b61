"""Kills crawls with SIGKILL, runs them again, and counts what was lost or done twice.

``python -m benchmarks.resume`` crawls 5,000 generated pages on 20 hosts of loopback once
without interruption, then five times with a kill at a random moment and a second run into
the same folder. ``--pages``, ``--runs`` and ``--seed`` change the numbers. It ends with
status 1 unless after every second run no page is missing, no document is there twice, no
page but those leased at the kill was fetched again, and the files are those of the
uninterrupted crawl, byte by byte.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, fields
from pathlib import Path

from benchmarks.site import PAGES, GeneratedSite

PROJECT = Path(__file__).resolve().parent.parent
# A crawl is killed after a share of the pages between these two.
EARLIEST, LATEST = 0.05, 0.95
_POLL_SECONDS = 0.01

_HEADINGS = (
    "asked for before the kill",
    "of them through",
    "leased in the file",
    "under way, no lease",
    "fetched again",
    "again without lease",
    "pages lost",
    "documents twice",
    "files that differ",
)


@dataclass(frozen=True)
class Outcome:
    """What a kill and a second run came to, in pages; the last five should be as few as can.

    A page is under way when it was asked for and its visit has not ended in the file.
    """

    asked: int
    through: int
    leased: int
    without_lease: int
    again: int
    again_without_lease: int
    lost: int
    twice: int
    different: int

    @property
    def is_good(self) -> bool:
        """Return whether all that is promised holds."""
        broken = (self.again_without_lease, self.lost, self.twice, self.different)
        return not any(broken) and self.again <= self.leased


def start(seed: str, corpus: Path) -> subprocess.Popen[bytes]:
    """Start a crawl as a user does, in a process group of its own."""
    command = [sys.executable, "-m", "scrapy", "crawl", "monolingual", "-a", "lang=en"]
    command += ["-a", "domain=none", "-a", f"seeds={seed}"]
    command += ["-s", f"CORPUS_DIR={corpus}", "-s", "GUARD_ALLOW=127.0.0.0/8"]
    command += ["-s", "DOWNLOAD_DELAY=0", "-s", "LOGSTATS_INTERVAL=3600"]
    with corpus.with_suffix(".log").open("ab") as log:
        return subprocess.Popen(
            command, cwd=PROJECT, stdout=log, stderr=log, start_new_session=True
        )


def finish(seed: str, corpus: Path) -> None:
    """Run a crawl to its end; SystemExit if it failed."""
    process = start(seed, corpus)
    try:
        status = process.wait()
    except BaseException:
        kill(process)
        raise
    if status:
        log = corpus.with_suffix(".log").read_text("utf-8", "replace")
        raise SystemExit(f"{log}\na crawl ended with status {status}")


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a crawl with its workers."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def kill_after(
    process: subprocess.Popen[bytes], site: GeneratedSite, requests: int
) -> None:
    """Kill a crawl when the site has been asked so many times."""
    try:
        while site.count_requests() < requests:
            if process.poll() is not None:
                raise SystemExit("a crawl ended before it could be killed")
            time.sleep(_POLL_SECONDS)
    finally:
        if process.poll() is None:
            kill(process)


def frontier_states(corpus: Path) -> dict[str, str]:
    """Return the state of each URL as a new process would find it; change nothing."""
    with tempfile.TemporaryDirectory() as folder:
        for file in corpus.glob("frontier.db*"):
            shutil.copy(file, folder)
        with closing(sqlite3.connect(Path(folder) / "frontier.db")) as connection:
            return dict(connection.execute("SELECT url, state FROM urls"))


def documents(corpus: Path) -> dict[str, bytes]:
    """Return the exported files; they hold no time of the crawl but its year."""
    return {path.name: path.read_bytes() for path in (corpus / "xml").iterdir()}


def count_double(corpus: Path) -> int:
    """Return how many pages have more than one document, in the index or as files."""
    identities = Counter(name.rpartition("-")[2] for name in documents(corpus))
    with closing(sqlite3.connect(corpus / "corpus.db")) as connection:
        urls = Counter(
            url for (url,) in connection.execute("SELECT url FROM documents")
        )
    counts = [*identities.values(), *urls.values()]
    return sum(count > 1 for count in counts)


def visited(corpus: Path) -> set[str]:
    """Return the pages that the index knows the fate of."""
    with closing(sqlite3.connect(corpus / "corpus.db")) as connection:
        return {url for (url,) in connection.execute("SELECT url FROM pages")}


def interrupt(
    site: GeneratedSite, corpus: Path, requests: int, expected: dict[str, bytes]
) -> Outcome:
    """Kill a crawl, run it again, and compare what came of it."""
    pages = set(site.urls)
    kill_after(start(site.urls[0], corpus), site, requests)
    asked = pages.intersection(site.take_requests())
    states = frontier_states(corpus)
    leased = {url for url, state in states.items() if state == "leased"}
    through = {
        url for url in asked if states.get(url) not in {None, "queued", "leased"}
    }
    finish(site.urls[0], corpus)
    again = asked.intersection(site.take_requests())
    found = documents(corpus)
    return Outcome(
        asked=len(asked),
        through=len(through),
        leased=len(leased),
        without_lease=len(asked - through - leased),
        again=len(again),
        again_without_lease=len(again - leased),
        lost=len(pages - visited(corpus)),
        twice=count_double(corpus),
        different=sum(
            found.get(name) != expected.get(name) for name in found.keys() | expected
        ),
    )


def main() -> int:
    """Print a line for each crawl that was killed; return 1 if one broke a promise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument(
        "--seed", type=int, default=1, help="of the moments of the kills"
    )
    options = parser.parse_args()
    generator = random.Random(options.seed)
    outcomes = []
    with tempfile.TemporaryDirectory() as folder, GeneratedSite(options.pages) as site:
        whole = Path(folder) / "whole"
        started = time.monotonic()
        finish(site.urls[0], whole)
        expected = documents(whole)
        print(
            f"uninterrupted: {len(visited(whole))} pages, {len(expected)} documents,"
            f" {time.monotonic() - started:.0f} s",
            flush=True,
        )
        site.take_requests()
        for run in range(1, options.runs + 1):
            moment = int(options.pages * generator.uniform(EARLIEST, LATEST))
            corpus = Path(folder) / f"run{run}"
            outcome = interrupt(site, corpus, moment, expected)
            outcomes.append(outcome)
            shutil.rmtree(corpus)
            print(f"run {run}: kill after {outcome.asked} pages", flush=True)
    print()
    for heading, field in zip(_HEADINGS, fields(Outcome), strict=True):
        cells = (getattr(outcome, field.name) for outcome in outcomes)
        print(f"{heading:<26}", *(f"{cell:>6}" for cell in cells))
    return int(not all(outcome.is_good for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
