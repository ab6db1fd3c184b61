"""Base of the spiders: pages go into the pipelines, their links into the frontier."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Self, cast

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import CloseSpider
from scrapy.http import Response
from twisted.python.failure import Failure

from ilspfc.crawl.archives.warc_replay import use_archive
from ilspfc.crawl.arguments import CrawlArguments, parse_arguments, use_deltafetch
from ilspfc.crawl.crawl_frontier import CrawlFrontier
from ilspfc.crawl.job import CrawlJob, make_job
from ilspfc.crawl.requests import CANDIDATE, FRONTIER_KEY, IS_SEED, LAST_VISIT
from ilspfc.documents import Link, Page
from ilspfc.exceptions import IlspfcError
from ilspfc.extensions.ledger import NOT_STORED, ledger_of
from ilspfc.frontier.reasons import FetchReason, VisitResult
from ilspfc.frontier.scope import Scope
from ilspfc.frontier.scoring.link_score import FoundLink
from ilspfc.frontier.store.candidates import UrlState, Visit
from ilspfc.frontier.traps.seen_text import SeenText
from ilspfc.responses.failures import describe_failure
from ilspfc.responses.negotiation import LanguageRequests, ask_for_languages
from ilspfc.responses.probes import ErrorPageProbes
from ilspfc.responses.response_page import find_links, judge_visit, make_page
from ilspfc.responses.revisits import Revisits, reopen_frontier
from ilspfc.responses.sitemap_requests import SitemapReader
from ilspfc.spiders.page_spider import PoliteSpider
from ilspfc.web.urls import canonicalize, host_of


class CorpusSpider(PoliteSpider):
    """Base of the spiders; ``lang_argument`` is the argument with the languages."""

    lang_argument: ClassVar[str]
    default_scope: ClassVar[Scope]
    job: CrawlJob
    frontier: CrawlFrontier  # opened by the scheduler
    sitemaps: SitemapReader
    revisits: Revisits
    probes: ErrorPageProbes
    languages: LanguageRequests
    seen_text: SeenText

    @classmethod
    def check_arguments(cls, raw: Mapping[str, str]) -> CrawlArguments:
        """Return the checked arguments; ArgumentError or DomainError if one is wrong."""
        return parse_arguments(
            raw, lang_name=cls.lang_argument, default_scope=cls.default_scope
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Return the spider with its job opened."""
        arguments = use_deltafetch(cls.check_arguments(kwargs), crawler.settings)
        if arguments.is_offline:
            use_archive(crawler.settings, is_archived=bool(arguments.warc))
        ask_for_languages(crawler.settings, arguments.langs)
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.job = make_job(cls.name, arguments, crawler.settings)
        try:
            reopen_frontier(spider.job, crawler.settings)
        except Exception:
            spider.job.store.close()
            spider.job.index.close()
            spider.job.lock.release()
            raise
        spider.revisits = Revisits(arguments, crawler.settings, spider.count)
        spider.sitemaps = SitemapReader(crawler)
        spider.probes = ErrorPageProbes(crawler)
        spider.languages = LanguageRequests(crawler)
        spider.seen_text = SeenText()
        return spider

    async def start(self) -> AsyncIterator[Any]:
        """Yield the seeds; without any, the pages of the WARC files or the folder.

        The pages that Common Crawl has in scope come as links, which are scored. Where its
        index cannot be used, the crawl ends.
        """
        arguments = self.job.arguments
        archived: Iterator[str] = iter(())
        if self.job.replay is not None:
            try:
                archived = (await self.job.replay.index(self.crawler)).pages()
            except IlspfcError as error:
                self.crawler.stats.set_value("stage_failed", str(error))
                raise CloseSpider("archive_refuses") from None
        for seed in arguments.seeds or archived:
            yield Request(seed, errback=self.failed, meta={IS_SEED: True})
        for url in archived if arguments.cc else ():
            if not self.sitemaps.is_passed_over(url):
                link = FoundLink(Link(url), arguments.seeds[0], "", depth=1)
                for request in self._iter_links([link], distance=0):
                    yield request

    async def parse(self, response: Response) -> AsyncIterator[Any]:
        """Send a page through the pipelines, then yield its links.

        The links wait for the pipelines because their scores need the page's relevance.
        """
        self.sitemaps.arrive(response)
        for component in (self.probes, self.languages):
            for request in component.iter_requests(response):
                yield request
        asked = cast("Request", response.request)
        page = make_page(response, self.settings["USER_AGENT"])
        if self.revisits.arrive(asked, response, page):
            # Its links are in the frontier already.
            self._acknowledge(asked, UrlState.DONE, VisitResult.UNDECIDED)
            return
        outcome = ledger_of(self.crawler).expect(response)
        yield page
        page = await outcome
        is_relevant = page.drop in {"", NOT_STORED}
        distance = 0 if is_relevant else response.meta.get("distance", 0) + 1
        expectation = self.job.expectation(response.meta.get(CANDIDATE))
        found = find_links(page, distance, self.job.arguments, expectation)
        result = judge_visit(page, self.seen_text)
        self._learn(asked, page, found, result)
        document = page.document
        if document is not None and not document.follow:
            self._record_unfollowed(document.url, found)
        elif document is not None:
            if page.depth == 0:  # a seed may say where its site has moved
                for link in document.links:
                    if link.rel == "refresh":
                        self.job.scope.add(link.url)
            for request in self._iter_links(found, distance):
                yield request
        self.revisits.leave(asked, page)
        self._acknowledge(asked, UrlState.DONE, result)

    def _iter_links(
        self, links: Iterable[FoundLink], distance: int
    ) -> Iterator[Request]:
        if distance > self.settings.getint("FRONTIER_MAX_TUNNEL"):
            # The links are followed if another page has them, too.
            self.count("frontier/tunnels_ended")
            return
        for candidate in self.frontier.select_links(self._targets(links)):
            meta = {CANDIDATE: candidate}
            yield Request(candidate.url, errback=self.failed, meta=meta)

    def _record_unfollowed(self, url: str, links: Iterable[FoundLink]) -> None:
        """Record the links of a page that asks not to follow them as lost, if unknown."""
        self.count("frontier/pages_nofollow")
        urls = {
            canonicalize(one.link.url): one.link.url for one in self._targets(links)
        }
        index = self.job.index
        with index.transaction():
            for key in urls.keys() - self.job.store.scores(urls).keys():
                lost, host = urls[key], host_of(urls[key])
                index.add_failure(lost, host, FetchReason.NOFOLLOW, url, is_seed=False)

    def _targets(self, links: Iterable[FoundLink]) -> list[FoundLink]:
        """Return the links of a page that may be followed, each URL and anchor once."""
        targets: dict[tuple[str, str], FoundLink] = {}
        for found in links:
            link = found.link
            if not self.job.scope.accept(link.url):
                self.count("frontier/links_out_of_scope")
            elif not self.job.is_reachable(link.url):
                self.count("frontier/links_not_archived")
            else:
                targets[link.url, link.anchor] = found
        return list(targets.values())

    def _learn(
        self, request: Request, page: Page, links: list[FoundLink], result: VisitResult
    ) -> None:
        """Pass the gains of a visit to the frontier."""
        if FRONTIER_KEY not in request.meta:
            return
        document, bonus = page.document, self.job.focus.bonus
        if document is not None and bonus is not None and document.lang:
            bonus.marks.learn(document.url, document.lang)
        versions: set[str] = set()
        if document is not None and not page.drop and bonus is not None:
            versions = {
                canonicalize(found.link.url)
                for found in links
                if bonus.leads_to_translation(found)
            }
        lang, density = "", None
        if document is not None and not page.drop:
            lang, density = document.lang, document.relevance / (document.tokens or 1)
        candidate = request.meta[CANDIDATE]
        self.frontier.feedback.visited(candidate, lang, versions, density, result)

    def failed(self, failure: Failure) -> None:
        """Record the reason for which a URL did not become a page."""
        request: Request = failure.request  # type: ignore[attr-defined]
        reason, cause, state = describe_failure(failure.value)
        url = request.url
        last: Visit | None = request.meta.get(LAST_VISIT)
        if last is None:
            url = request.meta.get("redirect_urls", [url])[0]
        is_seed = canonicalize(url) in map(canonicalize, self.job.arguments.seeds)
        # With a shared frontier the page may be in the part of another crawler.
        was_page = last is not None and last.content
        if not was_page and self.job.index.add_failure(
            url, host_of(url), reason, cause, is_seed=is_seed
        ):
            self.count(f"fetch/dropped/{reason}")
            if reason == FetchReason.HTTP_ERROR and FRONTIER_KEY in request.meta:
                self.frontier.feedback.failed(request.meta[CANDIDATE])
        else:
            state = self.revisits.fail(request, failure, state)
        self._acknowledge(request, state, reason)

    def _acknowledge(self, request: Request, state: UrlState, reason: str = "") -> None:
        if FRONTIER_KEY in request.meta:  # the request holds a lease
            self.frontier.acknowledge(request, state, reason)

    def count(self, key: str) -> None:
        """Count an event in the stats."""
        self.crawler.stats.inc_value(key)
