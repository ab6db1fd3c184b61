"""Crawls without a network: what decides the order of visits, in one process.

Frontier, traps, focus, learning and the work on a page are those of a crawl; downloads,
delays and files are not there, so the same crawl has the same order each time. The work on
a page is done once for all crawls of a ground. Not simulated: learned relevance, text that
recurs on a site, soft 404s, redirects.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from scrapy.settings import Settings

from ilspfc.crawl.crawl_frontier import make_trap_detector, politeness_rules
from ilspfc.crawl.fetched_page import FetchedPage, PageWork
from ilspfc.crawl.job import make_job
from ilspfc.crawl.page_work import PageWorker, make_rules
from ilspfc.crawl.requests import iter_candidates
from ilspfc.documents import document_id
from ilspfc.frontier.frontier import Frontier
from ilspfc.frontier.reasons import FetchReason, VisitResult
from ilspfc.frontier.scope import SiteGroups
from ilspfc.frontier.scoring.feedback import Feedback, PageGains, PairGains, Scouts
from ilspfc.frontier.scoring.link_score import Focus, FoundLink
from ilspfc.frontier.store.candidates import SEED_SCORE, Candidate, UrlState
from ilspfc.frontier.traps.gate import TrapGate
from ilspfc.frontier.traps.seen_text import SeenText
from ilspfc.responses.response_page import find_links, judge_visit
from ilspfc.spiders.bilingual import BilingualSpider
from ilspfc.spiders.monolingual import MonolingualSpider
from ilspfc.web.urls import canonicalize

if TYPE_CHECKING:
    from evaluation.served import Answer, PageKey
    from ilspfc.crawl.job import CrawlJob

_SPIDERS = {one.name: one for one in (BilingualSpider, MonolingualSpider)}
_SCOUT_PAGES = 50
BEST_FIRST = "best-first"


class BestFirstScorer:
    """The best-first crawler of the literature: a link is worth what its page is."""

    def score(self, found: FoundLink) -> float:
        """Return the relevance of the page's text, 0 if it was not kept, less than 0 at last."""
        if found.distance:
            return -float(found.distance)
        return found.relevance_share or 1.0


@dataclass
class Simulator:
    """Crawls of the pages that an ``Answer`` gives, at one port.

    ``works`` are the results of the work on pages, kept for the next crawl.
    """

    pages: Answer
    port: int
    spider: str
    works: dict[tuple[PageKey, str], PageWork] = field(default_factory=dict)

    def crawl(
        self,
        arguments: Mapping[str, str],
        chosen: Mapping[str, str],
        *,
        budget: int,
    ) -> list[PageKey]:
        """Return the first ``budget`` requests of a crawl, in order."""
        spider = _SPIDERS[self.spider]
        settings = Settings()
        settings.setmodule("ilspfc.settings", "project")
        spider.update_settings(settings)
        is_best_first = chosen.get("FRONTIER_SCORER") == BEST_FIRST
        given = {
            name: value
            for name, value in chosen.items()
            if name != "FRONTIER_SCORER" or not is_best_first
        }
        fixed = {"WORKERS": "0", "DECISIONS_TEXT": "False", "DOWNLOAD_DELAY": "0"}
        with tempfile.TemporaryDirectory() as folder:
            corpus = {"CORPUS_DIR": str(Path(folder) / "corpus")}
            for name, value in {**fixed, **corpus, **given}.items():
                settings.set(name, value, "cmdline")
            checked = spider.check_arguments(arguments)
            job = make_job(spider.name, checked, settings)
            if is_best_first:
                job.focus = Focus(BestFirstScorer())
            try:
                return list(_Crawl(self, job, settings).run(budget))
            finally:
                job.store.close()
                job.index.close()
                job.lock.release()


