"""The dynamic program over beads: best path and posteriors, inside a diagonal band.

Node ``(row, column)`` of the lattice stands between segments: ``row`` source and
``column`` target segments are behind it. A bead of shape ``(a, b)`` leads from
``(row - a, column - b)`` to ``(row, column)``. Only the columns near the diagonal are
filled, so memory is one byte per node of the band plus a few rows, and time grows with
the number of segments, not with its square.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ilspfc.alignment.band import Band
from ilspfc.alignment.beads import INSERTION, Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ilspfc.text.arrays import ChoiceArray, FloatArray

HALF_WIDTH = 250
"""Columns on each side of the diagonal in the first attempt."""


class BeadScorer(Protocol):
    """What the dynamic program asks of a model."""

    @property
    def shapes(self) -> Sequence[Shape]:
        """Return the shapes of bead, with (0, 1) among them, the preferred first."""

    def score_row(self, row: int, first: int, last: int) -> FloatArray:
        """Return log weights of the beads that end in columns [first, last) of a row.

        Shape (number of shapes, last - first). Beads that would begin before the first
        segment weigh -inf; (0, 1) beads are finite in every other place.
        """


@dataclass(frozen=True, slots=True)
class Step:
    """A bead on a path: it ends at (row, column), its shape is ``shapes[choice]``."""

    row: int
    column: int
    choice: int


def find_path(
    scorer: BeadScorer, rows: int, columns: int, *, half_width: int = HALF_WIDTH
) -> tuple[list[Step], Band]:
    """Return the best path through the lattice and the band that it was found in.

    Starts with a band of ``half_width`` and doubles it for as long as the path runs along
    its edge, up to MAX_NODES nodes.
    """
    # A row must overlap with the one before it, or no path leads through the band.
    slope = math.ceil(columns / max(rows, 1))
    band = Band(rows, columns, max(half_width, slope + 2))
    while True:
        path = _trace(_fill(scorer, band), band, scorer.shapes)
        wider = band.widened()
        bent = any(band.bends(step.row, step.column) for step in path)
        if not bent or band.is_full or wider == band:
            return path, band
        band = wider


def weigh_path(scorer: BeadScorer, path: Sequence[Step]) -> float:
    """Return the sum of the log weights of the beads of a path."""
    return sum(
        float(scorer.score_row(step.row, step.column, step.column + 1)[step.choice, 0])
        for step in path
    )


def score_path(scorer: BeadScorer, band: Band, path: Sequence[Step]) -> list[float]:
    """Return the posterior probability of each bead of a path, by forward-backward.

    The posterior is the share of the bead in the weights of all paths in the band.
    """
    nodes: dict[int, set[int]] = {0: {0}}
    for step in path:
        nodes.setdefault(step.row, set()).add(step.column)
    forward = _sum_forward(scorer, band, nodes)
    backward = _sum_backward(scorer, band, nodes)
    total = backward[0, 0]
    posteriors = []
    for row, column, choice in ((step.row, step.column, step.choice) for step in path):
        a, b = scorer.shapes[choice]
        weight = float(scorer.score_row(row, column, column + 1)[choice, 0])
        log = forward[row - a, column - b] + weight + backward[row, column] - total
        posteriors.append(min(1.0, math.exp(min(0.0, log))))
    return posteriors


def _shift(values: FloatArray, offset: int) -> FloatArray:
    """Return values moved left by offset columns (right if negative), -inf moved in."""
    if offset == 0:
        return values
    shifted = np.full_like(values, -np.inf)
    if offset > 0:
        shifted[:-offset] = values[offset:]
    else:
        shifted[-offset:] = values[:offset]
    return shifted


def _running_gaps(weights: FloatArray) -> FloatArray:
    """Return what it costs to come from the band's first column by insertions alone."""
    gaps = weights.copy()
    gaps[0] = 0.0
    return np.cumsum(gaps)


