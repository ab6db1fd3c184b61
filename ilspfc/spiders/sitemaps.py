"""The sitemaps of the sites that a crawl visits: URLs, and which are versions of a page."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy import Request

from ilspfc.crawl.requests import FOUND_LINK
from ilspfc.documents import Link, document_id
from ilspfc.frontier.feeds import SitemapKind
from ilspfc.frontier.score import FoundLink
from ilspfc.frontier.sitemaps import Sitemap, parse_sitemap
from ilspfc.frontier.url import canonicalize, host_of
from ilspfc.middlewares.robots import IS_SITE_FILE, SITE_RULES
from ilspfc.web.address import Addresses
from ilspfc.workers import WorkerLostError, WorkerTimeoutError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping

    from scrapy.http import Response
    from twisted.python.failure import Failure

    from ilspfc.crawl.job import CrawlJob
    from ilspfc.middlewares.robots import SiteRules

# An index may name others, but not for ever; sitemaps of one host beyond the number wait
# for nobody.
_MAX_LEVEL = 2
_MAX_SITEMAPS = 100
_LEVEL = "sitemap_level"


class SitemapReader:
    """Asks for the sitemaps of each host once and turns them into links.

    ``count`` counts an event in the stats; ``failed`` is the errback of the pages that
    sitemaps name.
    """

    def __init__(
        self,
        job: CrawlJob,
        count: Callable[..., None],
        failed: Callable[[Failure], None],
    ) -> None:
        self._job = job
        self._count = count
        self._page_failed = failed
        self._hosts: set[str] = set()
        self._asked: set[str] = set()

    def iter_requests(self, response: Response) -> Iterator[Request]:
        """Yield requests for the sitemaps of a page's host, if it is new.

        They are those that robots.txt names; for a seed that names none, the usual place.
        """
        parts = urlsplit(response.url)
        origin = f"{parts.scheme}://{parts.netloc}"
        rules: SiteRules | None = response.meta.get(SITE_RULES)
        if origin in self._hosts:
            return
        self._hosts.add(origin)
        named = rules.robots.sitemaps if rules is not None else ()
        is_seed = response.meta.get("depth", 0) == 0
        addresses = Addresses(origin)
        urls = [url for url in map(addresses.read, named) if url]
        self._count_unusable(addresses.unusable)
        for url in urls or ((f"{origin}/sitemap.xml",) if is_seed else ()):
            yield from self._request(url, 0)

    def _request(self, url: str, level: int) -> Iterator[Request]:
        if (
            level > _MAX_LEVEL
            or url in self._asked
            or len(self._asked) >= _MAX_SITEMAPS * max(len(self._hosts), 1)
            or not self._job.scope.accept(url)
        ):
            return
        self._asked.add(url)
        meta = {
            IS_SITE_FILE: True,
            _LEVEL: level,
            "download_slot": host_of(url),
            "handle_httpstatus_all": True,
        }
        yield Request(url, callback=self.parse, errback=self.failed, meta=meta)

    async def parse(self, response: Response) -> AsyncIterator[Request]:
        """Yield the URLs of a sitemap, or the sitemaps of an index."""
        if response.status != 200:
            return
        job = self._job
        try:
            sitemap = await job.workers.run(parse_sitemap, response.body, response.url)
        except (WorkerLostError, WorkerTimeoutError):
            self._count("frontier/sitemaps_lost")
            return
        self._count(f"frontier/sitemaps_{sitemap.kind}")
        self._count_unusable(sitemap.unusable)
        if sitemap.kind is SitemapKind.INDEX:
            for entry in sitemap.entries:
                for request in self._request(entry.url, response.meta[_LEVEL] + 1):
                    yield request
            return
        job.index.add_versions(self._iter_versions(sitemap))
        for url, hreflang in _iter_urls(sitemap):
            if job.scope.accept(url):
                link = Link(url, hreflang=hreflang)
                found = FoundLink(link, response.url, "", depth=1)
                yield Request(url, errback=self._page_failed, meta={FOUND_LINK: found})

    def _count_unusable(self, unusable: Mapping[str, int]) -> None:
        for reason, number in unusable.items():
            self._count(f"frontier/dropped/{reason}", number)

    def failed(self, failure: object) -> None:
        """Pass over a sitemap that cannot be fetched: the site has links too."""

    def _iter_versions(self, sitemap: Sitemap) -> Iterator[tuple[str, str, str]]:
        """Yield the ids of a page and of its version, and the version's hreflang."""
        for entry in sitemap.entries:
            for hreflang, url in entry.alternates:
                with suppress(ValueError):  # what is no URL is no version
                    if url != entry.url:
                        yield _identity(entry.url), _identity(url), hreflang


def _identity(url: str) -> str:
    return document_id(canonicalize(url))


def _iter_urls(sitemap: Sitemap) -> Iterator[tuple[str, str]]:
    """Yield the URLs of a sitemap and the versions that it declares, with hreflang."""
    for entry in sitemap.entries:
        yield entry.url, ""
        for hreflang, url in entry.alternates:
            yield url, hreflang
