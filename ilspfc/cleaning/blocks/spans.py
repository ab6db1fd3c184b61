"""Inline elements that tell by their looks what a line is: bold type, code."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lxml import etree

BOLD_TAGS = frozenset({"b", "strong", "big", "font", "span"})
CODE_TAGS = frozenset({"code", "samp", "kbd", "tt"})
SPAN_TAGS = BOLD_TAGS | CODE_TAGS
# The sizes of a font element that are larger than text.
_LARGE_SIZES = frozenset({"4", "5", "6", "7", "+1", "+2", "+3", "+4", "+5", "+6"})


def is_bold(attributes: Mapping[str, str], tag: str) -> bool:
    """Return whether an element of BOLD_TAGS makes its text stand out."""
    if tag == "font" and (attributes.get("size") or "").strip() in _LARGE_SIZES:
        return True
    if tag in {"font", "span"}:
        return "font-weight:bold" in (attributes.get("style") or "").replace(" ", "")
    return True


class Spans:
    """Places of the elements of one kind among the parts of a block."""

    def __init__(self, parts: Sequence[str]) -> None:
        self._parts = parts
        self._outermost: etree._Element | None = None
        self._start = 0
        self._ranges: list[tuple[int, int]] = []

    def start(self, element: etree._Element) -> None:
        """Begin a span, unless one is open."""
        if self._outermost is None:
            self._outermost = element
            self._start = len(self._parts)

    def end(self, element: etree._Element) -> None:
        """End the span that this element began, if it did."""
        if self._outermost is element:
            self._ranges.append((self._start, len(self._parts)))
            self._outermost = None

    def flush(self) -> tuple[bool, ...]:
        """End the block; return for each of its lines with text whether it is inside.

        Empty where no line is. A span around blocks goes on in the next one.
        """
        if self._outermost is not None:
            self._ranges.append((self._start, len(self._parts)))
            self._start = 0
        elif not self._ranges:
            return ()
        flags = self._line_flags()
        self._ranges.clear()
        return tuple(flags) if any(flags) else ()

    def _line_flags(self) -> list[bool]:
        flags: list[bool] = []
        has_text, is_inside = False, True
        ranges = iter(self._ranges)
        start, end = next(ranges)
        for index, part in enumerate(self._parts):
            while index >= end:
                start, end = next(ranges, (len(self._parts), len(self._parts) + 1))
            for number, piece in enumerate(part.split("\n")):
                if number and has_text:
                    flags.append(is_inside)
                    has_text, is_inside = False, True
                if piece.strip():
                    has_text = True
                    is_inside = is_inside and index >= start
        if has_text:
            flags.append(is_inside)
        return flags
