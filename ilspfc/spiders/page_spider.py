"""The spider of single pages, which obeys the rules of a crawl: guard, robots.txt, politeness."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response
from scrapy.settings import BaseSettings, Settings
from twisted.python.failure import Failure

from ilspfc import __version__
from ilspfc.files.page_sources import PageSource
from ilspfc.responses.failures import describe_failure
from ilspfc.responses.response_page import header_of
from ilspfc.web.urls import canonicalize, host_of


def name_operator(settings: BaseSettings) -> None:
    """Compose the user agent of program and operator, unless one is set."""
    if not settings.get("USER_AGENT"):
        contact = settings.get("FETCH_CONTACT") or "operator gave no contact"
        agent = f"ilspfc/{__version__} (text corpus crawler; {contact})"
        settings.set("USER_AGENT", agent, priority="spider")


class PoliteSpider(Spider):
    """Spider that names the operator in the user agent."""

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Add the spider's settings, and name the operator in the user agent."""
        super().update_settings(settings)
        name_operator(settings)


class PageSpider(PoliteSpider):
    """Fetches pages into files of ``folder``, and follows no link.

    ``found`` gets for each URL the file of its page, or the failure. The spider has no name
    of its own: Scrapy does not list it.
    """

    def __init__(
        self, urls: Iterable[str], folder: Path, found: dict[str, PageSource]
    ) -> None:
        super().__init__("pages")
        self._urls = urls
        self._folder = folder
        self._found = found

    async def start(self) -> AsyncIterator[Any]:
        """Yield a request for each URL."""
        for url in self._urls:
            try:
                host = host_of(canonicalize(url))
            except ValueError as error:
                self._found[url] = PageSource(url, failure=str(error))
                continue
            meta = {"download_slot": host}
            yield Request(
                url,
                self.parse,
                meta=meta,
                errback=self.failed,
                dont_filter=True,
                cb_kwargs={"asked": url},
            )

    def parse(self, response: Response, asked: str) -> None:
        """Write the content of a page to a file."""
        path = self._folder / str(len(self._found))
        path.write_bytes(response.body)
        content_type = header_of(response, "Content-Type")
        self._found[asked] = PageSource(
            asked, path, url=response.url, content_type=content_type
        )

    def failed(self, failure: Failure) -> None:
        """Record the failure of a URL."""
        asked: str = failure.request.cb_kwargs["asked"]  # type: ignore[attr-defined]
        reason, cause, _ = describe_failure(failure.value)
        failure_text = f"not fetched: {cause or reason}"
        self._found[asked] = PageSource(asked, failure=failure_text)


def fetch_pages(
    urls: Iterable[str], folder: Path, settings: Settings
) -> dict[str, PageSource]:
    """Return the page of each URL, its content in a file in ``folder``.

    All are fetched before it returns. It can be called once in a process.
    """
    found: dict[str, PageSource] = {}
    process = AsyncCrawlerProcess(settings)
    process.crawl(PageSpider, urls=dict.fromkeys(urls), folder=folder, found=found)
    process.start()
    return found
