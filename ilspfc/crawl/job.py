"""Objects that the components of one crawl share: arguments, files, index, scoring."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc import __version__
from ilspfc.cleaning import (
    SiteTexts,
    load_site_texts,
    remove_suffixes,
)
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.lock import CorpusLock
from ilspfc.corpus.warc.writer import CONFORMS_TO, WarcWriter
from ilspfc.crawl.domain_terms import LEARNED, make_thresholds
from ilspfc.crawl.domain_texts import load_model, load_models
from ilspfc.crawl.learned_relevance import LearnedRelevance
from ilspfc.crawl.page_rules import make_rules
from ilspfc.crawl.page_work import PageWorker
from ilspfc.crawl.scorers import make_focus
from ilspfc.crawl.warc_replay import Replay, make_replay
from ilspfc.disk import DiskWatch
from ilspfc.frontier.politeness import PolitenessRules
from ilspfc.frontier.scope import IGNORED_SUFFIXES, ScopeFilter, SiteGroups
from ilspfc.frontier.scoring.cues import CueDetector
from ilspfc.frontier.scoring.feedback import PageGains, PairGains, Scouts
from ilspfc.frontier.traps.detector import TrapDetector
from ilspfc.frontier.traps.error_pages import ErrorPages
from ilspfc.frontier.traps.seen_text import SeenText
from ilspfc.text.codes import to_bcp47
from ilspfc.web.urls import site_of
from ilspfc.workers import WorkerPool

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from ilspfc.cleaning import RecurringTexts
    from ilspfc.crawl.arguments import CrawlArguments
    from ilspfc.frontier.scoring.focus import Focus
    from ilspfc.report import ReportData

# Pages after which a host without documents in two languages goes behind all others.
_SCOUT_PAGES = 50


@dataclass(slots=True)
class CrawlJob:
    """The objects of one crawl.

    Objects that a setting turns off are None; so are ``traps`` and ``error_pages`` in a crawl
    over WARC files, and ``replay`` in any other. ``report`` is set at the end of the crawl.
    """

    arguments: CrawlArguments
    files: CorpusFiles
    lock: CorpusLock
    disk: DiskWatch
    index: CorpusIndex
    workers: WorkerPool
    scope: ScopeFilter
    cues: CueDetector
    focus: Focus
    gains: PageGains | PairGains
    scouts: Scouts
    traps: TrapDetector | None
    seen_text: SeenText
    error_pages: ErrorPages | None
    site_texts: SiteTexts | None = None
    learned: LearnedRelevance | None = None
    archive: WarcWriter | None = None
    replay: Replay | None = None
    report: ReportData | None = None

    def is_reachable(self, url: str) -> bool:
        """Test whether a link's URL can be fetched.

        In a crawl over WARC files without seeds, every page in them is a seed, and a link to
        any other URL leads nowhere.
        """
        if self.replay is None or self.arguments.seeds:
            return True
        return url in self.replay.archive

    def recurring_texts(self, url: str) -> RecurringTexts | None:
        """Return the texts known to recur on the site of a URL, None if not counted."""
        return self.site_texts.known(site_of(url)) if self.site_texts else None


def corpus_folder(
    spider: str, arguments: CrawlArguments, settings: BaseSettings
) -> Path:
    """Return the folder of the corpus: the setting, else one by job or by arguments."""
    if folder := settings.get("CORPUS_DIR"):
        return Path(folder)
    domain = arguments.domain.name if arguments.domain else "none"
    langs = "-".join(map(to_bcp47, arguments.langs))
    return Path("corpora") / (arguments.job or f"{spider}-{langs}-{domain}")


def politeness_rules(settings: BaseSettings) -> PolitenessRules:
    """Return the rules that the settings make for every host."""
    return PolitenessRules(
        delay=settings.getfloat("DOWNLOAD_DELAY"),
        max_active=settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"),
        max_crawl_delay=settings.getfloat("FRONTIER_MAX_CRAWL_DELAY"),
        max_pages=settings.getint("FRONTIER_MAX_HOST_PAGES"),
    )


def make_job(
    spider: str,
    arguments: CrawlArguments,
    settings: BaseSettings,
    files: CorpusFiles | None = None,
) -> CrawlJob:
    """Open the corpus and build the objects that the components of a crawl share.

    ``files`` are those of the corpus, where they are not as the settings say.
    """
    files = files or CorpusFiles(corpus_folder(spider, arguments, settings))
    with CorpusLock(files.root).unless_failed() as lock:
        return _make_job(arguments, settings, files, lock)


def _make_job(
    arguments: CrawlArguments,
    settings: BaseSettings,
    files: CorpusFiles,
    lock: CorpusLock,
) -> CrawlJob:
    cues = CueDetector(arguments.langs)
    focus = make_focus(arguments, settings, cues)
    _check_models(arguments, settings)
    disk = DiskWatch(files.root)
    is_web = not arguments.warc  # WARC files have an end
    has_traps = is_web and settings.getbool("FRONTIER_TRAPS")
    has_error_pages = is_web and settings.getbool("FRONTIER_SOFT_404")
    return CrawlJob(
        arguments=arguments,
        files=files,
        lock=lock,
        disk=disk,
        index=CorpusIndex(files.index, disk),
        workers=WorkerPool(
            settings.getint("WORKERS"),
            settings.getfloat("WORKERS_CPU_SECONDS"),
            partial(PageWorker, make_rules(arguments, settings)),
        ),
        scope=_make_scope(arguments, settings),
        cues=cues,
        focus=focus,
        gains=PairGains() if len(arguments.langs) > 1 else PageGains(),
        scouts=_make_scouts(arguments, focus),
        site_texts=_make_site_texts(settings, files),
        learned=_make_learned(arguments, settings, files),
        traps=TrapDetector(datetime.now(UTC).date()) if has_traps else None,
        seen_text=SeenText(),
        error_pages=ErrorPages() if has_error_pages else None,
        archive=_make_archive(files, settings),
        replay=make_replay(arguments, settings),
    )


def _make_scouts(arguments: CrawlArguments, focus: Focus) -> Scouts:
    pages = _SCOUT_PAGES if focus.learner else 0
    groups = SiteGroups(arguments.groups)
    return Scouts(pages, groups.of_host, min_langs=min(len(arguments.langs), 2))


def _check_models(arguments: CrawlArguments, settings: BaseSettings) -> None:
    """Raise DomainError for texts that give no model; workers load their own models."""
    load_models(arguments.domain_texts)
    if settings.getint("WORKERS"):
        load_model.cache_clear()


def _make_learned(
    arguments: CrawlArguments, settings: BaseSettings, files: CorpusFiles
) -> LearnedRelevance | None:
    """Return the learner of relevance, None unless the setting asks for it."""
    if arguments.domain is None or settings["CLASSIFICATION_MODEL"] != LEARNED:
        return None
    thresholds = make_thresholds(arguments.domain, settings)
    return LearnedRelevance(
        arguments.domain, arguments.langs, thresholds, files.relevance
    )


def _make_site_texts(settings: BaseSettings, files: CorpusFiles) -> SiteTexts | None:
    """Return the counts of recurring texts by site, None unless the setting asks for them."""
    if not settings.getbool("CLEANING_RECURRENCE"):
        return None
    return load_site_texts(files.recurrence)


def _make_scope(arguments: CrawlArguments, settings: BaseSettings) -> ScopeFilter:
    return ScopeFilter(
        arguments.scope,
        arguments.seeds,
        allow=arguments.allow,
        deny=arguments.deny,
        ignored_suffixes=remove_suffixes(
            IGNORED_SUFFIXES, settings.getlist("CLEANING_FORMATS")
        ),
    )


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
    max_bytes = settings.getint("ARCHIVE_WARC_SIZE")
    prefix = settings["BOT_NAME"]
    return WarcWriter(files.archive, info, max_bytes=max_bytes, prefix=prefix)


def job_of(crawler: Crawler) -> CrawlJob:
    """Return the job that the spider of a crawl has opened."""
    return crawler.spider.job  # type: ignore[union-attr,no-any-return]
