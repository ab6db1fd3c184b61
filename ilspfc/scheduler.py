"""Scrapy's scheduler interface over the frontier."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler
from scrapy.utils.asyncio import call_later

from ilspfc.frontier.frontier import Frontier
from ilspfc.frontier.politeness import Answer, PolitenessRules
from ilspfc.frontier.reasons import FetchReason
from ilspfc.frontier.sqlite import SQLiteStore
from ilspfc.frontier.store import Candidate, UrlState
from ilspfc.frontier.url import canonicalize, host_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.utils.asyncio import CallLaterResult

    from ilspfc.job import CrawlJob

# Keys of request.meta.
FOUND_LINK = "found_link"  # a FoundLink: what is known of a link that is to be scored
IS_SEED = "is_seed"
FRONTIER_KEY = "frontier_key"  # the canonical URL that a request holds the lease of
_CANDIDATE = "frontier_candidate"
# What Scrapy's middlewares count in meta over the attempts at one URL.
_KEPT_META = ("retry_times", "redirect_times", "redirect_urls", "redirect_reasons")

SEED_SCORE = 1e12


class FrontierScheduler(BaseScheduler):
    """Gives Scrapy the URL that the frontier finds most worth visiting now.

    A request that comes out holds a lease of its URL until :meth:`acknowledge`; a retry
    gives the lease back to the queue, a redirect ends it and queues the target. Requests
    that the frontier knows nothing of (made by a spider of the user's with a callback of
    their own) are sent in the order they come.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._direct: deque[Request] = deque()
        self._meta: dict[str, dict[str, Any]] = {}
        self._ending: dict[Request, tuple[UrlState, str]] = {}
        self._timer: CallLaterResult | None = None
        self._frontier: Frontier

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return a scheduler for the crawl."""
        return cls(crawler)

    @property
    def _job(self) -> CrawlJob:
        return self._crawler.spider.job  # type: ignore[union-attr,no-any-return]

    def open(self, spider: object) -> None:
        """Open the frontier in the corpus folder."""
        settings = self._crawler.settings
        rules = PolitenessRules(
            delay=settings.getfloat("DOWNLOAD_DELAY"),
            max_active=settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"),
            max_crawl_delay=settings.getfloat("FRONTIER_MAX_CRAWL_DELAY"),
            max_errors=settings.getint("FRONTIER_MAX_HOST_ERRORS"),
        )
        self._frontier = Frontier(SQLiteStore(self._job.files.frontier), rules)

    def close(self, reason: str) -> None:
        """Make the state of every URL last."""
        if self._timer is not None:
            self._timer.cancel()
        self._end_leases(everything=True)
        self._frontier.store.close()

    @property
    def queued(self) -> int:
        """How many URLs wait to be visited."""
        return len(self._frontier) + len(self._direct)

    def has_pending_requests(self) -> bool:
        """Return whether any URL waits to be visited."""
        return self.queued > 0

    def enqueue_request(self, request: Request) -> bool:
        """Queue a seed, a link, a retry or a redirect; return whether it was news."""
        meta = request.meta
        if not {FOUND_LINK, IS_SEED, FRONTIER_KEY} & meta.keys():
            self._direct.append(request)
            return True
        try:
            key = canonicalize(request.url)
        except ValueError:
            return False
        now = time.monotonic()
        if meta.get(FRONTIER_KEY) == key:
            self._remember(key, request)
            self._frontier.release(key, host_of(request.url), now)
            return True
        if FRONTIER_KEY in meta:
            return self._enqueue_redirect(request, key, now)
        return self._frontier.push(
            self._candidate(request, key), now, again=IS_SEED in meta
        )

    def _enqueue_redirect(self, request: Request, key: str, now: float) -> bool:
        source: Candidate = request.meta[_CANDIDATE]
        self._frontier.finish(
            source.key, source.host, UrlState.DONE, now, reason="redirected"
        )
        passed = request.meta.get("redirect_urls", [source.url])
        if source.depth == 0:  # a seed may say where its site has moved
            self._job.scope.add(request.url)
        elif not self._job.scope.accept(request.url):
            self._lose(passed[0], FetchReason.OUT_OF_SCOPE, f"to {request.url}")
            return False
        if key in map(canonicalize, passed):
            self._lose(passed[0], FetchReason.REDIRECTS, f"back to {request.url}")
            return False
        self._remember(key, request)
        target = replace(
            source,
            key=key,
            url=request.url,
            host=host_of(request.url),
            referrer=source.url,
        )
        return self._frontier.push(target, now)

    def _lose(self, url: str, reason: FetchReason, cause: str) -> None:
        """Write down a URL that redirects led nowhere."""
        self._crawler.stats.inc_value(f"fetch/dropped/{reason}")
        self._job.index.add_failure(url, host_of(url), reason, cause, is_seed=False)

    def _candidate(self, request: Request, key: str) -> Candidate:
        host = host_of(request.url)
        found = request.meta.get(FOUND_LINK)
        if found is None:
            return Candidate(key, request.url, host, SEED_SCORE)
        return Candidate(
            key,
            request.url,
            host,
            score=self._job.link_scorer.score(found),
            depth=request.meta.get("depth", 0),
            distance=found.distance,
            referrer=found.source_url,
            anchor=found.link.anchor,
        )

    def _remember(self, key: str, request: Request) -> None:
        kept = {name: request.meta[name] for name in _KEPT_META if name in request.meta}
        self._meta[key] = kept

    def next_request(self) -> Request | None:
        """Return the request of the URL to visit next, None while no host is ready."""
        self._end_leases()
        if self._direct:
            return self._direct.popleft()
        now = time.monotonic()
        candidate = self._frontier.pop(now)
        if candidate is None:
            self._wake_in(self._frontier.wake_seconds(now))
            return None
        spider: Any = self._crawler.spider
        meta = {
            FRONTIER_KEY: candidate.key,
            _CANDIDATE: candidate,
            "depth": candidate.depth,
            "distance": candidate.distance,
            "download_slot": candidate.host,
            **self._meta.pop(candidate.key, {}),
        }
        return Request(
            candidate.url, callback=spider.parse, errback=spider.failed, meta=meta
        )

    def acknowledge(self, request: Request, state: UrlState, reason: str = "") -> None:
        """End the lease of a request's URL: it was visited, or will never be.

        Scrapy may still be passing on what the callback yielded, so the lease ends only
        when the request has left the scraper: a page is done when its links are stored.
        """
        self._ending[request] = (state, reason)

    def _end_leases(self, *, everything: bool = False) -> None:
        """End the leases of the requests that are through."""
        if not self._ending:
            return
        scraping = set() if everything else self._crawler.engine.scraper.slot.active  # type: ignore[union-attr]
        for request in [request for request in self._ending if request not in scraping]:
            state, reason = self._ending.pop(request)
            candidate: Candidate = request.meta[_CANDIDATE]
            self._frontier.finish(
                candidate.key, candidate.host, state, time.monotonic(), reason
            )

    def answered(
        self, request: Request, answer: Answer, retry_after: float = 0.0
    ) -> None:
        """Tell the politeness clock of a request's host how the host answered."""
        candidate: Candidate | None = request.meta.get(_CANDIDATE)
        if candidate is None:
            return
        is_dead = self._frontier.answered(
            candidate.key, candidate.host, time.monotonic(), answer, retry_after
        )
        if is_dead:
            cause = "too many errors in a row"
            for url in self._frontier.fail_host(
                candidate.host, FetchReason.DEAD_HOST.value
            ):
                self._lose(url, FetchReason.DEAD_HOST, cause)

    def slow_to(self, host: str, crawl_delay: float) -> None:
        """Keep the Crawl-delay that the robots.txt of a host asks for."""
        self._frontier.slow_to(host, crawl_delay)

    def _wake_in(self, seconds: float | None) -> None:
        """Have the engine ask again when the next host is ready.

        Left alone it asks when a download ends or every five seconds, and hosts that wait
        for their delay would be visited late.
        """
        if seconds is None or self._timer is not None:
            return
        self._timer = call_later(seconds, self._wake)

    def _wake(self) -> None:
        self._timer = None
        # Scrapy has no public way to say that a request is ready.
        slot = self._crawler.engine._slot  # noqa: SLF001
        if slot is not None:
            slot.nextcall.schedule()
