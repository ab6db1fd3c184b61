"""Regular flushes to the disk: the most that a power cut can take."""

from __future__ import annotations

import asyncio

from ilspfc.crawl.component import BackgroundTask
from ilspfc.disk import flush

# A power cut takes the pages of this time; the next run fetches them again.
_SECONDS = 15.0


class DiskFlush(BackgroundTask):
    """Flushes the corpus at the start of a crawl and every fifteen seconds, in a thread.

    The stages flush what they have written.
    """

    async def run(self) -> None:
        """Flush until the crawl ends."""
        while True:
            await asyncio.to_thread(flush, self.job.files.root)
            await asyncio.sleep(_SECONDS)
