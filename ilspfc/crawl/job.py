"""What the components of one crawl share: arguments, files, index, scoring."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc import __version__
from ilspfc.cleaning import (
    RecurrenceRules,
    SiteTexts,
    load_site_texts,
    remove_suffixes,
)
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.lock import CorpusLock
from ilspfc.corpus.warc.writer import CONFORMS_TO, WarcWriter
from ilspfc.crawl.domain_terms import LEARNED, make_matchers, make_thresholds
from ilspfc.crawl.domain_texts import load_model, load_models
from ilspfc.crawl.learned_relevance import LearnedRelevance
from ilspfc.crawl.page_rules import make_rules
from ilspfc.crawl.page_work import PageWorker
from ilspfc.crawl.scorers import make_focus
from ilspfc.crawl.warc_replay import Replay, make_replay
from ilspfc.disk import DiskWatch
from ilspfc.frontier.politeness import PolitenessRules
from ilspfc.frontier.scope import IGNORED_SUFFIXES, ScopeFilter, SiteGroups
from ilspfc.frontier.scoring.cues import CueDetector, LanguageCues
from ilspfc.frontier.scoring.gains import PageGains, PairGains
from ilspfc.frontier.scoring.scouting import Scouts
from ilspfc.frontier.traps.detector import TrapDetector
from ilspfc.frontier.traps.error_pages import ErrorPages
from ilspfc.frontier.traps.seen_text import SeenText
from ilspfc.text.codes import codes_of, to_bcp47
from ilspfc.text.language_names import names_of
from ilspfc.workers import WorkerPool

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ilspfc.crawl.arguments import CrawlArguments
    from ilspfc.frontier.scoring.focus import Focus
    from ilspfc.report import ReportData

# Pages after which a host without documents in two languages goes behind all others.
_SCOUT_PAGES = 50


@dataclass(slots=True)
class CrawlJob:
    """The objects of one crawl.

    ``learned`` is None where it is not wanted, ``site_texts`` where its setting is off;
    ``traps`` and ``error_pages`` where theirs is, and over WARC files. ``report`` is set by the
    report stage at the end of the crawl.
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
        """Return whether a link's URL can be reached at all.

        In a crawl over WARC files without seeds every page of theirs is one, so a link to
        any other URL leads nowhere.
        """
        if self.replay is None or self.arguments.seeds:
            return True
        return url in self.replay.archive


def corpus_folder(
    spider: str, arguments: CrawlArguments, settings: BaseSettings
) -> Path:
    """Return the folder of the corpus: the setting, else one by job or by arguments."""
    if folder := settings.get("CORPUS_DIR"):
        return Path(folder)
    domain = arguments.domain.name if arguments.domain else "none"
    langs = "-".join(map(to_bcp47, arguments.langs))
    return Path("corpora") / (arguments.job or f"{spider}-{langs}-{domain}")


def make_cues(langs: tuple[str, ...]) -> CueDetector:
    """Return the detector of links that lead to one of the languages."""
    return CueDetector(
        LanguageCues(lang, codes_of(lang), names_of(lang, langs)) for lang in langs
    )


def politeness_rules(settings: BaseSettings) -> PolitenessRules:
    """Return the rules that the settings make for every host."""
    return PolitenessRules(
        delay=settings.getfloat("DOWNLOAD_DELAY"),
        max_active=settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN"),
        max_crawl_delay=settings.getfloat("FRONTIER_MAX_CRAWL_DELAY"),
        max_pages=settings.getint("FRONTIER_MAX_HOST_PAGES"),
    )


def _make_traps(
    arguments: CrawlArguments, settings: BaseSettings
) -> TrapDetector | None:
    """Return the detector of traps, if it is wanted; WARC files have an end."""
    if arguments.warc or not settings.getbool("FRONTIER_TRAPS"):
        return None
    return TrapDetector(datetime.now(UTC).date())


def _make_error_pages(
    arguments: CrawlArguments, settings: BaseSettings
) -> ErrorPages | None:
    """Return what knows the hosts' error pages, if they are to be asked for them."""
    if arguments.warc or not settings.getbool("FRONTIER_SOFT_404"):
        return None
    return ErrorPages()


def make_job(
    spider: str,
    arguments: CrawlArguments,
    settings: BaseSettings,
    files: CorpusFiles | None = None,
) -> CrawlJob:
    """Open the corpus and build what the components of a crawl share.

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
    matchers = make_matchers(arguments.domain, arguments.langs)
    is_bilingual = len(arguments.langs) > 1
    cues = make_cues(arguments.langs)
    focus = make_focus(
        arguments,
        settings,
        cues,
        lambda text: sum(matcher.score(text) for matcher in matchers.values()),
    )
    _check_models(arguments, settings)
    disk = DiskWatch(files.root)
    return CrawlJob(
        arguments=arguments,
        files=files,
        lock=lock,
        disk=disk,
        index=CorpusIndex(files.index, disk),
        workers=WorkerPool(
            settings.getint("WORKERS"),
            settings.getfloat("WORKERS_TIMEOUT"),
            settings.getfloat("WORKERS_CPU_SECONDS"),
            partial(PageWorker, make_rules(arguments, settings)),
        ),
        scope=_make_scope(arguments, settings),
        cues=cues,
        focus=focus,
        gains=PairGains() if is_bilingual else PageGains(),
        scouts=_make_scouts(arguments, focus),
        site_texts=_make_site_texts(settings, files),
        learned=_make_learned(arguments, settings, files),
        traps=_make_traps(arguments, settings),
        seen_text=SeenText(),
        error_pages=_make_error_pages(arguments, settings),
        archive=_make_archive(files, settings),
        replay=make_replay(arguments, settings),
    )


def _make_scouts(arguments: CrawlArguments, focus: Focus) -> Scouts:
    pages = _SCOUT_PAGES if focus.learner else 0
    groups = SiteGroups(arguments.groups)
    return Scouts(pages, groups.of_host, min_langs=min(len(arguments.langs), 2))


def _check_models(arguments: CrawlArguments, settings: BaseSettings) -> None:
    """Raise DomainError for texts that give no model; the workers have models of their own."""
    load_models(arguments.domain_texts)
    if settings.getint("WORKERS"):
        load_model.cache_clear()


def _make_learned(
    arguments: CrawlArguments, settings: BaseSettings, files: CorpusFiles
) -> LearnedRelevance | None:
    """Return what learns the crawl's subject, if it is wanted."""
    if arguments.domain is None or settings["CLASSIFICATION_MODEL"] != LEARNED:
        return None
    thresholds = make_thresholds(arguments.domain, settings)
    return LearnedRelevance(
        arguments.domain, arguments.langs, thresholds, files.relevance
    )


def _make_site_texts(settings: BaseSettings, files: CorpusFiles) -> SiteTexts | None:
    """Return what knows which texts recur on a site, if it is wanted."""
    if not settings.getbool("CLEANING_RECURRENCE"):
        return None
    rules = RecurrenceRules(
        share=settings.getfloat("CLEANING_RECURRENCE_SHARE"),
        min_pages=settings.getint("CLEANING_RECURRENCE_MIN_PAGES"),
        max_texts=settings.getint("CLEANING_RECURRENCE_MAX_TEXTS"),
        max_sites=settings.getint("CLEANING_RECURRENCE_MAX_SITES"),
    )
    return load_site_texts(files.recurrence, rules)


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
    """Return the writer of the crawl's WARC files, if they are wanted."""
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
