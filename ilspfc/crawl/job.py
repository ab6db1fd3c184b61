"""Objects that the components of one crawl share: arguments, files, index, scoring."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from scrapy.settings import BaseSettings

from ilspfc import __version__
from ilspfc.add_ons import load
from ilspfc.classification.perplexity.buckets import Buckets
from ilspfc.cleaning.files.formats import remove_suffixes
from ilspfc.corpus import counts
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.lock import CorpusLock
from ilspfc.corpus.removals import Removals, read_removals
from ilspfc.corpus.warc.writer import CONFORMS_TO, WarcWriter
from ilspfc.crawl.archives.common_crawl import twin_of
from ilspfc.crawl.archives.warc_replay import Replay, make_replay
from ilspfc.crawl.arguments import CrawlArguments
from ilspfc.crawl.domain_texts import Expectation, load_model, load_models
from ilspfc.crawl.page_work import PageWorker, make_rules
from ilspfc.crawl.scorers import make_buckets, make_focus, scorer_name
from ilspfc.disk import DiskWatch
from ilspfc.documents import document_id
from ilspfc.frontier.scope import IGNORED_SUFFIXES, ScopeFilter
from ilspfc.frontier.scoring.cues import CueDetector
from ilspfc.frontier.scoring.link_score import Focus
from ilspfc.frontier.store.candidates import Candidate
from ilspfc.frontier.store.sqlite import SQLiteStore
from ilspfc.frontier.traps.error_pages import ErrorPages
from ilspfc.report.data import ReportData
from ilspfc.text.codes import to_bcp47
from ilspfc.web.urls import UrlPatterns, find_key
from ilspfc.workers import WorkerPool

# Pages of earlier runs from which the language marks of URLs are learned again.
_REMEMBERED_PAGES = 20_000


@dataclass(slots=True)
class CrawlJob:
    """The objects of one crawl.

    Objects that a setting turns off are None; so are ``buckets`` without domain texts,
    ``error_pages`` in a crawl over files, and ``replay`` in any other. With ``expects``,
    link texts and earlier pages speak of a link, beside its page. ``report`` is set at the
    end of the crawl.
    """

    arguments: CrawlArguments
    files: CorpusFiles
    lock: CorpusLock
    disk: DiskWatch
    index: CorpusIndex
    store: SQLiteStore
    workers: WorkerPool
    scope: ScopeFilter
    cues: CueDetector
    focus: Focus
    stored: UrlPatterns | None = None
    buckets: Buckets | None = None
    expects: bool = True
    error_pages: ErrorPages | None = None
    archive: WarcWriter | None = None
    replay: Replay | None = None
    report: ReportData | None = None

    def stores(self, url: str) -> bool:
        """Test whether the page at a URL may become a document (``-storefilter``)."""
        return self.stored is None or self.stored.match(url)

    def has_document(self, url: str) -> bool:
        """Test whether the corpus has the page at a URL."""
        return self.index.document(document_id(find_key(url) or url)) is not None

    def is_reachable(self, url: str) -> bool:
        """Test whether a link's URL can be fetched.

        In a crawl over files without seeds, every page in them is a seed, and a link to
        any other URL leads nowhere; the pages of Common Crawl are known as well.
        """
        arguments = self.arguments
        if self.replay is None or (arguments.seeds and not arguments.cc):
            return True
        return url in self.replay.archive

    def expectation(self, candidate: Candidate | None) -> Expectation | None:
        """Return the expectation of a page, None where its own perplexity alone counts."""
        if self.buckets is None or not self.expects:
            return None
        return Expectation(self.buckets, candidate.surprise if candidate else None)


def find_files(
    spider: str, arguments: CrawlArguments, settings: BaseSettings
) -> CorpusFiles:
    """Return the files that a crawler writes: a part of the corpus if there are several.

    The folder of the corpus is that of the setting, else one by job or by arguments.
    """
    domain = arguments.domain.name if arguments.domain else "none"
    langs = "-".join(map(to_bcp47, arguments.langs))
    usual = Path("corpora") / (arguments.job or f"{spider}-{langs}-{domain}")
    files = CorpusFiles(Path(settings.get("CORPUS_DIR") or usual))
    if not settings["FRONTIER_STORE"]:
        return files
    crawler = settings["FRONTIER_CRAWLER"] or f"{platform.node()}-{os.getpid()}"
    return CorpusFiles(files.parts / crawler)


def make_job(
    spider: str,
    arguments: CrawlArguments,
    settings: BaseSettings,
    files: CorpusFiles | None = None,
) -> CrawlJob:
    """Open the corpus and build the objects that the components of a crawl share.

    ``files`` are those of the corpus, where they are not as the settings say.
    """
    files = files or find_files(spider, arguments, settings)
    is_web = not arguments.is_offline
    with CorpusLock(files.root).unless_failed() as lock:
        cues = CueDetector(arguments.langs)
        focus = make_focus(arguments, settings, cues)
        load_models(arguments.domain_texts)  # DomainError for texts that give none
        if settings.getint("WORKERS"):
            load_model.cache_clear()  # workers load their own
        disk = DiskWatch(files.root)
        index = CorpusIndex(files.index, disk)
        workers = WorkerPool(
            settings.getint("WORKERS"),
            settings.getfloat("WORKERS_CPU_SECONDS"),
            partial(PageWorker, make_rules(arguments, settings)),
        )
        has_error_pages = is_web and settings.getbool("FRONTIER_TRAPS")
        job = CrawlJob(
            arguments=arguments,
            files=files,
            lock=lock,
            disk=disk,
            index=index,
            store=_make_store(files, settings, disk, index),
            workers=workers,
            scope=_make_scope(arguments, settings, files),
            cues=cues,
            focus=focus,
            stored=UrlPatterns(arguments.store) if arguments.store else None,
            buckets=make_buckets(arguments, settings),
            expects=scorer_name(arguments, settings) != "buckets",
            error_pages=ErrorPages() if has_error_pages else None,
            archive=_make_archive(files, settings),
            replay=make_replay(arguments, settings),
        )
        _learn_marks(job)
        return job


def _make_store(
    files: CorpusFiles, settings: BaseSettings, disk: DiskWatch, index: CorpusIndex
) -> SQLiteStore:
    """Return the store of the frontier: a file, or this crawler's share of a database."""
    url = settings["FRONTIER_STORE"]
    if not url:
        return SQLiteStore(files.frontier, disk)
    open_store = load("cluster.shared_store.open_store", "FRONTIER_STORE")
    store: SQLiteStore = open_store(
        files.frontier,
        url,
        corpus=_whole(files, settings).root.name,
        crawler=files.root.name,
        watch=disk,
        has_document=lambda key: index.document(document_id(key)) is not None,
    )
    return store


