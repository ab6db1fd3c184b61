"""Compares whole crawls with a plain Scrapy spider that only follows links.

``python -m benchmarks.crawl FOLDER`` serves the HTML files of a folder on loopback and crawls
them with a plain spider, with the bilingual spider and its workers, and with the bilingual
spider without workers, each in a process of its own. Without FOLDER the pages are generated.
Printed are pages a second from the first request to the end of the last page, the CPU
milliseconds a page of the event loop (the main thread), of the crawler's process and of the
workers, and the memory of the process at its largest. :mod:`benchmarks.peers` measures whole
commands from outside.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.crawler import CrawlerProcess
from scrapy.settings import Settings

from benchmarks.plain import PLAIN_SETTINGS, PlainSpider
from benchmarks.site import PARAGRAPHS_A_PAGE, FolderSite, GeneratedSite
from ilspfc.spiders.bilingual import BilingualSpider
from ilspfc.text.codes import to_iso639_3

if TYPE_CHECKING:
    from benchmarks.site import Site

PLAIN = "plain"
# Two workers, which the targets are for.
TARGET_MODE = "2"
# The target: pages a second with workers over those of the plain spider, on two cores; and
# the milliseconds a page of the event loop beyond the plain spider's.
MIN_SPEED_RATIO = 0.5
MAX_LOOP_MS = 2.0

_MEGABYTE = 1024 * 1024


class _Watch:
    """Takes the time of a crawl, from its first request to the end of its last page."""

    def __init__(self, every: int) -> None:
        self.pages = 0
        self._every = every
        self.begun = self.ended = self._now()

    def _now(self) -> tuple[float, float, float]:
        return time.monotonic(), time.thread_time(), time.process_time()

    def begin(self) -> None:
        self.begun = self._now()

    def note(self) -> None:
        self.pages += 1
        self.ended = self._now()
        if self._every and self.pages % self._every == 0:
            seconds = self.ended[0] - self.begun[0]
            print(
                f"  {self.pages} pages, {self.pages / seconds:.1f} pages/s,"
                f" {_resident_megabytes('self'):.0f} MB, workers"
                f" {_workers_megabytes()} MB",
                file=sys.stderr,
                flush=True,
            )

    def figures(self) -> dict[str, float]:
        names = ("seconds", "loop", "process")
        spent = (b - a for a, b in zip(self.begun, self.ended, strict=True))
        return {**dict(zip(names, spent, strict=True)), "pages": self.pages}


def _resident_megabytes(process: int | str) -> float:
    fields = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / _MEGABYTE


def _workers_megabytes() -> str:
    """Return what each worker that lives takes, separated by commas."""
    workers = [child.pid for child in multiprocessing.active_children() if child.pid]
    return ", ".join(f"{_resident_megabytes(pid):.0f}" for pid in sorted(workers))


def _cpu_seconds(who: int) -> float:
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def crawl(mode: str, seed: str, langs: str, every: int, given: list[str]) -> None:
    """Crawl in this process and print the figures as JSON."""
    settings = Settings()
    watch = _Watch(every)
    with tempfile.TemporaryDirectory() as folder:
        if mode == PLAIN:
            settings.setdict(PLAIN_SETTINGS, priority="cmdline")
        else:
            settings.setmodule("ilspfc.settings")
            changed = {
                "CORPUS_DIR": folder,
                "WORKERS": int(mode),
                "GUARD_ALLOW": "127.0.0.0/8",
                "DOWNLOAD_DELAY": 0,
            }
            settings.setdict(changed, priority="cmdline")
        settings.setdict(dict(one.split("=", 1) for one in given), priority="cmdline")
        process = CrawlerProcess(settings)
        crawler = process.create_crawler(
            PlainSpider if mode == PLAIN else BilingualSpider
        )
        crawler.signals.connect(watch.begin, signals.engine_started)
        for signal in (signals.item_scraped, signals.item_dropped, signals.item_error):
            crawler.signals.connect(watch.note, signal)
        arguments = {} if mode == PLAIN else {"langs": langs, "domain": "none"}
        process.crawl(crawler, seeds=seed, **arguments)
        process.start()
    figures = watch.figures()
    figures["workers"] = _cpu_seconds(resource.RUSAGE_CHILDREN)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures["peak"] = peak
    figures["worker_peak"] = (
        resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    )
    figures["kept"] = crawler.stats.get_value("export/documents", 0)
    print(json.dumps(figures))


def run(
    mode: str, site: Site, seed: str, options: argparse.Namespace
) -> dict[str, float]:
    """Return the figures of a crawl in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.crawl", "--crawl", mode]
    command += ["--seed", seed, "--langs", options.langs, "--every", str(options.every)]
    # Pages, not answers: half of the links of some sites lead to nothing.
    limit = "CLOSESPIDER_ITEMCOUNT" if mode == PLAIN else "FRONTIER_MAX_PAGES"
    for setting in (*options.set, f"{limit}={options.limit}"):
        command += ["-s", setting]
    started = time.monotonic()
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    figures = dict(json.loads(answer.stdout))
    figures["whole"] = time.monotonic() - started
    site.take_requests()
    return figures


