"""Blocks that hold their text in several languages, an inline element each: a block for each."""

from __future__ import annotations

import re
from itertools import islice, pairwise

from lxml.etree import _Element as Element

from ilspfc.cleaning.blocks.tags import BLOCK_TAGS, HEADING_TAGS, PREFORMATTED_TAGS
from ilspfc.cleaning.blocks.visibility import read_text
from ilspfc.text.word_split import split_words

_INLINE_TAGS = frozenset("b bdi em font i q small span strong".split())
# Many sites have such classes, with styles that show one language.
_CLASS_RE = re.compile(r"(?<!\S)lang[-_]([a-z]{2})(?![^\W_])", re.IGNORECASE)
_SIGN_RE = re.compile(
    rb"<(?:%b)\s[^<>]*\blang(?:=|[-_])" % "|".join(sorted(_INLINE_TAGS)).encode(),
    re.IGNORECASE,
)
# What may stand between the languages.
_SEPARATOR_RE = re.compile(r"[\s/|·•–—-]*")
# Fewer words are names, glosses and labels: "Apis mellifera (honey bee)".
_MIN_WORDS = 3
# Limits of work on hostile pages: languages of a block, links in one of them.
_MAX_LANGS = 40
_MAX_LINKS = 40
_PARENT_TAGS = BLOCK_TAGS - PREFORMATTED_TAGS


def part_languages(root: Element, html: bytes) -> None:
    """End blocks between inline elements in different languages that are all of their text.

    Each has a sentence or the like, so that glosses and lists of languages stay whole.
    """
    if _SIGN_RE.search(html) is None:
        return
    parents = {one.getparent() for one in root.iter(*_INLINE_TAGS) if _lang_of(one)}
    for block in parents:
        if block is not None and block.tag in _PARENT_TAGS:
            _part(block)


def _part(block: Element) -> None:
    """Make a block of each inline element of a block if they are in different languages."""
    sides = [one for one in block.iterchildren("*") if one.tag != "br"]
    langs = [_lang_of(one) for one in sides[:_MAX_LANGS]]
    if (
        1 < len(sides) <= _MAX_LANGS
        and all(langs)
        and all(a != b for a, b in pairwise(langs))
        and all(map(_has_text, sides))
        and all(
            _SEPARATOR_RE.fullmatch(text or "")
            for text in (block.text, *(one.tail for one in block))
        )
    ):
        # Headings stay headings, paragraphs paragraphs; items, cells and divisions hold blocks.
        tag = block.tag if block.tag in HEADING_TAGS else "p"
        block.text = None
        for one in block:
            one.tail = None
        for one in sides:
            one.tag = tag


def _lang_of(element: Element) -> str:
    """Return the code of the language that an inline element is marked with, else nothing."""
    if element.tag not in _INLINE_TAGS:
        return ""
    if lang := element.get("lang"):
        return lang.replace("_", "-").partition("-")[0].lower()
    named = _CLASS_RE.search(element.get("class") or "")
    return named[1].lower() if named else ""


def _has_text(element: Element) -> bool:
    """Test whether an element has words enough beside those of links."""
    links = islice(element.iter("a"), _MAX_LINKS)
    linked = sum(len(split_words(read_text(link))) for link in links)
    return len(split_words(read_text(element))) - linked >= _MIN_WORDS
