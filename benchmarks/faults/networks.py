"""Networks that are away for a while, names that change, clocks that jump."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.faults.disks import compare
from benchmarks.faults.runs import Row, Run, crawl_command, run
from benchmarks.resume import documents
from benchmarks.site import GeneratedSite

PAGES = 400
HOSTS = 8
AWAY_SECONDS = 30.0
LIMIT_SECONDS = 240.0
# Slow enough that a crawl is still under way when something happens.
SETTINGS = {"DOWNLOAD_DELAY": "0.2"}


def network_away(folder: Path) -> Iterator[Row]:
    """Refuse all connections for half a minute, in the middle of a crawl."""
    with GeneratedSite(PAGES, HOSTS) as site:
        seeds = site.urls[:1]
        row = Row("11 undisturbed")
        command = crawl_command(folder / "whole", seeds, settings=SETTINGS)
        row.add(run(command, folder / "0.log", LIMIT_SECONDS))
        whole = documents(folder / "whole")
        row.expected, row.kept = PAGES, len(whole)
        yield row
        row = Row(f"11 network away for {AWAY_SECONDS:.0f} s")
        site.take_requests()
        corpus = folder / "away"
        command = crawl_command(corpus, seeds, settings=SETTINGS)
        crawl = Run(command, folder / "away.log")
        crawl.wait_until(lambda: site.count_requests() > PAGES // 3, LIMIT_SECONDS)
        site.leave()
        time.sleep(AWAY_SECONDS)
        site.come_back()
        row.add(crawl.wait(LIMIT_SECONDS))
        compare(row, corpus, whole)
        yield row
