"""Footnotes in the tree of a page: marks are emptied, notes are text behind their paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from lxml.etree import _Element as Element

from ilspfc.cleaning.blocks.tags import BLOCK_TAGS, HEADING_TAGS

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
# A short text right behind a tag with an address inside a page, or a note of LaTeXML.
_SIGN_RE = re.compile(
    rb"#[^<>#]{1,400}+>(?:\s{0,50}+<[^<>]{0,400}+>){0,8}+\s{0,50}+"
    rb"(?:[\d*^][\d.*:\]\s]{0,6}+|[\[(][^<]{0,24}+|[A-Za-z]{1,2}\s?"
    rb"|(?:[\x80-\xff]|&#?\w{1,8};){1,12}+[\d\s]{0,4}+)<"
)
# Limits of work on hostile pages: elements inside what is around a mark, and levels around it.
_MAX_INSIDE = 40
_MAX_AROUND = 10
# Elements between a mark and the text beside it.
_MAX_STEPS = 20
# Blocks that hold no other ones.
_SINGLE_TAGS = frozenset({"p"}) | HEADING_TAGS
_DECLARATIONS = frozenset({"noteref", "doc-noteref"})
# Names that begin with "foot" are taken for those of a page's footer.
_FOOTNOTE_RE = re.compile(r"foot-?note", re.IGNORECASE)
_NOTE_MARKS = frozenset({"ltx_note_mark", "ltx_tag_note", "ltx_note_type"})


class _Link(NamedTuple):
    """A link whose text may be a mark or lead back to one.

    ``places`` are the names by which links lead to it, ``outer`` those of blocks around it.
    """

    anchor: Element
    around: tuple[Element, ...]
    text: str
    base: str
    fragment: str
    places: frozenset[str]
    outer: frozenset[str]

    @property
    def is_raised(self) -> bool:
        """Test whether it is in superscript."""
        return any(one.tag == "sup" for one in (*self.around, *self.anchor.iter()))

    @property
    def is_declared(self) -> bool:
        """Test whether a name of EPUB says that it is a mark; its note may be in another file."""
        names = f"{self.anchor.get('epub:type')} {self.anchor.get('role')}"
        declared = f"{names} {self.anchor.get('class')}".lower().split()
        return not _DECLARATIONS.isdisjoint(declared)


def resolve_footnotes(root: Element, html: bytes) -> None:
    """Empty the marks of footnotes, and let notes inside a sentence follow its paragraph."""
    if b"ltx_note" in html:
        _move_notes(root)
    if _SIGN_RE.search(html):
        _empty_marks(root)


def _empty_marks(root: Element) -> None:
    """Empty the marks of footnotes, and the numbers and arrows that lead back to them.

    A mark stands behind text and leads to a place of the page, from which a link leads back, or
    is raised, or it is declared. Other numbers are text: citations of a bibliography, pages, tables of contents.
    """
    links = list(_iter_links(root))
    marks = _find_marks(links)
    backs = _find_backs(links, marks)
    _keep_notes(backs)
    emptied = [link.anchor for link in (*marks, *backs)]
    for anchor in emptied:
        _empty(anchor)
    for anchor in emptied:
        _join(_empty_around(anchor))


def _iter_links(root: Element) -> Iterator[_Link]:
    for anchor in root.iter("a"):
        base, _, fragment = (anchor.get("href") or "").partition("#")
        if fragment and (text := _read_text(anchor)):
            around = tuple(islice(anchor.iterancestors(), _MAX_AROUND))
            places, outer = _find_places(anchor, around)
            yield _Link(anchor, around, text, base, fragment, places, outer)


def _read_text(anchor: Element) -> str:
    """Return the text of a link that may be a mark or lead back to one, else nothing."""
    text = (_read_inside(anchor) or "").strip()
    return text if _BACK_RE.fullmatch(text) else ""


def _read_inside(element: Element) -> str | None:
    """Return the text inside an element, None if there are too many elements."""
    if len(list(islice(element.iter(), _MAX_INSIDE))) == _MAX_INSIDE:
        return None
    return "".join(map(str, element.itertext("*")))  # without comments


def _find_places(
    anchor: Element, around: Iterable[Element]
) -> tuple[frozenset[str], frozenset[str]]:
    previous = anchor.getprevious()
    inner = [anchor]
    outer: list[Element] = []
    if previous is not None and previous.tag == "a" and not previous.tail:
        inner.append(previous)
    for one in around:
        (outer if outer or one.tag in BLOCK_TAGS else inner).append(one)
    return _read_names(inner), _read_names(outer)


def _read_names(elements: Iterable[Element]) -> frozenset[str]:
    names = (one.get(key) for one in elements for key in ("id", "name"))
    return frozenset(filter(None, names))


def _find_marks(links: list[_Link]) -> list[_Link]:
    """Return the links that are marks of footnotes."""
    # Of each place that a link leads to, the places where such links are.
    leading: dict[str, set[str]] = {}
    for link in links:
        if not _is_in_heading(link):
            leading.setdefault(link.fragment, set()).update(link.places, link.outer)
    # The places of the page, if any link needs them.
    names: frozenset[str] = frozenset()
    if any(link.is_raised for link in links):
        names = _read_names(links[0].anchor.getroottree().iter("*"))
    return [
        link
        for link in links
        if _MARK_RE.fullmatch(link.text)
        and link.fragment not in link.places | link.outer
        and (
            link.is_declared
            or (link.fragment in names and not link.base and link.is_raised)
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
        and not _is_in_heading(link)
    ]


def _keep_notes(backs: Iterable[_Link]) -> None:
    """Mark the notes around links that lead back as text: no ``aside``, no name of a footer."""
    for one in {one for link in backs for one in link.around}:
        if one.tag == "aside":
            one.tag = "div"
        for key in ("class", "id"):
            if _FOOTNOTE_RE.search(name := one.get(key) or ""):
                one.set(key, _FOOTNOTE_RE.sub("note", name))


def _is_in_heading(link: _Link) -> bool:
    return any(one.tag in HEADING_TAGS for one in link.around)


def _is_behind_text(link: _Link) -> bool:
    """Test whether text is before a mark in its block, and no list of marks in brackets."""
    before = _find_before(link.anchor)
    if before is None or link.is_raised:
        return before is not None
    opened = before.text.rstrip()[-1:]
    after = _find_after(link.anchor)
    if opened in _BRACKETS:
        return after is not None and after.text.lstrip().startswith(_BRACKETS[opened])
    return opened not in {",", ";"}


class _Text(NamedTuple):
    """A text in the tree: that at the start of an element, or its tail."""

    owner: Element
    is_tail: bool
    text: str

    def put(self, text: str) -> _Text:
        """Put another text in its place, and return this one."""
        if self.is_tail:
            self.owner.tail = text
        else:
            self.owner.text = text
        return self._replace(text=text)


def _find_before(element: Element) -> _Text | None:
    """Return the text before an element in its block."""
    inner: Element | None = element
    for _ in range(_MAX_STEPS):
        if inner is None or inner.tag == "body":
            break
        previous = inner.getprevious()
        while previous is not None and not previous.tail and len(previous):
            if previous.tag in BLOCK_TAGS:
                return None
            previous = previous[-1]
        if previous is not None and previous.tail:
            return _Text(previous, True, previous.tail)
        inner = inner.getparent() if previous is None else previous
        if inner is not None and isinstance(inner.tag, str):
            is_block = inner.tag in BLOCK_TAGS
            if inner.text and not (
                is_block and (previous is inner or inner.text.isspace())
            ):
                return _Text(inner, False, inner.text)
            if is_block:
                break
    return None


def _find_after(element: Element) -> _Text | None:
    """Return the text after an element in its block."""
    for _ in range(_MAX_STEPS):
        if element.tail:
            return _Text(element, True, element.tail)
        following = element.getnext()
        if following is not None:
            is_inline = following.tag not in BLOCK_TAGS and isinstance(
                following.tag, str
            )
            text = following.text if is_inline else None
            return _Text(following, False, text) if text else None
        parent = element.getparent()
        if parent is None or parent.tag in BLOCK_TAGS:
            return None
        element = parent
    return None


def _empty(element: Element) -> None:
    element.text = None
    for one in element.iter():
        if one is not element:
            one.text = one.tail = None


def _empty_around(anchor: Element) -> Element:
    """Empty what is around a mark and has no text but brackets; return the outermost."""
    outermost = anchor
    for one in islice(anchor.iterancestors(), _MAX_AROUND):
        rest = _read_inside(one)
        if one.tag in BLOCK_TAGS or rest is None or not _REST_RE.fullmatch(rest):
            break
        _empty(one)
        outermost = one
    return outermost


def _join(element: Element) -> None:
    """Join the texts before and after an emptied element."""
    before, after = _find_before(element), _find_after(element)
    if after is None:
        return
    if before is None:
        if number := _BEHIND_NUMBER_RE.match(after.text):
            after.put(after.text[number.end() :])
        return
    opened, rest = before.text.rstrip(), after.text.lstrip()
    if opened[-1:] in _BRACKETS and rest.startswith(_BRACKETS[opened[-1:]]):
        before, after = before.put(opened[:-1]), after.put(rest[1:])
    if _CLOSING_RE.match(after.text):
        before.put(before.text.rstrip())


def _move_notes(root: Element) -> None:
    """Make each note of LaTeXML, which stands inside a sentence, a block behind its paragraph."""
    for content in reversed(list(root.iter("span"))):
        if content.get("class") != "ltx_note_content":
            continue
        note = next(
            (
                one
                for one in islice(content.iterancestors("span"), _MAX_AROUND)
                if "ltx_note" in (one.get("class") or "").split()
            ),
            None,
        )
        block = next(content.iterancestors(*BLOCK_TAGS), None)
        if note is None or block is None:
            continue
        for part in content:
            if _NOTE_MARKS.intersection((part.get("class") or "").split()):
                _empty(part)
        content.tag, content.tail = "div", None
        if block.tag in _SINGLE_TAGS:
            block.addnext(content)
        else:
            block.append(content)
        _empty(note)
        _join(note)
