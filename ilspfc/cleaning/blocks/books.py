"""Traces of printed books: numbers of pages, lines and verses, notes that pop up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lxml.etree import _Element as Element

from ilspfc.cleaning.blocks.boundaries import set_off
from ilspfc.cleaning.blocks.tags import BLOCK_TAGS, PREFORMATTED_TAGS
from ilspfc.cleaning.blocks.visibility import read_text, split_names

# Whether a page may have any such elements is seen in its bytes, at little cost.
_PAGE_RE = re.compile(rb"num(?:(?<=[gn]enum)|(?<=[gn]e[-_]num))")
_NOTE_RE = re.compile(rb"<span\s[^<>]{0,200}(?:popup|tooltip)")
_VERSES_RE = re.compile(rb">[0-9]{1,3}</s(?:up|pan)>[^\s0-9.,;)]")

# Not "page-numbers", as pagers have it.
_PAGE_NAME_RE = re.compile(r"(?:^|-)(?:page|line)-?num(?:ber)?$|(?:^|-)lineno$")
_PAGE_NUMBER_RE = re.compile(
    r"(?i)[\[({]\s*(?:(?:pg|pag|page|p|s|l)\.?\s*)?(?:\d{1,4}|[ivxlc]{1,8})\s*[\])}]"
    r"|(?:pg|pag|page|p|s)\.?\s*\d{1,4}|(?P<bare>\d{1,4})"
)
_PAGE_HINT_RE = re.compile("num|lineno", re.IGNORECASE)
_NOTE_HINT_RE = re.compile("popup|tooltip", re.IGNORECASE)
_INLINE_NUMBER_TAGS = ("span", "a", "sup", "small")
_NOTE_NAME_RE = re.compile(r"^(?:popup|tooltip)(?:-?(?:text|content|body))?$")
_MARK_TAGS = frozenset({"a", "sup"})
_VERSE_RE = re.compile(r"[0-9]{1,3}")
# Isotopes count on, too, but have no sentences behind them.
_MIN_BLANKS = 2
_GAP_BEHIND = tuple('.,;:!?”’"')
# Levels around an element that are looked at: no page can make it costly.
_MAX_AROUND = 10


def mark_books(root: Element, html: bytes) -> None:
    """Mark what a text of a book has beside its words.

    The number of a page or line in a text is hidden, and a note that pops up from a link; the
    number of a verse stands between blanks.
    """
    if _PAGE_RE.search(html) or b"lineno" in html:
        _hide_page_numbers(root)
    if (b"popup" in html or b"tooltip" in html) and _NOTE_RE.search(html):
        _hide_notes(root)
    if _VERSES_RE.search(html):
        _part_verses(root)


def _hide(element: Element) -> None:
    """Hide an element; a blank parts a sentence before it from one behind it."""
    if _before(element).endswith(_GAP_BEHIND) and (element.tail or "")[:1].isalnum():
        element.tail = f" {element.tail}"
    element.set("hidden", "")


def _before(element: Element) -> str:
    """Return the text directly before an element."""
    previous, around = element.getprevious(), element.getparent()
    if previous is not None:
        return previous.tail or read_text(previous)
    return "" if around is None else around.text or ""


def _hide_page_numbers(root: Element) -> None:
    for element in list(root.iter(*_INLINE_NUMBER_TAGS)):
        given = element.get("class") or ""
        if not _PAGE_HINT_RE.search(given):
            continue
        names = split_names(given)
        found = next(filter(None, map(_PAGE_NAME_RE.search, names)), None)
        if found and _is_page_number(element, is_line="line" in found[0]):
            _hide(element)


def _is_page_number(element: Element, *, is_line: bool) -> bool:
    """Test whether an element is the number of a page or line amid or beside other text.

    Digits alone are that of a page only where a word goes on behind them, as "page 3" ends
    with a number, too.
    """
    number = _PAGE_NUMBER_RE.fullmatch(read_text(element).strip())
    if not number or any(not _is_anchor(one) for one in element.iter("a")):
        return False
    behind = element.tail or ""
    if number["bare"]:
        # Every fifth or tenth line of a poem is counted.
        is_at_edge = is_line and int(number["bare"]) % 5 == 0 and _is_at_edge(element)
        if not (behind[:1].isalpha() or is_at_edge):
            return False
    block = next((one for one in _iter_around(element) if one.tag in BLOCK_TAGS), None)
    if block is None or block.tag in PREFORMATTED_TAGS:
        return False
    letters = sum(map(str.isalpha, read_text(block)))
    return letters > sum(map(str.isalpha, read_text(element)))


def _is_anchor(link: Element) -> bool:
    return (link.get("href") or "#").startswith("#")


def _iter_around(element: Element) -> Iterator[Element]:
    return islice(element.iterancestors(), _MAX_AROUND)


def _is_at_edge(element: Element) -> bool:
    """Test whether a line begins or ends with an element."""
    previous, following = element.getprevious(), element.getnext()
    return (
        not _before(element).strip() and (previous is None or previous.tag == "br")
    ) or (
        not (element.tail or "").strip()
        and (following is None or following.tag == "br" or following.tag in BLOCK_TAGS)
    )


def _hide_notes(root: Element) -> None:
    """Hide the notes that pop up from a link or superscript with text of its own."""
    for element in list(root.iter("span", "small", "i")):
        given = element.get("class") or ""
        if not _NOTE_HINT_RE.search(given) or not any(
            map(_NOTE_NAME_RE.search, split_names(given))
        ):
            continue
        mark = next(
            (one for one in _iter_around(element) if one.tag in _MARK_TAGS), None
        )
        if mark is None:
            continue
        shown, note = read_text(mark), read_text(element)
        # All of a link may be in an element that is named after what it does.
        if note.strip() and shown.partition(note)[0].strip():
            element.set("hidden", "")


def _part_verses(root: Element) -> None:
    """Put numbers of verses that are glued to their text between blanks.

    They are alone in their elements, each with words behind it and no word before it, and three
    or more of them count on in one element. Those of footnotes follow words.
    """
    runs: dict[Element, list[tuple[int, Element]]] = {}
    for element in root.iter("sup", "span"):
        text = element.text or ""
        if len(element) == 0 and _VERSE_RE.fullmatch(text):
            outer = _climb(element)
            around = outer.getparent()
            is_glued = outer is element and _before(element)[-1:].isalnum()
            if around is not None and not is_glued:
                runs.setdefault(around, []).append((int(text), element))
    for verses in runs.values():
        numbers = {number for number, _ in verses}
        for number, element in verses:
            is_counted = any(
                numbers.issuperset(range(first, first + 3))
                for first in range(number - 2, number + 1)
            )
            if is_counted and _has_words_behind(element):
                element.tail = f" {element.tail or ''}"
                set_off(_climb(element))


def _climb(element: Element) -> Element:
    """Return the outermost inline element that begins with this one."""
    for around in _iter_around(element):
        if (
            around.tag in BLOCK_TAGS
            or element.getprevious() is not None
            or (around.text or "").strip()
        ):
            break
        element = around
    return element


def _has_words_behind(element: Element) -> bool:
    following = element.getnext()
    behind = element.tail or ("" if following is None else read_text(following))
    return behind[:1].isalpha() and len(behind.split(maxsplit=3)) > _MIN_BLANKS