def _line(mode: str, figures: dict[str, float], plain: dict[str, float]) -> str:
    pages = figures["pages"]
    speed = pages / figures["seconds"]
    ms = (1000 * figures[name] / pages for name in ("loop", "process", "workers"))
    name = mode if mode == PLAIN else f"{mode} workers"
    return (
        f"{name:<10}{pages:6.0f}{figures['kept']:6.0f}{speed:9.1f}"
        f"{speed / (plain['pages'] / plain['seconds']):7.2f}"
        f"{''.join(f'{value:9.2f}' for value in ms)}"
        f"{figures['peak']:8.0f}{figures['worker_peak']:8.0f}{figures['whole']:9.1f}"
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what :func:`compare_crawls` is told."""
    add = parser.add_argument
    add("folder", nargs="?", type=Path, help="with the site's HTML files")
    add("--pages", type=int, default=2000, help="to be generated")
    add("--length", type=int, default=PARAGRAPHS_A_PAGE, help="paragraphs of each")
    add("--langs", help="default: de,it, of generated pages en,de")
    add("--limit", type=int, default=0, help="stop after so many pages")
    add("--modes", default="plain,2,0", help="plain, numbers of workers; empty: none")
    add("--every", type=int, default=0, help="print memory after so many pages")
    add("-s", "--set", action="append", default=[], metavar="NAME=VALUE")


def read_langs(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the languages, ISO 639-3."""
    options.langs = options.langs or ("de,it" if options.folder else "en,de")
    return tuple(map(to_iso639_3, options.langs.split(",")))


def compare_crawls(options: argparse.Namespace) -> bool:
    """Crawl in all modes and print a line for each; return whether a target is missed."""
    if not options.modes:
        return False
    read_langs(options)
    source = (
        FolderSite(options.folder)
        if options.folder
        else GeneratedSite(options.pages, hosts=1, length=options.length)
    )
    results: dict[str, dict[str, float]] = {}
    print(f"{'':41}CPU, ms a page             peak memory, MB")
    print(
        "           pages  kept  pages/s  ratio     loop  process  workers"
        " process  worker  seconds"
    )
    with source as site:
        for mode in options.modes.split(","):
            results[mode] = run(mode, site, site.urls[0], options)
            plain = results.get(PLAIN, results[mode])
            print(_line(mode, results[mode], plain), flush=True)
    return _is_missed(results)


def main() -> int:
    """Print the figures of all crawls; return 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    parser.add_argument("--crawl", help=argparse.SUPPRESS)
    parser.add_argument("--seed", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.crawl:
        crawl(options.crawl, options.seed, options.langs, options.every, options.set)
        return 0
    return int(compare_crawls(options))


def _is_missed(results: dict[str, dict[str, float]]) -> bool:
    """Say which target the crawl with two workers misses, if both crawls were made."""
    if not {PLAIN, TARGET_MODE} <= results.keys():
        return False
    plain, ours = results[PLAIN], results[TARGET_MODE]
    ratio = (ours["pages"] / ours["seconds"]) / (plain["pages"] / plain["seconds"])
    more = 1000 * (ours["loop"] / ours["pages"] - plain["loop"] / plain["pages"])
    print(f"ratio {ratio:.2f}, at least {MIN_SPEED_RATIO}")
    print(f"loop {more:+.2f} ms a page beside the plain spider, at most {MAX_LOOP_MS}")
    return ratio < MIN_SPEED_RATIO or more > MAX_LOOP_MS


if __name__ == "__main__":
    sys.exit(main())
