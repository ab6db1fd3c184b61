"""The reading order of a page's lines: columns, and what runs across them."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ilspfc.cleaning.files.pdf import Line

_MIN_COLUMN_LINES = 3
# A column is prose: lines of cells are shorter, and a table is read row by row.
_MIN_COLUMN_CHARS = 18
# Of the lines, so many may run across the gutter: headings, wide figures.
_MAX_ACROSS = 0.25
_MIN_OVERLAP = 0.5
# A page of more lines has no columns that could be told apart.
_MAX_LINES = 1000


def _height(lines: Sequence[Line]) -> tuple[float, float]:
    return min(line.bottom for line in lines), max(line.top for line in lines)


def _are_columns(left: Sequence[Line], right: Sequence[Line]) -> bool:
    """Return whether lines on two sides of a gutter stand beside each other, as prose."""
    for side in (left, right):
        if len(side) < _MIN_COLUMN_LINES:
            return False
        if median(len(line.text) for line in side) < _MIN_COLUMN_CHARS:
            return False
    (low, high), (other_low, other_high) = _height(left), _height(right)
    shared = min(high, other_high) - max(low, other_low)
    return shared > _MIN_OVERLAP * min(high - low, other_high - other_low)


def _find_gutter(lines: Sequence[Line]) -> float | None:
    """Return the x at which the second of two columns begins."""
    best: tuple[int, float] | None = None
    for x in {round(line.left, 1) for line in lines}:
        left = [line for line in lines if line.right < x]
        right = [line for line in lines if line.left >= x - 0.5]
        across = len(lines) - len(left) - len(right)
        if across > _MAX_ACROSS * len(lines) or not _are_columns(left, right):
            continue
        value = min(len(left), len(right)) - across
        if best is None or (value, -x) > (best[0], -best[1]):
            best = value, x
    return best[1] if best else None


def regions(lines: Sequence[Line]) -> list[list[Line]]:
    """Return the lines of a page in reading order, those of a column together.

    A line across the gutter ends the columns above it. Inside a region lines go from top
    to bottom, and from left to right where they stand on one row.
    """
    ordered = sorted(lines, key=lambda line: (-line.bottom, line.left))
    gutter = _find_gutter(ordered) if len(ordered) <= _MAX_LINES else None
    if gutter is None:
        return [ordered] if ordered else []
    result: list[list[Line]] = []
    zone: list[Line] = []
    for line in ordered:
        if line.right < gutter or line.left >= gutter - 0.5:
            zone.append(line)
            continue
        result += _split(zone, gutter)
        # Lines across, one below the other, are one region.
        if result and not zone and result[-1][-1].right >= gutter > result[-1][-1].left:
            result[-1].append(line)
        else:
            result.append([line])
        zone = []
    return result + _split(zone, gutter)


def _split(zone: Sequence[Line], gutter: float) -> list[list[Line]]:
    left = [line for line in zone if line.right < gutter]
    right = [line for line in zone if line.right >= gutter]
    # A third column is on the right of the second.
    return [side for side in (left, *regions(right)) if side]


__all__ = ["regions"]
