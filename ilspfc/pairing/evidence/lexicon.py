"""Evidence from the lexicon learned from the pairs so far.

Words: the stems of each page are projected into the other language and compared with its
pages, in both directions; only words in the lexicon count. Aligned sentences: the share of
their words with a translation (002, equations 4 to 6).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from ilspfc.pairing.comparison import Candidates, Comparison, Sides
from ilspfc.pairing.evidence.identical import IDENTICAL
from ilspfc.pairing.evidence.kind import EvidenceKind
from ilspfc.pairing.ranking import best_of_each
from ilspfc.pairing.sparse import (
    inverse_frequencies,
    most_alike,
    normalize_rows,
    pair_products,
    scale_rows,
    sort_unique,
    weigh,
)
from ilspfc.text.arrays import FloatArray, IntArray
from ilspfc.text.vocabulary import Segments, spread

# Candidates to propose for a page, and candidates whose sentences are aligned.
PROPOSED = 8
MEASURED = 3
# Longer pages have enough other evidence, and are the costliest to align.
MAX_BLOCKS = 30
# Batch size of candidates whose sentences are compared, which bounds temporary arrays.
_PAIRS_AT_ONCE = 2_000

UNTRANSLATED_COST = 0.2
"""Penalty for a word without a translation in the other sentence (equation 4)."""

MIN_SENTENCE = 0.05
"""Minimum similarity of a sentence, so that no single sentence decides."""


def page_similarities(
    source: Segments, target: Segments, pages: IntArray, count: int, lexicon: csr_array
) -> list[float]:
    """Return the geometric means of the similarities of aligned sentences, in [0, 1].

    Implements equations 4 to 6, with sentences of at least ``MIN_SENTENCE``. ``pages`` is the
    pair of pages of each segment, of ``count``; 0 for those of which nothing is aligned.
    """
    numbers = np.arange(len(source))
    width = max(lexicon.shape[1], 1)
    words = sort_unique(np.repeat(numbers, target.lengths) * width + target.ids)
    owners = np.repeat(numbers, source.lengths)
    starts = lexicon.indptr[source.ids]
    known = lexicon.indptr[source.ids + 1] - starts
    sought = np.repeat(owners * width, known) + lexicon.indices[spread(starts, known)]
    found = np.append(words, -1)[np.searchsorted(words, sought)] == sought
    hits = np.bincount(
        np.repeat(np.arange(len(owners)), known)[found], minlength=len(owners)
    )
    gains = np.where(hits > 0, 1.0, np.where(known > 0, -UNTRANSLATED_COST, 0.0))
    counts = np.bincount(owners, gains, len(source))
    longest = np.maximum(np.maximum(source.lengths, target.lengths), 1)
    similarities = np.clip(counts / longest, MIN_SENTENCE, 1.0).tolist()
    logs = np.bincount(pages, list(map(math.log, similarities)), count)
    sizes = np.bincount(pages, minlength=count)
    means = (logs / np.maximum(sizes, 1)).tolist()
    return [
        math.exp(mean) if size else 0.0 for mean, size in zip(means, sizes, strict=True)
    ]


@dataclass(frozen=True)
class LexiconCosine(EvidenceKind):
    """Mean cosine of both directions; ``of`` is the attribute path of an array of Pages."""

    of: str = "clean.stems"

    def propose(self, comparison: Comparison) -> tuple[IntArray, IntArray] | None:
        """Return the pages most similar to each page's projection; None if no lexicon."""
        lexicon = comparison.lexicon
        if lexicon is None or self._is_empty(comparison):
            return None
        parts = [
            most_alike(*self.project(comparison, lexicon, to_left), count=PROPOSED)
            for to_left in (False, True)
        ]
        found = Candidates.union(parts, len(comparison.right))
        return found.rows, found.columns

    def _is_empty(self, comparison: Comparison) -> bool:
        return not all(side.nnz for side in comparison.arrays(self.of))

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the similarity of each candidate, in [0, 1]; 0 without a lexicon."""
        lexicon, shared = comparison.lexicon, comparison.shared_lexicon
        if lexicon is None or self._is_empty(comparison):
            return np.zeros(len(candidates))
        scores = self._compare(comparison, candidates, lexicon)
        sure = comparison.sure
        if shared is None or sure is None or shared.nnz == lexicon.nnz:
            return scores
        # A pair would be confirmed, right or wrong, by entries learned from it alone.
        taught = candidates.among(sure)
        scores[taught] = self._compare(comparison, candidates.take(taught), shared)
        return scores

    def _compare(
        self, comparison: Comparison, candidates: Candidates, lexicon: csr_array
    ) -> FloatArray:
        total = np.zeros(len(candidates))
        for to_left in (False, True):
            left, right = self.project(comparison, lexicon, to_left)
            total += pair_products(left, right, candidates.rows, candidates.columns)
        return np.minimum(total / 2, 1.0)

    def project(
        self, comparison: Comparison, lexicon: csr_array, to_left: bool
    ) -> Sides:
        """Return both sides in the right language, or in the left with ``to_left``."""

        def make() -> Sides:
            backward = csr_array(lexicon.T)
            left, right = comparison.left, comparison.right
            lefts, rights = comparison.arrays(self.of)
            lefts = _weigh_known(lefts, left.whole.stems, lexicon)
            rights = _weigh_known(rights, right.whole.stems, backward)
            if to_left:
                return normalize_rows(lefts), normalize_rows(rights @ _scale(backward))
            return normalize_rows(lefts @ _scale(lexicon)), normalize_rows(rights)

        is_shared = lexicon is comparison.shared_lexicon
        return comparison.keep(f"{self.name} {is_shared} {to_left}", make)


def _weigh_known(counts: csr_array, pages: csr_array, lexicon: csr_array) -> csr_array:
    """Return the weighted counts of the stems in the lexicon, as wide as its height.

    The lexicon may have more stems than the pages.
    """
    known = np.diff(lexicon.indptr)[: counts.shape[1]] > 0
    weighted = weigh(counts, inverse_frequencies(pages) * known)
    weighted.resize(counts.shape[0], lexicon.shape[0])
    return weighted


def _scale(lexicon: csr_array) -> csr_array:
    """Return the lexicon with rows scaled to sum to 1."""
    sums = np.asarray(lexicon.sum(axis=1)).ravel()
    return scale_rows(lexicon, 1 / np.maximum(sums, 1e-12))


class Sentences(EvidenceKind):
    """Similarity of the aligned sentences of the best candidates of each page.

    This is the costliest kind of evidence. It proposes nothing, as the lexicon does.
    """

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the similarity of each candidate, in [0, 1]; 0 without a lexicon."""
        scores = np.zeros(len(candidates))
        if comparison.lexicon is None:
            return scores
        ranks = np.zeros(len(candidates))
        for kind in (LEXICON, IDENTICAL):
            known = comparison.measured.get(kind.name)
            ranks += kind.score(comparison, candidates) if known is None else known
        sides = (
            (comparison.left.whole.kinds, candidates.rows),
            (comparison.right.whole.kinds, candidates.columns),
        )
        is_chosen = best_of_each(candidates, ranks, MEASURED)
        for kinds, pages in sides:
            is_chosen &= np.array([len(k) <= MAX_BLOCKS for k in kinds], bool)[pages]
        chosen = np.nonzero(is_chosen)[0]
        for start in range(0, len(chosen), _PAIRS_AT_ONCE):
            part = chosen[start : start + _PAIRS_AT_ONCE]
            lessons = comparison.lessons(
                candidates.rows[part], candidates.columns[part]
            )
            scores[part] = page_similarities(*lessons, len(part), comparison.lexicon)
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
