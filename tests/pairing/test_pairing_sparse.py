"""Sparse arrays of pages by tokens."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from ilspfc.pairing.sparse import most_alike


@pytest.mark.parametrize("seed", range(5))
def test_the_most_alike_are_those_of_all_products(seed: int) -> None:
    """Small whole numbers make many ties, which go to the lower row."""
    draw = np.random.default_rng(seed)
    left = draw.integers(0, 3, (30, 12)) * (draw.random((30, 12)) < 0.5)
    right = draw.integers(0, 3, (40, 12)) * (draw.random((40, 12)) < 0.5)
    products = left @ right.T
    expected = set()
    for row in range(30):
        order = sorted(range(40), key=lambda column: (-products[row, column], column))
        expected |= {(row, c) for c in order[:4] if products[row, c]}
    for column in range(40):
        order = sorted(range(30), key=lambda row: (-products[row, column], row))
        expected |= {(r, column) for r in order[:4] if products[r, column]}

    rows, columns = most_alike(
        csr_array(left.astype(float)),
        csr_array(right.astype(float)),
        count=4,
        max_postings=100,
    )

    assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == sorted(expected)
