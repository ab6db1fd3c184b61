"""Focus of a crawl, from its arguments and settings."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from ilspfc.classification.perplexity.buckets import Bounds, Buckets
from ilspfc.crawl.domain_terms import make_matchers
from ilspfc.crawl.domain_texts import load_bounds
from ilspfc.exceptions import SettingError
from ilspfc.frontier.scoring.link_score import (
    BreadthFirstScorer,
    CombinedScorer,
    Focus,
    LinkScorer,
    PerplexityScorer,
    SeedLists,
    TermScorer,
    TranslationBonus,
)
from ilspfc.frontier.scoring.online_learning import DISTANCE_COST, YieldLearner

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from scrapy.settings import BaseSettings

    from ilspfc.crawl.arguments import CrawlArguments
    from ilspfc.frontier.scoring.cues import CueDetector

logger = logging.getLogger(__name__)


def perplexity_bounds(settings: BaseSettings) -> Bounds | None:
    """Return the upper bounds of the buckets from the setting; SettingError for wrong ones."""
    values = settings.getlist("FRONTIER_PERPLEXITY_BOUNDS")
    return read_bounds(values) if values else None


def read_bounds(values: Sequence[object]) -> Bounds:
    """Return three rising bounds; SettingError for others."""
    try:
        high, medium, last = (float(str(value)) for value in values)
        is_right = 0 < high < medium <= last
    except ValueError:
        is_right = False
    if not is_right:
        raise SettingError(
            f"FRONTIER_PERPLEXITY_BOUNDS={','.join(map(str, values))}: three rising numbers"
            " are needed, the last one may be inf, as in 500,5000,inf"
        )
    return high, medium, last


class BoundsFile:
    """File in the folder of a corpus with bounds that a user sets while the crawl runs.

    Links of pages that come after count by them (004, note 9); those in the queue stay.
    """

    def __init__(self, path: Path, scorer: PerplexityScorer) -> None:
        self._path, self._scorer = path, scorer
        self._text = ""

    def follow(self) -> None:
        """Take the bounds over if the file has changed; wrong ones are a warning."""
        try:
            text = self._path.read_text("utf-8")
            if text == self._text:
                return
            self._text = text
            bounds = read_bounds(text.strip().split(","))
        except FileNotFoundError:
            return
        except (OSError, ValueError, SettingError) as error:
            logger.warning("%s: %s", self._path, error)
            return
        self._scorer.set_bounds(bounds)
        logger.info("%s: bounds of perplexity are now %s, %s, %s", self._path, *bounds)


def scorer_name(arguments: CrawlArguments, settings: BaseSettings) -> str:
    """Return the name of a crawl's scorer; SettingError if the scorer lacks an argument."""
    name = str(settings.get("FRONTIER_SCORER") or "")
    if name in {"perplexity", "combined", "buckets"} and not arguments.domain_texts:
        raise SettingError(
            f"FRONTIER_SCORER={name}: no texts define the domain; give"
            " -a domain_texts=FOLDER"
        )
    if name or not arguments.domain_texts:
        return name or "terms"
    return "combined" if arguments.domain else "perplexity"


def make_focus(
    arguments: CrawlArguments, settings: BaseSettings, cues: CueDetector
) -> Focus:
    """Return the focus of a crawl: link scorer, translation bonus, learning, seed lists."""
    name = scorer_name(arguments, settings)
    if name == "breadth-first":
        return Focus(BreadthFirstScorer())
    unit = (arguments.domain.median_weight() if arguments.domain else 0.0) or 1.0
    matchers = make_matchers(arguments.domain, arguments.langs).values()
    scorer: LinkScorer
    scorer = terms = TermScorer(lambda text: sum(m.score(text) for m in matchers))
    perplexity = None
    buckets = make_buckets(arguments, settings)
    if name != "terms" and buckets is not None:
        for lang, found in buckets.by_lang.items():
            logger.info(
                "Perplexity in %s: HIGH to %.0f, MEDIUM to %.0f", lang, *found[:2]
            )
        scorer = perplexity = PerplexityScorer(buckets.bounds, buckets.by_lang)
        if name == "combined":
            scorer = CombinedScorer(terms, perplexity, unit)
    is_bilingual = len(arguments.langs) > 1
    bonus = TranslationBonus(cues, arguments.langs) if is_bilingual else None
    # The scores of a subject lead through pages off it, those of languages do not.
    has_subject = bool(arguments.domain or arguments.domain_texts)
    cost = 0.0 if has_subject else DISTANCE_COST
    is_learning = settings.getbool("FRONTIER_LEARNING")
    learner = YieldLearner(unit, cost) if is_learning else None
    # Texts say something of a list, too, unless it is in none of the languages.
    lists = SeedLists(with_judged=perplexity is None)
    is_strict = name == "buckets"
    return Focus(scorer, bonus, learner, lists, perplexity, is_strict=is_strict)


def make_buckets(arguments: CrawlArguments, settings: BaseSettings) -> Buckets | None:
    """Return the buckets of perplexity, None for a crawl without domain texts.

    Their bounds are those of the setting, else those that the domain texts give.
    """
    if not arguments.domain_texts:
        return None
    if bounds := perplexity_bounds(settings):
        return Buckets(bounds)
    by_lang = {}
    unknown = settings.getfloat("CLASSIFICATION_UNKNOWN_LOG10")
    for lang, source in arguments.domain_texts.items():
        if found := load_bounds(source, lang, unknown):
            by_lang[lang] = found
    return Buckets(by_lang=by_lang)
