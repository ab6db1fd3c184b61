"""Footnotes in the tree of a page: marks are emptied, notes inside a sentence follow it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ilspfc.cleaning.blocks.tags import BLOCK_TAGS, HEADING_TAGS

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_MARK = (
    r"\d{1,3}(?:\.\d{1,2})?|[^\W\d_]{1,2}|[*†‡§¶‖]{1,4}"
    r"|(?<=\[)[^\W\d_]{1,5}\.?\s?\d{1,3}(?=\])"
)
_MARK_RE = re.compile(rf"[\[(]?(?:{_MARK})[\])]?[.:]?")
_BACK_RE = re.compile(rf"{_MARK_RE.pattern}|[\[(]?[\^↑↩⏎↵⤴←▲]\W*\d{{0,3}}[\])]?")
# What is left of the element around a mark that is emptied, such as [ and ].
_REST_RE = re.compile(r"[\s\[\]()^↑*,;.–-]*")
_BEHIND_NUMBER_RE = re.compile(r"\s*[.:)\]]+\s+")
_CLOSING_RE = re.compile(r"[.,;:!?…)\]}»”’]")
_BRACKETS = {"[": "]", "(": ")"}
# A mark has fewer elements inside, and so many around it may be the note.
_MAX_INSIDE = 8
_MAX_AROUND = 10


class _Link(NamedTuple):
    """A link whose text may be a mark or lead back to one.

    ``places`` are the names by which links lead to it, ``outer`` those of blocks around it.
    """

    anchor: Element
    text: str
    base: str
    fragment: str
    places: frozenset[str]
    outer: frozenset[str]

    @property
    def is_raised(self) -> bool:
        """Test whether it is in superscript."""
        inside = islice(self.anchor.iter("sup"), 1)
        around = islice(self.anchor.iterancestors("sup"), 1)
        return any(True for one in (inside, around) for _ in one)


def empty_marks(root: Element) -> None:
    """Empty the marks of footnotes, and the numbers and arrows that lead back to them.

    A mark stands behind text and leads to a place of the page, from which a link leads back, or
    is raised. Other numbers are text: citations of a bibliography, pages, tables of contents.
    """
    links = list(_iter_links(root))
    if not links:
        return
    names = {*root.xpath("//@id"), *root.xpath("//a/@name")}
    links = [link for link in links if link.fragment in names]
    marks = _find_marks(links)
    emptied = [link.anchor for link in (*marks, *_find_backs(links, marks))]
    for anchor in emptied:
        _empty(anchor)
    for anchor in emptied:
        _join(_empty_around(anchor))


def _iter_links(root: Element) -> Iterator[_Link]:
    for anchor in root.xpath("//a[contains(@href, '#')]"):
        base, _, fragment = anchor.get("href").partition("#")
        if fragment and (text := _read_text(anchor)):
            places, outer = _find_places(anchor)
            yield _Link(anchor, text, base, fragment, places, outer)


def _read_text(anchor: Element) -> str:
    """Return the text of a link that may be a mark or lead back to one, else nothing."""
    inside = list(islice(anchor.iter(), _MAX_INSIDE))
    if len(inside) == _MAX_INSIDE:
        return ""
    parts = [anchor.text, *(t for one in inside[1:] for t in (one.text, one.tail))]
    text = "".join(filter(None, parts)).strip()
    return text if _BACK_RE.fullmatch(text) else ""


def _find_places(anchor: Element) -> tuple[frozenset[str], frozenset[str]]:
    previous = anchor.getprevious()
    inner, outer = [anchor], []
    if (
        previous is not None
        and previous.tag == "a"
        and not (previous.tail or "").strip()
    ):
        inner.append(previous)
    for one in islice(anchor.iterancestors(), _MAX_AROUND):
        (outer if outer or one.tag in BLOCK_TAGS else inner).append(one)
    return _read_names(inner), _read_names(outer)


def _read_names(elements: list[Element]) -> frozenset[str]:
    names = (one.get(key) for one in elements for key in ("id", "name"))
    return frozenset(filter(None, names))


def _find_marks(links: list[_Link]) -> list[_Link]:
    """Return the links that are marks of footnotes."""
    # Of each place that a link leads to, the places where such links are.
    leading: dict[str, set[str]] = {}
    for link in links:
        leading.setdefault(link.fragment, set()).update(link.places | link.outer)
    return [
        link
        for link in links
        if _MARK_RE.fullmatch(link.text)
        and link.fragment not in link.places | link.outer
        and (
            (link.is_raised and not link.base)
            or any(link.fragment in leading.get(place, ()) for place in link.places)
        )
        and _is_behind_text(link)
    ]


def _find_backs(links: list[_Link], marks: list[_Link]) -> list[_Link]:
    """Return the links that lead back to marks."""
    anchors = {link.anchor for link in marks}
    places = {place for link in marks for place in link.places}
    return [
        link
        for link in links
        if link.fragment in places
        and link.anchor not in anchors
        and next(link.anchor.iterancestors(*HEADING_TAGS), None) is None
    ]


def _is_behind_text(link: _Link) -> bool:
    """Test whether text is before a mark in its block, and no list of marks in brackets."""
    before = _find_text(link.anchor, "preceding")
    if before is None:
        return False
    if link.is_raised:
        return True
    opened = before.rstrip()[-1:]
    if opened in _BRACKETS:
        after = _find_text(link.anchor, "following")
        return after is not None and after.lstrip().startswith(_BRACKETS[opened])
    return opened not in {",", ";"}


def _find_text(element: Element, axis: str):
    """Return the text beside an element in its block, None if there is none."""
    found = next(iter(element.xpath(f"{axis}::text()[1]")), None)
    if found is None or _block_of(found) is not _block_around(element):
        return None
    return found if found.strip() or found.is_tail else None


def _block_of(text) -> Element | None:
    owner = text.getparent()
    if owner.tag in BLOCK_TAGS and not text.is_tail:
        return owner
    return _block_around(owner)


def _block_around(element: Element) -> Element | None:
    return next(element.iterancestors(*BLOCK_TAGS, "body"), None)


def _empty(element: Element) -> None:
    element.text = None
    for one in element.iter():
        if one is not element:
            one.text = one.tail = None


def _empty_around(anchor: Element) -> Element:
    """Empty what is around a mark and has no text but brackets; return the outermost."""
    outermost = anchor
    for one in islice(anchor.iterancestors(), _MAX_AROUND):
        inside = list(islice(one.itertext(), 50))
        if one.tag in BLOCK_TAGS or not _REST_RE.fullmatch("".join(inside)):
            break
        _empty(one)
        outermost = one
    return outermost


def _join(element: Element) -> None:
    """Join the texts before and after an emptied element."""
    before = _find_text(element, "preceding")
    after = _find_text(element, "following")
    if after is None:
        return
    if before is None:
        if number := _BEHIND_NUMBER_RE.match(after):
            _replace(after, after[number.end() :])
        return
    opened = before.rstrip()[-1:]
    if opened in _BRACKETS and after.lstrip().startswith(_BRACKETS[opened]):
        rest = after.lstrip()[1:]
        _replace(after, rest)
        before_rest = before.rstrip()[:-1]
        _replace(
            before, before_rest.rstrip() if _CLOSING_RE.match(rest) else before_rest
        )
    elif _CLOSING_RE.match(after):
        _replace(before, before.rstrip())


def _replace(text, other: str) -> None:
    if text.is_tail:
        text.getparent().tail = other
    else:
        text.getparent().text = other


_BESIDE = frozenset({"p"}) | HEADING_TAGS


def move_notes(root: Element) -> None:
    """Make each note of LaTeXML, which stands inside a sentence, a block behind its paragraph."""
    notes = root.xpath("//span[contains(concat(@class, ' '), 'ltx_note ')]")
    for note in reversed(notes):
        block = _block_around(note)
        content = note.find(".//span[@class='ltx_note_content']")
        if block is None or content is None:
            continue
        content.tag = "div"
        content.tail = None
        for part in list(content):
            names = part.get("class") or ""
            if "ltx_note_mark" in names or "ltx_tag_note" in names:
                _empty(part)
        if block.tag in _BESIDE:
            parent = block.getparent()
            parent.insert(parent.index(block) + 1, content)
        else:
            block.append(content)
        _empty(note)
        _join(note)
