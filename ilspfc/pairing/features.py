"""What the model sees of candidates: all evidence, and how far each is from its rivals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.evidence import EVIDENCE
from ilspfc.pairing.ranking import best_rivals

if TYPE_CHECKING:
    from ilspfc.pairing.comparison import Candidates, Comparison
    from ilspfc.pairing.sparse import FloatArray

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
