"""URLs that correspond as those of sure pairs do: folders, marks and numbers of the site.

What 000 and 003 ask of whoever configures a crawl (which parts of a URL tell the
language), the site's own pairs teach. Folders in common (002, appendix A) count as well.
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
    weigh,
)
from ilspfc.pairing.url_substitutions import count_units, learn_substitutions

if TYPE_CHECKING:
    from ilspfc.pairing.comparison import Candidates, Comparison
    from ilspfc.text.arrays import FloatArray, IntArray

CANDIDATES = 8
MAX_POSTINGS = 200


@dataclass(frozen=True, slots=True)
class UrlPatterns:
    """The cosine of the parts of two URLs; rare parts weigh more."""

    name: str = "url_patterns"
    group: str = "url_patterns"
    learns: bool = True

    def propose(self, comparison: Comparison) -> tuple[IntArray, IntArray] | None:
        """Return for each page those whose URLs correspond; None before there are pairs."""
        if comparison.sure is None:
            return None
        left, right = _project(comparison)
        return most_alike(left, right, count=CANDIDATES, max_postings=MAX_POSTINGS)

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the likeness of each candidate, in [0, 1]; 0 before there are pairs."""
        if comparison.sure is None:
            return np.zeros(len(candidates))
        left, right = _project(comparison)
        products = pair_products(left, right, candidates.rows, candidates.columns)
        return np.minimum(products, 1.0)


def _project(comparison: Comparison) -> tuple[csr_array, csr_array]:
    """Return the weighted parts of both sides' URLs, the left ones as the right has them."""
    if "urls" not in comparison.projections:
        sides = [
            [document.url for document in side.documents]
            for side in (comparison.left, comparison.right)
        ]
        left, right, units = count_units(*sides)
        sure = comparison.sure
        rows = sure.rows.tolist() if sure else []
        columns = sure.columns.tolist() if sure else []
        pairs = [(sides[0][a], sides[1][b]) for a, b in zip(rows, columns, strict=True)]
        left = normalize_rows(weigh(left, inverse_frequencies(left)))
        right = normalize_rows(weigh(right, inverse_frequencies(right)))
        comparison.projections["urls"] = (
            csr_array(left @ learn_substitutions(pairs, units)),
            right,
        )
    projected: tuple[csr_array, csr_array] = comparison.projections["urls"]
    return projected


URL_PATTERNS = UrlPatterns()
