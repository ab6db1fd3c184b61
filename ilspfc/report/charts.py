"""Geometry of the report's charts; ``templates/charts.html`` draws them as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from math import ceil, log10

WIDTH, HEIGHT = 440, 230
# Edges of the area between the axes.
# At the left there is room for a count of nine digits with its separators.
LEFT, RIGHT, TOP, BOTTOM = 84, 428, 12, 190
MAX_POINTS = 200
# Of a table behind a curve.
_ROWS = 11


@dataclass(frozen=True, slots=True)
class HarvestCurve:
    """Curve of documents kept over pages fetched.

    ``line`` holds the points as SVG coordinates, ``ticks`` the marks of the vertical axis,
    ``rows`` a few of the points as they are.
    ``pages`` and ``kept`` are the counts at the end of the crawl, ``tail_pages`` and
    ``tail_kept`` the counts of its last tenth alone (0 without points there).
    """

    line: str
    ticks: tuple[int, ...]
    pages: int
    kept: int
    tail_pages: int
    tail_kept: int
    rows: tuple[tuple[int, int], ...] = ()


def harvest_curve(points: Sequence[tuple[int, int]]) -> HarvestCurve | None:
    """Return the curve of a crawl, ``None`` if no page was fetched.

    Points are cumulative counts of pages fetched and documents kept.
    """
    ordered = sorted(points)
    if not ordered or not ordered[-1][0]:
        return None
    pages, kept = ordered[-1]
    curve = thin(ordered)
    if curve[0] != (0, 0):
        curve.insert(0, (0, 0))
    vertical = ticks(max(kept for _, kept in curve))
    line = (f"{x(point[0], pages)},{y(point[1], vertical[-1])}" for point in curve)
    tail = next(point for point in ordered if point[0] >= 0.9 * pages)
    return HarvestCurve(
        line=" ".join(line),
        ticks=vertical,
        pages=pages,
        kept=kept,
        tail_pages=pages - tail[0],
        tail_kept=kept - tail[1],
        rows=tuple(thin(ordered, _ROWS)),
    )


def x(value: float, maximum: float) -> float:
    """Return the horizontal position of a value in [0, maximum].

    >>> x(0, 4), x(3, 4), x(0, 0)
    (84.0, 342.0, 84.0)
    """
    return round(LEFT + (RIGHT - LEFT) * value / (maximum or 1), 1)


def y(value: float, maximum: float) -> float:
    """Return the vertical position of a value in [0, maximum], which grows downward.

    >>> y(0, 10), y(10, 10)
    (190.0, 12.0)
    """
    return round(BOTTOM - (BOTTOM - TOP) * value / (maximum or 1), 1)


def log_y(value: float, maximum: float) -> float:
    """Return the vertical position of a count in [0, maximum] on a logarithmic scale.

    >>> log_y(0, 999), log_y(999, 999), log_y(9, 999)
    (190.0, 12.0, 130.7)
    """
    return y(log10(value + 1), log10(maximum + 1))


def log_ticks(maximum: float) -> tuple[int, ...]:
    """Return 0 and the powers of ten up to the maximum or above.

    >>> log_ticks(730), log_ticks(0)
    ((0, 1, 10, 100, 1000), (0, 1))
    """
    powers = range(ceil(log10(max(maximum, 1))) + 1)
    return (0, *(10**power for power in powers))


def ticks(maximum: float, number: int = 4) -> tuple[int, ...]:
    """Return about ``number`` round integers from 0 up to the maximum or above.

    >>> ticks(1730), ticks(3), ticks(0)
    ((0, 500, 1000, 1500, 2000), (0, 1, 2, 3), (0, 1))
    """
    round_steps = (factor * 10**power for power in count() for factor in (1, 2, 5))
    step = next(step for step in round_steps if step * number >= maximum)
    last = max(1, -(-int(maximum) // step))
    return tuple(step * index for index in range(last + 1))


def thin(
    ordered: list[tuple[int, int]], number: int = MAX_POINTS
) -> list[tuple[int, int]]:
    """Return at most ``number`` evenly spaced points, with both ends."""
    last = len(ordered) - 1
    if last < number:
        return ordered.copy()
    return [ordered[index * last // (number - 1)] for index in range(number)]
