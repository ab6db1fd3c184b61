"""Lines of programs: where they begin, and the numbers beside them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from ilspfc.cleaning.blocks.nesting import CODE_NAMES_RE
from ilspfc.cleaning.blocks.tags import PREFORMATTED_TAGS
from ilspfc.cleaning.blocks.visibility import MAX_TEXT_CHARS, read_text, split_names

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_GUTTER_RE = re.compile(
    r"(?:^|-)(?:lines?-?(?:no|nos|nr|num|nums|numbers?)|gutter|ln[a-z]?|nums?|ln-numbers?)(?:-|$)"
)
_LINE_RE = re.compile(
    r"^line$|^line-(?:of-code|highlight|\d)|(?:^|-)(?:code|token|hljs|highlight|source|view|diff)-line(?:-|$)"
)


@lru_cache(maxsize=8192)
def _is_gutter(names: str) -> bool:
    return any(map(_GUTTER_RE.search, split_names(names)))


@lru_cache(maxsize=8192)
def _is_line(names: str) -> bool:
    return any(map(_LINE_RE.search, split_names(names)))


def is_line_number(element: Element, tag: str, attributes: Mapping[str, str]) -> bool:
    """Test whether an element holds nothing but the numbers of lines of code beside it."""
    if "data-line-number" in attributes or _is_gutter(attributes.get("class", "")):
        return _is_beside_code(element) and _are_numbers(element)
    if tag == "pre" or (tag in {"td", "th"} and element.getprevious() is None):
        return _is_number_column(element, tag)
    return tag == "a" and _is_line_link(element, attributes)


def _is_beside_code(element: Element) -> bool:
    """Test whether an element is inside code, or shares one of the elements around it."""
    for around in islice(element.iterancestors(), 5):
        if around.tag in {"body", "main", "article"}:
            return False
        if around.tag in PREFORMATTED_TAGS or around.tag == "code":
            return True
        if next(around.iter("pre", "code"), None) is not None:
            return True
    return False


def _are_numbers(element: Element) -> bool:
    numbers = [text.strip(".:|") for text in read_text(element).split()]
    return bool(numbers) and all(map(str.isdecimal, numbers))


def _is_counting(numbers: list[str]) -> bool:
    """Test whether texts are two or more numbers, each one more than that before it."""
    return len(numbers) > 1 and all(
        one.isdecimal() and following == str(int(one) + 1)
        for one, following in pairwise(numbers)
    )


def _is_number_column(element: Element, tag: str) -> bool:
    """Test whether a cell or a preformatted text numbers the lines of the code beside it."""
    first = (element.text or "").split(maxsplit=1)[:1]
    if first and not first[0].isdecimal():
        return False  # most
    beside = _find_beside(element)
    if beside is None or not _holds_code(beside):
        return False
    text = read_text(element)
    numbers = text.split()
    if tag != "pre" and len(numbers) == 1:  # a row for each line
        row = element.getparent()
        rows = () if row is None else islice(row.itersiblings("tr"), 1)
        numbers += [read_text(cell).strip() for row in rows for cell in islice(row, 1)]
        if len(numbers) == 1 and row is not None:
            rows = islice(row.itersiblings("tr", preceding=True), 1)
            cells = [cell for row in rows for cell in islice(row, 1)]
            numbers = [*(read_text(cell).strip() for cell in cells), *numbers]
    is_cut = len(text) == MAX_TEXT_CHARS
    return _is_counting(numbers[:-1] if is_cut else numbers)


def _find_beside(element: Element) -> Element | None:
    """Return the element behind this one, or behind those that hold nothing else."""
    for one in (element, *islice(element.iterancestors(), 3)):
        if (following := next(one.itersiblings("*"), None)) is not None:
            return following
    return None


def _holds_code(element: Element) -> bool:
    if next(element.iter(*PREFORMATTED_TAGS), None) is not None:
        return True
    names = (
        one.get("class") or "" for one in (element, *islice(element.iterancestors(), 3))
    )
    return any(map(CODE_NAMES_RE.search, names))


def _is_line_link(element: Element, attributes: Mapping[str, str]) -> bool:
    """Test whether a link leads to the line of code that it numbers."""
    number = (element.text or "").strip()
    href = attributes.get("href", "")
    return (
        number.isdecimal()
        and re.fullmatch(rf"[^#]*#[a-z-]*0*{number}", href, re.IGNORECASE) is not None
        and _is_beside_code(element)
    )


def begins_line(element: Element, attributes: Mapping[str, str]) -> bool:
    """Test whether an inline element is a line of code, right behind another one."""
    before = element.getprevious()
    if before is None or before.tag != element.tag or (before.tail or "").strip(" \t"):
        return False
    if element.tag == "code":
        around = element.getparent()
        return around is not None and around.tag in PREFORMATTED_TAGS
    return "data-line" in attributes or (
        _is_line(attributes.get("class", "")) and _is_line(before.get("class") or "")
    )
