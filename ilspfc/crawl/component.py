"""Bases of the components that Scrapy makes of the crawler."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import ClassVar, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from ilspfc.crawl.job import CrawlJob


def is_corpus_crawl(crawler: Crawler) -> bool:
    """Test whether the spider of a crawl has opened a job: others know nothing of corpora."""
    return isinstance(getattr(crawler.spider, "job", None), CrawlJob)


def job_of(crawler: Crawler) -> CrawlJob:
    """Return the job that the spider of a crawl has opened."""
    return crawler.spider.job  # type: ignore[union-attr,no-any-return]


class CrawlComponent:
    """Part of a crawl: has its crawler, its job, and counts in its statistics.

    Scrapy makes it for the spiders that fill a corpus alone: `scrapy shell`, `scrapy fetch`
    and spiders of the user's run without. ``listens`` names methods of a subclass, each with
    the signal that calls it.
    """

    listens: ClassVar[Mapping[str, object]] = {}

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the component of a crawl; NotConfigured for a spider without a corpus."""
        if not is_corpus_crawl(crawler):
            raise NotConfigured
        component = cls(crawler)
        for name, signal in cls.listens.items():
            crawler.signals.connect(getattr(component, name), signal=signal)
        return component

    @property
    def job(self) -> CrawlJob:
        """The objects that the components of the crawl share."""
        return job_of(self._crawler)

    def count(self, name: str, number: int = 1) -> None:
        """Count an event in the statistics."""
        self._crawler.stats.inc_value(name, number)


class BackgroundTask(CrawlComponent):
    """Component that runs beside the event loop's other work until the crawl ends."""

    listens: ClassVar = {"start": signals.spider_opened, "stop": signals.spider_closed}

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to run."""
        self._task = asyncio.ensure_future(self.run())

    def stop(self) -> None:
        """End it, wherever it waits."""
        if self._task is not None:
            self._task.cancel()

    async def run(self) -> None:
        """Do the work of the component, for as long as the crawl lasts."""
