"""The pace of a run: crawl budget, backpressure of the workers, and waking the engine."""

from __future__ import annotations

import math
import time
from typing import Any

from scrapy.crawler import Crawler
from scrapy.utils.asyncio import CallLaterResult, call_later

from ilspfc.crawl.component import CrawlComponent
from ilspfc.frontier.store.changes import SharedRun


def engine_slot(crawler: Crawler) -> Any:
    """Return the slot of the engine, None before the spider is open.

    Scrapy has no public way to ask whether a crawl is closing, to wake its engine, and to
    give up its requests.
    """
    return crawler.engine._slot  # noqa: SLF001


def scraped_requests(crawler: Crawler) -> set[Any]:
    """Return the requests whose responses are in a callback or in the pipelines."""
    slot: Any = crawler.engine.scraper.slot
    return set() if slot is None else slot.active


class Pace(CrawlComponent):
    """Ends the run at its budget, and holds back while the workers are behind.

    ``pages`` counts requested URLs without retries. What other crawlers of the run spend counts
    from :meth:`follow` on.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        self._limits = {
            "pages": settings.getint("FRONTIER_MAX_PAGES"),
            "megabytes": settings.getfloat("FRONTIER_MAX_MEGABYTES"),
            "seconds": settings.getfloat("FRONTIER_MAX_SECONDS"),
        }
        self._started = time.monotonic()
        self.pages = 0
        self._reported = self._others = (0, 0)  # pages and bytes
        self._granted = math.inf  # pages until more is known of the others
        # Pages fetched ahead of the workers are chosen without what is learned meanwhile.
        self._max_behind = 2 * max(settings.getint("WORKERS"), 1)

    @property
    def is_over(self) -> bool:
        """True when a limit is reached or the run is stopping: only pages under way go on."""
        slot, stats = engine_slot(self._crawler), self._crawler.stats
        if slot is not None and slot.closing is not None:
            return True
        share, name = self._spent()
        if share >= 1:
            stats.set_value("frontier/limit_reached", name)
        return share >= 1

    @property
    def seconds_left(self) -> float | None:
        """Time until a limit is reached at the pace so far, None where none is in sight."""
        share, name = self._spent()
        passed = time.monotonic() - self._started
        # Before the first page robots.txt alone has spent bytes: that is no pace.
        if not share or (name != "seconds" and not self.pages):
            return None
        return max(0.0, passed / share - passed)

    def _spent(self) -> tuple[float, str]:
        """Return the largest share of a limit that is spent, and the name of the limit."""
        spent = {
            "pages": self.pages + self._others[0],
            "megabytes": (self._received + self._others[1]) / 1_000_000,
            "seconds": time.monotonic() - self._started,
        }
        shares = [
            (min(spent[name] / limit, 1.0), name)
            for name, limit in self._limits.items()
            if limit > 0
        ]
        return max(shares, default=(0.0, ""), key=lambda one: one[0])

    @property
    def _received(self) -> int:
        return int(self._crawler.stats.get_value("downloader/response_bytes", 0))

    def report(self) -> tuple[int, int]:
        """Return the pages requested and the bytes received since the last report."""
        reported, self._reported = self._reported, (self.pages, self._received)
        return self._reported[0] - reported[0], self._reported[1] - reported[1]

    def follow(self, run: SharedRun) -> None:
        """Count what all crawlers of a run have reported, and take a share of the pages left."""
        pages, received = self._reported
        self._others = run.requests - pages, run.received - received
        self._started = time.monotonic() - run.seconds
        if limit := self._limits["pages"]:
            self._granted = pages + math.ceil((limit - run.requests) / run.crawlers)

    @property
    def awaits_others(self) -> bool:
        """True while the pages left may be requested by other crawlers."""
        return self.pages >= self._granted

    @property
    def is_behind(self) -> bool:
        """True while too many pages wait for the pipelines."""
        slot: Any = self._crawler.engine.scraper.slot
        return slot is not None and (
            len(slot.active) + len(slot.queue) >= self._max_behind
        )


class Alarm:
    """Has the engine ask for a request when the next host is ready.

    Otherwise the engine asks when a download ends or every five seconds, and hosts would be
    visited later than their delay allows.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._timer: CallLaterResult | None = None

    def set(self, seconds: float | None) -> None:
        """Wake the engine after some seconds, None for never, unless it is woken anyway."""
        if seconds is not None and self._timer is None:
            self._timer = call_later(seconds, self.ring)

    def cancel(self) -> None:
        """Wake the engine no more."""
        if self._timer is not None:
            self._timer.cancel()

    def ring(self) -> None:
        """Have the engine look for requests, and whether the crawl is idle."""
        self._timer = None
        slot = engine_slot(self._crawler)
        if slot is not None:
            slot.nextcall.schedule()
