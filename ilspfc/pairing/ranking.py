"""Ranking of candidates: best candidates of a page, rivals, one-to-one assignment."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ilspfc.pairing.comparison import Candidates, Matches
from ilspfc.text.arrays import FloatArray, IntArray


def best_rivals(candidates: Candidates, values: FloatArray) -> FloatArray:
    """Return, for each candidate, the best value of its rivals, 0 if it has none."""
    return np.maximum(
        best_others(values, candidates.rows), best_others(values, candidates.columns)
    )


def best_others(values: FloatArray, owners: IntArray) -> FloatArray:
    """Return, for each value, the largest other value of its owner, 0 if there is none."""
    best, second = best_two(values, owners)
    return pick_rivals(values, best[owners], second[owners])


def best_two(values: FloatArray, owners: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the two largest values of each owner, shape (owners,); 0 where missing."""
    width = int(owners.max(initial=-1)) + 1
    best, second = np.zeros(width), np.zeros(width)
    if not len(values):
        return best, second
    if (owners[1:] < owners[:-1]).any():
        order = np.argsort(owners, kind="stable")
        owners, values = owners[order], values[order]
    starts = np.nonzero(np.r_[True, owners[1:] != owners[:-1]])[0]
    present = owners[starts]
    best[present] = np.maximum.reduceat(values, starts)
    places = np.nonzero(values == best[owners])[0]
    found = owners[places]
    # Only one of several equal maxima is masked: the other is the runner-up.
    places = places[np.r_[True, found[1:] != found[:-1]]]
    others = values.copy()
    others[places] = -np.inf
    second[present] = np.maximum.reduceat(others, starts)
    second[np.isneginf(second)] = 0.0
    return best, second


def pick_rivals(values: FloatArray, best: FloatArray, second: FloatArray) -> FloatArray:
    """Return the best rival of each value, given the two largest of its owner."""
    return np.where(values == best, second, best)


def best_of_each(
    candidates: Candidates, values: FloatArray, count: int
) -> npt.NDArray[np.bool_]:
    """Return a mask of the candidates among the ``count`` best of either page.

    The first of equal candidates wins.
    """
    kept = np.zeros(len(candidates), bool)
    for owners in (candidates.rows, candidates.columns):
        order = np.lexsort((-values, owners))
        sorted_owners = owners[order]
        starts = np.r_[True, sorted_owners[1:] != sorted_owners[:-1]]
        first = np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))
        kept[order[np.arange(len(order)) - first < count]] = True
    return kept


# Sure pairs: their minimum probability, and the maximum of a rival's, as a share of it.
MIN_SURE = 0.3
MAX_RIVAL_SHARE = 0.6
# If a smaller share of the pages has a sure pair, the best pairs (this share) are sure.
MIN_SURE_SHARE = 0.15
BEST_SHARE = 0.3
_MIN_BEST = 0.05


def assign_greedily(
    candidates: Candidates, probabilities: FloatArray, threshold: float = 0.0
) -> IntArray:
    """Return the indices of the pairs, the most probable first, each page once.

    The lower row and column win a tie.
    """
    rounded = np.round(probabilities, 9)
    order = np.lexsort((candidates.columns, candidates.rows, -rounded))
    rows, columns = set(), set()
    chosen = []
    for place in order:
        if rounded[place] < threshold:
            break
        row, column = int(candidates.rows[place]), int(candidates.columns[place])
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
            chosen.append(place)
    return np.array(chosen, np.int64)


def find_sure(
    candidates: Candidates, probabilities: FloatArray, chosen: IntArray, pages: int
) -> Matches:
    """Return the pairs to learn from; ``pages`` is the page count of the smaller side."""
    rivals = best_rivals(candidates, probabilities)
    own = probabilities[chosen]
    is_sure = (own >= MIN_SURE) & (rivals[chosen] < MAX_RIVAL_SHARE * own)
    if is_sure.sum() < MIN_SURE_SHARE * pages:
        best = np.argsort(-own, kind="stable")[: int(np.ceil(BEST_SHARE * len(chosen)))]
        is_sure[best[own[best] >= _MIN_BEST]] = True
    sure = np.sort(chosen[is_sure])
    return Matches(candidates.rows[sure], candidates.columns[sure], probabilities[sure])
