"""Repairs of text that markup splits or glues: headings, items of lists, adjacent words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice, pairwise
from typing import cast

from lxml import etree
from lxml.etree import _Element as Element

from ilspfc.cleaning.blocks.boundaries import set_off
from ilspfc.cleaning.blocks.nesting import is_hidden
from ilspfc.cleaning.blocks.tags import (
    BLOCK_TAGS,
    PREFORMATTED_TAGS,
    SHOWN_BLOCK_TAGS,
    SKIPPED_TAGS,
)
from ilspfc.cleaning.blocks.visibility import read_text
from ilspfc.text.word_split import UNSPACED

# Whether a page may have such items and words is seen in its bytes.
_ITEM_RE = re.compile(
    rb"<li(?:\s[^<>]*+)?>\s*+<(?:p|div|b|strong|span)(?:\s[^<>]*+)?>\s*+"
    rb"(?:<(?:p|div|b|strong|span)(?:\s[^<>]*+)?>\s*+){0,4}+\d[^<>]{0,24}+<"
)
_GLUED_RE = re.compile(
    rb"</span><span(?:(?<=\d</span><span)(?:\s[^<>]*+)?>[a-zA-Z\x80-\xff]"
    rb"|(?<=[a-zA-Z\x80-\xff]</span><span)(?:\s[^<>]*+)?>\d)"
)

_FRACTIONS = "¼-¾⅐-⅞"
_NUMBER = rf"[\d{_FRACTIONS}](?:[\d{_FRACTIONS}\s.,/⁄–-]*[\d{_FRACTIONS}])?"
_AMOUNT_RE = re.compile(rf"{_NUMBER}(?P<unit>\s?[^\W\d_]{{1,12}}\.?)?")
_NUMBER_RE = re.compile(_NUMBER)
_LETTER = rf"[^\W\d_{UNSPACED}]"
_WORD_RE = re.compile(rf"{_LETTER}{{3}}")
_WORD_BEHIND_RE = re.compile(rf"\d\n{_LETTER}{{3}}|{_LETTER}{{3}}\n\d")
_ANY_BEHIND_RE = re.compile(rf"\w\n\(?{_LETTER}|{_LETTER}\n\w")

# A comment has a function for a tag.
_SILENT_TAGS = SKIPPED_TAGS | {etree.Comment, etree.ProcessingInstruction}
_WRAPPER_TAGS = frozenset({"div", "p", "center"})
_CODE_TAGS = PREFORMATTED_TAGS | {"code", "kbd", "samp", "tt"}
_MAX_HEADING_CHARS = 200
_MAX_NAME_CHARS = 100
# Elements in what is looked at, and levels around it: no page can make it costly.
_MAX_INSIDE = 40
_MAX_AROUND = 10


def repair_lines(root: Element, html: bytes) -> None:
    """Join amounts and their names into lines, and separate words glued to numbers.

    Blocks of an item of a list that has an amount and a name become ``span`` elements if any
    amount of the list has a unit: numbers alone are those of steps, years or votes.
    """
    if _ITEM_RE.search(html):
        for around in root.iter("ul", "ol"):
            _join_amounts(around)
    if _GLUED_RE.search(html):
        for around in _find_rows(root):
            _separate_words(around)


def unwrap_heading(heading: Element) -> None:
    """Replace the blocks around all the text of a heading by ``span`` elements."""
    if len(heading):
        for block in _find_wrappers(heading):
            block.tag = "span"


def _find_wrappers(heading: Element) -> list[Element]:
    """Return the blocks around all the text of a heading; none if there are others."""
    blocks = _find_blocks(heading)
    text = _read_lines(heading) if blocks else []
    if len(text) != 1 or len(text[0]) > _MAX_HEADING_CHARS:
        return []
    found = [one for one in blocks if _read_lines(one)]
    return found if all(_read_lines(one) == text for one in found) else []


def _find_blocks(element: Element) -> list[Element]:
    """Return the blocks in an element; none if any is not plain, or there are too many."""
    inside = list(islice(element.iterdescendants(), _MAX_INSIDE))
    blocks = [one for one in inside if one.tag in SHOWN_BLOCK_TAGS]
    is_plain = all(
        one.tag in _WRAPPER_TAGS
        and not is_hidden(cast("Mapping[str, str]", one.attrib))
        for one in blocks
    )
    return blocks if is_plain and len(inside) < _MAX_INSIDE else []


def _read_lines(element: Element) -> list[str]:
    """Return the lines of text that the blocks in an element show."""
    lines = "".join(_iter_texts(element)).split("\0")
    return [" ".join(line.split()) for line in lines if line.strip()]


def _iter_texts(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        end = "\0" if child.tag in BLOCK_TAGS else ""
        if child.tag not in _SILENT_TAGS:
            yield end
            yield from _iter_texts(child)
        yield end + (child.tail or "")


def _join_amounts(around: Element) -> None:
    """Join the two lines of each item of a list that are an amount and a name."""
    items: list[list[Element]] = []
    has_unit = False
    for item in around.iterchildren("li"):
        blocks = _find_blocks(item)
        lines = _read_lines(item) if blocks else []
        amount = _AMOUNT_RE.fullmatch(lines[0]) if len(lines) == 2 else None
        if amount and _is_name(lines[1], item):
            has_unit = has_unit or amount["unit"] is not None
            items.append(blocks)
    for block in (block for blocks in items if has_unit for block in blocks):
        block.tag = "span"
        set_off(block)


def _is_name(text: str, item: Element) -> bool:
    """Test whether a text behind an amount may be the name of what is measured, no link."""
    return (
        len(text) <= _MAX_NAME_CHARS
        and _AMOUNT_RE.fullmatch(text) is None
        and all(_read_lines(link) != [text] for link in item.iterdescendants("a"))
    )


def _find_rows(root: Element) -> list[Element]:
    """Return the elements whose text is in ``span`` elements alone, two of them adjacent."""
    found: dict[Element, None] = {}
    for span in root.iter("span"):
        following, around = span.getnext(), span.getparent()
        if (
            not span.tail
            and following is not None
            and following.tag == "span"
            and around is not None
        ):
            found[around] = None
    return [around for around in found if _is_row(around)]


def _is_row(around: Element) -> bool:
    return (
        not (around.text or "").strip()
        and all(
            one.tag == "span" and not (one.tail or "").strip()
            for one in islice(around, _MAX_INSIDE)
        )
        and all(
            one.tag not in _CODE_TAGS
            for one in (around, *islice(around.iterancestors(), _MAX_AROUND))
        )
    )


def _separate_words(around: Element) -> None:
    """Insert blanks between numbers and words; in a row that begins with a number, between all."""
    spans = list(islice(around, _MAX_INSIDE))
    texts = [read_text(span) for span in spans]
    is_counted = _NUMBER_RE.fullmatch(texts[0].strip()) and any(
        map(_WORD_RE.match, texts)
    )
    for (span, text), (_, behind) in pairwise(zip(spans, texts, strict=True)):
        joint = f"{text[-3:]}\n{behind[:3]}"
        pattern = _ANY_BEHIND_RE if is_counted else _WORD_BEHIND_RE
        if not span.tail and pattern.search(joint):
            span.tail = " "
