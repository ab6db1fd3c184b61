"""A plain Scrapy spider that only follows links: what a crawl costs at least.

``scrapy runspider benchmarks/plain.py -a seeds=URL -a extract=trafilatura.extract`` also calls
a function with the body of each page.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.http import TextResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.utils.misc import load_object

if TYPE_CHECKING:
    from scrapy.http import Response

PLAIN_SETTINGS: dict[str, Any] = {
    "LOG_LEVEL": "WARNING",
    "ROBOTSTXT_OBEY": False,
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS": 32,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 4,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "USER_AGENT": "ilspfc benchmark",
}


class PlainSpider(Spider):
    """Follows the links of a site and does nothing else, unless given a function."""

    name = "plain"
    # Import path of a function that is called with the body of each page.
    extract = ""

    async def start(self) -> AsyncIterator[Any]:
        """Yield the seed."""
        yield Request(self.seeds)  # type: ignore[attr-defined]

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        """Yield the links of a page to its site."""
        assert isinstance(response, TextResponse)
        for link in LinkExtractor(allow=r"^http://127\.").extract_links(response):
            yield Request(link.url, errback=self.failed)
        if self.extract:
            load_object(self.extract)(response.body)
        yield {"url": response.url}

    def failed(self, failure: object) -> None:
        """Pass over a page that cannot be fetched."""
