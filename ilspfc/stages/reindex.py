"""Index and frontier of a corpus, made again of its cesDoc and WARC files.

The text of a document is that of its cesDoc file. What such a file lacks comes from the page
in the WARC files, which is cleaned again: links and images, encoding, time, the fates of the
pages that were dropped.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from scrapy import Request
from scrapy.exceptions import DownloadCancelledError
from scrapy.signalmanager import SignalManager

from ilspfc.classification.relevance import RelevanceScorer
from ilspfc.cleaning import count_clean_tokens
from ilspfc.corpus.text_digest import text_digest
from ilspfc.corpus.warc.gzip_members import DamagedError
from ilspfc.corpus.xml_reader import read_document
from ilspfc.crawl.domain_terms import make_matchers
from ilspfc.crawl.index_records import make_entry, make_link
from ilspfc.crawl.page_work import PageWork, PageWorker, make_task
from ilspfc.crawl.requests import FETCHED_AT
from ilspfc.documents import Page
from ilspfc.exceptions import CorpusError, WorkerLostError, WorkerTimeoutError
from ilspfc.middlewares.compression import CompressionMiddleware
from ilspfc.middlewares.replay import make_response
from ilspfc.responses.response_page import find_links, make_page
from ilspfc.web.urls import canonicalize, host_of

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from ilspfc.corpus.warc.lookup import ArchivedResponse, WarcArchive
    from ilspfc.crawl.job import CrawlJob
    from ilspfc.documents import Document
    from ilspfc.stages.reindex_frontier import FrontierBuilder


class Reindexer:
    """Fills an index and a frontier, both new, from the files of a corpus.

    ``job`` has the index, and what the crawl knows by its arguments. ``counts`` says what
    was found: ``documents``; ``without_page``, documents whose page is in no WARC file;
    ``unreadable`` cesDoc files; ``undecided`` pages, which the crawl fetches again.
    """

    def __init__(
        self, job: CrawlJob, frontier: FrontierBuilder, settings: BaseSettings
    ) -> None:
        self._job = job
        self._frontier = frontier
        self._settings = settings
        # No crawl runs; of a crawler the middleware looks at these alone.
        crawler = SimpleNamespace(
            settings=settings, stats=None, signals=SignalManager()
        )
        self._compression = CompressionMiddleware(crawler=cast("Crawler", crawler))
        self.counts: Counter[str] = Counter()
        arguments = job.arguments
        matchers = make_matchers(arguments.domain, arguments.langs)
        self._scorer = None
        if matchers:
            self._scorer = RelevanceScorer(matchers)
        # A document that dedup has set apart may have been exported anew.
        folders = (job.files.duplicates, job.files.documents)
        paths = (path for folder in folders for path in sorted(folder.glob("*.xml")))
        self._files = {path.stem.rsplit("-", 1)[-1]: path for path in paths}
        self._taken: set[str] = set()

    async def run(self, archive: WarcArchive) -> None:
        """Read all answers, then the cesDoc files whose pages are not among them.

        The answers are read in the order in which they came: each URL is then known by a
        link that led to it.
        """
        self._frontier.push_seeds()
        early = []
        for url, is_page in archive.answers():
            if (found := self._read_answer(archive, url)) is None:
                continue
            if is_page:
                await self._take_page(found)
            elif not await self._take_other(found):
                early.append(url)
        for url in early:
            if (found := self._read_answer(archive, url)) is not None:
                await self._take_other(found)
        for path in list(self._files.values()):
            self._take_file(path)

    def _read_answer(self, archive: WarcArchive, url: str) -> ArchivedResponse | None:
        """Return an answer that is whole, None where it is not."""
        try:
            canonicalize(url)
            found = archive.read(url, self._settings.getint("DOWNLOAD_MAXSIZE"))
        except (DamagedError, ValueError):
            return None
        return None if found is None or found.is_cut else found

    async def _take_other(self, found: ArchivedResponse) -> bool:
        response = self._respond(found, 0)
        if response is None:
            return True
        return await self._frontier.take(found, response.body)

    async def _take_page(self, found: ArchivedResponse) -> None:
        """Write down what became of a page, and queue its links."""
        key = canonicalize(found.url)
        if key in self._taken:  # another spelling
            return
        self._taken.add(key)
        candidate = self._frontier.lease(found.url)
        response = self._respond(found, candidate.depth)
        page = make_page(response, self._settings["USER_AGENT"]) if response else None
        if page is None or not self._judge(page, await self._work(page)):
            self.counts["undecided"] += 1
            self._frontier.store.release(key)
            return
        self._add_page(page)
        distance = candidate.distance + 1 if page.drop else 0
        is_near = distance <= self._settings.getint("FRONTIER_MAX_TUNNEL")
        if page.document is not None and page.document.follow and is_near:
            links = find_links(page, distance, self._job.arguments)
            self._frontier.push_links(links)
        self._frontier.end_page(candidate, found.date, is_kept=not page.drop)

    def _respond(self, found: ArchivedResponse, depth: int) -> Response | None:
        """Return an answer as Scrapy has it, None where it cannot be decompressed."""
        date = found.date.astimezone(UTC).isoformat(timespec="seconds")
        request = Request(found.url, meta={FETCHED_AT: date, "depth": depth})
        response = make_response(request, found)
        try:
            answer = self._compression.process_response(request, response)
        except DownloadCancelledError:
            return None
        response = cast("Response", answer)
        response.request = request
        return response

    async def _work(self, page: Page) -> PageWork:
        workers, task = self._job.workers, make_task(page, self._job.site_texts)
        seconds = workers.cpu_seconds
        try:
            answer = await workers.measure_prepared(seconds, PageWorker.work, task)
        except (WorkerLostError, WorkerTimeoutError):
            return PageWork()
        return answer[0]

    def _judge(self, page: Page, work: PageWork) -> bool:
        """Give a page its document and its fate; return whether the fate is known.

        A page is exported if it has a file, whatever would be made of it today. One without
        a file that would be exported today was dropped for a reason that the crawl alone
        knew: it is an error page of its host, or off what was learned of the subject.
        """
        found, document = work.document, None
        if (path := self._files.pop(page.id, None)) is not None:
            document = self._read(path)
        if found is not None:
            found.lang, found.tokens = work.lang, work.tokens
            found.optouts, found.is_reserved = work.optouts, work.is_reserved
            found.relevance, found.terms = work.scores.relevance, work.scores.terms
            found.perplexity = work.scores.perplexity
        if document is not None and found is not None:
            document.links, document.images = found.links, found.images
            document.encoding, document.follow = found.encoding, found.follow
            document.perplexity = found.perplexity
        if document is None and work.reason is not None:
            page.drop = f"{work.stage}/{work.reason}"
        page.document = document or found
        if page.document is not None:
            page.document.fetched_at = page.fetched_at
            page.document.depth = page.depth
        return document is not None or bool(page.drop)

    def _take_file(self, path: Path) -> None:
        """Write down a document whose page is in no WARC file."""
        document = self._read(path)
        if document is None:
            return
        self.counts["without_page"] += 1
        candidate = self._frontier.lease(document.url)
        date = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        document.fetched_at = date.isoformat(timespec="seconds")
        document.depth = candidate.depth
        page = Page(
            url=document.url,
            id=document.id,
            body=b"",
            content_type=document.mime,
            fetched_at=document.fetched_at,
            depth=candidate.depth,
            outcome=asyncio.get_running_loop().create_future(),
            document=document,
        )
        self._add_page(page)
        self._frontier.push_links(find_links(page, 0, self._job.arguments))
        self._frontier.end_page(candidate, date, is_kept=True)

    def _read(self, path: Path) -> Document | None:
        """Return the document in a cesDoc file, None if it is unreadable."""
        try:
            document = read_document(path)
            canonicalize(document.url)
        except (CorpusError, ValueError):
            self.counts["unreadable"] += 1
            return None
        document.tokens = count_clean_tokens(document.paragraphs)
        return document

    def _add_page(self, page: Page) -> None:
        """Write down a page and, if it was exported, its document."""
        index, document = self._job.index, page.document
        if document is not None and not page.drop:
            digest = text_digest(document)
            if self._scorer is not None:
                self._scorer.score(document)
            name = self._job.files.document_name(document.lang, document.id)
            sizes = len(document.paragraphs), len(document.clean_paragraphs)
            accepts, cues = self._job.scope.accept, self._job.cues
            index.add_document(
                make_entry(document, name, sizes),
                [
                    make_link(cues, link, document.url)
                    for link in document.links
                    if accepts(link.url)
                ],
                document.images,
                document.licenses,
                digest,
                probability=document.probability,
            )
            self.counts["documents"] += 1
        index.add_page(page, host_of(page.url))
