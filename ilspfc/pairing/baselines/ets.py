"""Pairing by neighbors in the link graph: the iterative method of paper 001.

Two deviations, for cost and for what a corpus holds: only candidates from an index are
scored, never all pages with all others; and the structure is that of the paragraphs' kinds,
for the pages' tags are not kept. The content is compared by identical tokens where
the paper has a dictionary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from ilspfc.pairing.comparison import Candidates
from ilspfc.pairing.evidence.identical import IDENTICAL
from ilspfc.pairing.evidence.shape import FINGERPRINT, FRAME
from ilspfc.pairing.ranking import assign_greedily

if TYPE_CHECKING:
    from ilspfc.pairing.comparison import Comparison
    from ilspfc.pairing.page_arrays import Pages
    from ilspfc.text.arrays import FloatArray, IntArray

# Neighbors of a page that are compared: those with the greatest weight.
MAX_NEIGHBORS = 60


@dataclass(frozen=True, slots=True)
class EtsOptions:
    """The paper's parameters (section 4).

    ``alpha`` weighs the neighbors, ``beta`` the content against the structure. Pairs are
    taken until there are ``max_pairs`` (0: as many as the smaller side has pages) or they
    are less alike than ``min_similarity``. With ``use_weights`` neighbors count by equation
    6. Pages whose lengths have a smaller ratio than ``min_size_ratio`` are no candidates.
    """

    alpha: float = 0.6
    beta: float = 0.6
    iterations: int = 3
    max_pairs: int = 0
    min_similarity: float = 0.0
    use_weights: bool = False
    min_size_ratio: float = 0.3


def find_by_neighbors(
    comparison: Comparison, options: EtsOptions
) -> tuple[Candidates, FloatArray]:
    """Return the pairs and their enhanced translation similarity, the most alike first."""
    candidates = _propose(comparison, options.min_size_ratio)
    content = IDENTICAL.score(comparison, candidates)
    structure = FRAME.score(comparison, candidates)
    internal = options.beta * content + (1 - options.beta) * structure
    sides = tuple(_Neighbors(s, options) for s in (comparison.left, comparison.right))
    enhanced = internal
    for _ in range(options.iterations):
        external = _external(comparison, candidates, enhanced, sides)
        enhanced = options.alpha * external + (1 - options.alpha) * internal
        enhanced = enhanced / max(float(enhanced.max(initial=0)), 1e-12)
    chosen = assign_greedily(candidates, enhanced, max(options.min_similarity, 1e-9))
    limit = options.max_pairs or min(len(comparison.left), len(comparison.right))
    return candidates.take(chosen[:limit]), enhanced[chosen[:limit]]


def _propose(comparison: Comparison, min_size_ratio: float) -> Candidates:
    parts = (IDENTICAL.propose(comparison), FINGERPRINT.propose(comparison))
    found = Candidates.union(filter(None, parts), len(comparison.right))
    a = comparison.left.clean.sizes[found.rows]
    b = comparison.right.clean.sizes[found.columns]
    return found.take(np.minimum(a, b) >= min_size_ratio * np.maximum(a, b))


class _Neighbors:
    """The pages that link to each page, and those that it links to."""

    def __init__(self, pages: Pages, options: EtsOptions) -> None:
        number = len(pages)
        neighbors: list[set[int]] = [set() for _ in range(number)]
        for row, targets in enumerate(pages.links):
            for target in targets.tolist():
                if target != row:
                    neighbors[row].add(target)
                    neighbors[target].add(row)
        pointing = np.bincount(
            np.concatenate([np.zeros(0, np.int64), *pages.links]), minlength=number
        )
        # Equation 6, with 1 as the constant.
        weights = np.log((number + 1) / (pointing + 1))
        self.weights = weights if options.use_weights else np.ones(number)
        self.of = [
            np.array(sorted(some, key=lambda n: (-weights[n], n))[:MAX_NEIGHBORS], int)
            for some in neighbors
        ]


def _external(
    comparison: Comparison,
    candidates: Candidates,
    enhanced: FloatArray,
    sides: tuple[_Neighbors, ...],
) -> FloatArray:
    """Return the likeness of the neighbors of each candidate (algorithm 1)."""
    shape = (len(comparison.left), len(comparison.right))
    scores = csr_array((enhanced, (candidates.rows, candidates.columns)), shape=shape)
    left, right = sides
    external = np.zeros(len(candidates))
    place_of = np.full(shape[1], -1)
    pairs = zip(candidates.rows.tolist(), candidates.columns.tolist(), strict=True)
    for number, (row, column) in enumerate(pairs):
        own, other = left.of[row], right.of[column]
        if len(own) and len(other):
            place_of[other] = np.arange(len(other))
            external[number] = _match(scores, own, other, place_of, sides)
            place_of[other] = -1
    return external


def _match(
    scores: csr_array,
    own: IntArray,
    other: IntArray,
    place_of: IntArray,
    sides: tuple[_Neighbors, ...],
) -> float:
    """Return twice the sum of the greedy pairs over the number of neighbors."""
    found: list[tuple[float, int, int]] = []
    for page in own.tolist():
        start, end = scores.indptr[page], scores.indptr[page + 1]
        columns = scores.indices[start:end]
        known = np.nonzero(place_of[columns] >= 0)[0].tolist()
        found += [(-scores.data[start + n], page, int(columns[n])) for n in known]
    total, left, right = 0.0, set(), set()
    for score, a, b in sorted(found):
        if a not in left and b not in right:
            left.add(a)
            right.add(b)
            total -= score * (sides[0].weights[a] + sides[1].weights[b]) / 2
    return 2 * total / (len(own) + len(other))
