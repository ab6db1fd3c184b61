"""Rules for the work on a page, from arguments and settings of the crawl."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ilspfc.classification.relevance import Thresholds
from ilspfc.crawl.domain_terms import make_thresholds
from ilspfc.crawl.language_texts import language_options
from ilspfc.crawl.learned_relevance import LEARNED
from ilspfc.optout.policy import OptOutPolicy

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ilspfc.classification.definition import Domain
    from ilspfc.crawl.arguments import CrawlArguments
    from ilspfc.crawl.language_texts import LanguageOptions


@dataclass(frozen=True, slots=True)
class PageRules:
    """The rules of a crawl, as they travel to its workers.

    ``page_options`` are for :func:`~ilspfc.cleaning.clean_page`, ``file_options`` for
    :func:`~ilspfc.cleaning.clean_file`, which reads the formats in ``formats``. With
    ``is_counting``, texts that recur on the pages of a site are counted; with
    ``keeps_paragraphs``, the paragraphs go back to the crawler.
    """

    langs: tuple[str, ...]
    identification: LanguageOptions
    page_options: Mapping[str, Any] = field(default_factory=dict)
    file_options: Mapping[str, Any] = field(default_factory=dict)
    formats: tuple[str, ...] = ()
    policy: OptOutPolicy = OptOutPolicy.SKIP
    user_agent: str = ""
    min_tokens: int = 0
    domain: Domain | None = None
    domain_texts: Mapping[str, Path] = field(default_factory=dict)
    thresholds: Thresholds = field(default_factory=lambda: Thresholds(0, 0))
    is_learning: bool = False
    is_counting: bool = False
    keeps_paragraphs: bool = False


def cleaning_options(settings: BaseSettings) -> dict[str, Any]:
    """Return the options that the settings give to the cleaning of any page."""
    return {
        "min_paragraph_tokens": settings.getint("CLEANING_MIN_PARAGRAPH_TOKENS"),
        "backend": settings["CLEANING_BACKEND"],
        "threshold": settings.getfloat("CLEANING_THRESHOLD"),
    }


def make_rules(arguments: CrawlArguments, settings: BaseSettings) -> PageRules:
    """Return the rules of a crawl; SettingError if a setting is wrong."""
    policy = settings["OPTOUT_POLICY"]
    return PageRules(
        langs=arguments.langs,
        identification=language_options(settings),
        page_options=cleaning_options(settings),
        file_options={
            "min_paragraph_tokens": settings.getint("CLEANING_MIN_PARAGRAPH_TOKENS"),
        },
        formats=tuple(settings.getlist("CLEANING_FORMATS")),
        policy=OptOutPolicy.from_setting("OPTOUT_POLICY", policy),
        user_agent=settings["USER_AGENT"],
        min_tokens=settings.getint("LANGUAGE_MIN_TOKENS"),
        domain=arguments.domain,
        domain_texts=dict(arguments.domain_texts),
        thresholds=make_thresholds(arguments.domain, settings),
        is_learning=settings["CLASSIFICATION_MODEL"] == LEARNED,
        is_counting=settings.getbool("CLEANING_RECURRENCE"),
        keeps_paragraphs=settings.getbool("WORKERS_PARAGRAPHS"),
    )
