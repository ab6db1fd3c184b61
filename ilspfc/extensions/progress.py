"""Progress of a crawl: one line that updates on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from functools import cache
from typing import TYPE_CHECKING, Self, TextIO

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from ilspfc.crawl.component import is_corpus_crawl
from ilspfc.crawl.job_log import open_log
from ilspfc.extensions.status import CrawlCounts
from ilspfc.report.numbers import format_duration

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_TERMINAL_SECONDS = 0.5
STAGE_SHARE = "stage_share"
"""Stat of the running stage: steps done, all steps, time of the beginning."""


class Progress:
    """Shows pages done, documents, queue and pages per second, on standard error."""

    def __init__(self, crawler: Crawler, seconds: float, stream: TextIO) -> None:
        self._crawler = crawler
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._seconds = _TERMINAL_SECONDS if self._is_terminal else seconds
        self._started_at = time.monotonic()
        self._ended_at = 0.0
        self._last = ""
        self._loop = create_looping_call(self.show)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the extension; it is off where the interval is 0."""
        if not is_corpus_crawl(crawler):
            raise NotConfigured
        seconds = crawler.settings.getfloat("LOGSTATS_INTERVAL")
        if seconds <= 0:
            raise NotConfigured("LOGSTATS_INTERVAL is 0: no progress is shown")
        # A job of scrapyd has a log, and nobody reads its standard error.
        log = None if sys.stderr.isatty() else open_log(crawler.settings)
        progress = cls(crawler, seconds, log or sys.stderr)
        crawler.signals.connect(progress.start, signal=signals.spider_opened)
        crawler.signals.connect(progress.stop, signal=signals.spider_closed)
        return progress

    def start(self) -> None:
        """Begin to show progress."""
        self._loop.start(self._seconds, now=False)

    def stop(self) -> None:
        """Show the last state; end the line, or close the log."""
        if self._loop.running:
            self._loop.stop()
        self.show()
        if self._is_terminal:
            self._stream.write("\n")
        elif self._stream is not sys.stderr:
            self._stream.close()

    def line(self) -> str:
        """Return the state of the crawl in one line."""
        if stage := self._crawler.stats.get_value("stage"):
            # The stages over the corpus do not count into the rate of the crawl.
            self._ended_at = self._ended_at or time.monotonic()
            return _titles().get(stage, str(stage)) + self._stage_share()
        pages, documents, queued = CrawlCounts.of(self._crawler)
        seconds = (self._ended_at or time.monotonic()) - self._started_at
        rate = pages / max(seconds, 1e-9)
        return (
            f"{pages} pages done, {documents} documents, {queued} queued,"
            f" {rate:.1f} pages/s"
        )

    def _stage_share(self) -> str:
        """Return the share of the running stage that is done, with the time left."""
        share = self._crawler.stats.get_value(STAGE_SHARE)
        if not share:
            return ""
        done, total, begun = share
        left = (time.monotonic() - begun) / done * (total - done)
        return f": {done} of {total}, {format_duration(int(left))} left"

    def show(self) -> None:
        """Write the line, where it has changed."""
        line = self.line()
        if line == self._last:
            return
        if self._is_terminal:
            self._stream.write(f"\r{line.ljust(len(self._last))}")
        else:
            self._stream.write(f"{line}\n")
        self._stream.flush()
        self._last = line


@cache
def _titles() -> dict[str, str]:
    """Return the title of each stage of a crawl."""
    from ilspfc.line.stages import STAGES  # noqa: PLC0415 - used at the end only

    return {
        "archive": "reading the WARC files",
        **{stage.name: stage.title for stage in STAGES},
        "report": "writing the report",
    }
