"""What a dynamic program finds: the beads of the best path, and all probable ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ilspfc.alignment.grid import Grid
    from ilspfc.text.arrays import FloatArray, IntArray

INSERTED = -1
"""The choice where a target sentence has no translation."""


class Steps(NamedTuple):
    """The beads of a path in order: where they end, and the numbers of their shapes."""

    rows: IntArray
    columns: IntArray
    choices: IntArray

    @property
    def nodes(self) -> list[tuple[int, int]]:
        """The nodes in which the beads end."""
        return list(zip(self.rows.tolist(), self.columns.tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Posteriors:
    """The probable beads of a grid, with their probabilities; all but insertions."""

    rows: IntArray
    columns: IntArray
    choices: IntArray
    values: FloatArray


def unfold(found: list[tuple[int, IntArray, FloatArray]], grid: Grid) -> Posteriors:
    """Return probable beads, given by row and place among its beads."""
    sizes = [places.size for _, places, _ in found]
    rows = np.repeat(
        np.array([row for row, _, _ in found], np.int64), np.array(sizes, np.int64)
    )
    places = np.concatenate([np.zeros(0, np.int64), *(place for _, place, _ in found)])
    logs = np.concatenate([np.zeros(0), *(values for _, _, values in found)])
    choices, columns = places // grid.width, places % grid.width
    values = np.exp(np.minimum(logs, 0.0))
    return Posteriors(rows, columns + grid.first[rows], choices, values)
