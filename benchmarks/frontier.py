"""Times a push and a pop of the frontier with many hosts, beside Scrapy's default queue.

``python -m benchmarks.frontier`` prints microseconds per operation for 100 to 50,000 hosts
with pending URLs, for the SQLite frontier and for Scrapy's DownloaderAwarePriorityQueue in
memory, in one run. ``--hosts`` and ``--pops`` change the numbers.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from scrapy import Request, Spider
from scrapy.pqueues import DownloaderAwarePriorityQueue
from scrapy.squeues import LifoMemoryQueue
from scrapy.utils.test import get_crawler

from ilspfc.frontier.frontier import Frontier
from ilspfc.frontier.politeness import PolitenessRules
from ilspfc.frontier.store.candidates import Candidate, UrlState
from ilspfc.frontier.store.sqlite import SQLiteStore

URLS_A_HOST = 4


def _candidates(hosts: int) -> Iterator[Candidate]:
    """Yield URLs of many hosts in a random order, with random scores."""
    generator = random.Random(1)
    order = [host for host in range(hosts) for _ in range(URLS_A_HOST)]
    generator.shuffle(order)
    for number, host in enumerate(order):
        name = f"h{host}.example.org"
        url = f"http://{name}/{number}"
        yield Candidate(url, url, name, score=generator.random() * 1000)


def time_frontier(hosts: int, pops: int) -> tuple[float, float]:
    """Return microseconds per push and per pop (with its acknowledgement)."""
    with tempfile.TemporaryDirectory() as folder:
        store = SQLiteStore(Path(folder) / "frontier.db")
        frontier = Frontier(store, PolitenessRules(delay=0.001, max_active=1))
        candidates = list(_candidates(hosts))
        started = time.perf_counter()
        for candidate in candidates:
            frontier.push(candidate, 0.0)
        pushed = time.perf_counter()
        done = 0
        for step in range(pops):
            now = float(step)
            popped = frontier.pop(now)
            if popped is None:
                break
            frontier.finish(popped.key, popped.host, UrlState.DONE, now)
            done += 1
        ended = time.perf_counter()
        store.close()
    return 1e6 * (pushed - started) / len(candidates), 1e6 * (ended - pushed) / done


class _Downloader:
    """What Scrapy's queue asks of a downloader; no download is under way."""

    def __init__(self) -> None:
        self.slots: dict[str, object] = {}

    def get_slot_key(self, request: Request) -> str:
        return str(request.meta["download_slot"])


class _Engine:
    def __init__(self) -> None:
        self.downloader = _Downloader()


def time_scrapy(hosts: int, pops: int) -> tuple[float, float]:
    """Return microseconds per push and per pop of Scrapy's default queue in memory."""
    crawler = get_crawler(Spider)
    crawler.engine = _Engine()  # type: ignore[assignment]
    queue = DownloaderAwarePriorityQueue.from_crawler(crawler, LifoMemoryQueue, key="")
    requests = [
        Request(c.url, priority=int(c.score), meta={"download_slot": c.host})
        for c in _candidates(hosts)
    ]
    started = time.perf_counter()
    for request in requests:
        queue.push(request)
    pushed = time.perf_counter()
    for _ in range(pops):
        queue.pop()
    ended = time.perf_counter()
    return 1e6 * (pushed - started) / len(requests), 1e6 * (ended - pushed) / pops


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", default="100,1000,10000,50000")
    parser.add_argument("--pops", type=int, default=300)
    options = parser.parse_args()
    print("microseconds    ilspfc push    ilspfc pop    Scrapy push    Scrapy pop")
    for hosts in map(int, options.hosts.split(",")):
        ours, theirs = (
            time_frontier(hosts, options.pops),
            time_scrapy(hosts, options.pops),
        )
        cells = (*ours, *theirs)
        print(f"{hosts:>6} hosts", *(f"{cell:>13.1f}" for cell in cells))


if __name__ == "__main__":
    main()
