"""The frontier of a crawl: the one object that spider, middlewares and extensions talk to."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from twisted.python.failure import Failure

from ilspfc.crawl.arguments import CrawlArguments
from ilspfc.crawl.component import CrawlComponent
from ilspfc.crawl.pace import Alarm, Pace, scraped_requests
from ilspfc.crawl.requests import CANDIDATE, FRONTIER_KEY, VISIT, iter_candidates
from ilspfc.crawl.scorers import BoundsFile
from ilspfc.frontier.frontier import Frontier
from ilspfc.frontier.politeness import Answer, PolitenessRules
from ilspfc.frontier.reasons import (
    REDIRECTED,
    REDIRECTED_TO_KNOWN,
    FetchReason,
    LinkReason,
)
from ilspfc.frontier.scope import SiteGroups
from ilspfc.frontier.scoring.feedback import Feedback, PageGains, PairGains, Scouts
from ilspfc.frontier.scoring.link_score import FoundLink
from ilspfc.frontier.store.candidates import Candidate, UrlState, Visit
from ilspfc.frontier.store.changes import Arrivals
from ilspfc.frontier.traps.detector import TrapDetector
from ilspfc.frontier.traps.gate import TrapGate
from ilspfc.web.address import AddressError
from ilspfc.web.urls import canonicalize, find_key, host_of

logger = logging.getLogger(__name__)


def frontier_of(crawler: Crawler) -> CrawlFrontier | None:
    """Return the frontier of a crawl, None for one without, or before the scheduler opens it."""
    return getattr(crawler.spider, "frontier", None)


def opened_frontier(crawler: Crawler) -> CrawlFrontier:
    """Return the frontier of a crawl that the scheduler has opened."""
    return crawler.spider.frontier  # type: ignore[union-attr,no-any-return]


# Pages after which a host without documents in two languages goes behind all others.
_SCOUT_PAGES = 50


class CrawlFrontier(CrawlComponent):
    """URLs of a crawl with all that decides which is visited next, and what became of each.

    A URL that comes out of :meth:`pop` is leased until :meth:`acknowledge`,
    :meth:`requeue` or :meth:`redirect`. Each change is in the store (``job.store``) before
    the next URL is leased, so a killed crawl fetches again only what was leased.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        job, settings = self.job, crawler.settings
        self.pace = Pace(crawler)
        self._alarm = Alarm(crawler)
        self._store, self._scope = job.store, job.scope
        self._ending: dict[Request, tuple[UrlState, str]] = {}
        langs, groups = job.arguments.langs, SiteGroups(job.arguments.groups)
        scouts = Scouts(
            _SCOUT_PAGES if job.focus.learner else 0,
            groups.of_host,
            min_langs=min(len(langs), 2),
        )
        perplexity = job.focus.perplexity
        self._bounds = perplexity and BoundsFile(job.files.bounds, perplexity)
        detector = make_trap_detector(job.arguments, settings)
        self._gate = TrapGate(detector, job.store, self.count)
        self._frontier = Frontier(
            job.store,
            politeness_rules(settings),
            scouts.handicap,
            self._gate,
            job.focus.step,
        )
        gains = PairGains() if len(langs) > 1 else PageGains()
        self.feedback = Feedback(self._frontier, job.focus, scouts, gains)
        crawler.signals.connect(self.fail_response, signal=signals.spider_error)

    # -- URLs in and out -----------------------------------------------------------------

    @property
    def queued(self) -> int:
        """Number of URLs that wait to be visited."""
        return len(self._frontier)

    @property
    def away(self) -> int:
        """Number of hosts that rest after an error, or throttle."""
        return self._frontier.count_away(time.monotonic())

    @property
    def has_more(self) -> bool:
        """True while any URL waits to be visited; those of hosts that throttle may not count."""
        if self._store.awaits_more:
            return True
        return self.queued > 0 and not self._frontier.waits_in_vain()

    def push(self, candidate: Candidate, *, again: bool = False) -> bool:
        """Queue a URL; return whether anything changed."""
        return self._frontier.push(candidate, time.monotonic(), again=again)

    def push_request(self, request: Request) -> bool:
        """Queue the link that a request was made of, at the address that Scrapy asks for."""
        if not (key := find_key(request.url)):
            return False
        return self.push(request.meta[CANDIDATE]._replace(key=key, url=request.url))

    def pop(self) -> Candidate | None:
        """Lease the URL to visit next, None while no host is ready; the engine is woken then."""
        now = time.monotonic()
        while self._store.may_visit and (candidate := self._frontier.pop(now)):
            try:
                return candidate.check()
            except AddressError:  # a row that another program has written or damaged
                reason = FetchReason.ADDRESS_REFUSED
                self._frontier.finish(
                    candidate.key, candidate.host, UrlState.FAILED, now, reason
                )
                self._lose_unusable(candidate.url, candidate.host)
        self._alarm.set(self._frontier.wake_seconds(now))
        return None

    def requeue(self, key: str, url: str) -> None:
        """Return a leased URL to the queue, for another attempt."""
        self._frontier.release(key, host_of(url), time.monotonic())

    def redirect(self, request: Request, key: str) -> bool:
        """End the lease of a redirected URL and queue its target; return whether it was queued.

        ``key`` is the target's.
        """
        source: Candidate = request.meta[CANDIDATE]
        passed = request.meta.get("redirect_urls", [source.url])
        url, now = request.url, time.monotonic()
        self._store.record_visit(source.key, Visit(time.time()))
        lost: tuple[FetchReason, str] | None = None
        if source.depth == 0:  # a seed may say where its site has moved
            self._scope.add(url)
        elif not self._scope.accept(url):
            lost = FetchReason.OUT_OF_SCOPE, f"to {url}"
        if lost is None and key in map(canonicalize, passed):
            lost = FetchReason.REDIRECTS, f"back to {url}"
        if lost is not None:
            self._frontier.finish(
                source.key, source.host, UrlState.REFUSED, now, reason=lost[0]
            )
            self._lose(passed[0], *lost)
            return False
        # The target first: a crawl that is killed between the two asks the source again.
        is_new = self._frontier.push(source.redirect(url), now)
        reason = REDIRECTED if is_new else REDIRECTED_TO_KNOWN
        self._gate.record(source.key, UrlState.DONE, reason, source.referrer)
        self._frontier.finish(source.key, source.host, UrlState.DONE, now, reason)
        return is_new

    def select_links(self, links: Sequence[FoundLink]) -> list[Candidate]:
        """Return the links of a page that are new or raise the score of a queued URL.

        A delta crawl, which counts the links that it skips, has all that may be followed.
        """
        job = self.job
        if self._bounds:
            self._bounds.follow()
        is_delta = job.arguments.delta
        found = list(iter_candidates(links, job.store, job.focus, keeps_known=is_delta))
        selected = [candidate for candidate in found if candidate is not None]
        if lost := len(found) - len(selected):
            self.count(f"frontier/dropped/{LinkReason.HIGH_PERPLEXITY}", lost)
        return selected

    # -- ends of visits ------------------------------------------------------------------

    def acknowledge(self, request: Request, state: UrlState, reason: str = "") -> None:
        """End the lease of a request's URL, which was visited or will never be.

        Scrapy may still be processing the output of the callback, so the lease ends only
        when the request has left the scraper: a page is done when its links are stored.
        """
        self._ending[request] = (state, reason)

    def fail(self, request: Request, reason: FetchReason, cause: str) -> None:
        """Record a failed request, and end its lease."""
        self.acknowledge(request, UrlState.FAILED, reason)
        self._lose(request.meta[CANDIDATE].url, reason, cause)

    def fail_response(self, failure: Failure, response: object) -> None:
        """End the lease of a request whose callback or errback has failed."""
        request: Request | None = getattr(response, "request", None)
        if request is not None and FRONTIER_KEY in request.meta:
            self.fail(request, FetchReason.ERROR, type(failure.value).__name__)

    def end_leases(self, *, everything: bool = False) -> None:
        """End the leases of the requests that are processed."""
        if not self._ending:
            return
        scraping = set() if everything else scraped_requests(self._crawler)
        for request in [request for request in self._ending if request not in scraping]:
            state, reason = self._ending.pop(request)
            candidate: Candidate = request.meta[CANDIDATE]
            if VISIT in request.meta:
                self._store.record_visit(candidate.key, request.meta[VISIT])
            passed = (candidate.url, *request.meta.get("redirect_urls", ()))
            for key in dict.fromkeys(map(canonicalize, passed)):
                self._gate.record(key, state, reason, candidate.referrer)
            self._frontier.finish(
                candidate.key, candidate.host, state, time.monotonic(), reason
            )

    def close(self) -> None:
        """End all leases and close the store."""
        self._alarm.cancel()
        try:
            self.end_leases(everything=True)
        finally:
            self._store.close()

    def _lose(self, url: str, reason: FetchReason, cause: str, host: str = "") -> None:
        """Record a failed URL, unless it was a page once; ``host`` is that of the URL."""
        index, host = self.job.index, host or host_of(url)
        if index.add_failure(url, host, reason, cause, is_seed=False):
            self.count(f"fetch/dropped/{reason}")

    def _lose_unusable(self, url: str, host: str) -> None:
        """Record an address of the frontier that cannot be asked for."""
        logger.warning("The frontier has %r, which no page can have: it fails", url)
        self._lose(url, FetchReason.ADDRESS_REFUSED, "no address of a page", host)

    # -- hosts ---------------------------------------------------------------------------

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
            for url in self._store.fail_host(candidate.host, reason):
                self._lose(url, reason, "too many errors in a row")

    def is_away(self, request: Request) -> bool:
        """Test whether a failed visit should be made again later; see :class:`Frontier`."""
        candidate: Candidate | None = request.meta.get(CANDIDATE)
        return candidate is not None and self._frontier.is_away(candidate.host)

    def slow_to(self, host: str, crawl_delay: float) -> None:
        """Set the Crawl-delay of a host's robots.txt; files need none."""
        if not self.job.arguments.is_offline:
            self._frontier.slow_to(host, crawl_delay)

    def wake(self) -> None:
        """Have the engine look for requests, and whether the crawl is idle."""
        self._alarm.ring()

    # -- a frontier that several crawlers share ------------------------------------------

    def drop_host(self, host: str) -> float:
        """Forget a host; return for how many seconds nobody may visit it."""
        return self._frontier.drop_host(host, time.monotonic())

    def merge(self, found: Arrivals) -> None:
        """Go on with what has come from the shared frontier."""
        is_news = self.pace.awaits_others or bool(found.queued) or found.is_over
        self.pace.follow(found.run)
        for host in found.leased:
            self._frontier.adopt_host(host.name, host.pages)
        self._gate.replay((canonicalize(visit.url), *visit[1:]) for visit in found.past)
        for candidate, _ in found.queued:
            if candidate.depth == 0:  # seeds, and where they have moved
                self._scope.add(candidate.url)
        for url, name in found.unusable:
            self._lose_unusable(url, name)
        self.feedback.learn(found.gains)
        self._frontier.compare_again({c.host for c, _ in found.queued})
        if is_news:
            self.wake()


def make_trap_detector(
    arguments: CrawlArguments, settings: BaseSettings
) -> TrapDetector | None:
    """Return the detector of traps, None unless asked for; files have an end."""
    if arguments.is_offline or not settings.getbool("FRONTIER_TRAPS"):
        return None
    return TrapDetector()


def politeness_rules(settings: BaseSettings) -> PolitenessRules:
    """Return the rules that the settings make for every host."""
    return PolitenessRules(
        delay=settings.getfloat("DOWNLOAD_DELAY"),
        max_active=settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"),
        max_pages=settings.getint("FRONTIER_MAX_HOST_PAGES"),
        max_round_pages=settings.getint("FRONTIER_MAX_ROUND_PAGES"),
    )
