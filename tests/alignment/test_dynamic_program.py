"""The dynamic program, against the enumeration of every path of small lattices."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from ilspfc.alignment.beads import DELETION, INSERTION, MATCH, Shape
from ilspfc.alignment.dynamic_program import INSERTED, Program
from ilspfc.alignment.grid import Grid

SHAPES: tuple[Shape, ...] = (MATCH, (1, 2), (2, 1), (2, 2), DELETION)
IMPOSSIBLE = -1e30
SIZES = [(0, 0), (0, 3), (3, 0), (1, 1), (1, 4), (2, 2), (3, 3), (4, 2), (4, 4)]

Path = tuple[tuple[int, int, int], ...]


class Lattice:
    """Weights drawn once for every bead of a full lattice."""

    def __init__(self, rows: int, columns: int, seed: int) -> None:
        chance = np.random.default_rng(seed)
        size = (rows + 1, len(SHAPES), columns + 1)
        self.weights = chance.normal(size=size).astype(np.float32)
        self.insertion = float(chance.normal())
        for number, (a, b) in enumerate(SHAPES):
            self.weights[:a, number] = IMPOSSIBLE
            self.weights[:, number, :b] = IMPOSSIBLE
        self.rows, self.columns = rows, columns
        self.program = Program(
            Grid.full(rows, columns),
            SHAPES,
            self.insertion,
            lambda first, last: self.weights[first:last],
            block_rows=2,
        )

    def weigh(self, path: Path) -> float:
        return sum(
            self.insertion
            if choice == INSERTED
            else float(self.weights[row, choice, column])
            for row, column, choice in path
        )

    def paths(self) -> list[Path]:
        numbered = [*enumerate(SHAPES), (INSERTED, INSERTION)]

        @cache
        def lead_to(row: int, column: int) -> tuple[Path, ...]:
            if row == column == 0:
                return ((),)
            return tuple(
                (*path, (row, column, choice))
                for choice, (a, b) in numbered
                if row >= a and column >= b
                for path in lead_to(row - a, column - b)
            )

        return list(lead_to(self.rows, self.columns))


@pytest.mark.parametrize(("rows", "columns"), SIZES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_path_is_the_best_of_all(rows: int, columns: int, seed: int) -> None:
    lattice = Lattice(rows, columns, seed)
    steps = lattice.program.find_path()
    path = tuple(zip(*map(np.ndarray.tolist, steps), strict=True))
    best = max(lattice.paths(), key=lattice.weigh)
    assert lattice.weigh(path) == pytest.approx(lattice.weigh(best), abs=1e-4)


@pytest.mark.parametrize(("rows", "columns"), SIZES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_posterior_is_the_share_of_the_paths_through_a_bead(
    rows: int, columns: int, seed: int
) -> None:
    lattice = Lattice(rows, columns, seed)
    steps = lattice.program.find_path()
    found = lattice.program.sum_paths(lattice.weights, steps, None)[0]
    paths = lattice.paths()
    masses = [np.exp(lattice.weigh(path)) for path in paths]
    expected = [
        sum(mass for mass, path in zip(masses, paths, strict=True) if step in path)
        / sum(masses)
        for step in zip(*map(np.ndarray.tolist, steps), strict=True)
    ]
    assert found.tolist() == pytest.approx(expected, abs=1e-4)
