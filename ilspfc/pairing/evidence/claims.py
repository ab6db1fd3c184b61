"""What pages and URLs claim themselves: declared versions, and URLs alike but for a mark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from ilspfc.pairing.evidence.url_marks import find_by_urls
from ilspfc.pairing.evidence.versions import find_by_versions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ilspfc.documents import DocumentPair
    from ilspfc.pairing.comparison import Candidates, Comparison
    from ilspfc.text.arrays import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Claims:
    """The highest probability that a finder gives a pair; 0 for pairs it does not name."""

    name: str
    group: str
    find: Callable[[Comparison], Iterable[DocumentPair]]
    learns: bool = False

    def propose(self, comparison: Comparison) -> tuple[IntArray, IntArray]:
        """Return the pairs that are claimed."""
        rows, columns = self._claims(comparison).nonzero()
        return rows.astype(np.int64), columns.astype(np.int64)

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the claim on each candidate, in [0, 1]."""
        claims = self._claims(comparison)
        if not claims.nnz:
            return np.zeros(len(candidates))
        return np.asarray(claims[candidates.rows, candidates.columns]).ravel()

    def _claims(self, comparison: Comparison) -> csr_array:
        if self.name not in comparison.claims:
            comparison.claims[self.name] = self._find(comparison)
        return comparison.claims[self.name]

    def _find(self, comparison: Comparison) -> csr_array:
        left = {d.id: row for row, d in enumerate(comparison.left.documents)}
        right = {d.id: row for row, d in enumerate(comparison.right.documents)}
        best: dict[tuple[int, int], float] = {}
        for claim in self.find(comparison):
            key = (left[claim.source], right[claim.target])
            best[key] = max(best.get(key, 0.0), claim.probability)
        shape = (len(left), len(right))
        if not best:
            return csr_array(shape)
        keys = np.array(list(best))
        return csr_array((list(best.values()), (keys[:, 0], keys[:, 1])), shape=shape)


def _by_versions(comparison: Comparison) -> Iterable[DocumentPair]:
    left, right = (
        {document.id: document for document in side.documents}
        for side in (comparison.left, comparison.right)
    )
    return find_by_versions(left, right)


def _by_urls(comparison: Comparison) -> Iterable[DocumentPair]:
    left, right = comparison.left.documents, comparison.right.documents
    if not left or not right:
        return []
    marks = dict(zip((left[0].lang, right[0].lang), comparison.marks, strict=True))
    return find_by_urls(left, right, marks)


VERSIONS = Claims("versions", "versions", _by_versions)
URLS = Claims("urls", "urls", _by_urls)