def _fill(scorer: BeadScorer, band: Band) -> ChoiceArray:
    """Return the number of the shape that leads best to each node of the band."""
    shapes = scorer.shapes
    insertion = shapes.index(INSERTION)
    choices = np.full((band.rows + 1, band.width), -1, dtype=np.int8)
    behind: deque[FloatArray] = deque(maxlen=max(a for a, _ in shapes))
    for row in range(band.rows + 1):
        first = band.first(row)
        weights = scorer.score_row(row, first, first + band.width)
        best = np.full(band.width, -np.inf)
        if row == 0:
            best[0] = 0.0
        for choice, (a, b) in enumerate(shapes):
            if 0 < a <= row:
                offset = first - band.first(row - a) - b
                candidate = _shift(behind[-a], offset) + weights[choice]
                better = candidate > best
                best[better] = candidate[better]
                choices[row, better] = choice
        # Insertions stay in the row: a running maximum replaces a loop over columns.
        gaps = _running_gaps(weights[insertion])
        level = best - gaps
        highest = np.maximum.accumulate(level)
        inserted = highest > level
        best[inserted] = (highest + gaps)[inserted]
        choices[row, inserted] = insertion
        behind.append(best)
    return choices


def _trace(choices: ChoiceArray, band: Band, shapes: Sequence[Shape]) -> list[Step]:
    """Return the path that the choices lead along, from the first bead to the last."""
    row, column = band.rows, band.columns
    path = []
    while row or column:
        step = Step(row, column, int(choices[row, column - band.first(row)]))
        path.append(step)
        a, b = shapes[step.choice]
        row, column = row - a, column - b
    path.reverse()
    return path


def _sum_forward(
    scorer: BeadScorer, band: Band, nodes: dict[int, set[int]]
) -> dict[tuple[int, int], float]:
    """Return, for the nodes asked for, the log weight of all paths that lead there."""
    shapes = scorer.shapes
    insertion = shapes.index(INSERTION)
    found: dict[tuple[int, int], float] = {}
    behind: deque[FloatArray] = deque(maxlen=max(a for a, _ in shapes))
    for row in range(band.rows + 1):
        first = band.first(row)
        weights = scorer.score_row(row, first, first + band.width)
        total = np.full(band.width, -np.inf)
        if row == 0:
            total[0] = 0.0
        for choice, (a, b) in enumerate(shapes):
            if 0 < a <= row:
                offset = first - band.first(row - a) - b
                paths = _shift(behind[-a], offset) + weights[choice]
                total = np.logaddexp(total, paths)
        gaps = _running_gaps(weights[insertion])
        total = np.logaddexp.accumulate(total - gaps) + gaps
        behind.append(total)
        for column in nodes.get(row, ()):
            found[row, column] = float(total[column - first])
    return found


def _sum_backward(
    scorer: BeadScorer, band: Band, nodes: dict[int, set[int]]
) -> dict[tuple[int, int], float]:
    """Return, for the nodes asked for, the log weight of all paths from there on."""
    shapes = scorer.shapes
    insertion = shapes.index(INSERTION)
    found: dict[tuple[int, int], float] = {}
    ahead: deque[FloatArray] = deque(maxlen=max(a for a, _ in shapes))
    for row in range(band.rows, -1, -1):
        first = band.first(row)
        weights = scorer.score_row(row, first, first + band.width)
        total = np.full(band.width, -np.inf)
        if row == band.rows:
            total[-1] = 0.0
        for choice, (a, b) in enumerate(shapes):
            if 0 < a <= band.rows - row:
                offset = first - band.first(row + a) + b
                total = np.logaddexp(total, _shift(ahead[-a][choice], offset))
        gaps = _running_gaps(weights[insertion])
        total = np.logaddexp.accumulate((total + gaps)[::-1])[::-1] - gaps
        ahead.append(weights + total)
        for column in nodes.get(row, ()):
            found[row, column] = float(total[column - first])
    return found
