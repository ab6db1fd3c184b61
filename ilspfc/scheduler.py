"""Scrapy's scheduler interface over the frontier of a crawl."""

from __future__ import annotations

from collections import deque
from typing import Any

from scrapy import Request
from scrapy.core.scheduler import Scheduler
from scrapy.crawler import Crawler

from ilspfc.crawl.component import CrawlComponent, is_corpus_crawl
from ilspfc.crawl.crawl_frontier import CrawlFrontier
from ilspfc.crawl.requests import (
    CANDIDATE,
    COOKIES,
    FRONTIER_KEY,
    IS_SEED,
    attempts_meta,
    make_request,
)
from ilspfc.frontier.reasons import FetchReason
from ilspfc.frontier.store.candidates import SEED_SCORE, Candidate
from ilspfc.web.urls import canonicalize


# Not derived from BaseScheduler, whose metaclass takes any scheduler for an instance.
class FrontierScheduler(CrawlComponent):
    """Gives Scrapy the best URL of the frontier that may be visited now.

    **Order of visits.** Each host has a queue by score (``frontier/scoring/link_score.py``:
    anchor and surroundings, the page's relevance, translation cues, what the crawl has
    learned) and a politeness clock (DOWNLOAD_DELAY, Crawl-delay, Retry-After,
    CONCURRENT_REQUESTS_PER_DOMAIN). Among the hosts whose clock allows a visit, the one with
    the best queued URL comes first; equal hosts take turns. With FRONTIER_SCORER=buckets a host
    waits while another has a URL in a better bucket that only politeness holds up. URLs that
    look like those of a trap are held back, and come back as their pattern yields text.

    **Files.** All of it is in ``frontier.db`` of the corpus: each URL with its score, its
    state (queued, leased, done, failed, refused) and the reason of that state; any SQLite tool
    shows it. With FRONTIER_STORE the queue is shared by several crawlers.

    A request that comes out holds a lease of its URL; a retry returns the URL to the queue, a
    redirect ends the lease and queues the target. A redirect to another spelling of the same URL
    (with a session id, without tracking parameters) is a retry with that spelling. Requests
    unknown to the frontier (from a user's spider, with a callback of its own) are sent in the
    order they come. Spider, middlewares and extensions talk to ``spider.frontier``, not to the
    scheduler.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._direct: deque[Request] = deque()
        # Address and counts of attempts by key: a redirect may lead to another spelling of a URL.
        self._attempts: dict[str, tuple[str, dict[str, Any]]] = {}
        self._frontier: CrawlFrontier

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        """Return the scheduler of a crawl; Scrapy's own for a spider without a corpus."""
        return (
            cls(crawler)
            if is_corpus_crawl(crawler)
            else Scheduler.from_crawler(crawler)
        )

    def open(self, spider: Any) -> None:
        """Make the frontier over the store of the job."""
        spider.frontier = self._frontier = CrawlFrontier(self._crawler)

    def close(self, reason: str) -> None:
        """End all leases and close the frontier."""
        self._frontier.close()

    def has_pending_requests(self) -> bool:
        """Test whether any URL waits to be visited."""
        if self._frontier.pace.is_over:
            return False
        return bool(self._direct) or self._frontier.has_more

    def enqueue_request(self, request: Request) -> bool:
        """Queue a seed, a link, a retry or a redirect; return whether it was queued."""
        meta = request.meta
        if not {CANDIDATE, IS_SEED} & meta.keys():
            self._direct.append(request)
            return True
        if FRONTIER_KEY in meta:
            return self._enqueue_leased(request)
        if IS_SEED not in meta:
            return self._frontier.push_request(request)
        try:
            seed = Candidate.of(request.url, SEED_SCORE)
        except ValueError:
            return False
        return self._frontier.push(seed, again=True)

    def _enqueue_leased(self, request: Request) -> bool:
        """Queue a retry, or the target of a redirect."""
        meta, frontier = request.meta, self._frontier
        try:
            key = canonicalize(request.url)
        except ValueError:
            frontier.fail(request, FetchReason.REDIRECTS, f"to {request.url}")
            return False
        passed = meta.get("redirect_urls", ())
        is_new = request.url not in passed or COOKIES in meta
        if meta[FRONTIER_KEY] == key and is_new:
            frontier.requeue(key, request.url)
        elif COOKIES in meta and [*map(canonicalize, passed)].count(key) == 1:
            # Back where it came from with a cookie: the lease of the last address serves.
            self._direct.append(request)
            return True
        elif not frontier.redirect(request, key):
            return False
        self._attempts[key] = request.url, attempts_meta(request)
        return True

    def next_request(self) -> Request | None:
        """Return the request of the URL to visit next, None while no host is ready."""
        frontier = self._frontier
        frontier.end_leases()
        if self._direct:
            return self._direct.popleft()
        pace = frontier.pace
        if pace.is_over or pace.is_behind or pace.awaits_others:
            return None  # the engine asks again when a page is through
        candidate = frontier.pop()
        if candidate is None:
            return None
        url, meta = self._attempts.pop(candidate.key, (candidate.url, {}))
        pace.pages += "retry_times" not in meta
        return make_request(candidate._replace(url=url), self._crawler.spider, meta)
