"""The focus that a crawl's arguments and settings ask for."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from ilspfc.classification.perplexity.page_perplexity import DEFAULT_BOUNDS
from ilspfc.crawl.domain_texts import load_bounds
from ilspfc.exceptions import SettingError
from ilspfc.frontier.scoring.focus import Focus
from ilspfc.frontier.scoring.link_score import (
    BreadthFirstScorer,
    CombinedScorer,
    PerplexityScorer,
    TermScorer,
    TranslationBonus,
)
from ilspfc.frontier.scoring.online_learning import YieldLearner
from ilspfc.frontier.scoring.scouting import SeedLists

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.settings import BaseSettings

    from ilspfc.crawl.arguments import CrawlArguments
    from ilspfc.frontier.scoring.cues import CueDetector
    from ilspfc.frontier.scoring.link_score import Bounds, LinkScorer

logger = logging.getLogger(__name__)

# What FRONTIER_SCORER may be; empty: the one that fits what is given.
SCORERS = ("terms", "perplexity", "combined", "breadth-first")


def perplexity_bounds(settings: BaseSettings) -> Bounds | None:
    """Return the upper bounds of the buckets that are set; SettingError if wrong."""
    values = settings.getlist("FRONTIER_PERPLEXITY_BOUNDS")
    if not values:
        return None
    try:
        high, medium, last = map(float, values)
        is_right = 0 < high < medium <= last
    except ValueError:
        is_right = False
    if not is_right:
        raise SettingError(
            f"FRONTIER_PERPLEXITY_BOUNDS={','.join(map(str, values))}: three rising numbers"
            " are needed, the last one may be inf, as in 500,5000,inf"
        )
    return high, medium, last


def scorer_name(arguments: CrawlArguments, settings: BaseSettings) -> str:
    """Return which scorer a crawl has; SettingError if what it needs is not given."""
    name = str(settings.get("FRONTIER_SCORER") or "")
    if name and name not in SCORERS:
        raise SettingError(
            f"FRONTIER_SCORER={name}: no such choice; known are {', '.join(SCORERS)}"
        )
    if name in {"perplexity", "combined"} and not arguments.domain_texts:
        raise SettingError(
            f"FRONTIER_SCORER={name}: no texts define the domain; give"
            " -a domain_texts=FOLDER"
        )
    if name or not arguments.domain_texts:
        return name or "terms"
    return "combined" if arguments.domain else "perplexity"


def make_focus(
    arguments: CrawlArguments,
    settings: BaseSettings,
    cues: CueDetector,
    score_text: Callable[[str], float],
) -> Focus:
    """Return the focus of a crawl; ``score_text`` is the paper's Σ n·w."""
    name = scorer_name(arguments, settings)
    unit = (arguments.domain.median_weight() if arguments.domain else 0.0) or 1.0
    scorer = _make_scorer(name, score_text, unit, arguments, settings)
    if name == "breadth-first":
        return Focus(scorer)
    bonus = None
    if len(arguments.langs) > 1:
        value = settings.getfloat("FRONTIER_TRANSLATION_BONUS")
        bonus = TranslationBonus(cues, arguments.langs, value)
    is_learning = settings.getbool("FRONTIER_LEARNING")
    learner = YieldLearner(unit) if is_learning else None
    return Focus(scorer, bonus, learner, SeedLists())


def _make_scorer(
    name: str,
    score_text: Callable[[str], float],
    unit: float,
    arguments: CrawlArguments,
    settings: BaseSettings,
) -> LinkScorer:
    if name == "breadth-first":
        return BreadthFirstScorer()
    terms = TermScorer(score_text)
    if name == "terms":
        return terms
    perplexity = _make_perplexity_scorer(arguments, settings)
    if name == "combined":
        return CombinedScorer(terms, perplexity, unit)
    return perplexity


def _make_perplexity_scorer(
    arguments: CrawlArguments, settings: BaseSettings
) -> PerplexityScorer:
    """Return the scorer with the bounds that are set, else those of the domain texts."""
    if bounds := perplexity_bounds(settings):
        return PerplexityScorer(bounds)
    by_lang = {}
    for lang, source in arguments.domain_texts.items():
        if found := load_bounds(source, lang):
            by_lang[lang] = found
            logger.info(
                "Perplexity in %s: HIGH to %.0f, MEDIUM to %.0f", lang, *found[:2]
            )
    return PerplexityScorer(DEFAULT_BOUNDS, by_lang)
