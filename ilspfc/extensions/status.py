"""State of a crawl in a file, for monitors: ``status.json`` in the corpus."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from ilspfc.atomic import open_atomic
from ilspfc.crawl.component import CrawlComponent
from ilspfc.extensions.progress import count_pages

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.spiders import Spider


class StatusFile(CrawlComponent):
    """Writes what a monitor asks for, from time to time and at the end.

    The file is replaced as a whole. A crawl whose file is older than some of its intervals
    hangs, or was killed.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._begun_at = time.monotonic()
        self._kept, self._last_kept = 0, ""
        self._loop = create_looping_call(self._show)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the extension; it is off where the interval is 0."""
        if not crawler.settings.getfloat("REPORT_STATUS_SECONDS"):
            raise NotConfigured("REPORT_STATUS_SECONDS is 0: there is no status.json")
        status = cls(crawler)
        crawler.signals.connect(status.start, signal=signals.spider_opened)
        crawler.signals.connect(status.stop, signal=signals.spider_closed)
        return status

    def start(self) -> None:
        """Begin to write the file."""
        seconds = self._crawler.settings.getfloat("REPORT_STATUS_SECONDS")
        self._loop.start(seconds, now=True)

    def stop(self, spider: Spider, reason: str) -> None:
        """Write the last state."""
        if self._loop.running:
            self._loop.stop()
        self._write("finished", reason)

    def _show(self) -> None:
        self._write(str(self._crawler.stats.get_value("stage") or "crawling"))

    def _write(self, state: str, reason: str = "") -> None:
        stats, now = self._crawler.stats, datetime.now(UTC).isoformat()
        kept = stats.get_value("export/documents", 0)
        if kept != self._kept:
            self._kept, self._last_kept = kept, now
        pages = count_pages(stats)
        seconds = time.monotonic() - self._begun_at
        status = {
            "state": state,
            "reason": reason,
            "pid": os.getpid(),
            "updated": now,
            "seconds": round(seconds),
            "pages": pages,
            "kept": kept,
            "last_kept": self._last_kept,
            "queued": getattr(self._crawler.engine.scheduler, "queued", 0),
            "pages_per_second": round(pages / max(seconds, 1.0), 2),
            "errors": stats.get_value("log_count/ERROR", 0),
        }
        with open_atomic(self.job.files.status, sync=False) as file:
            file.write(json.dumps(status, indent=1).encode() + b"\n")
