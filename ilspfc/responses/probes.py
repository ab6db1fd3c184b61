"""Probes: requests for pages that cannot exist, by which error pages are learned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ilspfc.cleaning.page import clean_page
from ilspfc.crawl.component import CrawlComponent
from ilspfc.crawl.requests import make_probe
from ilspfc.crawl.text_options import cleaning_options
from ilspfc.documents import Document
from ilspfc.exceptions import WorkerLostError, WorkerTimeoutError
from ilspfc.responses.response_page import header_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response


class ErrorPageProbes(CrawlComponent):
    """Sends the probes that :class:`~ilspfc.frontier.traps.error_pages.ErrorPages` wants.

    Probes obey the host's delay and robots.txt.
    """

    def iter_requests(self, response: Response) -> Iterator[Request]:
        """Yield the probes that are due after a page of a host."""
        if self.job.error_pages is None:
            return
        for url in self.job.error_pages.probes(response.url):
            yield make_probe(url, self.parse)

    async def parse(self, response: Response) -> None:
        """Learn an error page that the host sends with status 200."""
        pages = self.job.error_pages
        if response.status != 200 or pages is None:
            return
        try:
            document = await self.job.workers.run(
                clean_page,
                response.body,
                url=response.url,
                identity="",
                content_type=header_of(response, "Content-Type"),
                **cleaning_options(self._crawler.settings),
            )
        except (WorkerTimeoutError, WorkerLostError):
            return
        if isinstance(document, Document) and document.paragraphs:
            self.count("frontier/error_pages")
            pages.learn(response.url, document.paragraphs)
