"""Drawings as inline SVG: the harvest curve, the histogram of scores, and bars inside tables.

Colors and fonts come from the style sheet, so that a drawing follows the page into dark mode and onto paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.report.markup import Markup, element, join
from ilspfc.report.numbers import count_noun, format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 440, 230
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 12, 40
MAX_POINTS = 200


def ticks(maximum: float, number: int = 4) -> tuple[int, ...]:
    """Return about ``number`` round whole values from 0 that reach the maximum.

    >>> ticks(1730), ticks(3), ticks(0)
    ((0, 500, 1000, 1500, 2000), (0, 1, 2, 3), (0, 1))
    """
    step = magnitude = 1
    while step * number < maximum:
        for factor in (1, 2, 5, 10):
            step = magnitude * factor
            if step * number >= maximum:
                break
        else:
            magnitude *= 10
    count = max(1, -(-int(maximum) // step))
    return tuple(step * index for index in range(count + 1))


def thin(
    points: Sequence[tuple[int, int]], limit: int = MAX_POINTS
) -> list[tuple[int, int]]:
    """Return at most ``limit`` of the points in the order of x, evenly taken, the first and the last among them.

    >>> thin([(2, 1), (0, 0), (1, 1)], limit=2)
    [(0, 0), (2, 1)]
    """
    ordered = sorted(points)
    if len(ordered) <= limit:
        return ordered
    last = len(ordered) - 1
    return [ordered[index * last // (limit - 1)] for index in range(limit)]


def harvest_curve(points: Sequence[tuple[int, int]]) -> Markup:
    """Return the curve of documents kept over pages fetched, with the overall average as a dashed line."""
    curve = thin(points)
    if curve[0] != (0, 0):
        curve.insert(0, (0, 0))
    end_x, end_y = curve[-1]
    y_ticks = ticks(max(y for _, y in curve))
    scaled = [(_x(x, end_x), _y(y, y_ticks[-1])) for x, y in curve]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in scaled)
    bottom = HEIGHT - BOTTOM
    right = WIDTH - RIGHT
    return _chart(
        f"Documents kept over pages fetched: {count_noun(end_y, 'document')} from {count_noun(end_x, 'page')}",
        _y_axis(y_ticks),
        _x_axis([(f"{format_count(x)}", _x(x, end_x)) for x in (0, end_x)]),
        _axis_title("pages fetched"),
        element(
            "polygon",
            points=f"{LEFT},{bottom} {line} {right},{bottom}",
            class_="area",
        ),
        element(
            "line",
            x1=LEFT,
            y1=bottom,
            x2=right,
            y2=f"{_y(end_y, y_ticks[-1]):.1f}",
            class_="average",
        ),
        element("polyline", points=line, class_="curve"),
    )


def score_histogram(bins: Sequence[int]) -> Markup:
    """Return the histogram of scores in equal bins over [0, 1]."""
    y_ticks = ticks(max(bins))
    width = (WIDTH - LEFT - RIGHT) / len(bins)
    bars = []
    for index, count in enumerate(bins):
        low, high = index / len(bins), (index + 1) / len(bins)
        top = _y(count, y_ticks[-1])
        bars.append(
            element(
                "rect",
                element("title", f"{low:.2f} to {high:.2f}: {format_count(count)}"),
                x=f"{LEFT + index * width + 0.75:.1f}",
                y=f"{top:.1f}",
                width=f"{width - 1.5:.1f}",
                height=f"{HEIGHT - BOTTOM - top:.1f}",
                class_="column",
            )
        )
    marks = [(f"{tenth / 4:g}", _x(tenth, 4)) for tenth in range(5)]
    return _chart(
        f"Scores of {count_noun(sum(bins), 'translation unit')}",
        _y_axis(y_ticks),
        _x_axis(marks),
        _axis_title("score"),
        *bars,
    )


def bar(count: float, whole: float, lost: float = 0) -> Markup:
    """Return a horizontal bar of ``count`` out of ``whole``, with what was lost beside it."""
    parts = [
        element("i", class_=name, style=f"width:{100 * part / whole:.2f}%")
        for name, part in (("kept", count), ("lost", lost))
        if whole > 0 and part > 0
    ]
    return element("span", *parts, class_="bar", aria_hidden="true")


def _x(value: float, maximum: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * value / (maximum or 1)


def _y(value: float, maximum: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / (maximum or 1)


def _chart(label: str, *children: Markup) -> Markup:
    return element(
        "svg",
        element("title", label),
        *children,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_label=label,
    )


def _y_axis(values: Sequence[int]) -> Markup:
    parts = []
    for value in values:
        height = f"{_y(value, values[-1]):.1f}"
        parts.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=height, y2=height))
        parts.append(
            element(
                "text",
                format_count(value),
                x=LEFT - 6,
                y=f"{_y(value, values[-1]) + 4:.1f}",
                text_anchor="end",
            )
        )
    return element("g", join(parts), class_="axis")


def _x_axis(marks: Sequence[tuple[str, float]]) -> Markup:
    anchors = ["start", *["middle"] * (len(marks) - 2), "end"]
    parts = [
        element(
            "text",
            label,
            x=f"{x:.1f}",
            y=HEIGHT - BOTTOM + 16,
            text_anchor=anchor,
        )
        for (label, x), anchor in zip(marks, anchors, strict=True)
    ]
    return element("g", join(parts), class_="axis")


def _axis_title(text: str) -> Markup:
    middle = (LEFT + WIDTH - RIGHT) / 2
    return element(
        "text",
        text,
        x=f"{middle:.1f}",
        y=HEIGHT - 6,
        text_anchor="middle",
        class_="axis-title",
    )
