"""The values of settings: numbers in their bounds, switches on or off, names that exist."""

from __future__ import annotations

import logging
import math
from difflib import get_close_matches
from typing import TYPE_CHECKING

from scrapy.settings import SETTINGS_PRIORITIES

import ilspfc.settings
from ilspfc.exceptions import SettingError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_INFINITY = math.inf
_PROJECT_PRIORITY = SETTINGS_PRIORITIES["project"]
# Name, whether it is a whole number, smallest and largest value.
_NUMBERS: tuple[tuple[str, bool, float, float], ...] = (
    ("WORKERS", True, 0, 1024),
    ("WORKERS_CPU_SECONDS", False, 0.1, 86_400),
    ("DOWNLOAD_DELAY", False, 0, _INFINITY),
    ("DOWNLOAD_DELAY_JITTER", False, 0, 1),
    ("DOWNLOAD_TIMEOUT", False, 0.1, _INFINITY),
    ("DOWNLOAD_MAXSIZE", True, 0, _INFINITY),
    ("DNS_TIMEOUT", False, 0.1, _INFINITY),
    ("REDIRECT_MAX_TIMES", True, 0, _INFINITY),
    ("RETRY_TIMES", True, 0, _INFINITY),
    ("CONCURRENT_ITEMS", True, 1, _INFINITY),
    ("CONCURRENT_REQUESTS", True, 1, _INFINITY),
    ("CONCURRENT_REQUESTS_PER_DOMAIN", True, 1, _INFINITY),
    ("BOOTSTRAP_MAX_PAGES", True, 1, _INFINITY),
    ("BOOTSTRAP_MAX_TERMS", True, 1, _INFINITY),
    ("BOOTSTRAP_MAX_SEEDS", True, 0, _INFINITY),
    ("BOOTSTRAP_MAX_SITE_SEEDS", True, 0, _INFINITY),
    ("ARCHIVE_WARC_SIZE", True, 1, _INFINITY),
    ("FRONTIER_MAX_TUNNEL", True, 0, _INFINITY),
    ("FRONTIER_MAX_CRAWL_DELAY", False, 0, _INFINITY),
    ("FRONTIER_MAX_HOST_ERRORS", True, 1, _INFINITY),
    ("FRONTIER_MAX_PAGES", True, 0, _INFINITY),
    ("FRONTIER_MAX_HOST_PAGES", True, 0, _INFINITY),
    ("FRONTIER_MAX_MEGABYTES", False, 0, _INFINITY),
    ("FRONTIER_MAX_SECONDS", False, 0, _INFINITY),
    ("FRONTIER_SCOUT_PAGES", True, 0, _INFINITY),
    ("FRONTIER_REVISIT_AFTER", False, 0, _INFINITY),
    ("CLEANING_MIN_PARAGRAPH_TOKENS", True, 0, _INFINITY),
    ("CLEANING_MAX_PDF_PAGES", True, 1, _INFINITY),
    ("CLEANING_THRESHOLD", False, 0, 1),
    ("LANGUAGE_MIN_TOKENS", True, 0, _INFINITY),
    ("CLASSIFICATION_MIN_CONTENT_TERMS", False, 0, _INFINITY),
    ("CLASSIFICATION_MIN_UNIQUE_TERMS", False, 0, _INFINITY),
    ("CLASSIFICATION_MIN_DENSITY", False, 0, _INFINITY),
    ("CLASSIFICATION_MAX_PERPLEXITY", False, 1, _INFINITY),
    ("DEDUP_THRESHOLD", False, 0, 1),
    ("PAIRING_THRESHOLD", False, 0, 1),
    ("PAIRING_MIN_MARGIN", False, 0, 1),
    ("PAIRING_ROUNDS", True, 0, 10),
    ("PAIRING_MAX_DEPTH_DIFFERENCE", True, 0, _INFINITY),
    ("PAIRING_MIN_LENGTH_RATIO", False, 0, 1),
    ("PAIRING_MIN_PARAGRAPH_RATIO", False, 0, 1),
    ("PAIRING_ETS_MAX_PAIRS", True, 0, _INFINITY),
    ("PAIRING_ETS_MIN_SIMILARITY", False, 0, 1),
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
    ("REPORT_PROGRESS_SECONDS", False, 0, _INFINITY),
)
_DEFAULTS = {
    name: value for name, value in vars(ilspfc.settings).items() if name.isupper()
}
_SWITCHES = tuple(name for name, value in _DEFAULTS.items() if isinstance(value, bool))
# A setting that begins like this is ours: the stages' words, and what serves them all.
_STAGES = (
    "ALIGNMENT",
    "ARCHIVE",
    "BOOTSTRAP",
    "CLASSIFICATION",
    "CLEANING",
    "CORPUS",
    "DEDUP",
    "EXPORT",
    "EXPORTS",
    "FETCH",
    "FRONTIER",
    "GUARD",
    "LANGUAGE",
    "LEXICON",
    "OPTOUT",
    "PAIRING",
    "REPORT",
    "WORKERS",
)
_PREFIXES = tuple(f"{stage}_" for stage in _STAGES)


def is_asked_for(settings: BaseSettings, name: str) -> bool:
    """Return whether a user has set something, beyond the defaults of the project."""
    return (settings.getpriority(name) or 0) > _PROJECT_PRIORITY


def check_log_level(settings: BaseSettings) -> None:
    """Raise SettingError for a level of the log that does not exist."""
    level = settings.get("LOG_LEVEL")
    if not isinstance(level, int) and level not in logging.getLevelNamesMapping():
        raise SettingError(
            f"LOG_LEVEL={level}: no such level; known are DEBUG, INFO, WARNING, ERROR and"
            " CRITICAL"
        )


def check_values(settings: BaseSettings) -> None:
    """Raise SettingError for the first value out of bounds, or setting that there is not.

    What is not set at all is passed over: a command needs no settings but its own.
    """
    for name in settings:
        if name.startswith(_PREFIXES) and name not in _DEFAULTS:
            _refuse_unknown(settings, name)
    for name, is_whole, smallest, largest in _NUMBERS:
        if name not in settings:
            continue
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


def _refuse_unknown(settings: BaseSettings, name: str) -> None:
    """Raise SettingError for a setting that a user has misspelt."""
    if is_asked_for(settings, name):
        near = get_close_matches(name, _DEFAULTS, n=1)
        remedy = f"the nearest is {near[0]}" if near else "docs/settings.md names all"
        raise SettingError(f"{name}={settings.get(name)}: no such setting; {remedy}")
