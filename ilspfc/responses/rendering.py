"""Pages that scripts build, rendered by a browser whose requests go through the downloader."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.datatypes import LocalCache

from ilspfc.cleaning.page import HTML_TYPES, CleaningReason, mime_type
from ilspfc.crawl.component import CrawlComponent
from ilspfc.crawl.fetched_page import FetchedPage, PageWork
from ilspfc.crawl.requests import IS_RESOURCE
from ilspfc.exceptions import SettingError
from ilspfc.optout.policy import OptOutPolicy
from ilspfc.web.browser import (
    PROGRAMS,
    RenderError,
    Resource,
    find_program,
    render_page,
)
from ilspfc.web.urls import host_of, site_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

# Scripts that are kept for the further pages of a site, and the bytes of the largest.
_KEPT_SCRIPTS = 100
_LARGEST_KEPT = 1024 * 1024
# Fields that scripts and responses need of each other.
_REQUEST_FIELDS = ("Accept", "X-Requested-With")
_RESPONSE_FIELDS = ("Content-Type", "Location", "Access-Control-Allow-Origin")


def find_browser(settings: BaseSettings) -> str:
    """Return the path of the browser, empty where none is wanted; SettingError for none."""
    mode = settings.get("FETCH_BROWSER", "never")
    program = "" if mode == "never" else find_program()
    if mode != "never" and not program:
        raise SettingError(
            f"FETCH_BROWSER={mode}: none of {', '.join(PROGRAMS)} is installed; install"
            " Chromium, or leave FETCH_BROWSER out"
        )
    return program


class PageRenderer(CrawlComponent):
    """Renders the pages that need it, one at a time.

    The browser gets the page as it was fetched; what its scripts ask for on the page's own
    site is downloaded as a page is: guard, robots.txt, delay, archive.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        self._program = find_browser(settings)
        self._is_always = settings["FETCH_BROWSER"] == "always"
        self._left = settings.getint("FETCH_BROWSER_PAGES")
        self._skips_reserved = settings["OPTOUT_POLICY"] == OptOutPolicy.SKIP
        self._turn = asyncio.Lock()
        self._scripts: LocalCache[str, Resource] = LocalCache(_KEPT_SCRIPTS)

    async def render(self, page: FetchedPage, work: PageWork) -> bool:
        """Replace the body of a page that needs it; return whether it was replaced."""
        if not self._needs(page, work):
            return False
        if self._left <= 0:
            self.count("fetch/render_limit")
            return False
        self._left -= 1
        headers = {"Content-Type": page.content_type or "text/html"}
        agent = self._crawler.settings["USER_AGENT"]
        fetch = partial(self._fetch, page.url)
        try:
            async with self._turn:
                html = await render_page(
                    self._program,
                    page.url,
                    Resource(page.body, 200, headers),
                    fetch,
                    agent,
                )
        except (RenderError, OSError) as error:
            logger.warning("%s is not rendered: %s", page.url, error)
            self.count("fetch/not_rendered")
            return False
        self.count("fetch/rendered")
        body = html.encode("utf-8", "replace")
        if len(body) > self._crawler.settings.getint("DOWNLOAD_MAXSIZE"):
            return False
        page.body, page.content_type = body, "text/html; charset=utf-8"
        return True

    def _needs(self, page: FetchedPage, work: PageWork) -> bool:
        if not self._program or (work.is_reserved and self._skips_reserved):
            return False
        reason = work.verdicts.get("cleaning")
        if not self._is_always:
            return reason is CleaningReason.NEEDS_JAVASCRIPT
        is_html = mime_type(page.content_type) in HTML_TYPES
        readable = {None, CleaningReason.EMPTY, CleaningReason.NEEDS_JAVASCRIPT}
        return is_html and reason in readable

    async def _fetch(
        self, page_url: str, url: str, fields: Mapping[str, str], kind: str
    ) -> Resource | None:
        """Return a resource of the page's site, None where it is refused or failed."""
        if not url.startswith(("http:", "https:")) or site_of(url) != site_of(page_url):
            return None
        if (known := self._scripts.get(url)) is not None:
            return known
        request = Request(
            url,
            callback=NO_CALLBACK,
            headers={name: fields[name] for name in _REQUEST_FIELDS if name in fields},
            meta={
                IS_RESOURCE: True,
                "download_slot": host_of(url),
                "dont_redirect": True,  # the browser follows, and asks again
            },
        )
        try:
            response = await self._crawler.engine.download_async(request)
        except Exception:  # noqa: BLE001 - the page does without
            return None
        headers = {
            name: value.decode("latin-1")
            for name in _RESPONSE_FIELDS
            if (value := response.headers.get(name)) is not None
        }
        resource = Resource(response.body, response.status, headers)
        if kind == "Script" and len(response.body) <= _LARGEST_KEPT:
            self._scripts[url] = resource
        return resource
