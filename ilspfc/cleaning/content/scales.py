"""Counts to features from 0 to 1, and to what is around each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Row = NDArray[Any]

STEPS = 254
"""A feature is stored as a whole number up to this."""


def log_scaled(values: Row | int, top: float) -> Row:
    """Return logarithms of counts, 1 for ``top`` and more."""
    scaled: Row = np.minimum(np.log1p(values) / np.log1p(top), 1)
    return scaled


def _padded(rows: Row, before: int, after: int) -> Row:
    # Much faster than numpy.pad, and a page is small.
    height, width = rows.shape
    padded = np.zeros((height, before + width + after), rows.dtype)
    padded[:, before : before + width] = rows
    return padded


def windowed(rows: Row, width: int) -> Row:
    """Return the sums of each row over ``width`` places around each place."""
    half = width // 2
    sums = np.cumsum(_padded(rows, half + 1, half), axis=1)
    sums_around: Row = sums[:, width:] - sums[:, :-width]
    return sums_around


def shifted(rows: Row, reach: int, steps: Sequence[int]) -> Row:
    """Return the rows of the neighbors at each of the steps; zero beyond the page."""
    padded = _padded(rows, reach, reach)
    count = rows.shape[1]
    return np.concatenate([padded[:, reach + k : reach + k + count] for k in steps])


def quantized(rows: Row) -> NDArray[np.uint8]:
    """Return features from 0 to 1 as whole steps."""
    return np.asarray(np.rint(np.clip(rows, 0, 1) * STEPS), np.uint8)
