"""Grid: the filled part of a lattice, a band of constant width around a path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ilspfc.text.arrays import IntArray


@dataclass(frozen=True, slots=True)
class Grid:
    """Nodes in a lattice of ``rows + 1`` by ``columns + 1``, ``width`` in each row.

    Row ``i`` starts at column ``first[i]``, which never decreases.
    """

    rows: int
    columns: int
    first: IntArray
    width: int

    @classmethod
    def full(cls, rows: int, columns: int) -> Grid:
        """Return the grid of all nodes."""
        return cls(rows, columns, np.zeros(rows + 1, np.int64), columns + 1)

    @classmethod
    def diagonal(cls, rows: int, columns: int, half_width: int) -> Grid:
        """Return the band of ``half_width`` columns on each side of the diagonal."""
        # A row must overlap with the previous one, or no path leads through.
        half_width = max(half_width, columns // max(rows, 1) + 2)
        centers = np.arange(rows + 1) * columns // max(rows, 1)
        return cls._around(rows, columns, centers, 2 * half_width + 1)

    @classmethod
    def along(
        cls,
        rows: int,
        columns: int,
        nodes: Sequence[tuple[int, int]],
        half_width: int,
    ) -> Grid:
        """Return the band of ``half_width`` columns on each side of a path.

        ``nodes`` are the ends of its beads, in order.
        """
        path = np.array([(0, 0), *nodes], np.int64)
        row = np.arange(rows + 1)
        # Rows inside a bead are between its nodes.
        lowest = np.interp(row, path[::-1, 0][::-1], path[:, 1])
        low = np.full(rows + 1, columns, np.int64)
        high = np.zeros(rows + 1, np.int64)
        np.minimum.at(low, path[:, 0], path[:, 1])
        np.maximum.at(high, path[:, 0], path[:, 1])
        is_between = low > high
        low[is_between] = high[is_between] = lowest[is_between].astype(np.int64)
        spread = int((high - low).max())
        return cls._around(
            rows, columns, (low + high) // 2, spread + 2 * half_width + 1
        )

    @classmethod
    def _around(cls, rows: int, columns: int, centers: IntArray, width: int) -> Grid:
        width = min(width, columns + 1)
        first = np.clip(centers - width // 2, 0, columns + 1 - width)
        return cls(rows, columns, np.maximum.accumulate(first), width)

    @property
    def is_full(self) -> bool:
        """True if the grid holds every node of the lattice."""
        return self.width == self.columns + 1

    def bends(self, nodes: Sequence[tuple[int, int]], edge: int) -> bool:
        """Test whether a path comes within ``edge`` columns of the band's edges."""
        path = np.array(nodes, np.int64).reshape(-1, 2)
        first = self.first[path[:, 0]]
        last = first + self.width - 1
        is_left = (first > 0) & (path[:, 1] - first < edge)
        is_right = (last < self.columns) & (last - path[:, 1] < edge)
        return bool((is_left | is_right).any())
