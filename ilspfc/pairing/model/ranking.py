"""Candidates among those of the same page: the best of them, and the best rival of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from ilspfc.pairing.comparison import Candidates
    from ilspfc.text.arrays import FloatArray, IntArray


def best_rivals(values: FloatArray, owners: IntArray) -> FloatArray:
    """Return for each value the largest other one of the same owner, 0 if there is none."""
    best, second = best_two(values, owners)
    return pick_rivals(values, best[owners], second[owners])


def best_two(values: FloatArray, owners: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the two largest values of each owner, by its number; 0 where it has none."""
    width = int(owners.max(initial=-1)) + 1
    best, second = np.zeros(width), np.zeros(width)
    if not len(values):
        return best, second
    if (owners[1:] < owners[:-1]).any():
        order = np.argsort(owners, kind="stable")
        owners, values = owners[order], values[order]
    starts = np.nonzero(np.r_[True, owners[1:] != owners[:-1]])[0]
    some = owners[starts]
    best[some] = np.maximum.reduceat(values, starts)
    places = np.nonzero(values == best[owners])[0]
    found = owners[places]
    # Of equal ones one alone is taken out.
    places = places[np.r_[True, found[1:] != found[:-1]]]
    others = values.copy()
    others[places] = -np.inf
    second[some] = np.maximum.reduceat(others, starts)
    second[np.isneginf(second)] = 0.0
    return best, second


def pick_rivals(values: FloatArray, best: FloatArray, second: FloatArray) -> FloatArray:
    """Return the best rival of each value, of the two largest of its owner."""
    return np.where(values == best, second, best)


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
