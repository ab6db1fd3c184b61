"""Waking the engine when a host is ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.utils.asyncio import call_later

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.utils.asyncio import CallLaterResult


class Alarm:
    """Has the engine ask for a request when the next host is ready.

    Left alone it asks when a download ends or every five seconds, and hosts that wait for
    their delay would be visited late.
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
        # Scrapy has no public way to say that a request is ready.
        slot = self._crawler.engine._slot  # noqa: SLF001
        if slot is not None:
            slot.nextcall.schedule()
