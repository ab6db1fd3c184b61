"""Evidence from the lexicon that the pairs so far have taught.

Words that translate each other: each page's stems are projected into the other language
and compared with its pages, both ways; only words in the lexicon count. Aligned sentences:
the share of their words with a translation (002, equations 4 to 6).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from ilspfc.pairing.comparison import Candidates
from ilspfc.pairing.evidence.identical import IDENTICAL
from ilspfc.pairing.evidence.kind import EvidenceKind
from ilspfc.pairing.ranking import best_of_each
from ilspfc.pairing.sparse import (
    inverse_frequencies,
    most_alike,
    normalize_rows,
    pair_products,
    scale_rows,
    weigh,
)

if TYPE_CHECKING:
    from ilspfc.pairing.comparison import Comparison, Sides
    from ilspfc.text.arrays import FloatArray, IdArray, IntArray

# Candidates of a page that are proposed, and those of which the sentences are aligned.
PROPOSED = 8
MEASURED = 3
# Of longer pages other evidence tells enough, and their alignment costs the most.
MAX_BLOCKS = 30

UNTRANSLATED_COST = 0.2
"""Cost of a word without a translation in the other sentence (equation 4)."""

MIN_SENTENCE = 0.05
"""Least similarity of a sentence, so that none decides alone."""


class Translations(dict[int, set[int]]):
    """The translations of words of the left, looked up once each: a site has few of them."""

    def __init__(self, lexicon: csr_array) -> None:
        super().__init__()
        self._lexicon = lexicon

    def __missing__(self, word: int) -> set[int]:
        start, end = self._lexicon.indptr[word : word + 2]
        found = self[word] = set(self._lexicon.indices[start:end].tolist())
        return found


def page_similarity(
    segments: Iterable[tuple[IdArray, IdArray]], translations: Translations
) -> float:
    """Return the geometric mean of the similarities of aligned sentences, in [0, 1].

    Equations 5 and 6; 0 where nothing is aligned.
    """
    logs = [math.log(_similarity(a, b, translations)) for a, b in segments]
    return math.exp(sum(logs) / len(logs)) if logs else 0.0


def _similarity(source: IdArray, target: IdArray, translations: Translations) -> float:
    """Return equation 4, at least a small number."""
    words = set(target.tolist())
    count = 0.0
    for word in source.tolist():
        known = translations[word]
        if known:
            count += 1.0 if known & words else -UNTRANSLATED_COST
    return min(max(count / max(len(source), len(target)), MIN_SENTENCE), 1.0)


@dataclass(frozen=True)
class LexiconCosine(EvidenceKind):
    """Mean of the cosines of both directions; ``of`` is the path of an array of Pages."""

    of: str = "clean.stems"

    def propose(self, comparison: Comparison) -> tuple[IntArray, IntArray] | None:
        """Return for each page those most like its projection; None without a lexicon."""
        lexicon = comparison.lexicon
        if lexicon is None:
            return None
        parts = [
            most_alike(*self._project(comparison, lexicon, way), count=PROPOSED)
            for way in (False, True)
        ]
        found = Candidates.union(parts, len(comparison.right))
        return found.rows, found.columns

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the likeness of each candidate, in [0, 1]; 0 without a lexicon."""
        lexicon, shared = comparison.lexicon, comparison.shared_lexicon
        if lexicon is None:
            return np.zeros(len(candidates))
        likeness = self._compare(comparison, candidates, lexicon)
        sure = comparison.sure
        if shared is None or sure is None or shared.nnz == lexicon.nnz:
            return likeness
        # The lexicon that a pair has taught itself would confirm it, right or wrong.
        taught = candidates.among(sure)
        likeness[taught] = self._compare(comparison, candidates.take(taught), shared)
        return likeness

    def _compare(
        self, comparison: Comparison, candidates: Candidates, lexicon: csr_array
    ) -> FloatArray:
        total = np.zeros(len(candidates))
        for to_left in (False, True):
            left, right = self._project(comparison, lexicon, to_left)
            total += pair_products(left, right, candidates.rows, candidates.columns)
        return np.minimum(total / 2, 1.0)

    def _project(
        self,
        comparison: Comparison,
        lexicon: csr_array,
        to_left: bool,
    ) -> Sides:
        """Return both sides in the right language; ``to_left`` for both in the left."""

        def make() -> Sides:
            turned = csr_array(lexicon.T)
            left, right = comparison.left, comparison.right
            lefts, rights = comparison.arrays(self.of)
            lefts = _weigh_known(lefts, left.whole.stems, lexicon)
            rights = _weigh_known(rights, right.whole.stems, turned)
            if to_left:
                return normalize_rows(lefts), normalize_rows(rights @ _share(turned))
            return normalize_rows(lefts @ _share(lexicon)), normalize_rows(rights)

        is_shared = lexicon is comparison.shared_lexicon
        return comparison.keep_last(f"{self.name} {is_shared} {to_left}", make)


def _weigh_known(counts: csr_array, pages: csr_array, lexicon: csr_array) -> csr_array:
    """Return the weighted stems that the lexicon knows."""
    known = np.diff(lexicon.indptr) > 0
    return weigh(counts, inverse_frequencies(pages) * known)


def _share(lexicon: csr_array) -> csr_array:
    """Return the lexicon with rows that sum up to 1."""
    sums = np.asarray(lexicon.sum(axis=1)).ravel()
    return scale_rows(lexicon, 1 / np.maximum(sums, 1e-12))


class Sentences(EvidenceKind):
    """Similarity of the aligned sentences of the best candidates of each page.

    The costliest kind of evidence. Proposes nothing: the lexicon does so.
    """

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the similarity of each candidate, in [0, 1]; 0 without a lexicon."""
        scores = np.zeros(len(candidates))
        if comparison.lexicon is None:
            return scores
        likeness = np.zeros(len(candidates))
        for kind in (LEXICON, IDENTICAL):
            known = comparison.measured.get(kind.name)
            likeness += kind.score(comparison, candidates) if known is None else known
        translations = Translations(comparison.lexicon)
        left, right = comparison.left.whole, comparison.right.whole
        measured = best_of_each(candidates, likeness, MEASURED)
        for place in np.nonzero(measured)[0].tolist():
            row, column = int(candidates.rows[place]), int(candidates.columns[place])
            sides = left.kinds[row], right.kinds[column]
            if max(map(len, sides)) <= MAX_BLOCKS:
                segments = comparison.segments(row, column)
                scores[place] = page_similarity(segments, translations)
        return scores


LEXICON = LexiconCosine("lexicon", "lexicon", learns=True)
LEXICON_TITLES = LexiconCosine(
    "lexicon_titles", "lexicon", learns=True, of="whole.title_stems"
)
LEXICON_ANCHORS = LexiconCosine(
    "lexicon_anchors", "anchors", learns=True, of="anchor_stems"
)
LEXICON_WHOLE = LexiconCosine("lexicon_whole", "lexicon", learns=True, of="whole.stems")
SENTENCES = Sentences("sentences", "lexicon", learns=True)
