"""Cleaning: the call of a worker that processes a page."""

from __future__ import annotations

import logging
from enum import StrEnum
from typing import Any

from scrapy.crawler import Crawler

from ilspfc.cleaning.page import CleaningReason
from ilspfc.crawl.fetched_page import FetchedPage, PageWork
from ilspfc.crawl.page_work import PageWorker
from ilspfc.exceptions import WorkerLostError, WorkerTimeoutError
from ilspfc.pipelines.stage import StagePipeline
from ilspfc.responses.rendering import PageRenderer

logger = logging.getLogger(__name__)


class WorkerReason(StrEnum):
    """Reasons for dropping a page that a worker was lost over, whatever the stage."""

    TIMEOUT = "timeout"
    WORKER_LOST = "worker_lost"


class CleaningPipeline(StagePipeline):
    """Has a worker process the page, for this pipeline and all later ones."""

    stage = "cleaning"

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._renderer = PageRenderer(crawler)

    async def process_item(self, item: Any) -> Any:
        """Set the page's document and work; drop a page without usable text."""
        if not isinstance(item, FetchedPage):
            return item
        item.work = work = await self._work(item)
        if await self._renderer.render(item, work):
            item.work = work = await self._work(item)
        item.document, item.body = work.document, b""
        if item.document is not None:
            for reason, number in item.document.unusable.items():
                self.count(f"frontier/dropped/{reason}", number)
            if error := item.document.backend_error:
                self.count("cleaning/backend_errors")
                logger.warning("%s: %s; the learned result is kept", item.url, error)
        self.apply_verdict(item)
        # The host may respond to requests for missing pages like this.
        pages = self.job.error_pages if item.depth > 0 else None
        if pages and work.cleaned is not None and pages.has(item.url, work.cleaned):
            raise self.drop(item, CleaningReason.SOFT_404)
        return item

    async def _work(self, page: FetchedPage) -> PageWork:
        """Return the work of all stages on a page; drop a page that a worker is lost over."""
        try:
            with self.job.disk:
                call = self.job.workers.measure_prepared(PageWorker.work, page)
                return (await call)[0]
        except WorkerTimeoutError:
            raise self.drop(page, WorkerReason.TIMEOUT) from None
        except WorkerLostError:
            raise self.drop(page, WorkerReason.WORKER_LOST) from None
