"""A domain defined by terms: matchers, weights, thresholds and unwanted words of a crawl."""

from __future__ import annotations

from pathlib import Path

from scrapy.settings import BaseSettings

from ilspfc.classification.definition import Domain
from ilspfc.classification.learned import PageFeatures
from ilspfc.classification.relevance import Thresholds
from ilspfc.classification.terms import StemmingTokenizer, TermMatcher
from ilspfc.exceptions import SettingError
from ilspfc.text.text_files import read_text


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


def read_unwanted(settings: BaseSettings) -> tuple[str, ...]:
    """Return the unwanted words, a line of the file each; SettingError for a wrong file.

    Lines that begin with ``#`` are comments.
    """
    name = settings["CLASSIFICATION_UNWANTED"]
    if not name:
        return ()
    where, advice = f"CLASSIFICATION_UNWANTED={name}", "a UTF-8 file of a word a line"
    lines = read_text(Path(name), where, advice, SettingError).splitlines()
    phrases = tuple(line.strip() for line in lines if not line.startswith("#"))
    if not any(phrases):
        raise SettingError(f"{where}: no word in the file; write one a line")
    return phrases
