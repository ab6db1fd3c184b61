"""Relevance of a page to the domain: the paper's p and m (000, section 3.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import TYPE_CHECKING

from ilspfc.documents import Document

if TYPE_CHECKING:
    from ilspfc.classification.terms import TermMatcher

# A subdomain is named when it holds this share of the relevance, as in ILSP-FC.
MIN_SUBDOMAIN_SHARE = 0.2
# The weight of a term by where on the page it stands; the paper's values.
TITLE_WEIGHT = 10.0
METADATA_WEIGHT = 4.0
KEYWORDS_WEIGHT = 2.0
TEXT_WEIGHT = 1.0


class ClassificationReason(StrEnum):
    """Reasons for dropping a page in classification."""

    OFF_TOPIC = "off_topic"
    SPARSE_TERMS = "sparse_terms"
    HIGH_PERPLEXITY = "high_perplexity"
    UNWANTED_WORD = "unwanted_word"


OFF_TOPIC_REASONS = (ClassificationReason.OFF_TOPIC, ClassificationReason.SPARSE_TERMS)
"""Reasons of pages that are off topic by their terms."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """A page is relevant when p exceeds ``relevance`` and m exceeds ``terms``.

    p may not be below ``density`` a thousand tokens of clean text either: a long page has
    a few terms of any subject. Where texts define the domain, its perplexity may not exceed
    ``perplexity``.
    """

    relevance: float
    terms: float
    perplexity: float = inf
    density: float = 0.0

    def accept(self, document: Document) -> bool:
        """Test whether a scored document is relevant to the domain."""
        return self.reason(document) is None

    def reason(self, document: Document) -> ClassificationReason | None:
        """Return the reason against a scored document by its terms, None if it is relevant."""
        if document.relevance <= self.relevance or document.terms <= self.terms:
            return ClassificationReason.OFF_TOPIC
        if 1000 * document.relevance < self.density * document.tokens:
            return ClassificationReason.SPARSE_TERMS
        return None


class RelevanceScorer:
    """Scores documents by the terms of a domain, one matcher a language (ISO 639-3)."""

    def __init__(self, matchers: Mapping[str, TermMatcher]) -> None:
        self._matchers = matchers

    def score(self, document: Document) -> None:
        """Set the relevance p, the number of terms m and the subdomains of a document.

        The terms found in each clean paragraph become its ``topic``, in the order of the
        definition. A document in a language without terms gets 0.
        """
        matcher = self._matchers.get(document.lang)
        if matcher is None:
            return
        in_text: Counter[int] = Counter()
        for paragraph in document.clean_paragraphs:
            counts = matcher.count(paragraph.text)
            paragraph.topic = tuple(
                matcher.terms[index].text for index in sorted(counts)
            )
            in_text.update(counts)
        metadata = document.metadata
        located = (
            (TITLE_WEIGHT, matcher.count(metadata.title)),
            (METADATA_WEIGHT, matcher.count(metadata.description)),
            (KEYWORDS_WEIGHT, matcher.count(metadata.keywords)),
            (TEXT_WEIGHT, in_text),
        )
        by_term: dict[int, float] = {}
        for location_weight, counts in located:
            for index, number in counts.items():
                score = number * matcher.weights[index] * location_weight
                by_term[index] = by_term.get(index, 0.0) + score
        document.relevance = float(sum(by_term.values()))
        document.terms = sum(1 for index in in_text if matcher.weights[index] > 0)
        document.subdomains = _subdomains(by_term, matcher)


def _subdomains(by_term: Mapping[int, float], matcher: TermMatcher) -> tuple[str, ...]:
    """Return the subdomains with a share in the positive relevance, the largest first.

    The score of a term with several subdomains is split equally among them.
    """
    shares: dict[str, float] = {}
    for index, score in by_term.items():
        names = matcher.terms[index].subdomains
        for name in names:
            shares[name] = shares.get(name, 0.0) + max(score, 0.0) / len(names)
    total = sum(score for score in by_term.values() if score > 0)
    kept = [
        (-share, name)
        for name, share in shares.items()
        if total and share >= MIN_SUBDOMAIN_SHARE * total
    ]
    return tuple(name for _, name in sorted(kept))
