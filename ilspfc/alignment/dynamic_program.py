"""Dynamic program over the beads of a grid: the best path, and the sum of all paths.

Node ``(row, column)`` of the lattice is between sentences: ``row`` source and ``column``
target sentences precede it. A bead of shape ``(a, b)`` leads from ``(row - a, column - b)``
to ``(row, column)``. A row is filled for all shapes of bead at once, with precomputed
weights or weights computed block by block.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ilspfc.alignment.bead_scores import IMPOSSIBLE
from ilspfc.alignment.beads import Shape
from ilspfc.alignment.grid import Grid
from ilspfc.text.arrays import FloatArray, IntArray, SingleArray

INSERTED = -1
"""Choice for a target sentence without a translation."""


class Steps(NamedTuple):
    """Beads of a path in order: their end nodes, and the numbers of their shapes."""

    rows: IntArray
    columns: IntArray
    choices: IntArray

    @property
    def nodes(self) -> list[tuple[int, int]]:
        """End nodes of the beads."""
        return list(zip(self.rows.tolist(), self.columns.tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Posteriors:
    """Probable beads of a grid except insertions, with their posteriors."""

    rows: IntArray
    columns: IntArray
    choices: IntArray
    values: FloatArray


class Program:
    """Dynamic program for bead shapes on a grid.

    ``shapes`` exclude (0, 1), whose weight is ``insertion``. ``weigh`` returns the weights
    of the rows [first, last), shape (rows, shapes, width).
    """

    def __init__(
        self,
        grid: Grid,
        shapes: Sequence[Shape],
        insertion: float,
        weigh: Callable[[int, int], SingleArray],
        *,
        block_rows: int,
    ) -> None:
        self._grid = grid
        self._shapes = shapes
        self._insertion = insertion
        self._weigh = weigh
        self._block_rows = block_rows
        self._gaps: FloatArray = np.arange(grid.width, dtype=np.float64) * insertion
        self._up = np.array([a for a, _ in shapes], np.int64)
        self._left = np.array([b for _, b in shapes], np.int64)
        # Padding rows and columns keep every shape inside the table.
        self._over = int(self._up.max())
        self._margin = int(self._left.max())
        self._stride = self._margin + 2 * grid.width

    def _blocks(self) -> list[tuple[int, int]]:
        rows, step = self._grid.rows + 1, self._block_rows
        return [(first, min(first + step, rows)) for first in range(0, rows, step)]

    def _new_table(self) -> FloatArray:
        size = (self._over + self._grid.rows + 1) * self._stride
        return np.full(size, IMPOSSIBLE, np.float64)

    def _bases(self, ring: int = 0) -> IntArray:
        """Return the offsets in a table of the predecessors of each row, by shape.

        The table is a ring buffer of ``ring`` rows, or has a row for each.
        """
        first = self._grid.first
        row = np.arange(self._grid.rows + 1)[:, None]
        behind = row - self._up
        shift = first[:, None] - first[np.maximum(behind, 0)] - self._left
        shift = np.clip(shift, -self._margin, self._grid.width)
        place = behind % ring if ring else behind + self._over
        bases: IntArray = place * self._stride + self._margin + shift
        return bases

    def _windows(self, table: FloatArray) -> FloatArray:
        """Return all runs of a row's width, ten times as fast as sliding_window_view."""
        shape = table.size - self._grid.width + 1, self._grid.width
        return np.ndarray(shape, table.dtype, table, 0, table.strides[-1:] * 2)

    def _row_slice(self, row: int) -> slice:
        start = (self._over + row) * self._stride + self._margin
        return slice(start, start + self._grid.width)

    def find_path(self) -> Steps:
        """Return the best path; the first shape wins a tie."""
        grid, gaps = self._grid, self._gaps
        # Ring buffer of the previous rows: one more than a bead can span.
        ring = self._over + 1
        table = np.full((ring, self._stride), IMPOSSIBLE, np.float64)
        windows = self._windows(table)
        bases = self._bases(ring)
        inner = slice(self._margin, self._margin + grid.width)
        choices = np.empty((grid.rows + 1, grid.width), np.int8)
        for first, last in self._blocks():
            weights = self._weigh(first, last)
            for row in range(first, last):
                paths = windows[bases[row]]
                paths += weights[row - first]
                choice = choices[row]
                choice[:] = paths.argmax(axis=0)
                best = np.maximum.reduce(paths)
                if not row:
                    best[0] = 0.0
                # Insertions stay in the row: a running maximum replaces a loop.
                best -= gaps
                highest = np.maximum.accumulate(best)
                choice[highest > best] = INSERTED
                table[row % ring, inner] = highest + gaps
        return self._trace(choices)

    def _trace(self, choices: npt.NDArray[np.int8]) -> Steps:
        grid = self._grid
        first = grid.first.tolist()
        row, column = grid.rows, grid.columns
        steps = []
        while row or column:
            choice = int(choices[row, column - first[row]])
            steps.append((row, column, choice))
            a, b = (0, 1) if choice == INSERTED else self._shapes[choice]
            row, column = row - a, column - b
        array = np.array(steps[::-1], np.int64).reshape(-1, 3)
        return Steps(array[:, 0], array[:, 1], array[:, 2])

    def sum_paths(
        self, weights: SingleArray, steps: Steps, least: float | None
    ) -> tuple[FloatArray, Posteriors, FloatArray]:
        """Return the posteriors of the beads of a path, and of all probable beads.

        The third array holds the expected numbers of beads by shape. ``least`` is the
        posterior below which a bead is skipped; without it, only the path is scored.
        """
        table = self._sum_forward(weights)
        whole = float(table[self._row_slice(self._grid.rows)][-1])
        totals, probable = self._sum_backward(weights, table, whole, least)
        scores = self._score(steps, weights, (table, totals), whole)
        counts = np.bincount(
            probable.choices, weights=probable.values, minlength=len(self._shapes)
        )
        return scores, probable, counts.astype(np.float64)

    def _sum_forward(self, weights: SingleArray) -> FloatArray:
        table, bases, gaps = self._new_table(), self._bases(), self._gaps
        windows = self._windows(table)
        for row in range(self._grid.rows + 1):
            paths = windows[bases[row]]
            paths += weights[row]
            total = _log_sum(paths)
            if not row:
                total[0] = 0.0
            total -= gaps
            table[self._row_slice(row)] = np.logaddexp.accumulate(total) + gaps
        return table

    def _sum_backward(
        self,
        weights: SingleArray,
        table: FloatArray,
        whole: float,
        least: float | None,
    ) -> tuple[FloatArray, Posteriors]:
        """Return the log sums of the paths from each node to the end, and probable beads.

        Without ``least``, no beads are collected.
        """
        grid, gaps, shapes = self._grid, self._gaps, len(self._shapes)
        bases = self._bases()
        # Ring buffer of the next rows with their weights: one more than a bead can span.
        ring = self._over + 1
        stride = 2 * grid.width + self._margin
        ahead: FloatArray = np.full(ring * shapes * stride, IMPOSSIBLE)
        windows, windows_ahead = self._windows(table), self._windows(ahead)
        ends = np.minimum(np.arange(grid.rows + 1)[:, None] + self._up, grid.rows)
        shifts = grid.first[:, None] - grid.first[ends] + self._left
        shifts = np.clip(shifts, -grid.width, self._margin)
        shifts += np.arange(shapes) * stride + grid.width
        log_least = math.log(least) + whole if least is not None else 0.0
        found: list[tuple[int, IntArray, FloatArray]] = []
        totals: FloatArray = np.full((grid.rows + 1, grid.width), IMPOSSIBLE)
        totals[-1, -1] = 0.0
        for row in range(grid.rows, -1, -1):
            total = totals[row]
            if row < grid.rows:
                base = (row + self._up) % ring * (shapes * stride) + shifts[row]
                total[:] = _log_sum(windows_ahead[base])
            total += gaps
            total[:] = np.logaddexp.accumulate(total[::-1])[::-1] - gaps
            beads = weights[row] + total
            start = row % ring * (shapes * stride)
            layer = ahead[start : start + shapes * stride].reshape(shapes, stride)
            layer[:, grid.width : 2 * grid.width] = beads
            if least is None:
                continue
            beads += windows[bases[row]]
            place = np.flatnonzero(beads.ravel() > log_least)
            if place.size:
                found.append((row, place, beads.ravel()[place] - whole))
        return totals, _unfold(found, grid)

    def _score(
        self,
        steps: Steps,
        weights: SingleArray,
        tables: tuple[FloatArray, FloatArray],
        whole: float,
    ) -> FloatArray:
        """Return the posteriors of the beads of a path."""
        grid, (behind, ahead) = self._grid, tables
        is_inserted = steps.choices == INSERTED
        up = np.where(is_inserted, 0, self._up[steps.choices])
        left = np.where(is_inserted, 1, self._left[steps.choices])
        start = steps.rows - up
        columns = steps.columns - grid.first[steps.rows]
        base = (self._over + start) * self._stride + self._margin
        logs = behind[base + steps.columns - left - grid.first[start]]
        logs += np.where(
            is_inserted,
            self._insertion,
            weights[steps.rows, steps.choices, columns],
        )
        logs += ahead[steps.rows, columns] - whole
        scores: FloatArray = np.exp(np.minimum(logs, 0.0))
        return scores


def _log_sum(paths: FloatArray) -> FloatArray:
    """Return the log-sum-exp over the first axis; overwrites ``paths``."""
    highest = np.maximum.reduce(paths)  # less overhead than max()
    paths -= highest
    np.exp(paths, out=paths)
    total: FloatArray = np.add.reduce(paths)
    np.log(total, out=total)
    total += highest
    return total


def _unfold(found: list[tuple[int, IntArray, FloatArray]], grid: Grid) -> Posteriors:
    """Return the probable beads from their rows and flat indices in each row."""
    sizes = [places.size for _, places, _ in found]
    rows = np.repeat(
        np.array([row for row, _, _ in found], np.int64), np.array(sizes, np.int64)
    )
    places = np.concatenate([np.zeros(0, np.int64), *(place for _, place, _ in found)])
    logs = np.concatenate([np.zeros(0), *(values for _, _, values in found)])
    choices, columns = places // grid.width, places % grid.width
    values = np.exp(np.minimum(logs, 0.0))
    return Posteriors(rows, columns + grid.first[rows], choices, values)
