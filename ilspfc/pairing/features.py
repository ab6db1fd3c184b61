"""What the model sees of candidates: all evidence, and how far each is from its rivals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.evidence import EVIDENCE

if TYPE_CHECKING:
    import numpy.typing as npt

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


def add_margins(
    values: FloatArray, comparison: Comparison, candidates: Candidates
) -> FloatArray:
    """Return the features of each candidate, shape (candidates, ``len(FEATURES)``).

    For each kind of evidence its value, and how far it is above the best other candidate
    of the same page: the smaller and the larger of the two sides.
    """
    parts = []
    for value in values.T:
        sides = [
            value - best_rivals(value, owners)
            for owners in (candidates.rows, candidates.columns)
        ]
        parts += [value, np.minimum(*sides), np.maximum(*sides)]
    return np.column_stack([*parts, *_sizes(comparison, candidates)])


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


def best_of_each(
    candidates: Candidates, values: FloatArray, count: int
) -> npt.NDArray[np.bool_]:
    """Return which candidates are among the ``count`` best of either page.

    Ties go to the candidate that comes first.
    """
    kept = np.zeros(len(candidates), bool)
    for owners in (candidates.rows, candidates.columns):
        order = np.lexsort((-values, owners))
        sorted_owners = owners[order]
        starts = np.r_[True, sorted_owners[1:] != sorted_owners[:-1]]
        first = np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))
        kept[order[np.arange(len(order)) - first < count]] = True
    return kept
