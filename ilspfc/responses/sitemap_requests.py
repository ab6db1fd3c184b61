"""Sitemaps of the visited sites: URLs and their language versions."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from scrapy import Request, signals
from scrapy.exceptions import DontCloseSpider

from ilspfc.crawl.component import CrawlComponent
from ilspfc.crawl.crawl_frontier import opened_frontier
from ilspfc.crawl.index_records import page_id
from ilspfc.crawl.requests import CANDIDATE
from ilspfc.documents import Link
from ilspfc.exceptions import WorkerLostError, WorkerTimeoutError
from ilspfc.frontier.scoring.link_score import FoundLink
from ilspfc.frontier.sitemaps.feeds import SitemapKind
from ilspfc.frontier.sitemaps.reader import (
    MAX_BYTES,
    Sitemap,
    SitemapEntry,
    SitemapSession,
)
from ilspfc.frontier.sitemaps.sitemap_queue import HostSitemaps, SitemapQueue
from ilspfc.middlewares.robots_files import SITE_RULES, SiteRules, site_file_request
from ilspfc.web.address import Addresses
from ilspfc.web.urls import host_of, origin_of
from ilspfc.workers import WorkerPool

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

# Hosts with a sitemap under way, one each: its body is in memory.
_MAX_OPEN = 8
# Addresses that are stored before pages have their turn.
_TURN_ADDRESSES = 100
# Limit of CPU seconds for one sitemap, all parts together.
_MAX_CPU_SECONDS = 60.0
# Interval at which a download checks for the end of the crawl.
_LOOK_SECONDS = 0.5


class SitemapReader(CrawlComponent):
    """Fetches the sitemaps of each host once and turns them into links.

    Sitemaps are fetched beside the pages, one at a time for a host. A separate process
    reads them part by part; the entries of a part are stored in small turns, and pages get
    as much time between two turns. Reading ends with the crawl, for whatever reason, and
    keeps the crawl from ending as idle.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        refused = partial(self.count, "frontier/sitemaps_over_limit")
        self._queue = SitemapQueue(self._covers, refused)
        self._read_origins: set[str] = set()
        self._unnamed: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._reading = asyncio.Lock()
        self._worker = WorkerPool(
            min(settings.getint("WORKERS"), 1),
            settings.getfloat("WORKERS_CPU_SECONDS"),
            SitemapSession,
        )
        crawler.signals.connect(self.stay, signal=signals.spider_idle)
        crawler.signals.connect(self.close, signal=signals.spider_closed)

    def _covers(self, url: str) -> bool:
        return self.job.scope.covers_host(url)  # the job is open by now

    @property
    def _is_over(self) -> bool:
        return opened_frontier(self._crawler).pace.is_over

    def stay(self) -> None:
        """Keep the crawl from ending while sitemaps are under way."""
        for origin in filter(self.job.scope.has_seed, list(self._unnamed)):
            self._open(
                origin, (f"{origin}/sitemap.xml",)
            )  # a seed has moved there since
        if (self._tasks or self._queue) and not self._is_over:
            raise DontCloseSpider

    def close(self) -> None:
        """End all reading."""
        for task in self._tasks:
            task.cancel()
        self._worker.close()

    @property
    def busy_hosts(self) -> set[str]:
        """Hosts with sitemaps that wait or are under way."""
        return set(map(host_of, self._queue.unread))

    def take_read(self) -> set[str]:
        """Return the origins whose sitemaps were read since the last call."""
        read, self._read_origins = self._read_origins, set()
        return read

    def pass_over(self, origins: Iterable[str]) -> None:
        """Take the sitemaps of origins for read, as another crawler has read them."""
        for origin in origins:
            self._queue.open(origin)

    def arrive(self, response: Response) -> None:
        """Queue the sitemaps of a page's host, if it is new.

        robots.txt names them; for the host of a seed, /sitemap.xml is the default, whichever of
        its pages comes first.
        """
        origin = origin_of(response.url)
        if origin in self._queue:
            return
        rules: SiteRules | None = response.meta.get(SITE_RULES)
        named = rules.robots.sitemaps if rules is not None else ()
        addresses = Addresses(origin)
        urls = [url for url in map(addresses.read, named) if url]
        self._count_unusable(addresses.unusable)
        if response.meta.get("depth", 0) == 0 or self.job.scope.has_seed(origin):
            urls = urls or [f"{origin}/sitemap.xml"]
        if urls or named:
            self._open(origin, urls)
        else:
            self._unnamed.add(origin)

    def _open(self, origin: str, urls: Iterable[str]) -> None:
        self._unnamed.discard(origin)
        self._queue.open(origin, urls)
        self._start()

    def _start(self) -> None:
        """Start the visits that may start now."""
        while self._queue and len(self._tasks) < _MAX_OPEN and not self._is_over:
            task = asyncio.ensure_future(self._visit(*self._queue.pop()))
            self._tasks.add(task)
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("A sitemap could not be read", exc_info=error)
        self._start()
        if not self._tasks:
            opened_frontier(self._crawler).wake()  # the crawl may be idle now

    async def _visit(self, host: HostSitemaps, url: str, level: int) -> None:
        """Fetch and read a sitemap."""
        try:
            response = await self._fetch(url)
            if response is not None and response.status == 200:
                async with self._reading:
                    await self._read(host, response, level)
        finally:
            self._queue.release(host)
            if host.origin not in self._queue.unread and not self._is_over:
                self._read_origins.add(host.origin)

    async def _fetch(self, url: str) -> Response | None:
        """Return the response, None for a failure or at the end of the crawl."""
        limits = {"download_maxsize": MAX_BYTES, "handle_httpstatus_all": True}
        request = site_file_request(url, **limits)
        download = asyncio.ensure_future(self._crawler.engine.download_async(request))
        try:
            while not download.done() and not self._is_over:
                await asyncio.wait({download}, timeout=_LOOK_SECONDS)
            return download.result() if download.done() else None
        except Exception:  # noqa: BLE001 - the site has links too
            self.count("frontier/sitemaps_unreached")
            return None
        finally:
            download.cancel()

    async def _read(self, host: HostSitemaps, response: Response, level: int) -> None:
        """Store the entries of a sitemap, as far as it can be read."""
        kind, cpu_seconds = SitemapKind.UNKNOWN, 0.0
        run = self._worker.measure_prepared
        try:
            await run(SitemapSession.open, response.body, response.url)
            while not self._is_over:
                part, seconds = await run(SitemapSession.next)
                if part is None:
                    break
                kind = part.kind
                cpu_seconds += seconds
                self._count_unusable(part.unusable)
                is_whole = await self._take(host, part, response.url, level)
                is_long = cpu_seconds > _MAX_CPU_SECONDS
                if part.is_truncated or is_long or not is_whole:
                    self.count("frontier/sitemaps_cut_off")
                    break
        except (WorkerLostError, WorkerTimeoutError):
            self.count("frontier/sitemaps_lost")
            if kind is SitemapKind.UNKNOWN:
                return
        self.count(f"frontier/sitemaps_{kind}")

    async def _take(
        self, host: HostSitemaps, part: Sitemap, source: str, level: int
    ) -> bool:
        """Store a part of a sitemap; return whether more of it is wanted."""
        if part.kind is SitemapKind.INDEX:
            for entry in part.entries:
                self._queue.add(host, entry.url, level + 1)
            return True
        for entries in _iter_turns(part.entries):
            if host.is_used_up or self._is_over:
                return False
            started = time.monotonic()
            self.job.index.add_versions(iter_versions(entries))
            own = [(entry.url, "") for entry in entries]
            addresses = own + [
                (url, lang) for e in entries for lang, url in e.alternates
            ]
            host.addresses += len(addresses)
            self._add_links(dict.fromkeys(addresses), source)
            await asyncio.sleep(time.monotonic() - started)
        return True

    def _add_links(self, addresses: Iterable[tuple[str, str]], source: str) -> None:
        """Queue the pages that a sitemap names, with their hreflang."""
        links = [
            FoundLink(Link(url, hreflang=hreflang), source, "", depth=1)
            for url, hreflang in addresses
            if self.job.scope.accept(url) and not self.is_passed_over(url)
        ]
        frontier = opened_frontier(self._crawler)
        for candidate in frontier.select_links(links):
            meta = {CANDIDATE: candidate}
            frontier.push_request(Request(candidate.url, meta=meta))
        frontier.wake()

    def is_passed_over(self, url: str) -> bool:
        """Test whether a delta crawl has the page already."""
        if not self.job.arguments.delta or not self.job.has_document(url):
            return False
        self.count("deltafetch/skipped")
        return True

    def _count_unusable(self, unusable: Mapping[str, int]) -> None:
        for reason, number in unusable.items():
            self.count(f"frontier/dropped/{reason}", number)


def _iter_turns(entries: Iterable[SitemapEntry]) -> Iterator[list[SitemapEntry]]:
    """Yield entries in groups of some ``_TURN_ADDRESSES`` addresses."""
    turn: list[SitemapEntry] = []
    size = 0
    for entry in entries:
        turn.append(entry)
        size += 1 + len(entry.alternates)
        if size >= _TURN_ADDRESSES:
            yield turn
            turn, size = [], 0
    if turn:
        yield turn


def iter_versions(entries: Iterable[SitemapEntry]) -> Iterator[tuple[str, str, str]]:
    """Yield the ids of a page and of its version, and the version's hreflang."""
    for entry in entries:
        for hreflang, url in entry.alternates:
            with suppress(ValueError):  # what is no URL is no version
                if url != entry.url:
                    yield page_id(entry.url), page_id(url), hreflang
