"""Scrapy's scheduler interface over the frontier."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from scrapy import signals

from ilspfc.crawl.job import job_of, politeness_rules
from ilspfc.crawl.pace import Alarm, Pace
from ilspfc.crawl.requests import (
    CANDIDATE,
    FOUND_LINK,
    FRONTIER_KEY,
    IS_FROM_COPY,
    IS_SEED,
    VISIT,
    attempts_meta,
    link_candidate,
    make_request,
    redirect_candidate,
    seed_candidate,
    select_links,
)
from ilspfc.frontier.frontier import Frontier
from ilspfc.frontier.reasons import FetchReason
from ilspfc.frontier.scoring.feedback import Feedback
from ilspfc.frontier.store.protocol import Candidate, UrlState
from ilspfc.frontier.store.sqlite import SQLiteStore
from ilspfc.frontier.store.visits import Visit
from ilspfc.frontier.traps.gate import TrapGate
from ilspfc.web.urls import canonicalize, host_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from twisted.python.failure import Failure

    from ilspfc.crawl.job import CrawlJob
    from ilspfc.frontier.politeness import Answer
    from ilspfc.frontier.scoring.link_score import FoundLink
    from ilspfc.frontier.store.protocol import VisitStore


# Not derived from BaseScheduler, whose metaclass takes any scheduler for an instance.
class FrontierScheduler:
    """Gives Scrapy the best URL of the frontier that may be visited now.

    A request that comes out holds a lease of its URL until :meth:`acknowledge`; a retry
    returns the URL to the queue, a redirect ends the lease and queues the target. Requests
    unknown to the frontier (from a user's spider, with a callback of its own) are sent in
    the order they come.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._direct: deque[Request] = deque()
        self._meta: dict[str, dict[str, Any]] = {}
        self._ending: dict[Request, tuple[UrlState, str]] = {}
        self._alarm = Alarm(crawler)
        self.pace = Pace(crawler)
        self._frontier: Frontier
        self._feedback: Feedback
        self.visits: VisitStore
        self._gate: TrapGate

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return a scheduler for the crawl."""
        return cls(crawler)

    @property
    def _job(self) -> CrawlJob:
        return job_of(self._crawler)

    def open(self, spider: object) -> None:
        """Open the frontier in the corpus folder."""
        self._crawler.signals.connect(self.spider_error, signal=signals.spider_error)
        job, store = self._job, SQLiteStore(self._job.files.frontier, self._job.disk)
        rules = politeness_rules(self._crawler.settings)
        self._gate = TrapGate(job.traps, store, self._crawler.stats.inc_value)
        self._frontier = Frontier(store, rules, job.scouts.handicap, self._gate)
        self.visits = store.visits
        self._feedback = Feedback(self._frontier, job.focus, job.scouts)

    def close(self, reason: str) -> None:
        """End all leases and close the frontier."""
        self._alarm.cancel()
        try:
            self._end_leases(everything=True)
        finally:
            self._frontier.store.close()

    @property
    def queued(self) -> int:
        """Number of URLs that wait to be visited."""
        return len(self._frontier) + len(self._direct)

    def has_pending_requests(self) -> bool:
        """Test whether any URL waits to be visited."""
        return self.queued > 0 and not self.pace.is_over

    def enqueue_request(self, request: Request) -> bool:
        """Queue a seed, a link, a retry or a redirect; return whether it was queued."""
        meta = request.meta
        if not {FOUND_LINK, IS_SEED, FRONTIER_KEY} & meta.keys():
            self._direct.append(request)
            return True
        try:
            key = canonicalize(request.url)
        except ValueError:
            if FRONTIER_KEY in meta:
                self._fail(request, FetchReason.REDIRECTS, f"to {request.url}")
            return False
        now = time.monotonic()
        if meta.get(FRONTIER_KEY) == key:
            self._meta[key] = attempts_meta(request)
            self._frontier.release(key, host_of(request.url), now)
            return True
        if FRONTIER_KEY in meta:
            return self._enqueue_redirect(request, key, now)
        candidate = self._candidate(request, key)
        if candidate is None:
            return False
        return self._frontier.push(
            candidate, now, again=IS_SEED in meta, is_from_copy=IS_FROM_COPY in meta
        )

    def _enqueue_redirect(self, request: Request, key: str, now: float) -> bool:
        source: Candidate = request.meta[CANDIDATE]
        self.visits.record(source.key, Visit(time.time()))
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
        self._meta[key] = attempts_meta(request)
        return self._frontier.push(redirect_candidate(request, key), now)

    def _lose(self, url: str, reason: FetchReason, cause: str) -> None:
        """Record a failed URL, unless it was a page once."""
        index, host = self._job.index, host_of(url)
        if index.add_failure(url, host, reason, cause, is_seed=False):
            self._crawler.stats.inc_value(f"fetch/dropped/{reason}")

    def _candidate(self, request: Request, key: str) -> Candidate | None:
        """Return the candidate of a seed or link, None if it is not to be queued."""
        if FOUND_LINK not in request.meta:
            return seed_candidate(request, key)
        if self._frontier.store.state_of(key) not in {None, UrlState.QUEUED}:
            return None
        candidate = link_candidate(request, key, self._job.focus)
        if candidate is None:
            self._crawler.stats.inc_value("frontier/links_discarded")
        return candidate

    def select_links(self, links: Sequence[FoundLink]) -> list[FoundLink]:
        """Return the links of a page that are new or raise the score of a queued URL."""
        return select_links(links, self._frontier.store, self._job.focus)

    def next_request(self) -> Request | None:
        """Return the request of the URL to visit next, None while no host is ready."""
        self._end_leases()
        if self._direct:
            return self._direct.popleft()
        if self.pace.is_over or self.pace.is_behind:
            return None  # the engine asks again when a page is through
        now = time.monotonic()
        candidate = self._frontier.pop(now)
        if candidate is None:
            self._alarm.set(self._frontier.wake_seconds(now))
            return None
        meta = self._meta.pop(candidate.key, {})
        self.pace.pages += "retry_times" not in meta
        return make_request(candidate, self._crawler.spider, meta)

    def acknowledge(self, request: Request, state: UrlState, reason: str = "") -> None:
        """End the lease of a request's URL, which was visited or will never be.

        Scrapy may still be processing the output of the callback, so the lease ends only
        when the request has left the scraper: a page is done when its links are stored.
        """
        self._ending[request] = (state, reason)

    def spider_error(self, failure: Failure, response: object) -> None:
        """End the lease of a request whose callback or errback has failed."""
        request: Request | None = getattr(response, "request", None)
        if request is not None and FRONTIER_KEY in request.meta:
            self._fail(request, FetchReason.ERROR, type(failure.value).__name__)

    def _fail(self, request: Request, reason: FetchReason, cause: str) -> None:
        """Record a failed request, and end its lease."""
        self.acknowledge(request, UrlState.FAILED, reason)
        self._lose(request.meta[CANDIDATE].url, reason, cause)

    def visited(self, request: Request, lang: str, gains: Mapping[str, float]) -> None:
        """Learn from the gains of a visit; see :class:`Feedback`."""
        self._feedback.visited(request.meta[CANDIDATE], lang, gains)

    def _end_leases(self, *, everything: bool = False) -> None:
        """End the leases of the requests that are processed."""
        if not self._ending:
            return
        scraping = set() if everything else self._crawler.engine.scraper.slot.active  # type: ignore[union-attr]
        for request in [request for request in self._ending if request not in scraping]:
            state, reason = self._ending.pop(request)
            candidate: Candidate = request.meta[CANDIDATE]
            if VISIT in request.meta:
                self.visits.record(candidate.key, request.meta[VISIT])
            self._frontier.finish(
                candidate.key, candidate.host, state, time.monotonic(), reason
            )
            for url in (candidate.url, *request.meta.get("redirect_urls", ())):
                key = canonicalize(url)
                self._gate.record(key, state, reason, candidate.referrer)

    def answered(
        self, request: Request, answer: Answer, retry_after: float = 0.0
    ) -> None:
        """Pass the kind of a response to the politeness clock of its host."""
        candidate: Candidate | None = request.meta.get(CANDIDATE)
        if candidate is None:
            return
        is_dead = self._frontier.answered(
            candidate.key, candidate.host, time.monotonic(), answer, retry_after
        )
        if is_dead:
            reason = FetchReason.DEAD_HOST
            for url in self._frontier.fail_host(candidate.host, reason.value):
                self._lose(url, reason, "too many errors in a row")

    def slow_to(self, host: str, crawl_delay: float) -> None:
        """Set the Crawl-delay of a host's robots.txt."""
        self._frontier.slow_to(host, crawl_delay)

    def wake(self) -> None:
        """Have the engine look for requests, and whether the crawl is idle."""
        self._alarm.ring()


def frontier_of(crawler: Crawler) -> FrontierScheduler | None:
    """Return the scheduler of a crawl with a frontier, None for one without."""
    scheduler: object = crawler.engine.scheduler
    return scheduler if isinstance(scheduler, FrontierScheduler) else None
