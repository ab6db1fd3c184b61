"""The diagonal band: the part of the lattice that the dynamic program fills."""

from __future__ import annotations

from dataclasses import dataclass

EDGE = 10
"""A path this near to the edge of the band may have been bent by it."""

MAX_NODES = 100_000_000
"""The band is not widened past this number of nodes (one byte each)."""


@dataclass(frozen=True, slots=True)
class Band:
    """The nodes near the diagonal of a lattice of rows + 1 by columns + 1 nodes."""

    rows: int
    columns: int
    half_width: int

    @property
    def width(self) -> int:
        """Return the number of columns kept in each row."""
        return min(self.columns + 1, 2 * self.half_width + 1)

    @property
    def is_full(self) -> bool:
        """Return whether the band holds every node of the lattice."""
        return self.width == self.columns + 1

    def first(self, row: int) -> int:
        """Return the first column kept in a row; it never decreases."""
        center = row * self.columns // max(self.rows, 1)
        return max(0, min(center - self.half_width, self.columns + 1 - self.width))

    def bends(self, row: int, column: int) -> bool:
        """Return whether the band, and not the lattice, ends near this node."""
        first = self.first(row)
        last = first + self.width - 1
        near_left = first > 0 and column - first < EDGE
        near_right = last < self.columns and last - column < EDGE
        return near_left or near_right

    def widened(self) -> Band:
        """Return a band of twice the width, or itself where it has all it may have."""
        limit = MAX_NODES // (self.rows + 1) // 2
        half_width = min(2 * self.half_width, max(limit, self.half_width))
        return Band(self.rows, self.columns, half_width)
