"""Stops: orderly end of a crawl that is interrupted or whose disk refuses a write."""

from __future__ import annotations

import asyncio
import logging
import signal
from types import FrameType
from typing import ClassVar

from scrapy import signals
from scrapy.crawler import Crawler

from ilspfc.crawl.component import CrawlComponent
from ilspfc.crawl.pace import engine_slot
from ilspfc.exceptions import DiskError
from ilspfc.interrupts import Interrupts, tell

DISK_REFUSES = "disk_refuses"
"""Reason for the end of a crawl: the disk refused a write."""
INTERRUPTED_STAT = "interrupted"


class Stops(CrawlComponent):
    """Watches the signals and the disk while pages are fetched.

    The first signal is Scrapy's: pages under way are ended and the corpus is paired. After a
    refused write no page under way could be kept, and the crawl waits for none.
    """

    listens: ClassVar = {
        "opened": signals.spider_opened,
        "closed": signals.spider_closed,
    }

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._interrupts: Interrupts | None = None
        self._ending: asyncio.Future[None] | None = None

    def opened(self) -> None:
        """Begin to watch."""
        job = self.job
        job.disk.on_refusal = self._end_at_once
        scrapys = signal.getsignal(signal.SIGINT)
        if not callable(scrapys) or scrapys is signal.default_int_handler:
            return  # the caller of the crawl handles signals, or nobody

        def stop(number: int, frame: FrameType | None) -> None:
            self._crawler.stats.set_value(INTERRUPTED_STAT, value=True)
            tell(
                "ilspfc: interrupted: pages under way are ended, then the stages over the"
                " corpus run; interrupt again to leave at once"
            )
            scrapys(number, frame)

        self._interrupts = Interrupts(stop, job.lock.release)
        self._interrupts.__enter__()

    def closed(self) -> None:
        """End watching."""
        if self._interrupts is not None:
            self._interrupts.__exit__()

    def _end_at_once(self) -> None:
        for handler in logging.root.handlers:
            handler.addFilter(_is_news)
        engine = self._crawler.engine
        if engine.spider is None:  # not open yet: the error is raised on opening
            return
        slot = engine_slot(self._crawler)
        if slot is not None:
            slot.inprogress.clear()
        self._ending = asyncio.ensure_future(
            engine.close_spider_async(reason=DISK_REFUSES)
        )


def _is_news(record: logging.LogRecord) -> bool:
    """Return False for consequences of a refused write, which is reported once."""
    error = record.exc_info[1] if record.exc_info else None
    while error is not None:
        if isinstance(error, DiskError):
            return False
        error = error.__cause__ or error.__context__
    return True
