"""A domain defined by terms: the matchers, weights and thresholds of a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.classification.learned import PageFeatures
from ilspfc.classification.relevance import Thresholds
from ilspfc.classification.terms import (
    StemmingTokenizer,
    TermMatcher,
)

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ilspfc.classification.definition import Domain


def make_matchers(
    domain: Domain | None, langs: tuple[str, ...]
) -> dict[str, TermMatcher]:
    """Return a matcher of the domain's terms for each language."""
    if domain is None:
        return {}
    return {
        lang: TermMatcher(domain.terms_in(lang), StemmingTokenizer(lang))
        for lang in langs
    }


def make_page_features(lang: str) -> PageFeatures:
    """Return the extractor of word features for learned relevance in a language."""
    return PageFeatures(StemmingTokenizer(lang).stem)


def make_thresholds(domain: Domain | None, settings: BaseSettings) -> Thresholds:
    """Return the thresholds; those of p are set in weights of a median term."""
    unit = domain.median_weight() if domain is not None else 0.0
    return Thresholds(
        relevance=unit * settings.getfloat("CLASSIFICATION_MIN_CONTENT_TERMS"),
        terms=settings.getfloat("CLASSIFICATION_MIN_UNIQUE_TERMS"),
        perplexity=settings.getfloat("CLASSIFICATION_MAX_PERPLEXITY"),
        density=unit * settings.getfloat("CLASSIFICATION_MIN_DENSITY"),
    )
