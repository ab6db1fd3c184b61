"""Base of the pipelines: the verdict of a stage, and dropping a page for a reason."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar

from scrapy.exceptions import DropItem

from ilspfc.crawl.component import CrawlComponent
from ilspfc.crawl.fetched_page import FetchedPage
from ilspfc.documents import Page


class StagePipeline(CrawlComponent):
    """Base of the pipelines of single pages; ``stage`` is the stage's word."""

    stage: ClassVar[str]

    def process_item(self, item: Any) -> Any:
        """Drop a page that the worker's verdict of the stage is against."""
        if isinstance(item, FetchedPage):
            self.apply_verdict(item)
        return item

    def drop(self, page: Page, reason: StrEnum) -> DropItem:
        """Return the exception that drops a page, and count the loss."""
        page.drop = f"{self.stage}/{reason}"
        self.count(f"{self.stage}/dropped/{reason}")
        return DropItem(page.drop, log_level="DEBUG")

    def apply_verdict(self, page: FetchedPage) -> None:
        """Drop a page that the worker's verdict of the stage is against."""
        reason = page.work.verdicts.get(self.stage) if page.work is not None else None
        if reason is not None:
            raise self.drop(page, reason)
