"""Progress of a crawl: a line that updates on a terminal, plain lines in a log or elsewhere."""

from __future__ import annotations

import logging
import os
import sys
import time
from functools import cache
from pathlib import Path
from typing import ClassVar, TextIO

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.settings import BaseSettings
from scrapy.utils.asyncio import create_looping_call

from ilspfc.crawl.component import CrawlComponent
from ilspfc.crawl.crawl_frontier import frontier_of
from ilspfc.extensions.status import count_crawl
from ilspfc.report.numbers import clip, count_noun, format_duration

_TERMINAL_SECONDS = 0.5
_COLUMNS = 80  # of a terminal that does not tell
_BAR_CHARS = 20
_ERASE = "\r\x1b[K"
STAGE_SHARE = "stage_share"
"""Stat of the running stage: steps done, all steps, time of the beginning."""


def open_log(settings: BaseSettings) -> TextIO | None:
    """Open the log file (LOG_FILE) at its end, None where there is none."""
    path = settings.get("LOG_FILE")
    return Path(path).open("a", encoding="utf-8", buffering=1) if path else None


def tell_log(settings: BaseSettings, text: str) -> None:
    """Write lines to the log file, if there is one."""
    if log := open_log(settings):
        with log:
            log.write(f"{text}\n")


class ProgressLine(logging.Handler):
    """A line that takes the place of the last one on a terminal, and follows it elsewhere.

    As a handler of the log it makes room for the next record, which then stands above it.
    """

    def __init__(self, stream: TextIO, level: str = "WARNING") -> None:
        super().__init__(level)
        self.stream, self.is_terminal = stream, stream.isatty()
        self._last = ""

    def show(self, line: str) -> None:
        """Write a line, where it differs from the last one."""
        if line != self._last:
            self._last = line
            if self.is_terminal:
                line = f"\r{clip(line, _columns(self.stream) - 1)}\x1b[K"
            self.stream.write(line if self.is_terminal else f"{line}\n")
            self.stream.flush()

    def leave(self) -> None:
        """Leave the line of a terminal as it is, and begin another."""
        if self.is_terminal and self._last:
            self.stream.write("\n")
        self._last = ""

    def erase(self) -> None:
        """Erase the line of a terminal."""
        if self.is_terminal and self._last:
            self.stream.write(_ERASE)
            self.stream.flush()
            self._last = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Erase the line: another handler writes a record now."""
        self.erase()


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or _COLUMNS
    except OSError:
        return _COLUMNS


class Progress(CrawlComponent):
    """Shows pages done, documents, queue, pages per second, and the stages, on standard error.

    It is off where the interval is 0.
    """

    listens: ClassVar = {"start": signals.spider_opened, "stop": signals.spider_closed}

    def __init__(self, crawler: Crawler, stream: TextIO | None = None) -> None:
        super().__init__(crawler)
        seconds = crawler.settings.getfloat("LOGSTATS_INTERVAL")
        if seconds <= 0:
            raise NotConfigured("LOGSTATS_INTERVAL is 0: no progress is shown")
        if stream is None and not sys.stderr.isatty():
            # A job of scrapyd has a log, and nobody reads its standard error.
            stream = open_log(crawler.settings)
        stream = stream or sys.stderr
        self._line = ProgressLine(stream, crawler.settings["LOG_LEVEL"])
        self._seconds = _TERMINAL_SECONDS if self._line.is_terminal else seconds
        self._started_at = time.monotonic()
        self._ended_at = 0.0
        self._loop = create_looping_call(self.show)

    def start(self) -> None:
        """Begin to show progress."""
        logging.root.handlers.insert(0, self._line)
        self._loop.start(self._seconds, now=False)

    def stop(self) -> None:
        """Show the last state; end the line, or close the log."""
        if self._loop.running:
            self._loop.stop()
        logging.root.removeHandler(self._line)
        if not self._ended_at or self._crawler.stats.get_value("stage"):
            self.show()
            self._line.leave()
        self._line.erase()
        if self._line.stream is not sys.stderr:
            self._line.stream.close()

    def show(self) -> None:
        """Show the state of the crawl, below its last one that of the stages over the corpus."""
        stats = self._crawler.stats
        stage = str(stats.get_value("stage") or "")
        if stage in _titles() and not self._ended_at:
            # The stages do not count into the rate of the crawl.
            self._ended_at = time.monotonic()
            self._line.show(self._describe_crawl())
            self._line.leave()
        if stage == "archive":
            self._line.show("reading the WARC files")
        elif stage:
            share = stats.get_value(STAGE_SHARE)
            self._line.show(describe_stage(stage, share, bar=self._line.is_terminal))
        elif not self._ended_at:  # between two stages there is nothing new to show
            self._line.show(self._describe_crawl())

    def _describe_crawl(self) -> str:
        """Return the state of the crawl in one line."""
        pages, documents, queued = count_crawl(self._crawler)
        seconds = (self._ended_at or time.monotonic()) - self._started_at
        parts = [
            f"{count_noun(pages, 'page')} done",
            count_noun(documents, "document"),
            f"{queued:,} queued",
            f"{pages / max(seconds, 1e-9):.1f} pages/s",
        ]
        frontier = frontier_of(self._crawler)
        if frontier and not self._ended_at:
            if away := frontier.away:
                parts.append(f"{count_noun(away, 'host')} away")
            if (left := frontier.pace.seconds_left) is not None:
                parts.append(f"{format_duration(int(left))} left")
        return ", ".join(parts)


def describe_stage(
    name: str, share: tuple[int, int, float] | None = None, *, bar: bool
) -> str:
    """Return a line on the running stage: its title, its share, on demand a bar over all stages.

    ``share`` are steps done, all steps, and the time of the beginning.
    """
    titles = _titles()
    text, part = titles.get(name, name), 0.0
    if share:
        done, total, begun = share
        part = done / total
        left = (time.monotonic() - begun) / done * (total - done)
        text += f": {done:,} of {total:,}, {format_duration(int(left))} left"
    if not bar or name not in titles:
        return text
    full = int(([*titles].index(name) + part) / len(titles) * _BAR_CHARS)
    return f"[{'#' * full:<{_BAR_CHARS}}] {text}"


@cache
def _titles() -> dict[str, str]:
    """Return the title of each stage over the corpus, in order."""
    from ilspfc.line.stages import STAGES  # noqa: PLC0415 - used at the end only

    return {
        **{stage.name: stage.title for stage in STAGES},
        "report": "writing the report",
    }
