"""robots.txt by RFC 9309, and the site's TDM reservation file beside it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http.request import NO_CALLBACK

from ilspfc.crawl.component import CrawlComponent, frontier_of
from ilspfc.optout.policy import OptOutPolicy
from ilspfc.optout.signals import Signal, read_headers, read_robots
from ilspfc.optout.tdmrep import TDMREP_PATH, TdmFile
from ilspfc.web.robots_txt import RobotsPolicy, RobotsState
from ilspfc.web.urls import host_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response


# Least time for which a host that could not be reached is not asked for its file again. A
# failure holds some times as long as it took: a silent host costs its time-outs once, not for
# each page.
_FAILURE_SECONDS = 5.0
_FAILURE_FACTOR = 3.0
# Key of request.meta: the rules of the page's site, for the opt-outs.
SITE_RULES = "site_rules"
# … and that a request is for one of its files, not for a page.
IS_SITE_FILE = "is_site_file"


class RobotsRefusedError(IgnoreRequest):
    """robots.txt forbids a URL."""


class RobotsUnreachableError(IgnoreRequest):
    """robots.txt cannot be read at present, so nothing may be visited."""


@dataclass(frozen=True, slots=True)
class SiteRules:
    """Rules of a host for all its pages; ``error`` if it could not be reached."""

    robots: RobotsPolicy
    tdm: TdmFile | None
    expires_at: float
    status: int = 0
    error: Exception | None = None

    def signals(self, url: str) -> tuple[Signal, ...]:
        """Return the opt-out signals of the files for a page."""
        found = read_robots(self.robots, url)
        return found + self.tdm.signals(url) if self.tdm is not None else found


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
        self._reads_tdm = settings["OPTOUT_POLICY"] != OptOutPolicy.IGNORE
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

    async def _rules_for(self, request: Request) -> SiteRules:
        parts = urlsplit(request.url)
        origin = f"{parts.scheme}://{parts.netloc}"
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
            longest = self._crawler.settings.getfloat("FRONTIER_MAX_CRAWL_DELAY")
            slot.delay = max(slot.delay, min(seconds, longest))

    async def _read_tdm(self, origin: str, robots: RobotsPolicy) -> TdmFile | None:
        url = origin + TDMREP_PATH
        if not self._reads_tdm or not robots.allows(url):
            return None
        try:
            return TdmFile.from_response(*await self._fetch(url))
        except Exception:  # noqa: BLE001 - a site without the file reserves nothing
            return None

    async def _fetch(self, url: str) -> tuple[int, bytes]:
        """Return status and body of a file of a site, redirects followed."""
        meta = {IS_SITE_FILE: True, "download_slot": host_of(url)}
        request = Request(url, callback=NO_CALLBACK, meta=meta)
        response = await self._crawler.engine.download_async(request)
        return response.status, response.body


def read_signals(
    request: Request, response: Response, user_agent: str
) -> tuple[Signal, ...]:
    """Return the opt-out signals of a response's header and of its site's files."""
    lines = (
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in response.headers.items()
        for value in values
    )
    signals = read_headers(lines, user_agent)
    rules: SiteRules | None = request.meta.get(SITE_RULES)
    return signals + rules.signals(response.url) if rules is not None else signals
