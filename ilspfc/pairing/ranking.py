"""Candidates among those of the same page: the best of them, and the best rival of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from ilspfc.pairing.comparison import Candidates
    from ilspfc.pairing.sparse import FloatArray, IntArray


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
