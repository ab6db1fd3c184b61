"""Compares the frontier's scheduler with Scrapy's default one on the same crawl.

``python -m benchmarks.scheduler`` crawls 5,000 generated pages on 20 hosts of loopback with
each of them in turn. The spiders parse links with lxml and do nothing else; every crawl has
a process of its own. Printed are the CPU time a page of the crawler's process, from the
start of the engine to its end, and, with a delay between two visits of a host, the pages a
second. ``--pages``, ``--repeats``, ``--delay`` and ``--seconds`` change the numbers. It ends
with status 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

from lxml import html
from scrapy import Request, Spider, signals
from scrapy.crawler import CrawlerProcess
from scrapy.settings import Settings

from benchmarks.site import PAGES, GeneratedSite
from ilspfc.crawl.requests import CANDIDATE
from ilspfc.documents import Link
from ilspfc.frontier.reasons import VisitResult
from ilspfc.frontier.scoring.link_score import FoundLink
from ilspfc.frontier.store.candidates import UrlState
from ilspfc.spiders.monolingual import MonolingualSpider

if TYPE_CHECKING:
    from scrapy.http import Response

OURS, THEIRS = "ilspfc", "Scrapy"
# The targets: CPU of ours over theirs, and pages a second likewise: no fewer, but for what
# the medians scatter.
MAX_CPU_RATIO = 1.10
MIN_SPEED_RATIO = 0.97

# Of both crawls; nothing runs beside scheduler, downloader and spider.
_SETTINGS: dict[str, Any] = {
    "ITEM_PIPELINES": {},
    "EXTENSIONS": {"scrapy.extensions.telnet.TelnetConsole": None},
    "TWISTED_DNS_RESOLVER": "scrapy.resolver.CachingThreadedResolver",
    "ROBOTSTXT_OBEY": False,
    "USER_AGENT": "ilspfc benchmark",
}
_SETTINGS_OF: dict[str, dict[str, Any]] = {
    OURS: {
        "DOWNLOADER_MIDDLEWARES": {
            "ilspfc.middlewares.throttle.PolitenessMiddleware": 880
        },
    },
    THEIRS: {
        "DOWNLOADER_MIDDLEWARES": {},
        "SCHEDULER": "scrapy.core.scheduler.Scheduler",
    },
}


def _iter_links(response: Response) -> Iterator[str]:
    for element in html.document_fromstring(response.body).iter("a"):
        if link := element.get("href"):
            yield link


class FrontierSpider(MonolingualSpider):
    """Links as the spiders of the project yield them, and the end of the lease."""

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        """Tell what the visit paid, and yield the links of the page to be scored."""
        request = response.request
        assert request is not None
        candidate = request.meta[CANDIDATE]
        self.frontier.feedback.visited(candidate, "eng", (), 0.0, VisitResult.NEW_TEXT)
        depth = response.meta["depth"] + 1
        links = [
            FoundLink(Link(url), response.url, "eng", depth=depth)
            for url in _iter_links(response)
        ]
        for candidate in self.frontier.select_links(links):
            meta = {CANDIDATE: candidate}
            yield Request(candidate.url, errback=self.failed, meta=meta)
        self._acknowledge(request, UrlState.DONE)


class PlainSpider(Spider):
    """Links as Scrapy's documentation has them."""

    name = "plain"

    async def start(self) -> AsyncIterator[Any]:
        """Yield the seed."""
        yield Request(self.seeds)  # type: ignore[attr-defined]

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        """Yield the links of a page."""
        for url in _iter_links(response):
            yield Request(url, callback=self.parse, errback=self.failed)

    def failed(self, failure: object) -> None:
        """Pass over a page that cannot be fetched."""


_SPIDERS: dict[str, type[Spider]] = {OURS: FrontierSpider, THEIRS: PlainSpider}


def _cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def crawl(scheduler: str, seed: str, delay: float, seconds: float) -> dict[str, float]:
    """Crawl in this process, for ``seconds`` if they are more than 0; return the figures."""
    settings = Settings()
    settings.setmodule("ilspfc.settings")
    settings.setdict({**_SETTINGS, **_SETTINGS_OF[scheduler]}, priority="cmdline")
    settings.set("DOWNLOAD_DELAY", delay, priority="cmdline")
    started: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        settings.set("CORPUS_DIR", folder, priority="cmdline")
        process = CrawlerProcess(settings)
        crawler = process.create_crawler(_SPIDERS[scheduler])

        async def begin() -> None:
            started.append((_cpu_seconds(), time.monotonic()))
            if seconds:
                engine = crawler.engine
                asyncio.get_running_loop().call_later(
                    seconds, lambda: asyncio.ensure_future(engine.close_spider_async())
                )

        crawler.signals.connect(begin, signals.engine_started)
        process.crawl(crawler, seeds=seed, domain="none", lang="en")
        process.start()
    cpu, at = started[0]
    stats = crawler.stats
    return {
        "pages": stats.get_value("response_received_count", 0),
        "cpu": _cpu_seconds() - cpu,
        "seconds": stats.get_value("elapsed_time_seconds", time.monotonic() - at),
    }


def run(scheduler: str, seed: str, delay: float, seconds: float) -> dict[str, float]:
    """Return the figures of a crawl in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.scheduler", "--crawl", scheduler]
    command += ["--seed", seed, "--delay", str(delay), "--seconds", str(seconds)]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return dict(json.loads(answer.stdout))


def compare(
    site: GeneratedSite, *, delay: float, seconds: float, repeats: int, figure: str
) -> float:
    """Print a figure of each crawl, and return the ratio of the medians."""
    per_page = {"CPU ms/page": ("cpu", 1000.0), "pages/s": ("seconds", 1.0)}
    name, factor = per_page[figure]
    figures: dict[str, list[float]] = {OURS: [], THEIRS: []}
    for _ in range(repeats):
        for scheduler, values in figures.items():
            result = run(scheduler, site.urls[0], delay, seconds)
            if not seconds and result["pages"] != len(site.urls):
                raise SystemExit(f"{scheduler}: {result['pages']:.0f} pages visited")
            value = factor * result[name] / result["pages"]
            values.append(1 / value if figure == "pages/s" else value)
    medians = {key: statistics.median(values) for key, values in figures.items()}
    print(f"{figure}, delay {delay:g} s")
    for scheduler, values in figures.items():
        cells = " ".join(f"{value:7.2f}" for value in values)
        print(f"  {scheduler:<8}{cells}   median {medians[scheduler]:7.2f}")
    ratio = medians[OURS] / medians[THEIRS]
    print(f"  ratio {ratio:.3f}", flush=True)
    return ratio


def main() -> int:
    """Print both tables; return 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--delay", type=float, default=0.25, help="seconds")
    parser.add_argument("--seconds", type=float, default=20.0, help="of a slow crawl")
    parser.add_argument("--crawl", choices=[OURS, THEIRS], help=argparse.SUPPRESS)
    parser.add_argument("--seed", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.crawl:
        result = crawl(options.crawl, options.seed, options.delay, options.seconds)
        print(json.dumps(result))
        return 0
    with GeneratedSite(options.pages) as site:
        cpu = compare(
            site, delay=0, seconds=0, repeats=options.repeats, figure="CPU ms/page"
        )
        speed = compare(
            site,
            delay=options.delay,
            seconds=options.seconds,
            repeats=options.repeats,
            figure="pages/s",
        )
    return int(cpu > MAX_CPU_RATIO or speed < MIN_SPEED_RATIO)


if __name__ == "__main__":
    sys.exit(main())
