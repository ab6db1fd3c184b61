"""How the shared frontier grows: milliseconds and bytes at more and more URLs.

``python -m benchmarks.growth`` fills a PostgreSQL server on loopback with 200,000, 3,000,000
and 10,000,000 made-up URLs on 2,000, 50,000 and 200,000 hosts, then plays a crawler that visits
pages with 50 links each, half of them new, and reports them every 20 pages. Printed are the
milliseconds of an exchange a page (client and server), its median and 99th percentile by page,
the milliseconds of a pop, bytes a URL with indexes, and the URLs a second of filling.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psycopg

from benchmarks.postgresql import run_postgresql
from ilspfc.cluster.postgresql import PostgreSQLFrontier
from ilspfc.cluster.shared_store import SharedStore
from ilspfc.frontier.store.candidates import Candidate, UrlState, Visit
from ilspfc.frontier.store.changes import Changes, Demand

SIZES = ((200_000, 2_000), (3_000_000, 50_000), (10_000_000, 200_000))
LINKS = 50
_BATCH = 5_000
_PAGES_AN_EXCHANGE = 20
_PAGES = 4_000
HEADING = (
    "URLs",
    "hosts",
    "fill/s",
    "ms/page",
    "p50",
    "p99",
    "pop ms p50",
    "p99",
    "bytes/URL",
)


def make_link(number: int, hosts: int) -> Candidate:
    """Return the candidate of a made-up URL; the best ones are on all hosts."""
    host = f"www.site-{number % hosts}.example.org"
    url = f"https://{host}/section-{number % 97}/page-{number}.html"
    return Candidate(
        url,
        url,
        host,
        (number * 2654435761 % 1000) / 10,
        3,
        f"https://{host}/",
        "Some words of a link",
    )


def fill(frontier: PostgreSQLFrontier, first: int, last: int, hosts: int) -> None:
    """Queue URLs by number."""
    for start in range(first, last, _BATCH):
        links = (make_link(n, hosts) for n in range(start, min(start + _BATCH, last)))
        frontier.exchange(Changes({link.key: link for link in links}), Demand())


def visit_pages(
    store: SharedStore, urls: int, hosts: int
) -> Iterator[tuple[float, float]]:
    """Yield the seconds of pops and of the exchange for each report of some pages."""
    generator = random.Random(1)
    number = urls
    while number < urls + _PAGES * LINKS // 2:
        popped = time.perf_counter()
        hosts_now = list(store.hosts())[:_PAGES_AN_EXCHANGE]
        pages = [page for host in hosts_now if (page := store.pop(host)) is not None]
        popped = time.perf_counter() - popped
        for candidate in pages:
            for _ in range(LINKS // 2):
                store.push(make_link(generator.randrange(urls), hosts))
                store.push(make_link(number, hosts))
                number += 1
            store.record_visit(candidate.key, Visit(time.time(), '"etag"'))
            store.set_gain(candidate.key, 0.5)
            store.finish(candidate.key, UrlState.DONE)
        begun = time.perf_counter()
        store.end_exchange(store.frontier.exchange(*store.begin_exchange()))
        spent = time.perf_counter() - begun
        if pages:
            yield popped / len(pages), spent / len(pages)


def measure(urls: int, hosts: int) -> str:
    """Return the row of a size."""
    with run_postgresql() as server, tempfile.TemporaryDirectory() as folder:
        if server is None:
            return "skipped: PostgreSQL is not installed"
        frontier = PostgreSQLFrontier(server.url, "growth", "filler", 3600.0)
        frontier.join()
        begun = time.perf_counter()
        fill(frontier, 0, urls, hosts)
        filled = urls / (time.perf_counter() - begun)
        frontier.leave(Changes())
        frontier.close()
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
            (size,) = connection.execute(
                "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n"
                " ON n.oid = c.relnamespace WHERE relkind = 'r' AND nspname = 'ilspfc_growth'"
            ).fetchone() or (0,)
        crawler = PostgreSQLFrontier(server.url, "growth", "one", 3600.0)
        store = SharedStore(Path(folder) / "copy.db", crawler, 3600.0)
        for _ in range(8):
            store.end_exchange(store.frontier.exchange(*store.begin_exchange()))
        figures = list(visit_pages(store, urls, hosts))
        store.close()
    pops, exchanges = (sorted(column) for column in zip(*figures, strict=True))
    mean = sum(exchanges) / len(exchanges)
    row = [f"{urls:,}", f"{hosts:,}", f"{filled:,.0f}"]
    row += [
        f"{1000 * x:.2f}" for x in (mean, *_percentiles(exchanges), *_percentiles(pops))
    ]
    return " | ".join([*row, f"{float(size) / urls:.0f}"])


def _percentiles(values: Sequence[float]) -> tuple[float, float]:
    return values[len(values) // 2], values[len(values) * 99 // 100]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--sizes", type=int, default=len(SIZES), help="how many of the sizes"
    )
    options = parser.parse_args(arguments)
    print(" | ".join(HEADING), flush=True)
    for urls, hosts in SIZES[: options.sizes]:
        print(measure(urls, hosts), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
