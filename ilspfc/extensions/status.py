"""State of a crawl in a file, for monitors: ``status.json`` in the corpus."""

from __future__ import annotations

import json
import logging
import os
import shutil
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from ilspfc.atomic import open_atomic
from ilspfc.crawl.component import CrawlComponent
from ilspfc.extensions.alarms import Alarms, CrawlState
from ilspfc.extensions.progress import count_pages
from ilspfc.frontier.reasons import FetchReason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler
    from scrapy.spiders import Spider
    from scrapy.statscollectors import StatsCollector

    from ilspfc.extensions.alarms import Alarm, AlarmName

logger = logging.getLogger(__name__)
# Fields of the state that the line in the log has room for.
_LOGGED = (
    *("state", "pages", "failed", "kept", "queued", "pages_per_second"),
    *("errors", "megabytes", "free_megabytes"),
)
# Errors of networks and servers; others are rules that were obeyed, or never asked for.
_FAILURES = (
    FetchReason.HTTP_ERROR,
    FetchReason.TIMEOUT,
    FetchReason.THROTTLED,
    FetchReason.CERTIFICATE,
    FetchReason.ROBOTS_UNREACHABLE,
    FetchReason.NOT_REACHED,
    FetchReason.ERROR,
)


class StatusFile(CrawlComponent):
    """Writes the state of a crawl into a file, a line of it into the log, and its alarms.

    The file is replaced as a whole. A crawl whose file is older than some of its intervals
    hangs, or was killed.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._begun_at = time.monotonic()
        self._kept, self._last_kept = 0, ""
        # Made with the first state: before, there is no job.
        self._alarms: Alarms | None = None
        self._raised: set[AlarmName] = set()
        self._loop = create_looping_call(self._show)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the extension; it is off where the interval is 0."""
        if not crawler.settings.getfloat("REPORT_STATUS_SECONDS"):
            raise NotConfigured("REPORT_STATUS_SECONDS is 0: there is no status.json")
        status = super().from_crawler(crawler)
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
        free = shutil.disk_usage(self.job.files.root).free
        counts = CrawlState(pages, kept, _count_failed(stats), free)
        self._alarms = self._alarms or Alarms(self.job)
        is_over = state == "finished"
        alarms = [
            *self._alarms.find(counts, is_crawling=state == "crawling", is_over=is_over)
        ]
        status: dict[str, object] = {
            "state": state,
            "reason": reason,
            "pid": os.getpid(),
            "updated": now,
            "seconds": round(seconds),
            "pages": pages,
            "failed": counts.failed,
            "kept": kept,
            "last_kept": self._last_kept,
            "queued": self.job.frontier.queued if self.job.frontier else 0,
            "pages_per_second": round(pages / max(seconds, 1.0), 2),
            "errors": stats.get_value("log_count/ERROR", 0),
            "megabytes": _peak_megabytes(),
            "free_megabytes": free >> 20,
            "alarms": [alarm._asdict() for alarm in alarms],
        }
        with open_atomic(self.job.files.status, sync=False) as file:
            file.write(json.dumps(status, indent=1).encode() + b"\n")
        self._log(status, alarms)

    def _log(self, status: dict[str, object], alarms: Sequence[Alarm]) -> None:
        """Log the state in one line, and each alarm when it begins and when it is over."""
        values = (f"{name}={status[name]}" for name in _LOGGED)
        names = ",".join(alarm.name for alarm in alarms) or "none"
        logger.info("Health: %s, alarms=%s", ", ".join(values), names)
        raised = {alarm.name for alarm in alarms}
        for name, text in alarms:
            if name not in self._raised:
                logger.warning("Alarm %s: %s", name, text)
        for name in sorted(self._raised - raised):
            logger.warning("Alarm %s is over", name)
        self._raised = raised


def _count_failed(stats: StatsCollector) -> int:
    """Return the number of requests that failed for an error of network or server."""
    return sum(stats.get_value(f"fetch/dropped/{reason}", 0) for reason in _FAILURES)


def _peak_megabytes() -> int:
    """Return the largest memory of this process so far, 0 where the system does not tell."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak >> (20 if sys.platform == "darwin" else 10)
