"""Images of the same name, where few pages show them (000, section 3.9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.evidence.images import MAX_PAGE_SHARE, common_threshold
from ilspfc.pairing.sparse import document_frequencies, most_alike, pair_products

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from ilspfc.pairing.comparison import Candidates, Comparison
    from ilspfc.text.arrays import FloatArray, IntArray

CANDIDATES = 15
MAX_POSTINGS = 200


@dataclass(frozen=True, slots=True)
class RareImages:
    """The Jaccard coefficient of the images that are not common on the site."""

    name: str = "images"
    group: str = "images"
    learns: bool = False

    def propose(self, comparison: Comparison) -> tuple[IntArray, IntArray]:
        """Return for each page those that share its rarest images."""
        left, right = _critical(comparison)
        return most_alike(left, right, count=CANDIDATES, max_postings=MAX_POSTINGS)

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the coefficient of each candidate, in [0, 1]."""
        left, right = _critical(comparison)
        shared = pair_products(left, right, candidates.rows, candidates.columns)
        sizes = np.diff(left.indptr)[candidates.rows]
        union = sizes + np.diff(right.indptr)[candidates.columns] - shared
        jaccard: FloatArray = shared / np.maximum(union, 1)
        return jaccard


def _critical(comparison: Comparison) -> tuple[csr_array, csr_array]:
    """Return which critical images each page shows, as ones."""
    left, right = comparison.left.images, comparison.right.images
    frequencies = document_frequencies(left) + document_frequencies(right)
    seen = frequencies[frequencies > 0]
    pages = left.shape[0] + right.shape[0]
    bound = min(common_threshold(seen.astype(int).tolist()), MAX_PAGE_SHARE * pages)
    kept = frequencies <= max(bound, 2)

    def choose(images: csr_array) -> csr_array:
        chosen = images.astype(float)
        chosen.data = kept[chosen.indices].astype(float)
        chosen.eliminate_zeros()
        return chosen

    return choose(left), choose(right)
