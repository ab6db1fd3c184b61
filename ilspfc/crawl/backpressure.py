"""The pace of a run: whether it may ask for another page now, and when it is over."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ilspfc.frontier.politeness import CrawlLimits

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class Pace:
    """Holds back while the workers are behind, and ends the run at its limits."""

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._crawler = crawler
        self._limits = CrawlLimits(
            pages=settings.getint("FRONTIER_MAX_PAGES"),
            megabytes=settings.getfloat("FRONTIER_MAX_MEGABYTES"),
            seconds=settings.getfloat("FRONTIER_MAX_SECONDS"),
        )
        self._started = time.monotonic()
        self.pages = 0
        # What is fetched while the workers are behind is chosen knowing less.
        self._max_behind = 2 * max(settings.getint("WORKERS"), 1)

    @property
    def is_over(self) -> bool:
        """Whether a limit is reached, or the run was told to stop.

        It ends when what is under way is through.
        """
        # Scrapy has no public way to ask whether it is closing.
        slot = self._crawler.engine._slot  # noqa: SLF001
        if slot is not None and slot.closing is not None:
            return True
        stats = self._crawler.stats
        name = self._limits.reached(
            self.pages,
            stats.get_value("downloader/response_bytes", 0),
            time.monotonic() - self._started,
        )
        if name:
            stats.set_value("frontier/limit_reached", name)
        return bool(name)

    @property
    def is_behind(self) -> bool:
        """Whether so many pages wait for the pipelines that no more are to be fetched."""
        slot = self._crawler.engine.scraper.slot
        return slot is not None and (
            len(slot.active) + len(slot.queue) >= self._max_behind
        )
