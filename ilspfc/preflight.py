"""What can be checked of a crawl before it starts, so that nothing is lost by a slip."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scrapy.settings import SETTINGS_PRIORITIES

from ilspfc.cleaning import FORMATS, Backend, is_installed, readable
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.lock import CorpusLock
from ilspfc.domain_terms import LEARNED, RELEVANCE_MODELS, location_weights
from ilspfc.domain_texts import load_models
from ilspfc.exceptions import CorpusError, SettingError
from ilspfc.exports import LEVELS
from ilspfc.focus import perplexity_bounds, scorer_name
from ilspfc.frontier.optout import OptOutPolicy
from ilspfc.job import corpus_folder
from ilspfc.language_texts import check_languages
from ilspfc.middlewares.guard import AddressGuard
from ilspfc.middlewares.handler import insecure_hosts
from ilspfc.stages.alignment import METHODS
from ilspfc.stages.export_options import export_options
from ilspfc.stages.lexicon_store import check_store

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ilspfc.spiders.arguments import CrawlArguments

_INFINITY = math.inf
_PROJECT_PRIORITY = SETTINGS_PRIORITIES["project"]
# Name, whether it is a whole number, smallest and largest value.
_NUMBERS: tuple[tuple[str, bool, float, float], ...] = (
    ("WORKERS", True, 0, 1024),
    ("WORKERS_TIMEOUT", False, 0.1, _INFINITY),
    ("WORKERS_CPU_SECONDS", False, 0.1, 86_400),
    ("DOWNLOAD_DELAY", False, 0, _INFINITY),
    ("CONCURRENT_REQUESTS", True, 1, _INFINITY),
    ("CONCURRENT_REQUESTS_PER_DOMAIN", True, 1, _INFINITY),
    ("BOOTSTRAP_DELAY", False, 0, _INFINITY),
    ("BOOTSTRAP_ATTEMPTS", True, 1, 100),
    ("BOOTSTRAP_MAX_WAIT", False, 0, 86_400),
    ("BOOTSTRAP_CACHE_DAYS", False, 0, _INFINITY),
    ("BOOTSTRAP_MAX_PAGES", True, 1, _INFINITY),
    ("BOOTSTRAP_MAX_TERMS", True, 1, _INFINITY),
    ("BOOTSTRAP_QUERIES", True, 1, 1000),
    ("BOOTSTRAP_MAX_INDEX_SITES", True, 1, _INFINITY),
    ("BOOTSTRAP_MAX_SEEDS", True, 0, _INFINITY),
    ("BOOTSTRAP_MAX_SITE_SEEDS", True, 0, _INFINITY),
    ("BOOTSTRAP_SITE_PAGES", True, 1, _INFINITY),
    ("BOOTSTRAP_SITE_SAMPLES", True, 1, _INFINITY),
    ("ARCHIVE_WARC_SIZE", True, 1, _INFINITY),
    ("FRONTIER_MAX_TUNNEL", True, 0, _INFINITY),
    ("FRONTIER_MAX_CRAWL_DELAY", False, 0, _INFINITY),
    ("FRONTIER_MAX_HOST_ERRORS", True, 1, _INFINITY),
    ("FRONTIER_MAX_PAGES", True, 0, _INFINITY),
    ("FRONTIER_MAX_HOST_PAGES", True, 0, _INFINITY),
    ("FRONTIER_MAX_MEGABYTES", False, 0, _INFINITY),
    ("FRONTIER_MAX_SECONDS", False, 0, _INFINITY),
    ("FRONTIER_SCOUT_PAGES", True, 0, _INFINITY),
    ("FRONTIER_TRANSLATION_BONUS", False, 0, _INFINITY),
    ("FRONTIER_CONTEXT_WORDS", True, 0, _INFINITY),
    ("FRONTIER_MAX_LINKS", True, 0, _INFINITY),
    ("FRONTIER_REVISIT_AFTER", False, 0, _INFINITY),
    ("CLEANING_MIN_PARAGRAPH_TOKENS", True, 0, _INFINITY),
    ("CLEANING_MAX_PDF_PAGES", True, 1, _INFINITY),
    ("CLEANING_THRESHOLD", False, 0, 1),
    ("CLEANING_RECURRENCE_SHARE", False, 0, 1),
    ("CLEANING_RECURRENCE_MIN_PAGES", True, 2, _INFINITY),
    ("CLEANING_RECURRENCE_MAX_TEXTS", True, 1, _INFINITY),
    ("CLEANING_RECURRENCE_MAX_SITES", True, 1, _INFINITY),
    ("LANGUAGE_MIN_TOKENS", True, 0, _INFINITY),
    ("CLASSIFICATION_MIN_CONTENT_TERMS", False, 0, _INFINITY),
    ("CLASSIFICATION_MIN_UNIQUE_TERMS", False, 0, _INFINITY),
    ("CLASSIFICATION_MIN_DENSITY", False, 0, _INFINITY),
    ("CLASSIFICATION_MAX_PERPLEXITY", False, 1, _INFINITY),
    ("DEDUP_THRESHOLD", False, 0, 1),
    ("DEDUP_MIN_PARAGRAPHS", True, 0, _INFINITY),
    ("PAIRING_THRESHOLD", False, 0, 1),
    ("PAIRING_MIN_MARGIN", False, 0, 1),
    ("PAIRING_ROUNDS", True, 0, 10),
    ("PAIRING_MAX_DEPTH_DIFFERENCE", True, 0, _INFINITY),
    ("PAIRING_MIN_LENGTH_RATIO", False, 0, 1),
    ("PAIRING_MIN_PARAGRAPH_RATIO", False, 0, 1),
    ("ALIGNMENT_ROUNDS", True, -1, 10),
    ("ALIGNMENT_MAX_NULL_SHARE", False, 0, 1),
    ("ALIGNMENT_MIN_MEAN_SCORE", False, 0, 1),
    ("EXPORTS_MIN_TOKENS", True, 0, _INFINITY),
    ("EXPORTS_MIN_LENGTH_RATIO", False, 0, _INFINITY),
    ("EXPORTS_MAX_LENGTH_RATIO", False, 0, _INFINITY),
    ("EXPORTS_MAX_TOKEN_CHARS", True, 1, _INFINITY),
    ("EXPORTS_MIN_SCORE", False, 0, 1),
    ("EXPORTS_MAX_NULL_SHARE", False, 0, 1),
    ("EXPORTS_MAX_UNITS", True, 0, _INFINITY),
    ("EXPORTS_MAX_BYTES", True, 0, _INFINITY),
    ("REPORT_SAMPLES", True, 0, _INFINITY),
    ("REPORT_SEED", True, -_INFINITY, _INFINITY),
    ("REPORT_PROGRESS_SECONDS", False, 0, _INFINITY),
)
_SWITCHES = (
    "FRONTIER_TRAPS",
    "FRONTIER_SOFT_404",
    "FRONTIER_SEED_LISTS",
    "LANGUAGE_GROUPS",
    "EXPORT_LINKS",
    "LANGUAGE_SECOND_OPINION",
    "EXPORTS_COMPRESS",
    "EXPORTS_TMX_DOCTYPE",
)
_CHOICES = {
    "ALIGNMENT_METHOD": METHODS,
    "CLASSIFICATION_MODEL": RELEVANCE_MODELS,
    "CLEANING_BACKEND": tuple(Backend),
    "EXPORTS_TEXT_LEVEL": LEVELS,
}


def check_settings(settings: BaseSettings) -> None:
    """Raise SettingError for the first setting that cannot be used."""
    for name, is_whole, smallest, largest in _NUMBERS:
        value = settings.get(name)
        try:
            number = int(value) if is_whole else float(value)
        except (TypeError, ValueError):
            number = math.nan
        if not smallest <= number <= largest:
            kind = "a whole number" if is_whole else "a number"
            bounds = f"from {smallest:g}" if smallest > -_INFINITY else ""
            bounds += f" to {largest:g}" if largest < _INFINITY else ""
            raise SettingError(f"{name}={value}: give {kind} {bounds}".rstrip())
    for name in _SWITCHES:
        try:
            settings.getbool(name)
        except ValueError as error:
            raise SettingError(
                f"{name}={settings.get(name)}: give True or False"
            ) from error
    for name, choices in _CHOICES.items():
        if settings.get(name) not in choices:
            raise SettingError(
                f"{name}={settings.get(name)}: no such choice; known are"
                f" {', '.join(choices)}"
            )
    _check_formats(settings)
    if not is_installed(settings["CLEANING_BACKEND"]):
        raise SettingError(
            "CLEANING_BACKEND=trafilatura: trafilatura is not installed; install it with"
            " pip install ilspfc[trafilatura], or choose another"
        )
    AddressGuard.from_settings(settings)
    insecure_hosts(settings)
    OptOutPolicy.from_setting("OPTOUT_POLICY", settings["OPTOUT_POLICY"])
    location_weights(settings)
    perplexity_bounds(settings)
    check_store(settings)
    export_options(settings)


def _check_formats(settings: BaseSettings) -> None:
    """Raise SettingError for a format that nobody reads, or that was asked for in vain."""
    formats = settings.getlist("CLEANING_FORMATS")
    for name in formats:
        if name not in FORMATS:
            raise SettingError(
                f"CLEANING_FORMATS={','.join(formats)}: no such format: {name}; known are"
                f" {', '.join(FORMATS)}"
            )
    is_asked_for = (settings.getpriority("CLEANING_FORMATS") or 0) > _PROJECT_PRIORITY
    missing = [name for name in formats if name not in readable(formats)]
    if is_asked_for and missing:
        raise SettingError(
            f"CLEANING_FORMATS={','.join(formats)}: {FORMATS[missing[0]].package} is not"
            f" installed; pip install 'ilspfc[{missing[0]}]', or leave {missing[0]} out"
        )


def check_crawl(spider: str, arguments: CrawlArguments, settings: BaseSettings) -> None:
    """Raise SettingError or CorpusError for what would keep a crawl from starting."""
    check_settings(settings)
    scorer_name(arguments, settings)
    if settings["CLASSIFICATION_MODEL"] == LEARNED and arguments.domain is None:
        raise SettingError(
            f"CLASSIFICATION_MODEL={LEARNED}: no terms define the domain; give -a domain="
        )
    check_languages(arguments.langs, settings)
    load_models(arguments.domain_texts)
    folder = corpus_folder(spider, arguments, settings)
    try:
        CorpusLock.check(folder)
    except CorpusError as error:
        given = settings.get("CORPUS_DIR")
        if given and "another crawl" not in str(error):
            raise SettingError(f"CORPUS_DIR={error}") from error
        raise
    index = CorpusFiles(folder).index
    if index.is_file():
        with CorpusIndex(index) as corpus:
            langs = tuple(corpus.last_run().get("langs", arguments.langs))
        if langs != arguments.langs:
            raise CorpusError(
                f"{folder}: holds a corpus in {', '.join(langs)}, not in"
                f" {', '.join(arguments.langs)}; give another CORPUS_DIR"
            )
