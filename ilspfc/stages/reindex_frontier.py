"""A frontier made again of what a crawl has archived."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from ilspfc.crawl.requests import make_candidate
from ilspfc.documents import Link, document_id
from ilspfc.exceptions import WorkerLostError, WorkerTimeoutError
from ilspfc.frontier.reasons import FetchReason, VisitResult
from ilspfc.frontier.scoring.link_score import FoundLink
from ilspfc.frontier.sitemaps.reader import parse_sitemap
from ilspfc.frontier.store.protocol import SEED_SCORE, Candidate, UrlState
from ilspfc.frontier.store.visits import Visit
from ilspfc.frontier.traps.gate import TrapGate
from ilspfc.web.urls import canonicalize, host_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from ilspfc.corpus.index import CorpusIndex
    from ilspfc.corpus.warc.lookup import ArchivedResponse
    from ilspfc.crawl.job import CrawlJob
    from ilspfc.frontier.store.protocol import FrontierStore

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_ROBOTS = "/robots.txt"
_WELL_KNOWN = "/.well-known/"


class FrontierBuilder:
    """Fills a store with the URLs that answers name, as the scheduler would."""

    def __init__(self, job: CrawlJob, store: FrontierStore) -> None:
        self._job = job
        self.store = store
        self._gate = TrapGate(job.traps, store, lambda _: None)

    def push_seeds(self) -> None:
        """Queue the seeds of the crawl."""
        for seed in self._job.arguments.seeds:
            self.store.push(_make_candidate(seed, SEED_SCORE, depth=0))

    def push_links(self, links: Iterable[FoundLink]) -> None:
        """Queue the links of a page that the crawl would follow."""
        focus, accepts = self._job.focus, self._job.scope.accept
        for found in links:
            url = found.link.url
            try:
                key = canonicalize(url)
            except ValueError:
                continue
            if not accepts(url) or self.store.state_of(key) not in {
                None,
                UrlState.QUEUED,
            }:
                continue
            candidate = make_candidate(found, url, key, focus)
            if candidate is not None and not self._gate.refuses(candidate):
                self.store.push(replace(candidate, score=focus.score(candidate)))

    def lease(self, url: str) -> Candidate:
        """Lease the URL of a page; one that no link has led to is made known."""
        candidate = self.store.lease(canonicalize(url))
        if candidate is None:
            candidate = _make_candidate(url, 0.0, depth=1)
            self.store.push(candidate)
            self.store.lease(candidate.key)
        return candidate

    def end_page(self, candidate: Candidate, date: datetime, *, is_kept: bool) -> None:
        """End the visit of a page."""
        result = VisitResult.NEW_TEXT if is_kept else VisitResult.UNDECIDED
        self._finish(candidate, UrlState.DONE, result, date)

    async def take(self, found: ArchivedResponse, body: bytes) -> bool:
        """Read an answer that is no page; return whether it was known what asked for it.

        ``body`` is decompressed.
        """
        path = urlsplit(found.url).path
        if path == _ROBOTS or path.startswith(_WELL_KNOWN):
            return True
        candidate = self.store.lease(canonicalize(found.url))
        if candidate is not None:
            self._end(candidate, found)
        elif found.status == 200:
            await self._take_sitemap(found.url, body)
        return candidate is not None or found.status == 200

    def _end(self, candidate: Candidate, found: ArchivedResponse) -> None:
        """End the visit of a URL that gave no page."""
        location = next((v for n, v in found.headers if n.lower() == b"location"), b"")
        if found.status in _REDIRECTS and location:
            self._finish(candidate, UrlState.DONE, "redirected", found.date)
            self._redirect(candidate, urljoin(found.url, location.decode("latin-1")))
            return
        reason, cause = FetchReason.HTTP_ERROR, f"HTTP {found.status}"
        if found.status < 300:
            reason, cause = FetchReason.NOT_REACHED, "no page"
        self._finish(candidate, UrlState.FAILED, reason, found.date)
        host, is_seed = host_of(found.url), candidate.is_seed
        self._job.index.add_failure(found.url, host, reason, cause, is_seed=is_seed)

    def _redirect(self, source: Candidate, url: str) -> None:
        """Queue what a URL was redirected to."""
        try:
            target = replace(
                source,
                key=canonicalize(url),
                url=url,
                host=host_of(url),
                referrer=source.url,
            )
        except ValueError:
            return
        if source.depth == 0:  # a seed may say where its site has moved
            self._job.scope.add(url)
        if self._job.scope.accept(url) or source.depth == 0:
            self.store.push(target)

    async def _take_sitemap(self, url: str, body: bytes) -> None:
        """Queue the URLs of a sitemap, and write down the versions that it declares."""
        try:
            sitemap = await self._job.workers.run(parse_sitemap, body, url)
        except (WorkerLostError, WorkerTimeoutError):
            return
        for entry in sitemap.entries:
            links = [Link(to, hreflang=lang) for lang, to in entry.alternates]
            self._job.index.add_versions(
                (_identity(entry.url), _identity(link.url), link.hreflang)
                for link in links
                if link.url != entry.url
            )
            links.insert(0, Link(entry.url))
            self.push_links(FoundLink(one, url, "", depth=1) for one in links)

    def _finish(
        self, candidate: Candidate, state: UrlState, reason: str, date: datetime
    ) -> None:
        self.store.visits.record(candidate.key, Visit(date.timestamp()))
        self.store.finish(candidate.key, state, reason)
        self._gate.record(candidate.key, state, reason, candidate.referrer)

    def settle(self, index: CorpusIndex) -> None:
        """End the visits of all URLs that an index knows: what is done stays done."""
        for url, depth in index.rows("SELECT url, depth FROM pages"):
            if candidate := self._lease_known(url, depth):
                self.store.finish(candidate.key, UrlState.DONE, VisitResult.UNDECIDED)
        for url, reason in index.rows("SELECT url, reason FROM failures"):
            if candidate := self._lease_known(url, 1):
                self.store.finish(candidate.key, UrlState.FAILED, reason)

    def _lease_known(self, url: str, depth: int) -> Candidate | None:
        """Lease a URL unless its visit has ended already."""
        candidate = _make_candidate(url, 0.0, depth=depth)
        self.store.push(candidate)
        return self.store.lease(candidate.key)


def _make_candidate(url: str, score: float, *, depth: int) -> Candidate:
    return Candidate(
        canonicalize(url), url, host_of(url), score, depth=depth, base=score
    )


def _identity(url: str) -> str:
    return document_id(canonicalize(url))
