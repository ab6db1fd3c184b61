"""Words that translate each other, by the lexicon that the corpus has taught (pairs so far).

Each page's stems are projected into the other language and compared with its pages, both
ways; only words count that the lexicon knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from ilspfc.pairing.sparse import (
    FloatArray,
    IntArray,
    inverse_frequencies,
    most_alike,
    normalize_rows,
    pair_products,
    scale_rows,
    unique_pairs,
    weigh,
)

if TYPE_CHECKING:
    from ilspfc.pairing.comparison import Candidates, Comparison

    Sides = tuple[csr_array, csr_array]

CANDIDATES = 8
MAX_POSTINGS = 200


@dataclass(frozen=True, slots=True)
class LexiconCosine:
    """Mean of both directions' cosine; ``of`` names an array of stems in Pages."""

    name: str
    group: str = "lexicon"
    of: str = "stems"
    learns: bool = True

    def propose(self, comparison: Comparison) -> tuple[IntArray, IntArray] | None:
        """Return for each page those most like its projection; None without a lexicon."""
        lexicon = comparison.lexicon
        if lexicon is None:
            return None
        parts = [
            most_alike(*sides, count=CANDIDATES, max_postings=MAX_POSTINGS)
            for sides in self._project(comparison, lexicon)
        ]
        rows = np.concatenate([rows for rows, _ in parts])
        columns = np.concatenate([columns for _, columns in parts])
        return unique_pairs(rows, columns, len(comparison.right))

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the likeness of each candidate, in [0, 1]; 0 without a lexicon."""
        lexicon, shared = comparison.lexicon, comparison.shared_lexicon
        if lexicon is None:
            return np.zeros(len(candidates))
        likeness = self._compare(comparison, candidates, lexicon)
        # They are as large as all pages, and nobody else needs them.
        comparison.projections.pop(self._key(comparison, lexicon))
        sure = comparison.sure
        if shared is None or sure is None or shared.nnz == lexicon.nnz:
            return likeness
        # What a pair has taught itself would bear it out, right or wrong.
        width = len(comparison.right)
        has_taught = np.isin(
            candidates.rows * width + candidates.columns,
            sure.rows * width + sure.columns,
        )
        likeness[has_taught] = self._compare(
            comparison, candidates.take(has_taught), shared
        )
        return likeness

    def _compare(
        self, comparison: Comparison, candidates: Candidates, lexicon: csr_array
    ) -> FloatArray:
        total = np.zeros(len(candidates))
        for left, right in self._project(comparison, lexicon):
            total += pair_products(left, right, candidates.rows, candidates.columns)
        return np.minimum(total / 2, 1.0)

    def _key(self, comparison: Comparison, lexicon: csr_array) -> str:
        return f"lexicon {self.of} {lexicon is comparison.shared_lexicon}"

    def _project(
        self, comparison: Comparison, lexicon: csr_array
    ) -> tuple[Sides, Sides]:
        """Return both sides in the right language, then both in the left."""
        key = self._key(comparison, lexicon)
        if key not in comparison.projections:
            left = _weigh_known(
                getattr(comparison.left, self.of), comparison.left.stems, lexicon
            )
            turned = csr_array(lexicon.T)
            right = _weigh_known(
                getattr(comparison.right, self.of), comparison.right.stems, turned
            )
            comparison.projections[key] = (
                (normalize_rows(left @ _share(lexicon)), normalize_rows(right)),
                (normalize_rows(left), normalize_rows(right @ _share(turned))),
            )
        projections: tuple[Sides, Sides] = comparison.projections[key]
        return projections


def _weigh_known(counts: csr_array, pages: csr_array, lexicon: csr_array) -> csr_array:
    """Return the weighted stems that the lexicon knows."""
    known = np.diff(lexicon.indptr) > 0
    return weigh(counts, inverse_frequencies(pages) * known)


def _share(lexicon: csr_array) -> csr_array:
    """Return the lexicon with rows that sum up to 1."""
    sums = np.asarray(lexicon.sum(axis=1)).ravel()
    return scale_rows(lexicon, 1 / np.maximum(sums, 1e-12))


LEXICON = LexiconCosine("lexicon")
LEXICON_TITLES = LexiconCosine("lexicon_titles", of="title_stems")
LEXICON_ANCHORS = LexiconCosine("lexicon_anchors", group="anchors", of="anchor_stems")
