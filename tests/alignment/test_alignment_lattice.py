"""The dynamic program, against the enumeration of every path of small lattices."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ilspfc.alignment.band import MAX_NODES, Band
from ilspfc.alignment.beads import PUBLISHED_PRIORS, Shape
from ilspfc.alignment.lattice import Step, find_path, score_path

if TYPE_CHECKING:
    from ilspfc.text.arrays import FloatArray


class TableScorer:
    """Weights drawn once for every bead of a lattice."""

    def __init__(self, rows: int, columns: int, seed: int) -> None:
        self.shapes: tuple[Shape, ...] = tuple(PUBLISHED_PRIORS)
        size = (rows + 1, len(self.shapes), columns + 1)
        self.weights = np.random.default_rng(seed).normal(size=size)

    def score_row(self, row: int, first: int, last: int) -> FloatArray:
        weights = self.weights[row, :, first:last].copy()
        for number, (a, b) in enumerate(self.shapes):
            if a > row:
                weights[number] = -np.inf
            weights[number, : max(0, b - first)] = -np.inf
        return weights

    def weigh(self, path: tuple[Step, ...]) -> float:
        return sum(
            float(self.weights[step.row, step.choice, step.column]) for step in path
        )


def every_path(
    scorer: TableScorer, rows: int, columns: int
) -> tuple[tuple[Step, ...], ...]:
    @cache
    def paths(row: int, column: int) -> tuple[tuple[Step, ...], ...]:
        if row == column == 0:
            return ((),)
        return tuple(
            (*path, Step(row, column, choice))
            for choice, (a, b) in enumerate(scorer.shapes)
            if row >= a and column >= b
            for path in paths(row - a, column - b)
        )

    return paths(rows, columns)


SIZES = [(0, 0), (0, 3), (3, 0), (1, 1), (1, 4), (2, 2), (3, 3), (4, 2), (4, 4)]


@pytest.mark.parametrize(("rows", "columns"), SIZES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_path_is_the_best_of_all(rows: int, columns: int, seed: int) -> None:
    scorer = TableScorer(rows, columns, seed)
    path, _ = find_path(scorer, rows, columns)
    best = max(every_path(scorer, rows, columns), key=scorer.weigh)
    assert tuple(path) == best


@pytest.mark.parametrize(("rows", "columns"), SIZES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_posterior_is_the_share_of_the_paths_through_a_bead(
    rows: int, columns: int, seed: int
) -> None:
    scorer = TableScorer(rows, columns, seed)
    path, band = find_path(scorer, rows, columns)
    paths = every_path(scorer, rows, columns)
    total = sum(np.exp(scorer.weigh(other)) for other in paths)
    expected = [
        sum(np.exp(scorer.weigh(other)) for other in paths if step in other) / total
        for step in path
    ]
    assert score_path(scorer, band, path) == pytest.approx(expected)


@pytest.mark.parametrize(("rows", "columns"), [(5, 5), (5, 40), (40, 5), (300, 200)])
def test_bands_begin_and_end_with_the_lattice(rows: int, columns: int) -> None:
    band = Band(rows, columns, 10)
    assert band.first(0) == 0
    assert band.first(rows) + band.width == columns + 1
    assert all(band.first(row) <= band.first(row + 1) for row in range(rows))


def test_a_band_is_widened_up_to_its_share_of_memory() -> None:
    assert Band(1000, 1000, 250).widened().half_width == 500
    huge = Band(MAX_NODES // 100, 10**6, 250)
    assert huge.widened() == huge


class DetourScorer:
    """A best path that leaves out a stretch of the target, then goes on one to one."""

    shapes: tuple[Shape, ...] = ((1, 1), (1, 0), (0, 1))

    def __init__(self, skipped: int) -> None:
        self.skipped = skipped

    def score_row(self, row: int, first: int, last: int) -> FloatArray:
        weights = np.full((3, last - first), -3.0)
        columns = np.arange(first, last)
        weights[0] = np.where(columns == row + self.skipped, 5.0, -9.0)
        weights[0, columns == 0] = weights[2, columns == 0] = -np.inf
        if row == 0:
            weights[:2] = -np.inf
        return weights


@pytest.mark.parametrize("skipped", [0, 5, 30, 90])
def test_the_band_is_widened_until_it_bends_no_path(skipped: int) -> None:
    scorer = DetourScorer(skipped)
    path, _ = find_path(scorer, 100, 100 + skipped, half_width=8)
    assert sum(step.choice == 0 for step in path) == 100
    assert sum(step.choice == 2 for step in path) == skipped
