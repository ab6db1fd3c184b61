"""Reindexing: a lost index or frontier is made again beside the old one."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from scrapy import Request
from scrapy.http import Response
from scrapy.settings import BaseSettings
from scrapy.spidermiddlewares.httperror import HttpError

from ilspfc.classification.relevance import RelevanceScorer
from ilspfc.cleaning.page import count_clean_tokens
from ilspfc.corpus.bitext import Bitext
from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.lock import CorpusLock
from ilspfc.corpus.reading import decode_reading, encode_verdicts
from ilspfc.corpus.warc.lookup import WarcArchive
from ilspfc.corpus.warc.reader import DamagedError
from ilspfc.corpus.xml import read_document
from ilspfc.crawl.archives.warc_replay import page_types
from ilspfc.crawl.arguments import CrawlArguments, parse_arguments
from ilspfc.crawl.domain_terms import make_matchers
from ilspfc.crawl.fetched_page import PageWork
from ilspfc.crawl.index_records import add_document
from ilspfc.crawl.job import CrawlJob, make_job
from ilspfc.crawl.job_file import manifest_arguments
from ilspfc.crawl.page_work import PageWorker
from ilspfc.crawl.requests import FETCHED_AT, iter_candidates
from ilspfc.database import describe_problem, find_damage, is_damage
from ilspfc.documents import Document, Link, Page, Paragraph
from ilspfc.exceptions import ArgumentError, CorpusError, WorkerLostError
from ilspfc.exports.archived_pages import Decompression
from ilspfc.extensions.ledger import NOT_STORED
from ilspfc.frontier.reasons import REDIRECTED, FetchReason, VisitResult
from ilspfc.frontier.scope import Scope
from ilspfc.frontier.scoring.link_score import FoundLink
from ilspfc.frontier.sitemaps.reader import parse_sitemap
from ilspfc.frontier.store.candidates import SEED_SCORE, Candidate, UrlState, Visit
from ilspfc.line.dedup import run_dedup
from ilspfc.middlewares.redirect import REDIRECTS
from ilspfc.report.manifest import read_json
from ilspfc.responses.failures import describe_failure
from ilspfc.responses.response_page import find_links, header_of, make_page
from ilspfc.responses.sitemap_requests import iter_versions
from ilspfc.web.urls import canonicalize, host_of

_NEW = ".new"
_ASIDE = ".damaged"
# SQLite's files beside the database, which belong to it alone.
_COMPANIONS = ("", "-wal", "-shm")
# Settings that decide on the text of a page and on its links.
_PREFIXES = (
    *("CLASSIFICATION_", "CLEANING_", "DEDUP_", "FRONTIER_", "LANGUAGE_", "OPTOUT_"),
    *("DOWNLOAD_MAXSIZE", "FETCH_MEDIA_TYPES", "USER_AGENT"),
)
_SITE_FILES = ("/robots.txt", "/.well-known/")


def recover(
    root: Path, given: Mapping[str, str], settings: BaseSettings
) -> tuple[dict[str, int], list[Path]]:
    """Make the index and the frontier of a corpus again, where they cannot be used.

    Returns counts by name, and the new names of the old files. ``given`` are arguments of the
    crawl, in place of those in the manifest. Files that can be used are left alone.
    CorpusError where there is nothing to do, or nothing to do it from; the folder is then as
    it was.
    """
    files = CorpusFiles(root)
    if not any(f.is_dir() for f in (*files.document_folders, files.archive)):
        raise CorpusError(
            f"{root}: no corpus there (neither xml/ nor warc/); give the folder that a"
            " crawl wrote, its CORPUS_DIR"
        )
    CorpusLock.check(root)
    has_index = _is_index(files.index)
    has_frontier = _is_readable(files.frontier, "frontier")
    if has_index and has_frontier:
        raise CorpusError(
            f"{root}: corpus.db and frontier.db can be read; to have one made again all"
            " the same, move it away"
        )
    # Those of the last crawl, but not over those given to the command.
    for name, value in read_json(files.manifest).get("settings", {}).items():
        if name.startswith(_PREFIXES):
            settings.set(name, value, priority="spider")
    arguments = find_arguments(files, given)
    new = CorpusFiles(root)
    new.index = files.index.with_name(files.index.name + _NEW)
    new.frontier = files.frontier.with_name(files.frontier.name + _NEW)
    _remove(new.index)
    _remove(new.frontier)
    job = make_job("reindex", arguments, settings, new)
    kept: list[Path] = []
    try:
        counts = _fill(job, settings, files if has_index else None)
        job.index.close()
        # The index last: what is killed here is found out and begun again.
        if not has_frontier:
            kept += _put_in_place(new.frontier, files.frontier)
        if not has_index:
            kept += _put_in_place(new.index, files.index)
    finally:
        job.workers.close()
        job.index.close()
        _remove(new.index)
        _remove(new.frontier)
        job.lock.release()
    return counts, kept


def _fill(
    job: CrawlJob, settings: BaseSettings, intact: CorpusFiles | None
) -> dict[str, int]:
    """Fill the new index and frontier; ``intact`` are files whose index is in use."""
    store = job.store
    try:
        reindexer = Reindexer(job, settings)
        with job.index.transaction():
            # The crawl's own archive, and what it was made over if it was.
            own = sorted(job.files.archive.glob("*.warc.gz"))
            archive = WarcArchive([*own, *job.arguments.warc], page_types(settings))
            archive.index()
            asyncio.run(reindexer.run(archive))
            run = describe_run(job.files, job.arguments)
            job.index.add_run(run)
            if intact is None and any(job.files.duplicates.glob("*.xml")):
                bitext = Bitext(job.index)
                run_dedup(Corpus(job.files, job.index, bitext, settings, run))
        if intact is not None:
            with CorpusIndex(intact.index) as index:
                reindexer.settle(index)
        states = {str(state): store.count(state) for state in UrlState}
    finally:
        store.close()
    return {**reindexer.counts, **states}


def _is_index(path: Path) -> bool:
    """Test whether a file is an index that knows of a crawl."""
    if not _is_readable(path, CorpusIndex.kind):
        return False
    try:
        with CorpusIndex(path) as index:
            return not index.is_blank
    except CorpusError:  # of another version
        return False


def _is_readable(path: Path, kind: str) -> bool:
    """Test whether a file is a whole database; CorpusError for one that is kept busy."""
    if not path.is_file() or not path.stat().st_size:
        return False
    error = find_damage(path)
    if error is not None and not is_damage(error):
        raise CorpusError(describe_problem(path, kind, error, ""))
    return error is None


def _remove(path: Path) -> None:
    for suffix in _COMPANIONS:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _copy_places(read: Sequence[Paragraph], document: Document) -> None:
    """Give the paragraphs of a file, if they have the text of the page, their places on it."""
    if [one.text for one in read] == [one.text for one in document.paragraphs]:
        for paragraph, one in zip(document.paragraphs, read, strict=True):
            paragraph.place = one.place


def _put_in_place(made: Path, path: Path) -> list[Path]:
    """Give a new file its name; return the name that the old one gets, if there is one."""
    aside, number = path.with_name(path.name + _ASIDE), 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}{_ASIDE}-{number}")
    is_there = path.exists()
    for suffix in _COMPANIONS:
        old = path.with_name(path.name + suffix)
        if old.exists():
            old.replace(aside.with_name(aside.name + suffix))
    made.replace(path)
    return [aside] if is_there else []


class Reindexer:
    """Fills an index and a frontier, both new, from the files of a corpus.

    ``job`` has both, and what the crawl knows by its arguments. ``counts`` says what was
    found: ``documents``; ``without_page``, documents whose page is in no WARC file;
    ``unreadable`` cesDoc files; ``undecided`` pages, which the crawl fetches again.
    """

    def __init__(self, job: CrawlJob, settings: BaseSettings) -> None:
        self._job = job
        self._store = job.store
        self._settings = settings
        self._decompression = Decompression(settings)
        self.counts: Counter[str] = Counter()
        arguments = job.arguments
        matchers = make_matchers(arguments.domain, arguments.langs)
        self._scorer = RelevanceScorer(matchers) if matchers else None
        # A document that dedup has set apart may have been exported anew.
        folders = job.files.document_folders[::-1]
        paths = (path for folder in folders for path in sorted(folder.glob("*.xml")))
        self._files = {path.stem.rsplit("-", 1)[-1]: path for path in paths}
        self._taken: set[str] = set()

    async def run(self, archive: WarcArchive) -> None:
        """Read all answers, then the cesDoc files whose pages are not among them.

        The answers are read in the order in which they came: each URL is then known by a
        link that led to it.
        """
        for seed in self._job.arguments.seeds:
            self._store.push(Candidate.of(seed, SEED_SCORE))
        early = []
        for url, is_page in archive.answers():
            if (response := self._read_answer(archive, url)) is None:
                continue
            if is_page:
                await self._take_page(response)
            elif not await self._take_other(response):
                early.append(url)
        for url in early:
            if (response := self._read_answer(archive, url)) is not None:
                await self._take_other(response)
        for path in list(self._files.values()):
            self._take_file(path)

    def _read_answer(self, archive: WarcArchive, url: str) -> Response | None:
        """Return an answer as Scrapy has it, None where it is not whole."""
        try:
            canonicalize(url)
            found = archive.read(url, self._settings.getint("DOWNLOAD_MAXSIZE"))
        except (DamagedError, ValueError):
            return None
        if found is None or found.is_cut:
            return None
        date = found.date.astimezone(UTC).isoformat(timespec="seconds")
        request = Request(found.url, meta={FETCHED_AT: date})
        response = self._decompression.respond(request, found)
        if response is not None:
            response.request = request
        return response

    # -- pages and documents ---------------------------------------------------------------

    async def _take_page(self, response: Response) -> None:
        """Write down what became of a page, and queue its links."""
        key = canonicalize(response.url)
        if key in self._taken:  # another spelling
            return
        self._taken.add(key)
        candidate = self._lease(response.url)
        response.meta["depth"] = candidate.depth
        page = make_page(response, self._settings["USER_AGENT"])
        work = PageWork()
        with suppress(WorkerLostError):
            run = self._job.workers.measure_prepared
            work, _ = await run(PageWorker.work, page)
        page.work = work
        if not self._judge(page, work):
            self.counts["undecided"] += 1
            self._store.release(key)
            return
        is_relevant = page.drop in {"", NOT_STORED}
        self._end_page(page, candidate, 0 if is_relevant else candidate.distance + 1)

    def _judge(self, page: Page, work: PageWork) -> bool:
        """Give a page its document and its fate; return whether the fate is known.

        A page is exported if it has a file, whatever would be made of it today. One without
        a file that would be exported today was dropped for a reason that the crawl alone
        knew: it is an error page of its host, or off what was learned of the subject.
        """
        found, document = work.document, None
        if (path := self._files.pop(page.id, None)) is not None:
            document = self._read(path)
        if document is not None and found is not None:
            document.links, document.images = found.links, found.images
            document.encoding, document.follow = found.encoding, found.follow
            document.perplexity, document.bucket = found.perplexity, found.bucket
            document.html_bytes, document.tags = found.html_bytes, found.tags
            if work.reading:
                read = decode_reading(page.id, work.reading).paragraphs
                _copy_places(read, document)
        if document is None:
            for stage, reason in work.verdicts.items():
                if reason is not None:
                    page.drop = f"{stage}/{reason}"
        if document is None and not page.drop and not self._job.stores(page.url):
            page.drop = NOT_STORED
        page.document = document or found
        return document is not None or bool(page.drop)

    def _take_file(self, path: Path) -> None:
        """Write down a document whose page is in no WARC file."""
        document = self._read(path)
        if document is None:
            return
        self.counts["without_page"] += 1
        candidate = self._lease(document.url)
        written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        page = Page(
            url=document.url,
            id=document.id,
            fetched_at=written.isoformat(timespec="seconds"),
            depth=candidate.depth,
            document=document,
        )
        self._end_page(page, candidate, distance=0)

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

    def _end_page(self, page: Page, candidate: Candidate, distance: int) -> None:
        """Write down a page and, if it was exported, its document; queue its links."""
        job, document = self._job, page.document
        if document is not None:
            document.fetched_at, document.depth = page.fetched_at, page.depth
        if document is not None and not page.drop:
            if self._scorer is not None:
                self._scorer.score(document)
            name = job.files.document_name(document.lang, document.id)
            work = PageWork()
            work.render(document)
            add_document(job, document, name, work)
            signs = encode_verdicts(document.paragraphs)
            job.index.set_verdicts([(document.id, signs)])
            self.counts["documents"] += 1
        job.index.add_page(page, host_of(page.url))
        is_near = distance <= self._settings.getint("FRONTIER_MAX_TUNNEL")
        if document is not None and document.follow and is_near:
            expectation = job.expectation(candidate)
            self._push_links(find_links(page, distance, job.arguments, expectation))
        result = VisitResult.UNDECIDED if page.drop else VisitResult.NEW_TEXT
        self._finish(candidate, UrlState.DONE, result, page.fetched_at)

    # -- URLs ------------------------------------------------------------------------------

    def _lease(self, url: str) -> Candidate:
        """Lease the URL of a page; one that no link has led to is made known."""
        candidate = self._store.lease(canonicalize(url))
        if candidate is None:
            candidate = Candidate.of(url, 0.0, depth=1)
            self._store.push(candidate)
            self._store.lease(candidate.key)
        return candidate

    def _finish(
        self, candidate: Candidate, state: UrlState, reason: str, date: str
    ) -> None:
        seconds = datetime.fromisoformat(date).timestamp()
        self._store.record_visit(candidate.key, Visit(seconds))
        self._store.finish(candidate.key, state, reason)

    def _push_links(self, links: Sequence[FoundLink]) -> None:
        """Queue the links that the crawl would follow."""
        for candidate in iter_candidates(links, self._store, self._job.focus):
            if candidate is not None and self._job.scope.accept(candidate.url):
                self._store.push(candidate)

    async def _take_other(self, response: Response) -> bool:
        """Read an answer that is no page; return whether it was known what asked for it."""
        if urlsplit(response.url).path.startswith(_SITE_FILES):
            return True
        candidate = self._store.lease(canonicalize(response.url))
        if candidate is not None:
            self._end_other(candidate, response)
        elif response.status == 200:
            await self._take_sitemap(response)
        return candidate is not None or response.status == 200

    def _end_other(self, candidate: Candidate, response: Response) -> None:
        """End the visit of a URL that gave no page; queue what it was redirected to."""
        url, date = response.url, response.meta[FETCHED_AT]
        location = header_of(response, "Location")
        if response.status in REDIRECTS and location:
            self._finish(candidate, UrlState.DONE, REDIRECTED, date)
            with suppress(ValueError):  # to no URL
                target = candidate.redirect(urljoin(url, location))
                if candidate.depth == 0:  # a seed may say where its site has moved
                    self._job.scope.add(target.url)
                if self._job.scope.accept(target.url) or candidate.depth == 0:
                    self._store.push(target)
            return
        reason, cause, state = describe_failure(HttpError(response))
        if response.status < 300:
            reason, cause = FetchReason.NOT_REACHED, "no page"
        self._finish(candidate, state, reason, date)
        self._job.index.add_failure(
            url, host_of(url), reason, cause, is_seed=candidate.is_seed
        )

    async def _take_sitemap(self, response: Response) -> None:
        """Queue the URLs of a sitemap, and write down the versions that it declares."""
        run = self._job.workers.run
        try:
            sitemap = await run(parse_sitemap, response.body, response.url)
        except WorkerLostError:
            return
        self._job.index.add_versions(iter_versions(sitemap.entries))
        links = []
        for entry in sitemap.entries:
            links.append(Link(entry.url))
            links += [Link(url, hreflang=lang) for lang, url in entry.alternates]
        self._push_links([FoundLink(one, response.url, "", depth=1) for one in links])

    def settle(self, index: CorpusIndex) -> None:
        """End the visits of all URLs that an index knows: what is done stays done."""
        rows = index.rows(
            "SELECT url, depth, 'done', ? FROM pages"
            " UNION ALL SELECT url, 1, 'failed', reason FROM failures",
            (VisitResult.UNDECIDED,),
        )
        for url, depth, state, reason in rows:
            candidate = Candidate.of(url, 0.0, depth=depth)
            self._store.push(candidate)
            if self._store.lease(candidate.key):  # its visit has not ended yet
                self._store.finish(candidate.key, UrlState(state), reason)


def find_arguments(files: CorpusFiles, given: Mapping[str, str]) -> CrawlArguments:
    """Return the arguments of the last crawl: those of the manifest, changed by ``given``.

    CorpusError where there is no manifest and ``given`` names no languages.
    """
    manifest = read_json(files.manifest)
    told: dict[str, str] = manifest.get("arguments", {})
    raw = {**(manifest_arguments(told) if told.get("langs") else {}), **given}
    if not raw.keys() & {"lang", "langs"}:
        raise CorpusError(
            f"{files.manifest}: does not tell the arguments of the crawl; give them as they"
            f" were: scrapy reindex {files.root} -a langs=de,it -a seeds=URL"
        )
    if told.get("domain_texts") and "domain_texts" not in given:
        raise ArgumentError(
            f"domain_texts: the crawl had some ({told['domain_texts']}); give"
            " -a domain_texts= as it was"
        )
    for name in ("delta", "deltafetch_reset"):
        raw.pop(name, None)
    is_single = "lang" in given or ("lang" in raw and "langs" not in given)
    name, scope = ("lang", Scope.ANY) if is_single else ("langs", Scope.SITE)
    raw.pop("langs" if is_single else "lang", None)
    return parse_arguments(raw, lang_name=name, default_scope=scope)


def describe_run(files: CorpusFiles, arguments: CrawlArguments) -> dict[str, Any]:
    """Return the description of the last crawl, for the index."""
    manifest = read_json(files.manifest)
    known = {
        name: manifest[name]
        for name in ("spider", "settings", "versions", "started", "finished", "groups")
        if manifest.get(name)
    }
    return {**arguments.describe(), **known, "stats": read_json(files.stats)}