class _Crawl:
    def __init__(self, simulator: Simulator, job: CrawlJob, settings: Settings) -> None:
        self._simulator, self._job, self._settings = simulator, job, settings
        self._worker = PageWorker(make_rules(job.arguments, settings))
        langs, groups = job.arguments.langs, SiteGroups(job.arguments.groups)
        scouts = Scouts(
            _SCOUT_PAGES if job.focus.learner else 0,
            groups.of_host,
            min_langs=min(len(langs), 2),
        )
        detector = make_trap_detector(job.arguments, settings)
        self._gate = TrapGate(detector, job.store, lambda *_: None)
        rules = politeness_rules(settings)
        self._frontier = Frontier(
            job.store, rules, scouts.handicap, self._gate, job.focus.step
        )
        gains = PairGains() if len(langs) > 1 else PageGains()
        self._feedback = Feedback(self._frontier, job.focus, scouts, gains)
        self._seen = SeenText()
        self._now = 0.0

    def run(self, budget: int) -> Iterator[PageKey]:
        """Yield the requests of a crawl."""
        for seed in self._job.arguments.seeds:
            self._frontier.push(Candidate.of(seed, SEED_SCORE), self._now, again=True)
        for _ in range(budget):
            # Clocks without a delay still need time to pass.
            self._now += 1.0
            candidate = self._frontier.pop(self._now)
            if candidate is None:
                return
            parts = urlsplit(candidate.url)
            key = str(parts.hostname), unquote(parts.path)
            yield key
            self._visit(candidate, key)

    def _visit(self, candidate: Candidate, key: PageKey) -> None:
        page = FetchedPage(
            url=candidate.url,
            id=document_id(canonicalize(candidate.url)),
            fetched_at="2026-01-01T00:00:00+00:00",
            depth=candidate.depth,
            body=b"",
            content_type="text/html",
        )
        page.work = self._work(page, key)
        state, reason = UrlState.FAILED, str(FetchReason.HTTP_ERROR)
        if page.work is None:
            self._feedback.failed(candidate)
        else:
            state, reason = UrlState.DONE, self._read(candidate, page, page.work)
        self._gate.record(candidate.key, state, reason, candidate.referrer)
        self._frontier.finish(candidate.key, candidate.host, state, self._now, reason)

    def _work(self, page: FetchedPage, key: PageKey) -> PageWork | None:
        """Return the work on a page, None where there is no page."""
        simulator = self._simulator
        known = simulator.works.get((key, page.url))
        if known is None:
            body = simulator.pages(key, simulator.port)
            if body is None:
                return None
            page.body = body
            known = simulator.works[key, page.url] = self._worker.work(page)
        return known

    def _read(
        self, candidate: Candidate, page: FetchedPage, work: PageWork
    ) -> VisitResult:
        """Learn from a page and queue its links, as the spider does."""
        job, document = self._job, work.document
        page.document = document
        stage, reason = next(
            ((name, why) for name, why in work.verdicts.items() if why), ("", None)
        )
        page.drop = f"{stage}/{reason}" if reason else ""
        if document is not None:
            document.depth = candidate.depth
        distance = candidate.distance + 1 if page.drop else 0
        found = find_links(page, distance, job.arguments, job.expectation(candidate))
        bonus, versions, lang, density = job.focus.bonus, set[str](), "", None
        if document is not None and bonus is not None and document.lang:
            bonus.marks.learn(document.url, document.lang)
        if document is not None and not page.drop:
            lang, density = document.lang, document.relevance / (document.tokens or 1)
            if bonus is not None:
                versions = {
                    canonicalize(one.link.url)
                    for one in found
                    if bonus.leads_to_translation(one)
                }
        result = judge_visit(page, self._seen)
        self._feedback.visited(candidate, lang, versions, density, result)
        is_followed = document is not None and document.follow
        if is_followed and distance <= self._settings.getint("FRONTIER_MAX_TUNNEL"):
            self._queue(found)
        return result

    def _queue(self, found: list[FoundLink]) -> None:
        job = self._job
        links = {
            (one.link.url, one.link.anchor): one
            for one in found
            if job.scope.accept(one.link.url)
        }
        for link in iter_candidates(list(links.values()), job.store, job.focus):
            if link is not None:
                self._frontier.push(link, self._now)
