"""Base of the pipelines: the verdict of a stage, and dropping a page for a reason."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Self

from scrapy.exceptions import DropItem

from ilspfc.crawl.job import job_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from ilspfc.crawl.fetched_page import FetchedPage
    from ilspfc.crawl.job import CrawlJob
    from ilspfc.documents import Page


class StagePipeline:
    """Base of the pipelines of single pages; ``stage`` is the stage's word."""

    stage: ClassVar[str]

    def __init__(self, crawler: Crawler) -> None:
        self.settings = crawler.settings
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the pipeline of a crawl."""
        return cls(crawler)

    @property
    def job(self) -> CrawlJob:
        """The objects that the components of the crawl share."""
        return job_of(self._crawler)

    def drop(self, page: Page, reason: StrEnum) -> DropItem:
        """Return the exception that drops a page, and count the loss."""
        page.drop = f"{self.stage}/{reason}"
        self._crawler.stats.inc_value(f"{self.stage}/dropped/{reason}")
        return DropItem(page.drop)

    def count(self, name: str, number: int = 1) -> None:
        """Count an event in the stats of the stage."""
        self._crawler.stats.inc_value(f"{self.stage}/{name}", number)

    def apply_verdict(self, page: FetchedPage) -> None:
        """Drop a page that the worker's verdict of the stage is against."""
        reason = page.work.verdicts.get(self.stage) if page.work is not None else None
        if reason is not None:
            raise self.drop(page, reason)
