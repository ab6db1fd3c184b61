"""Crawls one site of many hosts with several crawlers that share a frontier in PostgreSQL.

``python -m benchmarks.cluster`` starts a PostgreSQL server on loopback, serves 20,000 pages on
40 hosts, and crawls them with real processes of ``scrapy``: undisturbed; with a crawler killed
(-9); with PostgreSQL killed and started again; with a crawler that joins late and one that
leaves. A row each: pages that no part of the corpus has, pages that were asked for more than
once, seconds, pages a second, the shortest time between two requests at a host as its server
saw it, and what the database needed a page. The status is 1 where a page is missing, or was
fetched twice without a crawler or server being killed.
"""

from __future__ import annotations

import argparse
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from benchmarks.postgresql import PostgreSQLServer, run_postgresql
from benchmarks.site import GeneratedSite

# Share of the pages after which something happens.
EVENT_SHARE = 0.4
_LIMIT_SECONDS = 1500.0
HEADING = (
    "case",
    "crawlers",
    "missing",
    "twice",
    "seconds",
    "pages/s",
    "shortest",
    "by crawler",
    "ms/page",
    "bytes/URL",
)


@dataclass(slots=True)
class Crawl:
    """Crawlers of one corpus, by name."""

    folder: Path
    server: PostgreSQLServer
    site: GeneratedSite
    delay: float
    crawlers: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, name: str) -> None:
        """Start a crawler."""
        settings = {
            "CORPUS_DIR": self.folder,
            "FRONTIER_STORE": self.server.url,
            "FRONTIER_CRAWLER": name,
            "FRONTIER_TRAPS": False,  # the pages are alike on purpose
            "GUARD_ALLOW": "127.0.0.0/8",
            "DOWNLOAD_DELAY": self.delay,
            "WORKERS": 1,
        }
        command = [
            sys.executable,
            "-m",
            "scrapy",
            "crawl",
            "monolingual",
            "-a",
            "lang=en",
        ]
        command += ["-a", f"seeds={self.site.urls[0]}"]
        for key, value in settings.items():
            command += ["-s", f"{key}={value}"]
        with (self.folder.parent / f"{name}.log").open("wb") as log:
            self.crawlers[name] = subprocess.Popen(
                command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )

    def wait_for(self, pages: int) -> None:
        """Wait until so many requests have come."""
        while self.site.count_requests() < pages:
            time.sleep(0.1)

    def wait(self) -> None:
        """Wait for the crawlers."""
        deadline = time.monotonic() + _LIMIT_SECONDS
        for crawler in self.crawlers.values():
            crawler.wait(max(1.0, deadline - time.monotonic()))

    def kill(self, name: str) -> None:
        """End a crawler and its workers at once."""
        os.killpg(self.crawlers[name].pid, signal.SIGKILL)

    def kept(self) -> dict[str, set[str]]:
        """Return the pages that the part of each crawler has."""
        found = {}
        for index in sorted(self.folder.glob("parts/*/corpus.db")):
            with closing(sqlite3.connect(index)) as connection:
                rows = connection.execute("SELECT url FROM pages")
                found[index.parent.name] = {url for (url,) in rows}
        return found


def undisturbed(crawl: Crawl, crawlers: int) -> None:
    """Crawl with so many crawlers."""
    for number in range(crawlers):
        crawl.start(f"c{number}")


def crawler_killed(crawl: Crawl, crawlers: int) -> None:
    """Kill a crawler: its hosts go to the others once its lease is over."""
    undisturbed(crawl, crawlers)
    crawl.wait_for(int(len(crawl.site.urls) * EVENT_SHARE))
    crawl.kill("c0")


def server_killed(crawl: Crawl, crawlers: int) -> None:
    """Kill PostgreSQL, and start it again after some seconds."""
    undisturbed(crawl, crawlers)
    crawl.wait_for(int(len(crawl.site.urls) * EVENT_SHARE))
    crawl.server.kill()
    time.sleep(5)
    crawl.server.start()


def joined_and_left(crawl: Crawl, crawlers: int) -> None:
    """Let a crawler join, then another one leave in order."""
    undisturbed(crawl, crawlers)
    crawl.wait_for(int(len(crawl.site.urls) * EVENT_SHARE / 2))
    crawl.start("late")
    crawl.wait_for(int(len(crawl.site.urls) * EVENT_SHARE))
    crawl.crawlers["c0"].send_signal(signal.SIGINT)


