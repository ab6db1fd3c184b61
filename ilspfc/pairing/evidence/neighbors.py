"""Neighbors in the link graph that are pairs already (after 001, section 3.2).

The pages that two pages link to, and those that link to them, are compared through the
pairs of the last round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from ilspfc.pairing.sparse import (
    inverse_frequencies,
    make_counts,
    normalize_rows,
    pair_products,
    weigh,
)

if TYPE_CHECKING:
    from ilspfc.pairing.comparison import Candidates, Comparison
    from ilspfc.pairing.page_arrays import Pages
    from ilspfc.text.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class Neighbors:
    """The mean cosine of the pages linked to and of those linking here."""

    name: str = "neighbors"
    group: str = "links"
    learns: bool = True

    def propose(self, comparison: Comparison) -> None:
        """Propose nothing: what neighbors can find the link votes have found."""

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the likeness of each candidate, in [0, 1]; 0 before there are pairs."""
        matches = comparison.matches
        if matches is None or not len(matches):
            return np.zeros(len(candidates))
        shape = (len(comparison.left), len(comparison.right))
        ones = np.ones(len(matches))
        bridge = csr_array((ones, (matches.rows, matches.columns)), shape=shape)
        total = np.zeros(len(candidates))
        for turn in (False, True):
            left = _graph(comparison.left, turn=turn) @ bridge
            right = _graph(comparison.right, turn=turn)
            total += pair_products(
                normalize_rows(csr_array(left)),
                normalize_rows(right),
                candidates.rows,
                candidates.columns,
            )
        return total / 2


def _graph(pages: Pages, *, turn: bool) -> csr_array:
    """Return which page links to which, or is linked from which; rare ones weigh more."""
    rows = [np.unique(part).astype(np.int32) for part in pages.links]
    graph = make_counts(rows, len(pages))
    if turn:
        graph = csr_array(graph.T)
    return weigh(graph, inverse_frequencies(graph))


NEIGHBORS = Neighbors()
