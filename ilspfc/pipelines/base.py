"""What the pipelines share: the crawl's job, and dropping a page with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from scrapy.exceptions import DropItem

if TYPE_CHECKING:
    from enum import StrEnum

    from scrapy.crawler import Crawler

    from ilspfc.documents import Page
    from ilspfc.job import CrawlJob


class StagePipeline:
    """Base of the pipelines that pages go through; ``stage`` is the stage's word."""

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
        """What the components of the crawl share."""
        return self._crawler.spider.job  # type: ignore[union-attr,no-any-return]

    def drop(self, page: Page, reason: StrEnum) -> DropItem:
        """Return the exception that ends the way of a page, and count the loss."""
        page.drop = f"{self.stage}/{reason}"
        self._crawler.stats.inc_value(f"{self.stage}/dropped/{reason}")
        return DropItem(page.drop)