CASES: dict[str, tuple[Callable[[Crawl, int], None], int, bool]] = {
    "alone": (undisturbed, 1, True),
    "two": (undisturbed, 2, True),
    "four": (undisturbed, 4, True),
    "crawler killed": (crawler_killed, 2, False),
    "server killed": (server_killed, 2, False),
    "joined and left": (joined_and_left, 2, True),
}


@contextmanager
def _watch_database(url: str) -> Iterator[list[float]]:
    """Return the milliseconds of statements and the bytes and number of URLs, at the end."""
    figures: list[float] = []
    yield figures
    with psycopg.connect(url, autocommit=True) as connection:
        schema = connection.execute(
            "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'ilspfc_%'"
        ).fetchone()
        assert schema is not None
        (size,) = connection.execute(
            "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n"
            " ON n.oid = c.relnamespace WHERE c.relkind = 'r' AND nspname = %s",
            schema,
        ).fetchone() or (0,)
        (urls,) = connection.execute(
            f"SELECT count(*) FROM {schema[0]}.urls".encode()
        ).fetchone() or (0,)
        figures += [float(size) / max(urls, 1)]
        connection.execute(f"DROP SCHEMA {schema[0]} CASCADE".encode())


def _server_seconds(folder: Path) -> float:
    """Return the CPU seconds of the server's processes so far, those that ended included."""
    number = int((folder / "data" / "postmaster.pid").read_text().split()[0])
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(path.parent.name) == number:
            ticks += sum(map(int, fields[11:15]))
        elif int(fields[1]) == number:
            ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def run_case(name: str, pages: int, hosts: int, delay: float) -> bool:
    """Print the row of a case; return whether it is as it should be."""
    happen, crawlers, is_calm = CASES[name]
    with (
        run_postgresql() as server,
        GeneratedSite(pages, hosts, 2) as site,
        tempfile.TemporaryDirectory() as place,
    ):
        if server is None:
            print("skipped: PostgreSQL is not installed")
            return True
        crawl = Crawl(Path(place) / "demo", server, site, delay)
        before = _server_seconds(server.folder)
        with _watch_database(server.url) as figures:
            begun = time.monotonic()
            happen(crawl, crawlers)
            crawl.wait()
            seconds = time.monotonic() - begun
            spent = _server_seconds(server.folder) - before
        asked = site.take_times()
        kept = crawl.kept()
        times = Counter(url for url, _ in asked)
        missing = set(site.urls).difference(*kept.values())
        twice = sum(times[url] - 1 for url in site.urls if url in times)
        row = (
            name,
            crawlers,
            len(missing),
            twice,
            f"{seconds:.0f}",
            f"{pages / seconds:.0f}",
            f"{_shortest(asked):.3f} s" if delay else "-",
            "+".join(str(len(urls)) for urls in kept.values()),
            f"{spent * 1000 / pages:.2f}",
            f"{figures[0]:.0f}",
        )
        print(" | ".join(map(str, row)), flush=True)
        return not missing and not (is_calm and twice)


def _shortest(asked: Sequence[tuple[str, float]]) -> float:
    """Return the shortest time between two pages at a host, in seconds."""
    last: dict[str, float] = {}
    shortest = float("inf")
    for url, when in asked:
        parts = urlsplit(url)
        if parts.path.endswith(".html"):
            host = parts.netloc
            shortest = min(shortest, when - last.get(host, -1e9))
            last[host] = when
    return shortest


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each case; return 1 if one is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--hosts", type=int, default=40)
    parser.add_argument(
        "--delay",
        type=float,
        default=0.0,
        help="seconds between two requests of a host",
    )
    parser.add_argument("--cases", default=",".join(CASES))
    options = parser.parse_args(arguments)
    print(" | ".join(HEADING), flush=True)
    names = options.cases.split(",")
    return (
        0
        if all(
            run_case(name, options.pages, options.hosts, options.delay)
            for name in names
        )
        else 1
    )


if __name__ == "__main__":
    sys.exit(main())
