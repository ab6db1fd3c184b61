"""Exchange with the frontier that several crawlers share, beside the event loop."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, ClassVar

from scrapy import signals
from scrapy.exceptions import NotConfigured

from ilspfc.cluster.shared_store import SharedStore
from ilspfc.crawl.component import CrawlComponent
from ilspfc.crawl.crawl_frontier import opened_frontier

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

FRONTIER_REFUSES = "frontier_refuses"
"""Reason for the end of a crawl: the shared frontier refused what was reported."""

# Seconds between two exchanges: what a killed crawler has done in them is done again.
_SECONDS = 0.2


class FrontierSharing(CrawlComponent):
    """Reports what this crawler has done and found, and fetches hosts for it.

    PostgreSQL is asked in a thread; while it does not answer, the crawler goes on with the
    hosts that it has, until their lease may have run out. The extension is off for a crawler
    that is alone.
    """

    listens: ClassVar = {"start": signals.spider_opened, "stop": signals.spider_closed}

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        if not crawler.settings["FRONTIER_STORE"]:
            raise NotConfigured  # without a word: this is the default
        self._task: asyncio.Task[None] | None = None
        self._ending: asyncio.Future[None] | None = None

    def start(self) -> None:
        """Begin to exchange."""
        store = self.job.store
        if isinstance(store, SharedStore):
            self._task = asyncio.ensure_future(self._run_guarded(store))

    def stop(self) -> None:
        """End it; the store reports what is left when it is closed."""
        if self._task is not None:
            self._task.cancel()

    async def _run_guarded(self, store: SharedStore) -> None:
        """Exchange until the end; end the crawl where the database refuses a statement."""
        try:
            await self._run(store)
        except Exception as error:
            # Without exchanges the leases run out, and the crawl would wait for ever.
            logger.exception("The shared frontier refuses what this crawler reports")
            said = " ".join(str(error).split())
            self._crawler.stats.set_value(
                "stage_failed",
                f"FRONTIER_STORE: the frontier cannot be used any more ({said}); mend the"
                " database and crawl again: pages that were not reported are visited again",
            )
            self._ending = asyncio.ensure_future(
                self._crawler.engine.close_spider_async(reason=FRONTIER_REFUSES)
            )

    async def _run(self, store: SharedStore) -> None:
        frontier = opened_frontier(self._crawler)
        while not store.is_closed:
            changes, demand = store.begin_exchange(frontier.drop_host)
            self.count("frontier/exchanges")
            found = await asyncio.to_thread(store.frontier.exchange, changes, demand)
            if not store.is_closed:
                store.end_exchange(found)
                frontier.merge(found)
            await asyncio.sleep(_SECONDS)
