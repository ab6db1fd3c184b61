"""State of a crawl in a file, for monitors: ``status.json`` in the corpus."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from ilspfc.atomic import open_atomic
from ilspfc.crawl.component import CrawlComponent
from ilspfc.extensions.progress import count_pages
from ilspfc.frontier.scope import Scope
from ilspfc.frontier.store.candidates import UrlState

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.spiders import Spider


_IDLE_SECONDS = 3600.0
_DAY_SECONDS = 86_400.0
# A queue that is so long, and of which one host has such a share, is the host's.
_LONG_QUEUE = 10_000
_HOG_SHARE = 0.9
# Before, the rate at which the disk fills says little.
_LEAST_SECONDS = 600.0


class StatusFile(CrawlComponent):
    """Writes what a monitor asks for, from time to time and at the end.

    The file is replaced as a whole. A crawl whose file is older than some of its intervals
    hangs, or was killed.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._begun_at = time.monotonic()
        self._kept, self._last_kept = 0, ""
        self._kept_at = self._begun_at  # on the monotonic clock
        # Free bytes of the disk at the first state; the rate at which they go is told by these.
        self._free: int | None = None
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
            self._kept_at = time.monotonic()
        pages = count_pages(stats)
        seconds = time.monotonic() - self._begun_at
        free = shutil.disk_usage(self.job.files.root).free
        status: dict[str, object] = {
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
            "free_megabytes": free >> 20,
            "alarms": list(self._find_alarms(state, free, seconds)),
        }
        with open_atomic(self.job.files.status, sync=False) as file:
            file.write(json.dumps(status, indent=1).encode() + b"\n")

    def _find_alarms(self, state: str, free: int, seconds: float) -> Iterator[str]:
        """Yield what an operator should look at, in a line each."""
        idle = time.monotonic() - self._kept_at
        if state == "crawling" and idle > _IDLE_SECONDS:
            yield f"nothing new was kept for {idle / 60:.0f} minutes: see the report"
        if state == "crawling" and self.job.arguments.scope is Scope.ANY:
            yield from self._find_hog()
        if self._free is None:
            self._free = free
        lost = self._free - free
        if lost > 0 and seconds > _LEAST_SECONDS:
            left = free / lost * seconds
            if left < _DAY_SECONDS:
                yield f"the disk is full in {left / 3600:.0f} hours at this rate"

    def _find_hog(self) -> Iterator[str]:
        """Yield a line on a host that has nearly all of a long queue of a crawl across hosts."""
        queued = self.job.store.count(UrlState.QUEUED)
        if queued < _LONG_QUEUE:
            return
        host, number = self.job.store.largest_queue()
        if number > _HOG_SHARE * queued:
            yield (
                f"{host} has {number} of {queued} queued addresses: bound it"
                " (FRONTIER_MAX_HOST_PAGES), or leave it out (-a deny=)"
            )
