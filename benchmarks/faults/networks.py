"""Networks that are away for a while, names that change, clocks that jump."""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Iterator
from pathlib import Path

from benchmarks.faults.disks import compare
from benchmarks.faults.pages import page
from benchmarks.faults.runs import Row, Run, crawl_command, run
from benchmarks.resume import documents
from benchmarks.site import GeneratedSite, Site, host_of

PAGES = 400
HOSTS = 8
NAMES = 4
AWAY_SECONDS = 30.0
LIMIT_SECONDS = 240.0
# Slow enough that a crawl is still under way when something happens.
SETTINGS = {"DOWNLOAD_DELAY": "0.2"}


def _undisturbed(
    number: str, folder: Path, seeds: list[str]
) -> Generator[Row, None, dict[str, bytes]]:
    row = Row(f"{number} undisturbed")
    command = crawl_command(folder / "whole", seeds, settings=SETTINGS)
    row.add(run(command, folder / "0.log", LIMIT_SECONDS))
    whole = documents(folder / "whole")
    row.expected, row.kept = PAGES, len(whole)
    yield row
    return whole


def network_away(folder: Path) -> Iterator[Row]:
    """Refuse all connections for half a minute, in the middle of a crawl."""
    with GeneratedSite(PAGES, HOSTS) as site:
        seeds = site.urls[:1]
        whole = yield from _undisturbed("11", folder, seeds)
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


def clock_jumps(folder: Path) -> Iterator[Row]:
    """Set the clock a day forward and a day back in the middle of a crawl (libfaketime)."""
    library = _find_library("faketime/libfaketimeMT.so.1")
    if library is None:
        yield Row("14 clock jumps: left out, need libfaketime")
        return
    with GeneratedSite(PAGES, HOSTS) as site:
        seeds = site.urls[:1]
        whole = yield from _undisturbed("14", folder, seeds)
        for jump in ("+1d", "-1d"):
            row = Row(f"14 clock jumps by {jump}")
            site.take_requests()
            corpus, offset = folder / f"clock{jump}", folder / "offset"
            offset.write_text("+0")
            faked = {
                "LD_PRELOAD": str(library),
                "FAKETIME_TIMESTAMP_FILE": str(offset),
                "FAKETIME_NO_CACHE": "1",
                "DONT_FAKE_MONOTONIC": "1",
            }
            command = crawl_command(corpus, seeds, settings=SETTINGS)
            crawl = Run(command, folder / f"{jump}.log", {**os.environ, **faked})
            crawl.wait_until(lambda: site.count_requests() > PAGES // 3, LIMIT_SECONDS)
            offset.write_text(jump)
            row.add(crawl.wait(LIMIT_SECONDS))
            compare(row, corpus, whole)
            intervals = site.take_times()
            row.complain(len(intervals) > PAGES + 3 * HOSTS, "pages fetched twice")
            yield row


def names_that_change(folder: Path) -> Iterator[Row]:
    """Take the names of all hosts away for half a minute, then give them other addresses.

    The names are those of a file (nss_wrapper); their pages refer to each other by them.
    """
    library = _find_library("libnss_wrapper.so")
    if library is None:
        yield Row("15 names: left out, need libnss-wrapper")
        return
    with Site(_iter_named, NAMES) as site:
        seeds = [_named(0, site.port)]
        hosts = folder / "hosts"
        named = {"LD_PRELOAD": str(library), "NSS_WRAPPER_HOSTS": str(hosts)}
        settings = {**SETTINGS, "GUARD_ALLOW": f"127.0.0.0/8,:{site.port}"}
        wholes: list[dict[str, bytes]] = []
        for case in ("undisturbed", "names away, then elsewhere"):
            row = Row(f"15 {case}")
            site.take_requests()
            _write_names(hosts, 0)
            corpus = folder / f"corpus-{len(wholes)}"
            command = crawl_command(corpus, seeds, {"scope": "any"}, settings=settings)
            log = folder / f"{len(wholes)}.log"
            crawl = Run(command, log, {**os.environ, **named})
            if wholes:
                crawl.wait_until(
                    lambda: site.count_requests() > PAGES // 3, LIMIT_SECONDS
                )
                hosts.write_text("")
                time.sleep(AWAY_SECONDS)
                _write_names(hosts, 1)
            row.add(crawl.wait(LIMIT_SECONDS))
            wholes.append(documents(corpus))
            row.expected, row.kept = PAGES, len(wholes[-1])
            if len(wholes) > 1:
                compare(row, corpus, wholes[0])
            yield row


def _named(number: int, port: int) -> str:
    return f"http://h{number % NAMES}.example.test:{port}/{number}.html"


def _iter_named(port: int) -> Iterator[tuple[str, bytes]]:
    """Yield the pages of hosts with names, under all addresses that serve them."""
    for number in range(PAGES):
        behind = [n for n in (2 * number + 1, 2 * number + 2) if n < PAGES]
        links = [_named(n, port) for n in behind]
        answer = page(_named(number, port), links=links)[1]
        for address in range(NAMES):
            yield f"http://{host_of(address, NAMES)}:{port}/{number}.html", answer


def _write_names(path: Path, shift: int) -> None:
    """Write the address of each name."""
    lines = (
        f"{host_of(number + shift, NAMES)} h{number}.example.test"
        for number in range(NAMES)
    )
    path.write_text("\n".join(lines) + "\n")


def _find_library(name: str) -> Path | None:
    """Return a shared library of the system, None without it."""
    return next(iter(Path("/usr/lib").glob(f"*/{name}")), None)
