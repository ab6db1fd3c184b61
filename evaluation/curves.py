"""Arithmetic of harvest curves: how many of the wanted pages came after n pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate
from typing import TypeVar

T = TypeVar("T")


def harvest_curve(log: Iterable[T], wanted: Collection[T]) -> list[int]:
    """Return how many wanted pages were among the first 1, 2, … pages of a log."""
    return list(accumulate(int(page in wanted) for page in log))


def at_points(curve: Sequence[int], points: Iterable[int]) -> list[int]:
    """Return the curve after so many pages; a crawl that ended stays at its last."""
    return [curve[min(point, len(curve)) - 1] if curve else 0 for point in points]


def harvest_area(curve: Sequence[int], wanted: int, budget: int) -> float:
    """Return the area under a harvest curve as a share of the best possible.

    The area is the mean of the curve over 1 … ``budget`` pages; the best possible crawl
    fetches the ``wanted`` pages first and nothing else. A crawl that ended before the
    budget stays at its last value.
    """
    reached = sum(at_points(curve, range(1, budget + 1)))
    best = sum(min(page, wanted) for page in range(1, budget + 1))
    return reached / best if best else 0.0


def requests_until(curve: Sequence[int], wanted: float) -> int | None:
    """Return after how many pages a curve has reached a number, None if it never has."""
    return next((n for n, found in enumerate(curve, 1) if found >= wanted), None)
