"""Pieces of texts, small enough for the full program, and the alignment of a piece."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ilspfc.alignment.bead_scores import (
    DEFAULT_WEIGHTS,
    BeadScorer,
    Parameters,
    Weights,
)
from ilspfc.alignment.beads import (
    INSERTION,
    Bead,
    Evidence,
    Rating,
    Shape,
    WordCounts,
)
from ilspfc.alignment.dynamic_program import INSERTED, Posteriors, Program, Steps
from ilspfc.alignment.grid import Grid
from ilspfc.alignment.lexical_score import Explainer, Tables
from ilspfc.alignment.sides import Side
from ilspfc.text.arrays import FloatArray, SingleArray

BLOCK_ROWS = 128
"""Batch size of rows when weights are computed."""

HALF_WIDTH = 80
"""Columns on each side of the path of the previous round."""
MAX_FULL_NODES = 60_000
"""Texts with more nodes get a first pass, then bands."""
LEAST_POSTERIOR = 0.01
"""Less probable beads are ignored in training."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a pair of texts that starts at sentences ``row`` and ``column``.

    ``path`` holds the ends of the beads found last, None before the first alignment.
    """

    text: int
    row: int
    column: int
    source: Side
    target: Side
    path: list[tuple[int, int]] | None = None

    def make_grid(self) -> Grid:
        """Return the grid to fill: all nodes, or a band along the last path."""
        rows, columns = len(self.source), len(self.target)
        if self.path is None or (rows + 1) * (columns + 1) <= MAX_FULL_NODES:
            return Grid.full(rows, columns)
        return Grid.along(rows, columns, self.path, HALF_WIDTH)


@dataclass(frozen=True, slots=True)
class Found:
    """The best path of a piece, the posteriors of its beads, and all probable beads.

    ``counts`` are the expected numbers of beads of ``shapes``, ``insertions`` that of
    target sentences without a translation.
    """

    shapes: Sequence[Shape]
    steps: Steps
    scores: FloatArray
    probable: Posteriors
    counts: FloatArray
    insertions: float


def align_piece(
    piece: Piece,
    parameters: Parameters,
    tables: Tables | None,
    temperature: float,
    *,
    least: float | None = LEAST_POSTERIOR,
) -> Found:
    """Align a piece with all bead shapes.

    Posteriors follow from the weights of beads times ``temperature``; beads less probable
    than ``least`` are skipped; without it, there are neither probable beads nor counts.
    """
    scorer = make_scorer(piece.source, piece.target, parameters, tables)
    grid = piece.make_grid()
    weights = weigh_all(scorer, grid)
    steps = make_program(scorer, grid, weights, 1.0).find_path()
    weights *= np.float32(temperature)
    program = make_program(scorer, grid, weights, temperature)
    scores, probable, counts = program.sum_paths(weights, steps, least)
    covered = float((counts * [b for _, b in scorer.shapes]).sum())
    return Found(
        scorer.shapes,
        steps,
        scores,
        probable,
        counts,
        max(grid.columns - covered, 0.0),
    )


def make_scorer(
    source: Side,
    target: Side,
    parameters: Parameters,
    tables: Tables | None,
    weights: Weights = DEFAULT_WEIGHTS,
) -> BeadScorer:
    """Return the bead scorer of two texts; without tables, it scores by lengths alone."""
    if tables is None:
        return BeadScorer(source, target, parameters, None, weights)
    dilution = weights.dilution
    explainers = (
        Explainer(source, target, tables[0], dilution=dilution),
        Explainer(target, source, tables[1], dilution=dilution),
    )
    return BeadScorer(source, target, parameters, explainers, weights)


def weigh_all(scorer: BeadScorer, grid: Grid) -> SingleArray:
    """Return the weights of all beads of a grid, shape (rows + 1, shapes, width)."""
    rows = grid.rows + 1
    weights = np.empty((rows, len(scorer.shapes), grid.width), np.float32)
    for first in range(0, rows, BLOCK_ROWS):
        last = min(first + BLOCK_ROWS, rows)
        weights[first:last] = scorer.score(grid, first, last)
    return weights


def make_program(
    scorer: BeadScorer, grid: Grid, weights: SingleArray, temperature: float
) -> Program:
    """Return the program for ``weights`` already multiplied by ``temperature``."""
    return Program(
        grid,
        scorer.shapes,
        scorer.insertion * temperature,
        lambda first, last: weights[first:last],
        block_rows=grid.rows + 1,
    )


def collect_beads(
    pieces: Iterable[tuple[Piece, Found, Rating | None]],
) -> list[Bead]:
    """Return the beads of a text from those of its pieces.

    Sentences between pieces have no translation. Without a rating, the score of a bead is
    its posterior.
    """
    beads: list[Bead] = []
    end = (0, 0)
    for piece, found, rating in pieces:
        beads += [Bead((row,), (), 1.0) for row in range(end[0], piece.row)]
        beads += [Bead((), (column,), 1.0) for column in range(end[1], piece.column)]
        number, posteriors = len(found.scores), found.scores.tolist()
        words = None if rating is None else rating.words
        steps = zip(
            *map(np.ndarray.tolist, found.steps),
            posteriors if rating is None else rating.scores.tolist(),
            posteriors,
            [()] * number if rating is None else rating.evidence.tolist(),
            [None] * number
            if words is None
            else [WordCounts(*counts) for counts in words.tolist()],
            strict=True,
        )
        for row, column, choice, score, posterior, values, counts in steps:
            a, b = INSERTION if choice == INSERTED else found.shapes[choice]
            row_end, column_end = row + piece.row, column + piece.column
            sources = tuple(range(row_end - a, row_end))
            targets = tuple(range(column_end - b, column_end))
            evidence = Evidence(posterior, *values) if values and a and b else None
            beads.append(Bead(sources, targets, score, evidence, counts))
        end = piece.row + len(piece.source), piece.column + len(piece.target)
    return beads
