"""Scrapy's scheduler interface over the frontier."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.core.scheduler import Scheduler

from ilspfc.crawl.component import CrawlComponent, is_corpus_crawl
from ilspfc.crawl.job import make_trap_detector
from ilspfc.crawl.pace import Alarm, Pace
from ilspfc.crawl.requests import (
    CANDIDATE,
    COOKIES,
    FRONTIER_KEY,
    IS_SEED,
    VISIT,
    attempts_meta,
    iter_candidates,
    make_request,
)
from ilspfc.frontier.frontier import Frontier
from ilspfc.frontier.politeness import Answer, PolitenessRules
from ilspfc.frontier.reasons import REDIRECTED, FetchReason, LinkReason
from ilspfc.frontier.scope import SiteGroups
from ilspfc.frontier.scoring.feedback import Feedback, PageGains, PairGains, Scouts
from ilspfc.frontier.store.candidates import SEED_SCORE, Candidate, UrlState
from ilspfc.frontier.store.visits import Visit
from ilspfc.frontier.traps.gate import TrapGate
from ilspfc.web.address import AddressError
from ilspfc.web.urls import canonicalize, host_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure

    from ilspfc.frontier.scoring.link_score import FoundLink
    from ilspfc.frontier.store.changes import Arrivals

logger = logging.getLogger(__name__)

# Pages after which a host without documents in two languages goes behind all others.
_SCOUT_PAGES = 50


# Not derived from BaseScheduler, whose metaclass takes any scheduler for an instance.
class FrontierScheduler(CrawlComponent):
    """Gives Scrapy the best URL of the frontier that may be visited now.

    A request that comes out holds a lease of its URL until :meth:`acknowledge`; a retry
    returns the URL to the queue, a redirect ends the lease and queues the target. Requests
    unknown to the frontier (from a user's spider, with a callback of its own) are sent in
    the order they come.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._direct: deque[Request] = deque()
        self._meta: dict[str, dict[str, Any]] = {}
        self._ending: dict[Request, tuple[UrlState, str]] = {}
        self._alarm = Alarm(crawler)
        self.pace = Pace(crawler)
        self._frontier: Frontier
        self._feedback: Feedback
        self._gate: TrapGate

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        """Return the scheduler of a crawl; Scrapy's own for a spider without a corpus."""
        return (
            cls(crawler)
            if is_corpus_crawl(crawler)
            else Scheduler.from_crawler(crawler)
        )

    def open(self, spider: object) -> None:
        """Make the frontier over the store of the job."""
        self._crawler.signals.connect(self.spider_error, signal=signals.spider_error)
        job, settings = self.job, self._crawler.settings
        langs, groups = job.arguments.langs, SiteGroups(job.arguments.groups)
        scouts = Scouts(
            _SCOUT_PAGES if job.focus.learner else 0,
            groups.of_host,
            min_langs=min(len(langs), 2),
        )
        gains = PairGains() if len(langs) > 1 else PageGains()
        detector = make_trap_detector(job.arguments, settings)
        self._gate = TrapGate(detector, job.store, self.count)
        rules = politeness_rules(settings)
        self._frontier = Frontier(
            job.store, rules, scouts.handicap, self._gate, job.focus.step
        )
        self._feedback = Feedback(self._frontier, job.focus, scouts, gains)

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
        """Test whether any URL waits to be visited; those of hosts that throttle may not count."""
        if self.pace.is_over:
            return False
        if self._direct or self.job.store.awaits_more:
            return True
        return len(self._frontier) > 0 and not self._frontier.waits_in_vain()

    def enqueue_request(self, request: Request) -> bool:
        """Queue a seed, a link, a retry or a redirect; return whether it was queued."""
        meta = request.meta
        if not {CANDIDATE, IS_SEED} & meta.keys():
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
        passed = [canonicalize(url) for url in meta.get("redirect_urls", ())]
        if FRONTIER_KEY in meta and COOKIES in meta and passed.count(key) == 1:
            # Back where it came from with a cookie: the lease of the last address serves.
            self._direct.append(request)
            return True
        if FRONTIER_KEY in meta:
            return self._enqueue_redirect(request, key, now)
        if IS_SEED in meta:
            candidate = Candidate.of(request.url, SEED_SCORE)
        else:
            candidate = meta[CANDIDATE]._replace(key=key, url=request.url)
        return self._frontier.push(candidate, now, again=IS_SEED in meta)

    def _enqueue_redirect(self, request: Request, key: str, now: float) -> bool:
        source: Candidate = request.meta[CANDIDATE]
        self.job.store.visits.record(source.key, Visit(time.time()))
        passed = request.meta.get("redirect_urls", [source.url])
        lost: tuple[FetchReason, str] | None = None
        if source.depth == 0:  # a seed may say where its site has moved
            self.job.scope.add(request.url)
        elif not self.job.scope.accept(request.url):
            lost = FetchReason.OUT_OF_SCOPE, f"to {request.url}"
        if lost is None and key in map(canonicalize, passed):
            lost = FetchReason.REDIRECTS, f"back to {request.url}"
        state, reason = (
            (UrlState.REFUSED, lost[0]) if lost else (UrlState.DONE, REDIRECTED)
        )
        self._frontier.finish(source.key, source.host, state, now, reason=reason)
        if lost:
            self._lose(passed[0], *lost)
            return False
        self._meta[key] = attempts_meta(request)
        return self._frontier.push(source.redirect(request.url), now)

    def _lose(self, url: str, reason: FetchReason, cause: str, host: str = "") -> None:
        """Record a failed URL, unless it was a page once; ``host`` is that of the URL."""
        index, host = self.job.index, host or host_of(url)
        if index.add_failure(url, host, reason, cause, is_seed=False):
            self.count(f"fetch/dropped/{reason}")

    def select_links(self, links: Sequence[FoundLink]) -> list[Candidate]:
        """Return the links of a page that are new or raise the score of a queued URL.

        A delta crawl, which counts the links that it skips, has all that may be followed.
        """
        job = self.job
        is_delta = job.arguments.delta
        found = list(iter_candidates(links, job.store, job.focus, keeps_known=is_delta))
        selected = [candidate for candidate in found if candidate is not None]
        if len(selected) < len(found):
            self.count(
                f"frontier/dropped/{LinkReason.HIGH_PERPLEXITY}",
                len(found) - len(selected),
            )
        return selected

    def next_request(self) -> Request | None:
        """Return the request of the URL to visit next, None while no host is ready."""
        self._end_leases()
        if self._direct:
            return self._direct.popleft()
        if self.pace.is_over or self.pace.is_behind:
            return None  # the engine asks again when a page is through
        now = time.monotonic()
        while self.job.store.may_visit and (candidate := self._frontier.pop(now)):
            try:
                candidate = candidate.check()
            except AddressError:  # a row that another program has written or damaged
                reason = FetchReason.ADDRESS_REFUSED
                self._frontier.finish(
                    candidate.key, candidate.host, UrlState.FAILED, now, reason
                )
                self._lose_unusable(candidate.url, candidate.host)
                continue
            meta = self._meta.pop(candidate.key, {})
            self.pace.pages += "retry_times" not in meta
            return make_request(candidate, self._crawler.spider, meta)
        self._alarm.set(self._frontier.wake_seconds(now))
        return None

    def _lose_unusable(self, url: str, host: str) -> None:
        """Record an address of the frontier that cannot be asked for."""
        logger.warning("The frontier has %r, which no page can have: it fails", url)
        self._lose(url, FetchReason.ADDRESS_REFUSED, "no address of a page", host)

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

    def visited(
        self,
        request: Request,
        lang: str,
        versions: Iterable[str],
        density: float | None,
    ) -> None:
        """Learn from a visit; see :meth:`Feedback.visited`."""
        self._feedback.visited(request.meta[CANDIDATE], lang, versions, density)

    def failed(self, request: Request) -> None:
        """Learn that a URL gave no page."""
        self._feedback.failed(request.meta[CANDIDATE])

    def _end_leases(self, *, everything: bool = False) -> None:
        """End the leases of the requests that are processed."""
        if not self._ending:
            return
        scraping = set() if everything else self._crawler.engine.scraper.slot.active  # type: ignore[union-attr]
        for request in [request for request in self._ending if request not in scraping]:
            state, reason = self._ending.pop(request)
            candidate: Candidate = request.meta[CANDIDATE]
            if VISIT in request.meta:
                self.job.store.visits.record(candidate.key, request.meta[VISIT])
            for url in (candidate.url, *request.meta.get("redirect_urls", ())):
                key = canonicalize(url)
                self._gate.record(key, state, reason, candidate.referrer)
            self._frontier.finish(
                candidate.key, candidate.host, state, time.monotonic(), reason
            )

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
            for url in self.job.store.fail_host(candidate.host, reason):
                self._lose(url, reason, "too many errors in a row")

    def is_away(self, request: Request) -> bool:
        """Test whether a failed visit should be made again later; see :class:`Frontier`."""
        candidate: Candidate | None = request.meta.get(CANDIDATE)
        return candidate is not None and self._frontier.is_away(candidate.host)

    def give_back(self, host: str) -> float:
        """Forget a host; return for how many seconds nobody may visit it."""
        return self._frontier.give_back(host, time.monotonic())

    def take_in(self, found: Arrivals) -> None:
        """Go on with what has come from the shared frontier."""
        for host in found.leased:
            self._frontier.take_over(host.name, host.pages)
        self._gate.replay((canonicalize(visit.url), *visit[1:]) for visit in found.past)
        for candidate, _ in found.queued:
            if candidate.depth == 0:  # seeds, and where they have moved
                self.job.scope.add(candidate.url)
        for url, name in found.unusable:
            self._lose_unusable(url, name)
        self._feedback.learn(found.gains)
        self._frontier.compare_again({c.host for c, _ in found.queued})
        if found.queued or found.is_over:
            self.wake()

    def slow_to(self, host: str, crawl_delay: float) -> None:
        """Set the Crawl-delay of a host's robots.txt."""
        self._frontier.slow_to(host, crawl_delay)

    def wake(self) -> None:
        """Have the engine look for requests, and whether the crawl is idle."""
        self._alarm.ring()


def politeness_rules(settings: BaseSettings) -> PolitenessRules:
    """Return the rules that the settings make for every host."""
    return PolitenessRules(
        delay=settings.getfloat("DOWNLOAD_DELAY"),
        max_active=settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"),
        max_crawl_delay=settings.getfloat("FRONTIER_MAX_CRAWL_DELAY"),
        max_pages=settings.getint("FRONTIER_MAX_HOST_PAGES"),
        max_round_pages=settings.getint("FRONTIER_MAX_ROUND_PAGES"),
    )


def frontier_of(crawler: Crawler) -> FrontierScheduler | None:
    """Return the scheduler of a crawl with a frontier, None for one without."""
    scheduler: object = crawler.engine.scheduler
    return scheduler if isinstance(scheduler, FrontierScheduler) else None
