"""One-to-one: which of the candidates are the pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.comparison import Candidates, Matches
from ilspfc.pairing.model.ranking import best_rivals

if TYPE_CHECKING:
    from ilspfc.text.arrays import FloatArray, IntArray

# Which pairs are sure enough to learn from: so probable, and so much more than any rival.
MIN_SURE = 0.3
MAX_RIVAL_SHARE = 0.6
# Where fewer pages than this share have a sure pair, the best of this share are taken.
MIN_SURE_SHARE = 0.15
BEST_SHARE = 0.3


def assign_greedily(
    candidates: Candidates, probabilities: FloatArray, threshold: float = 0.0
) -> IntArray:
    """Return the places of the pairs: the most probable first, each page once.

    Ties go to the lower row and column.
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
    """Return the pairs to learn from; ``pages`` are those of the smaller side."""
    rivals = np.maximum(
        best_rivals(probabilities, candidates.rows),
        best_rivals(probabilities, candidates.columns),
    )
    own = probabilities[chosen]
    is_sure = (own >= MIN_SURE) & (rivals[chosen] < MAX_RIVAL_SHARE * own)
    if is_sure.sum() < MIN_SURE_SHARE * pages:
        best = np.argsort(-own, kind="stable")[: int(np.ceil(BEST_SHARE * len(chosen)))]
        is_sure[best[own[best] >= 0.05]] = True
    sure = np.sort(chosen[is_sure])
    return Matches(candidates.rows[sure], candidates.columns[sure], probabilities[sure])
