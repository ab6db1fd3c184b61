"""Features of candidates: all evidence, and its margins over the best rivals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ilspfc.pairing.comparison import Candidates, Comparison
from ilspfc.pairing.evidence.catalog import EVIDENCE
from ilspfc.pairing.ranking import best_two, pick_rivals
from ilspfc.text.arrays import FloatArray

SIZE_FEATURES = ("tokens_shared", "log_size", "log_blocks", "log_whole_size")
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


# Batch size of candidates.
_ROWS_AT_ONCE = 10_000


class Features:
    """The features of each candidate, shape (candidates, ``len(FEATURES)``).

    Each kind of evidence gives its value, and its margin over the best rival on either
    side: the smaller and the larger. Features of a large site take more memory than its
    pages, so only requested rows are computed.
    """

    def __init__(
        self, values: FloatArray, comparison: Comparison, candidates: Candidates
    ) -> None:
        self._values, self._candidates = values, candidates
        # For each side, the best and second-best values, shape (pages, kinds).
        self._best = [
            tuple(np.stack([*pair], 1) for pair in zip(*found, strict=True))
            for found in (
                [best_two(value, owners) for value in values.T]
                for owners in (candidates.rows, candidates.columns)
            )
        ]
        self._sizes = _page_sizes(comparison)

    def __len__(self) -> int:
        return len(self._candidates)

    def take(self, places: slice | npt.NDArray[np.bool_]) -> FloatArray:
        """Return the features of the selected candidates."""
        values = self._values[places]
        rows, columns = self._candidates.rows[places], self._candidates.columns[places]
        margins = [
            values - pick_rivals(values, best[owners], second[owners])
            for (best, second), owners in zip(self._best, (rows, columns), strict=True)
        ]
        features = np.empty((len(values), len(FEATURES)))
        count = 3 * values.shape[1]
        features[:, 0:count:3] = values
        features[:, 1:count:3] = np.minimum(*margins)
        features[:, 2:count:3] = np.maximum(*margins)
        left, right = self._sizes
        features[:, count:] = np.minimum(left[rows], right[columns])
        return features

    def map(self, judge: Callable[[FloatArray], FloatArray]) -> FloatArray:
        """Apply a function of features to all candidates, in batches."""
        parts = [
            judge(self.take(slice(start, start + _ROWS_AT_ONCE)))
            for start in range(0, max(len(self), 1), _ROWS_AT_ONCE)
        ]
        return np.concatenate(parts)


def _page_sizes(comparison: Comparison) -> list[FloatArray]:
    """Return the size features of each side's pages; a pair has the smaller values."""
    return [
        np.column_stack(
            [
                mass,
                np.log1p(side.clean.sizes),
                np.log1p([len(kinds) for kinds in side.clean.kinds]),
                np.log1p(side.whole.sizes),
            ]
        )
        for mass, side in zip(
            comparison.token_mass, (comparison.left, comparison.right), strict=True
        )
    ]
