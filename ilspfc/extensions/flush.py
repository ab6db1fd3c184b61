"""Regular flushes to the disk: the most that a power cut can take."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from scrapy import signals

from ilspfc.crawl.component import CrawlComponent
from ilspfc.disk import flush

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

# A power cut takes the pages of this time; the next run fetches them again.
_SECONDS = 15.0


class DiskFlush(CrawlComponent):
    """Flushes the corpus at the start of a crawl and every fifteen seconds, in a thread."""

    listens: ClassVar = {"start": signals.spider_opened, "stop": signals.spider_closed}

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to flush."""
        self._task = asyncio.ensure_future(self._run())

    def stop(self) -> None:
        """End it; the stages flush what they have written."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        while True:
            await asyncio.to_thread(flush, self.job.files.root)
            await asyncio.sleep(_SECONDS)
