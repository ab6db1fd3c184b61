"""Boundaries in the text of a page that its tags do not tell: blocks, lines, numbers of items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import cast

from lxml import etree
from lxml.etree import _Element as Element

from ilspfc.cleaning.blocks.tags import (
    BLOCK_TAGS,
    HEADING_TAGS,
    PREFORMATTED_TAGS,
    SHOWN_BLOCK_TAGS,
    SKIPPED_TAGS,
)
from ilspfc.cleaning.blocks.visibility import read_text, split_names
from ilspfc.text.word_split import UNSPACED

# Whether a page may have any such elements is seen in its bytes.
_CUSTOM_RE = re.compile(rb"</[a-zA-Z][a-zA-Z0-9]*+-")
_find_custom = etree.XPath("//*[contains(name(), '-') and name() != 'shadow-tree']")
# Words of the next pattern that most pages do not have: the search for them is cheap.
_BLOCK_STYLE_RE = re.compile(rb"display:\s?block")
_SHOWN_RE = re.compile(rb"<span\s[^<>]{0,400}?display:\s?block")
_NUMBERED_RE = re.compile(
    rb"<(?:span|sup|b|i|em|strong)\s([^<>]*+)>(?=\s*+(?:<[^<>]*+>\s*+)?+"
    rb"[(\[]?(?:\d|[a-zA-Z]{1,5}[.)\]:]|\xc2\xa7|&sect)[^<>]{0,9}</)"
)
_LABELS_RE = re.compile(rb"</label>(?:<input\s[^<>]*+>)*+<label[\s>]", re.IGNORECASE)
_QUOTED_RE = re.compile(rb"<blockquote[^<>]*+>\s*+(?:<div[^<>]*+>\s*+)?<cite[\s>]")
_SPACED_RE = re.compile(rf"[^\W_{UNSPACED}]")
_NUMBER_CLASS_RE = re.compile(rb"(?i:num|number|no|label|enum|marker)(?:[\"'\s]|$)")

# What holds a single run of text.
_RUN_TAGS = frozenset({"p", "code"}) | HEADING_TAGS | PREFORMATTED_TAGS
# Levels around an element, and texts in one, that are looked at: no page can make it costly.
_MAX_AROUND = 10
_MAX_TEXTS = 1_000

# CETEIcean's style sheet does not show what describes a text in TEI.
_UNSEEN_TAG = "tei-teiheader"

_NAME_RE = re.compile(r"(?:^|-)no$|(?:num|number|label|enum|marker)$")
_CLOSED_NUMBER_RE = re.compile(
    r"[(\[]?(?:\d{1,3}|[^\W\d_]|[IVXLC]{1,6}|[ivxlc]{1,6})[.)\]:]+|§\s?\d{0,4}\.?"
)
_OPEN_NUMBER_RE = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,4}")


def mark_boundaries(root: Element, html: bytes) -> None:
    """Mark boundaries as in HTML.

    A custom element (it has a hyphen in its tag) with text of its own is a ``div``, unless it
    stands in a run of text; others stay as they are, as their blocks are.
    So is a ``span`` whose style shows it as a block, and a ``label`` without a blank between it
    and another one, as those of tabs; in a run of text they stand between blanks, as the number
    of an item at the start of its block does. A ``cite`` in front of a quotation, glued to it, is
    a ``div``: the name of who wrote it, as forums show.
    """
    found: list[Element] = []
    if _CUSTOM_RE.search(html):
        found += cast("list[Element]", _find_custom(root))
    if _BLOCK_STYLE_RE.search(html) and _SHOWN_RE.search(html):
        found += filter(_is_shown_as_block, root.iter("span"))
    if _LABELS_RE.search(html):
        found += dict.fromkeys(
            chain.from_iterable(map(_iter_glued, root.iter("label")))
        )
    if found:
        _mark_blocks(found)
    if _QUOTED_RE.search(html):
        for cite in filter(_is_glued_name, root.iter("cite")):
            cite.tag = "div"
    if any(_NUMBER_CLASS_RE.search(one[1]) for one in _NUMBERED_RE.finditer(html)):
        _part_numbers(root)


def _is_glued_name(cite: Element) -> bool:
    """Test whether a quotation begins right behind an element that it begins with."""
    name, around = read_text(cite).lstrip(), cite.getparent()
    if around is not None and around.tag == "div" and around.getprevious() is None:
        around = around.getparent()
    return (
        around is not None
        and around.tag == "blockquote"
        and cite.getprevious() is None
        and name != ""
        and read_text(around).lstrip().startswith(name)
        and _SPACED_RE.match(cite.tail or "") is not None
    )


def _is_shown_as_block(span: Element) -> bool:
    return "display:block" in (span.get("style") or "").replace(" ", "")


def _iter_glued(label: Element) -> Iterator[Element]:
    """Yield a label and the one right behind it."""
    behind: Element | None = label
    while behind is not None and not behind.tail:
        behind = behind.getnext()
        if behind is None or behind.tag != "input":
            break
    if behind is not None and behind is not label and behind.tag == "label":
        yield from (label, behind)


def _mark_blocks(found: list[Element]) -> None:
    runs = _Runs(found)
    inline: set[Element] = set()
    for element in found:
        is_in_run = runs.hold(element)
        if element.tag == _UNSEEN_TAG:
            element.set("hidden", "")
            element.tag = "div"
        elif element.tag not in {"span", "label"}:
            if is_in_run and _holds_block(element, inline):
                runs.around_blocks.add(element)
            elif is_in_run:
                inline.add(element)
            elif runs.has_text(element):
                element.tag = "div"
        elif read_text(element).strip():
            if is_in_run or not _is_in_block(element):
                set_off(element)
            else:
                element.tag = "div"


def _holds_block(element: Element, inline: set[Element]) -> bool:
    """Test whether a block is in an element; none is where elements around it hold none."""
    return inline.isdisjoint(islice(element.iterancestors(), _MAX_AROUND)) and (
        next(element.iterdescendants(*SHOWN_BLOCK_TAGS), None) is not None
    )


def _is_in_block(element: Element) -> bool:
    around = element.getparent()
    return around is None or around.tag in BLOCK_TAGS


def set_off(element: Element) -> None:
    """Put an element between blanks."""
    element.tail = f" {element.tail or ''}"
    previous, around = element.getprevious(), element.getparent()
    if previous is not None:
        previous.tail = f"{previous.tail or ''} "
    elif around is not None:
        around.text = f"{around.text or ''} "


class _Runs:
    """The elements that stand in a run of text: beside text that is in no other one of them."""

    def __init__(self, elements: Iterable[Element]) -> None:
        self._elements = frozenset(elements)
        self._known: dict[Element, bool] = {}
        self.around_blocks: set[Element] = set()
        """Elements in a run of text that hold blocks: no run goes on in them."""

    def hold(self, element: Element) -> bool:
        """Test whether an element stands in a run of text."""
        for around in islice(element.iterancestors(), _MAX_AROUND):
            if around.tag in _RUN_TAGS or self.has_text(around):
                return True
            if around.tag in BLOCK_TAGS or around in self.around_blocks:
                break
        return False

    def has_text(self, around: Element) -> bool:
        """Test whether text is in an element that is in no block and no other one of these."""
        known = self._known.get(around)
        if known is None:
            texts = islice(self._iter_texts(around), _MAX_TEXTS)
            known = self._known[around] = any(text and text.strip() for text in texts)
        return known

    def _iter_texts(self, around: Element) -> Iterator[str | None]:
        stack = [around]
        while stack:
            element = stack.pop()
            yield element.text
            for child in element:
                yield child.tail
                if child not in self._elements and _is_inline(child):
                    stack.append(child)


def _is_inline(element: Element) -> bool:
    if not isinstance(element.tag, str):  # a comment
        return False
    return element.tag not in BLOCK_TAGS and element.tag not in SKIPPED_TAGS


def _part_numbers(root: Element) -> None:
    """Put a blank behind the numbers of items that are glued to their text."""
    for element in root.iter("span", "sup", "b", "i", "em", "strong"):
        names = element.get("class")
        if (
            names
            and any(map(_NAME_RE.search, split_names(names)))
            and _is_glued_number(element)
            and _begins_block(element)
        ):
            element.tail = f" {element.tail or ''}"


def _is_glued_number(element: Element) -> bool:
    text, behind = read_text(element).lstrip(), element.tail or ""
    following = element.getnext()
    if not behind and following is not None and _is_inline(following):
        behind = read_text(following)
    if _CLOSED_NUMBER_RE.fullmatch(text):
        return behind[:1].isalpha()
    # Not the number of 3D, 5th and 20km.
    is_word = behind[:2].isalpha() or not element.tail
    return bool(_OPEN_NUMBER_RE.fullmatch(text)) and is_word and behind[:2].istitle()


def _begins_block(element: Element) -> bool:
    for one in islice(chain([element], element.iterancestors()), _MAX_AROUND):
        if one.tag in BLOCK_TAGS:
            return True
        around, previous = one.getparent(), one.getprevious()
        if around is None:
            break
        if previous is not None:
            return previous.tag in BLOCK_TAGS and not (previous.tail or "").strip()
        if (around.text or "").strip():
            break
    return False