def _learn_marks(job: CrawlJob) -> None:
    """Have the translation bonus learn the language marks of the pages of earlier runs."""
    if (bonus := job.focus.bonus) is not None:
        for url, _, lang in reversed(counts.latest_pages(job.index, _REMEMBERED_PAGES)):
            if lang:
                bonus.marks.learn(url, lang)


def _make_scope(
    arguments: CrawlArguments, settings: BaseSettings, files: CorpusFiles
) -> ScopeFilter:
    # Common Crawl's index has a site with and without www as one.
    twins = map(twin_of, arguments.seeds) if arguments.cc else ()
    return ScopeFilter(
        arguments.scope,
        [*arguments.seeds, *twins],
        allow=arguments.allow,
        deny=arguments.deny,
        ignored_suffixes=remove_suffixes(
            IGNORED_SUFFIXES, settings.getlist("CLEANING_FORMATS")
        ),
        refuses=Removals(read_removals(_whole(files, settings).removals)).covers,
    )


def _whole(files: CorpusFiles, settings: BaseSettings) -> CorpusFiles:
    """Return the files of the whole corpus, where this crawler writes a part of it."""
    if not settings["FRONTIER_STORE"]:
        return files
    return CorpusFiles(files.root.parents[1])


def _make_archive(files: CorpusFiles, settings: BaseSettings) -> WarcWriter | None:
    """Return the writer of the crawl's WARC files, None unless the setting asks for it."""
    if not settings.getbool("ARCHIVE_WARC"):
        return None
    info = {
        "software": f"{settings['BOT_NAME']}/{__version__}",
        "format": "WARC File Format 1.1",
        "conformsTo": CONFORMS_TO,
        "robots": "obey" if settings.getbool("ROBOTSTXT_OBEY") else "ignore",
        "http-header-user-agent": settings["USER_AGENT"],
        "operator": settings["FETCH_CONTACT"],
    }
    return WarcWriter(files.archive, info, prefix=settings["BOT_NAME"])
