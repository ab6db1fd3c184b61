"""What the model sees of candidates: all evidence, and how far each is from its rivals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.evidence import EVIDENCE

if TYPE_CHECKING:
    from ilspfc.pairing.comparison import Candidates, Comparison
    from ilspfc.pairing.sparse import FloatArray, IntArray

SIZE_FEATURES = ("tokens_shared", "log_size", "log_blocks")
FEATURES = (
    tuple(
        f"{evidence.name}{part}"
        for evidence in EVIDENCE
        for part in ("", "_margin", "_best_margin")
    )
    + SIZE_FEATURES
)
GROUPS = tuple(evidence.group for evidence in EVIDENCE for _ in range(3)) + (
    "size",
) * len(SIZE_FEATURES)


def measure(comparison: Comparison, candidates: Candidates) -> FloatArray:
    """Return the evidence of each candidate, shape (candidates, kinds of evidence)."""
    columns = [evidence.score(comparison, candidates) for evidence in EVIDENCE]
    return np.column_stack(columns)


def add_margins(
    values: FloatArray, comparison: Comparison, candidates: Candidates
) -> FloatArray:
    """Return the features of each candidate, shape (candidates, ``len(FEATURES)``).

    For each kind of evidence its value, and how far it is above the best other candidate
    of the same page: the smaller and the larger of the two sides.
    """
    features = np.empty((len(candidates), len(FEATURES)))
    for place, value in enumerate(values.T):
        sides = [
            value - best_rivals(value, owners)
            for owners in (candidates.rows, candidates.columns)
        ]
        features[:, 3 * place] = value
        features[:, 3 * place + 1] = np.minimum(*sides)
        features[:, 3 * place + 2] = np.maximum(*sides)
    features[:, -len(SIZE_FEATURES) :] = np.column_stack(_sizes(comparison, candidates))
    return features


def _sizes(comparison: Comparison, candidates: Candidates) -> list[FloatArray]:
    left, right = comparison.left, comparison.right
    rows, columns = candidates.rows, candidates.columns
    sizes = np.minimum(left.sizes[rows], right.sizes[columns])
    blocks = [np.array([len(k) for k in side.kinds], float) for side in (left, right)]
    fewest = np.minimum(blocks[0][rows], blocks[1][columns])
    return [
        np.minimum(comparison.token_mass[0][rows], comparison.token_mass[1][columns]),
        np.log1p(sizes),
        np.log1p(fewest),
    ]


def best_rivals(values: FloatArray, owners: IntArray) -> FloatArray:
    """Return for each value the largest other one of the same owner, 0 if there is none."""
    if not len(values):
        return values
    order = np.lexsort((-values, owners))
    sorted_owners, sorted_values = owners[order], values[order]
    first = np.r_[True, sorted_owners[1:] != sorted_owners[:-1]]
    starts = np.nonzero(first)[0]
    sizes = np.diff(np.r_[starts, len(order)])
    best = sorted_values[starts]
    second = np.where(
        sizes > 1, sorted_values[np.minimum(starts + 1, len(order) - 1)], 0
    )
    rivals = np.repeat(best, sizes)
    rivals[starts] = second
    result = np.empty_like(values)
    result[order] = rivals
    return result
