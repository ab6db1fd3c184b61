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
    from ilspfc.text.arrays import FloatArray, IntArray

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
            most_alike(
                *self._project(comparison, lexicon, to_left=to_left),
                count=CANDIDATES,
                max_postings=MAX_POSTINGS,
            )
            for to_left in (False, True)
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
        for to_left in (False, True):
            left, right = self._project(comparison, lexicon, to_left=to_left)
            total += pair_products(left, right, candidates.rows, candidates.columns)
        return np.minimum(total / 2, 1.0)

    def _project(
        self, comparison: Comparison, lexicon: csr_array, *, to_left: bool
    ) -> Sides:
        """Return both sides in the right language; ``to_left`` for both in the left."""

        def make() -> Sides:
            turned = csr_array(lexicon.T)
            left, right = comparison.left, comparison.right
            lefts = _weigh_known(getattr(left, self.of), left.stems, lexicon)
            rights = _weigh_known(getattr(right, self.of), right.stems, turned)
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


LEXICON = LexiconCosine("lexicon")
LEXICON_TITLES = LexiconCosine("lexicon_titles", of="title_stems")
LEXICON_ANCHORS = LexiconCosine("lexicon_anchors", group="anchors", of="anchor_stems")
