"""Records of one walk over a parsed page: blocks, elements around them, anchors, images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ilspfc.documents import ParagraphType


@dataclass(slots=True)
class Block:
    """Text between two block boundaries.

    ``text`` has a line feed where the page has a br element, and in preformatted text an
    empty line where that has one; ``tag`` is the innermost block element; ``link_words``
    are the words inside anchors, ``link_chars`` their characters; ``is_frame`` marks an
    ancestor that is navigation, footer or the like, ``is_hidden`` one that is not shown at
    first; ``level`` is the depth in the tree. ``container`` is the place of its innermost
    block element among those of :class:`ParsedPage`. The items of a list have its number,
    from 1; an item outside a list has -1. ``kind`` is its type by the innermost
    element that gives one (list item, quotation …). ``table``, ``row`` and ``cell`` are numbers of
    the page, from 1, where it stands in a table. ``bold_lines`` marks the lines that are
    in bold type as a whole, and is empty if there are none; ``is_code`` marks a block that
    is in code elements as a whole. ``comment`` is 0 outside the comments of readers; there it is the
    number of a comment, or -1. ``indents`` are the blanks before each preformatted line that is
    not empty. ``score`` is that of the learned backend.
    """

    text: str
    tag: str
    words: int
    link_words: int
    level: int
    is_list_item: bool = False
    list_number: int = 0
    is_frame: bool = False
    is_content: bool = False
    is_title: bool = False
    kind: ParagraphType | None = None
    table: int = 0
    row: int = 0
    cell: int = 0
    bold_lines: tuple[bool, ...] = ()
    is_code: bool = False
    comment: int = 0
    container: int = 0
    link_chars: int = 0
    is_hidden: bool = False
    indents: tuple[int, ...] = ()
    score: float | None = None


class Path(NamedTuple):
    """The way to a block element: that to the one around it, its tag, its class, id and role."""

    outer: int
    tag: str
    names: str


@dataclass(slots=True)
class Anchor:
    """An ``a``, ``area`` or ``frame`` element.

    ``before`` and ``after`` are the words of its block around it, ``path`` is the place of
    that in :attr:`ParsedPage.distinct_paths`, ``names`` the anchor's own class.
    """

    href: str
    path: int = 0
    text: str = ""
    title: str = ""
    rel: str = ""
    hreflang: str = ""
    names: str = ""
    before: Sequence[str] = ()
    after: Sequence[str] = ()


@dataclass(slots=True)
class ParsedPage:
    """Result of one walk over the tree.

    ``parents`` are the places of the block elements around each block element, in the order
    of their start tags; the first is the page, its own parent. ``ends`` are the places
    behind the last one inside; ``paths`` are places in ``distinct_paths``, where elements
    that are named alike share one. ``tags`` are the signs of the start tags (TAG_SIGNS), empty
    where a tag has none. ``hidden_anchors`` are those in parts that are not shown.
    """

    blocks: list[Block] = field(default_factory=list)
    anchors: list[Anchor] = field(default_factory=list)
    hidden_anchors: list[Anchor] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=lambda: [0])
    ends: list[int] = field(default_factory=lambda: [1])
    paths: list[int] = field(default_factory=lambda: [0])
    distinct_paths: list[Path] = field(default_factory=lambda: [Path(0, "body", "")])
    tags: list[str] = field(default_factory=list)
