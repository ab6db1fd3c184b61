"""Cleaning: the bytes of a page become its document."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from ilspfc.cleaning import CleaningReason, save_site_texts
from ilspfc.crawl.page_work import PageWorker, make_task
from ilspfc.documents import Page
from ilspfc.exceptions import DiskError
from ilspfc.pipelines.stage import StagePipeline

if TYPE_CHECKING:
    from ilspfc.crawl.page_work import PageWork


class CleaningPipeline(StagePipeline):
    """Has a worker do what a page costs; the later pipelines take their part of it."""

    stage = "cleaning"

    async def process_item(self, item: object) -> object:
        """Give the page its document, or drop it."""
        if not isinstance(item, Page):
            return item
        task = make_task(item, self.job.site_texts)
        work = await self.work(item, PageWorker.work, task)
        if work.document is not None:
            item.body = b""  # nothing downstream parses again
            item.work, item.document = work, work.document
            item.document.fetched_at = item.fetched_at
            item.document.depth = item.depth
            for reason, number in item.document.unusable.items():
                self._crawler.stats.inc_value(f"frontier/dropped/{reason}", number)
            if work.recurring:
                self.count("recurring_pages")
                self.count("recurring_blocks", work.recurring)
        self.drop_if_ended(item, work)
        if self._is_error_page(item, work):
            raise self.drop(item, CleaningReason.SOFT_404)
        return item

    def close_spider(self) -> None:
        """Keep what recurs on the sites for the next run."""
        if self.job.site_texts is not None:
            with suppress(DiskError), self.job.disk:  # the crawl tells of it
                save_site_texts(self.job.site_texts, self.job.files.recurrence)

    def _is_error_page(self, page: Page, work: PageWork) -> bool:
        """Return whether the host answers like this for what does not exist."""
        pages = self.job.error_pages
        if pages is None or page.depth == 0 or work.cleaned is None:
            return False
        return pages.has(page.url, work.cleaned)
