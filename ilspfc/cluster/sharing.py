"""Exchange with the frontier that several crawlers share, beside the event loop."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, cast

from scrapy.exceptions import NotConfigured

from ilspfc.crawl.component import BackgroundTask
from ilspfc.crawl.crawl_frontier import opened_frontier

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from ilspfc.cluster.shared_store import SharedStore
    from ilspfc.responses.sitemap_requests import SitemapReader

logger = logging.getLogger(__name__)

FRONTIER_REFUSES = "frontier_refuses"
"""Reason for the end of a crawl: the shared frontier refused what was reported."""

# Seconds between two exchanges: what a killed crawler has done in them is done again.
_SECONDS = 0.2


class FrontierSharing(BackgroundTask):
    """Reports what this crawler has done and found, and fetches hosts for it.

    PostgreSQL is asked in a thread; while it does not answer, the crawler goes on with the
    hosts that it has, until their lease may have run out. The extension is off for a crawler
    that is alone.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        if not crawler.settings["FRONTIER_STORE"]:
            raise NotConfigured  # without a word: this is the default
        self._ending: asyncio.Future[None] | None = None

    async def run(self) -> None:
        """Exchange until the end; end the crawl where the database refuses a statement.

        The store reports what is left when it is closed.
        """
        try:
            await self._exchange(cast("SharedStore", self.job.store))
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

    async def _exchange(self, store: SharedStore) -> None:
        frontier = opened_frontier(self._crawler)
        sitemaps: SitemapReader = cast("Any", self._crawler.spider).sitemaps
        while not store.is_closed:
            changes, demand = store.begin_exchange(
                frontier.drop_host, sitemaps.busy_hosts
            )
            changes.sitemaps = sitemaps.take_read()
            changes.requests, changes.received = frontier.pace.report()
            self.count("frontier/exchanges")
            found = await asyncio.to_thread(store.frontier.exchange, changes, demand)
            if not store.is_closed:
                store.end_exchange(found)
                for host in found.leased:
                    sitemaps.pass_over(host.sitemaps)
                frontier.merge(found)
            await asyncio.sleep(_SECONDS)
