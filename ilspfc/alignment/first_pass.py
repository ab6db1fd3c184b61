"""First pass over long texts: the cuts into pieces, and the bands of the pieces."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ilspfc.alignment.bead_scores import Parameters
from ilspfc.alignment.beads import DELETION, INSERTION, MATCH
from ilspfc.alignment.dynamic_program import INSERTED, Program, Steps
from ilspfc.alignment.grid import Grid
from ilspfc.alignment.lexical_score import Tables
from ilspfc.alignment.pieces import (
    BLOCK_ROWS,
    MAX_FULL_NODES,
    Piece,
    make_scorer,
)
from ilspfc.alignment.sides import Side
from ilspfc.text.arrays import BoolArray, IntArray

WIDE_HALF_WIDTH = 250
"""Columns on each side of the diagonal in the first pass over a long text."""
EDGE = 10
"""A path this close to the edge of a band may have been distorted by it, in columns."""
MAX_WIDE_NODES = 200_000_000
"""Maximum number of nodes of the first pass's band when widened (one byte each)."""

PIECE_ROWS = 1500
"""Source sentences of a piece, which bound the memory."""
_CUT_ROWS = 300
"""Window of sentences within which a long text is cut, at the most probable place."""
_MAX_RUN = 150
"""Run of sentences without a translation, beyond which its middle is left out."""
_RUN_MARGIN = 60

COMMON = 0.1
"""Words in a larger share of the sentences are ignored in the first pass."""

_SHAPES = (MATCH, (1, 2), (2, 1), DELETION, INSERTION, (2, 2))

Node = tuple[int, int]


def cut_text(
    text: int,
    source: Side,
    target: Side,
    parameters: Parameters,
    tables: Tables | None,
) -> list[Piece]:
    """Return the pieces of a text: a single one, or several after a first pass if it is long.

    The first pass has a wide band, few bead shapes and no common words. The text is cut
    where that pass is most reliable; long runs without a translation are left out.
    """
    rows, columns = len(source), len(target)
    if (rows + 1) * (columns + 1) <= MAX_FULL_NODES or not rows or not columns:
        return [Piece(text, 0, 0, source, target)]
    steps = _run_first_pass(source, target, parameters, tables)
    nodes = steps.nodes
    pieces = []
    for (row, column), (last_row, last_column) in _find_stretches(steps, rows, columns):
        inside = [
            (r - row, c - column)
            for r, c in nodes
            if row <= r <= last_row and column <= c <= last_column
        ]
        pieces.append(
            Piece(
                text,
                row,
                column,
                source.cut(row, last_row),
                target.cut(column, last_column),
                [*inside, (last_row - row, last_column - column)],
            )
        )
    return pieces


def _run_first_pass(
    source: Side, target: Side, parameters: Parameters, tables: Tables | None
) -> Steps:
    """Return the path of the first pass, widening the band while its edge may bend it."""
    priors = {shape: parameters.priors[shape] for shape in _SHAPES}
    known = replace(parameters, priors=priors)
    if tables is not None:
        source = _drop_common(source, tables[1].size)
        target = _drop_common(target, tables[0].size)
    scorer = make_scorer(source, target, known, tables)
    half_width = WIDE_HALF_WIDTH
    while True:
        grid = Grid.diagonal(len(source), len(target), half_width)
        program = Program(
            grid,
            scorer.shapes,
            scorer.insertion,
            lambda first, last, grid=grid: scorer.score(grid, first, last),  # type: ignore[misc]
            block_rows=BLOCK_ROWS,
        )
        steps = program.find_path()
        half_width *= 2
        is_too_wide = 2 * half_width * (len(source) + 1) > MAX_WIDE_NODES
        if grid.is_full or is_too_wide or not grid.bends(steps.nodes, EDGE):
            return steps


def _drop_common(side: Side, size: int) -> Side:
    """Return a side without the words that occur in many of its sentences."""
    sentences = np.repeat(np.arange(len(side)), side.token_counts)
    keys = np.unique(sentences * size + side.ids)
    frequency = np.bincount(keys % size, minlength=size)
    return side.keep_tokens(frequency <= COMMON * len(side))


def _find_stretches(steps: Steps, rows: int, columns: int) -> list[tuple[Node, Node]]:
    """Return the first and last node of each piece of a path."""
    cuts = [(node, node) for node in _find_sure_nodes(steps)]
    cuts += _find_gaps(steps)
    cuts.sort()
    start = (0, 0)
    stretches = []
    for end, following in cuts:
        if end > start and end[1] >= start[1]:
            stretches.append((start, end))
            start = following
    stretches.append((start, (rows, columns)))
    return stretches


def _find_sure_nodes(steps: Steps) -> list[Node]:
    """Return a node in the longest run of 1-1 beads near each planned cut."""
    is_match = steps.choices == 0
    # Lengths of the runs of 1-1 beads that lead to each node, and that follow it.
    before, after = _count_runs(is_match), _count_runs(is_match[::-1])[::-1]
    strength = np.minimum(before[:-1], after[1:])
    nodes = []
    last_row = int(steps.rows[-1])
    for row in range(PIECE_ROWS, last_row - PIECE_ROWS // 2, PIECE_ROWS):
        first = int(np.searchsorted(steps.rows, row - _CUT_ROWS // 2))
        last = int(np.searchsorted(steps.rows, row + _CUT_ROWS // 2))
        last = min(last, strength.size)
        if last > first:
            best = first + int(np.argmax(strength[first:last]))
            nodes.append((int(steps.rows[best]), int(steps.columns[best])))
    return nodes


def _count_runs(is_match: BoolArray) -> IntArray:
    """Return the length of the run of true values that ends at each place."""
    counts = np.cumsum(is_match)
    resets = np.maximum.accumulate(np.where(is_match, 0, counts))
    runs: IntArray = counts - resets
    return runs


def _find_gaps(steps: Steps) -> list[tuple[Node, Node]]:
    """Return the first and last node of the middle of long runs without a translation."""
    is_null = (steps.choices == INSERTED) | (steps.choices == _SHAPES.index(DELETION))
    edges = np.flatnonzero(np.diff(np.concatenate([[False], is_null, [False]])))
    gaps = []
    for first, end in edges.reshape(-1, 2).tolist():
        if end - first > _MAX_RUN:
            a, b = first + _RUN_MARGIN, end - _RUN_MARGIN
            gaps.append(
                (
                    (int(steps.rows[a]), int(steps.columns[a])),
                    (int(steps.rows[b]), int(steps.columns[b])),
                )
            )
    return gaps
