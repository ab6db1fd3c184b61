"""robots.txt by RFC 9309, and the files on text and data mining that go with it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import repeat
from typing import Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import Headers, Response
from scrapy.http.request import NO_CALLBACK

from ilspfc.crawl.component import CrawlComponent
from ilspfc.crawl.crawl_frontier import frontier_of
from ilspfc.frontier.politeness import MAX_CRAWL_DELAY
from ilspfc.optout.policy import OptOutPolicy
from ilspfc.optout.rsl import MAX_BODY_BYTES, RslFile, find_documents
from ilspfc.optout.signals import Signal, read_headers, read_robots
from ilspfc.optout.tdmrep import TDMREP_PATH, TdmFile
from ilspfc.web.robots_txt import RobotsPolicy, RobotsState
from ilspfc.web.urls import host_of, origin_of

# Least time for which a host that could not be reached is not asked for its file again. A
# failure holds some times as long as it took: a silent host costs its time-outs once, not for
# each page.
_FAILURE_SECONDS = 5.0
_FAILURE_FACTOR = 3.0
# RSL documents that are read for the pages of a host; most sites have one.
MAX_RSL_FILES = 20
# Key of request.meta: the rules of the page's site, for the opt-outs.
SITE_RULES = "site_rules"
# … the signals of the RSL documents that the page itself names,
PAGE_TERMS = "page_terms"
# … and that a request is for one of its files, not for a page.
IS_SITE_FILE = "is_site_file"


class RobotsRefusedError(IgnoreRequest):
    """robots.txt forbids a URL."""


class RobotsUnreachableError(IgnoreRequest):
    """robots.txt cannot be read at present, so nothing may be visited."""


@dataclass(frozen=True, slots=True)
class SiteRules:
    """Rules of a host, ``rsl`` by address; ``error`` if it could not be reached."""

    robots: RobotsPolicy
    tdm: TdmFile | None
    expires_at: float
    status: int = 0
    error: Exception | None = None
    rsl: dict[str, asyncio.Future[RslFile]] = field(default_factory=dict)

    def signals(self, url: str) -> tuple[Signal, ...]:
        """Return the opt-out signals of the files for a page."""
        found = read_robots(self.robots, url)
        if self.tdm is not None:
            found += self.tdm.signals(url)
        for address in self.robots.licenses:
            if (file := self.rsl.get(address)) is not None and file.done():
                found += file.result().signals(url, address)
        return found


class RobotsMiddleware(CrawlComponent):
    """Fetches the robots.txt of each host before its first page, and obeys it.

    The file is fetched in the download slot of the host, so its delay holds between the
    file and the page, and a Crawl-delay goes to the host's politeness clock. After a failure
    or a server error nothing of the host is visited (RFC 9309, section 2.3.1.4), until the
    file is fetched again.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        if not settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured("ROBOTSTXT_OBEY is off: robots.txt is not asked for")
        self._user_agent: str = settings["USER_AGENT"]
        self._reads_signals = settings["OPTOUT_POLICY"] != OptOutPolicy.IGNORE
        self._rules: dict[str, asyncio.Future[SiteRules]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the middleware; it needs no corpus, and obeys for any spider."""
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        """Raise RobotsRefusedError or RobotsUnreachableError for a URL not to visit."""
        if request.meta.get(IS_SITE_FILE):
            return
        rules = await self._rules_for(request)
        if rules.error is not None:
            request.meta["dont_retry"] = True  # the file itself was tried again already
            raise rules.error
        if rules.robots.state is RobotsState.UNREACHABLE:
            raise RobotsUnreachableError(f"robots.txt: HTTP {rules.status}")
        if not rules.robots.allows(request.url):
            raise RobotsRefusedError("forbidden by robots.txt")
        request.meta[SITE_RULES] = rules
        for address in rules.robots.licenses if self._reads_signals else ():
            await self._read_rsl(rules, address)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Pass the response on; read the RSL documents that the page names."""
        rules: SiteRules | None = request.meta.get(SITE_RULES)
        if rules is None or not self._reads_signals or response.status >= 300:
            return response
        links = map(bytes.decode, response.headers.getlist("Link"), repeat("latin-1"))
        addresses, inline = find_documents(response.url, links, response.body)
        terms: list[Signal] = []
        for address in addresses:
            file = await self._read_rsl(rules, address)
            terms += file.signals(response.url, address)
        for text in inline:
            terms += RslFile.from_response(200, text).signals(response.url, "")
        request.meta[PAGE_TERMS] = tuple(terms)
        return response

    async def _rules_for(self, request: Request) -> SiteRules:
        origin = origin_of(request.url)
        known = self._rules.get(origin)
        if known is not None and known.done():
            if known.result().expires_at > time.monotonic():
                return known.result()
            known = None
        if known is None:
            # Requests of one host that come meanwhile wait for the same file.
            known = asyncio.ensure_future(self._read_rules(origin))
            self._rules[origin] = known
        return await asyncio.shield(known)

    async def _read_rules(self, origin: str) -> SiteRules:
        begun_at = time.monotonic()
        try:
            status, body = await self._fetch(f"{origin}/robots.txt")
        except Exception as error:  # noqa: BLE001 - raised again for each page
            robots = RobotsPolicy.from_response(None, b"", self._user_agent)
            now = time.monotonic()
            expires_at = now + max(_FAILURE_SECONDS, _FAILURE_FACTOR * (now - begun_at))
            return SiteRules(robots, None, expires_at, error=error)
        robots = RobotsPolicy.from_response(status, body, self._user_agent)
        self.count(f"frontier/robots_{robots.state}")
        if robots.crawl_delay_seconds:
            self._slow_to(host_of(origin), robots.crawl_delay_seconds)
        expires_at = time.monotonic() + robots.max_age_seconds
        tdm = await self._read_tdm(origin, robots)
        return SiteRules(robots, tdm, expires_at, status)

    def _slow_to(self, host: str, seconds: float) -> None:
        """Pass a Crawl-delay on; without a frontier it holds in the download slot."""
        if (frontier := frontier_of(self._crawler)) is not None:
            frontier.slow_to(host, seconds)
        elif (slot := self._crawler.engine.downloader.slots.get(host)) is not None:
            slot.delay = max(slot.delay, min(seconds, MAX_CRAWL_DELAY))

    async def _read_tdm(self, origin: str, robots: RobotsPolicy) -> TdmFile | None:
        url = origin + TDMREP_PATH
        if not self._reads_signals or not robots.allows(url):
            return None
        try:
            return TdmFile.from_response(*await self._fetch(url))
        except Exception:  # noqa: BLE001 - a site without the file reserves nothing
            return None

    async def _read_rsl(self, rules: SiteRules, address: str) -> RslFile:
        """Return the RSL document at an address, read once a host."""
        if address not in rules.rsl:
            if len(rules.rsl) >= MAX_RSL_FILES:
                return RslFile(broken=f"not read: the host has {MAX_RSL_FILES} others")
            rules.rsl[address] = asyncio.ensure_future(self._fetch_rsl(address))
        return await asyncio.shield(rules.rsl[address])

    async def _fetch_rsl(self, address: str) -> RslFile:
        """Return the RSL document at an address, which may be that of another host."""
        try:
            site = await self._rules_for(Request(address))
            if site.robots.allows(address):
                answer = await self._fetch(address, download_maxsize=MAX_BODY_BYTES)
                file = RslFile.from_response(*answer)
            else:
                file = RslFile(broken="robots.txt forbids or cannot be read")
        except Exception:  # noqa: BLE001 - no address, refused, silent or too large
            file = RslFile(broken="cannot be fetched")
        self.count(f"optout/rsl_{'unread' if file.broken else 'read'}")
        return file

    async def _fetch(self, url: str, **limits: int) -> tuple[int, bytes]:
        """Return status and body of a file of a site, redirects followed."""
        request = site_file_request(url, **limits)
        response = await self._crawler.engine.download_async(request)
        return response.status, response.body


def site_file_request(url: str, **meta: object) -> Request:
    """Return the request for a file of a site, to be downloaded and never queued."""
    meta = {IS_SITE_FILE: True, "download_slot": host_of(url), **meta}
    return Request(url, callback=NO_CALLBACK, meta=meta)


def iter_fields(headers: Headers) -> Iterator[tuple[bytes, bytes]]:
    """Yield name and value of each line of a header."""
    for name, values in headers.items():
        for value in values:
            yield name, value


def read_signals(
    request: Request, response: Response, user_agent: str
) -> tuple[Signal, ...]:
    """Return the opt-out signals of a response's header and of the files of its site."""
    lines = (
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, value in iter_fields(response.headers)
    )
    terms: tuple[Signal, ...] = request.meta.get(PAGE_TERMS, ())
    signals = read_headers(lines, user_agent) + terms
    rules: SiteRules | None = request.meta.get(SITE_RULES)
    return signals + rules.signals(response.url) if rules is not None else signals
