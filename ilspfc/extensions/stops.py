"""Stops: orderly end of a crawl that is interrupted or whose disk refuses a write."""

from __future__ import annotations

import asyncio
import logging
import signal
from types import FrameType
from typing import TYPE_CHECKING, Self

from scrapy import signals

from ilspfc.crawl.component import CrawlComponent
from ilspfc.crawl.pace import engine_slot
from ilspfc.exceptions import DiskError
from ilspfc.interrupts import Interrupts, tell

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

DISK_REFUSES = "disk_refuses"
"""Reason for the end of a crawl: the disk refused a write."""
INTERRUPTED_STAT = "interrupted"


class Stops(CrawlComponent):
    """Watches the signals and the disk while pages are fetched.

    The first signal is Scrapy's: pages under way are ended and the corpus is paired. After a
    refused write no page under way could be kept, and the crawl waits for none.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._interrupts: Interrupts | None = None
        self._ending: asyncio.Future[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the extension, connected to the begin and the end of a crawl."""
        stops = super().from_crawler(crawler)
        crawler.signals.connect(stops.opened, signal=signals.spider_opened)
        crawler.signals.connect(stops.closed, signal=signals.spider_closed)
        return stops

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
