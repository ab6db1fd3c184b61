"""What holds inside a block element, from the elements around it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from ilspfc.cleaning.roles import Role, find_role
from ilspfc.cleaning.tags import (
    CAPTION_TAGS,
    FRAME_ROLES,
    FRAME_TAGS,
    LIST_ITEM_TAGS,
    LIST_TAGS,
    PREFORMATTED_TAGS,
)
from ilspfc.documents import ParagraphType

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml import etree

# Their names tell of the whole page: "comments-open", "has-code".
_PAGE_TAGS = frozenset({"html", "body", "main"})
_CODE_NAMES_RE = re.compile(
    r"(?:^|[\s_-])(?:code\w*|highlight|prettyprint|programlisting|source\w*"
    r"|lang(?:uage)?-\S+|brush:?|hljs|syntaxhighlighter)(?=$|[\s_:-])",
    re.IGNORECASE,
)
_CODE_CHILDREN = frozenset({"code", "samp", "kbd"})
_LAYOUT_ROLES = frozenset({"presentation", "none"})


@dataclass(slots=True)
class Opened:
    """A block element that is open, and what holds inside it; see Block.

    ``numbers`` numbers lists, tables, rows, cells and comments of the page.
    """

    tag: str
    list_number: int = -1
    is_item: bool = False
    is_frame: bool = False
    is_preformatted: bool = False
    kind: ParagraphType | None = None
    table: int = 0
    row: int = 0
    cell: int = 0
    comment: int = 0
    numbers: Iterator[int] = field(default_factory=lambda: count(1))


def open_block(element: etree._Element, tag: str, outer: Opened) -> Opened:
    """Return what holds inside a block element that begins inside another."""
    inner = Opened(
        tag,
        outer.list_number,
        outer.is_item,
        outer.is_frame or tag in FRAME_TAGS or element.get("role") in FRAME_ROLES,
        outer.is_preformatted,
        outer.kind,
        outer.table,
        outer.row,
        outer.cell,
        outer.comment,
        outer.numbers,
    )
    if tag in LIST_TAGS:
        inner.list_number = next(inner.numbers)
    elif tag in LIST_ITEM_TAGS:
        inner.is_item, inner.kind = True, ParagraphType.LISTITEM
    elif tag in {"td", "th"}:
        inner.is_item, inner.kind = False, None
        inner.cell = next(inner.numbers) if inner.row else 0
    elif tag in {"section", "article"}:
        inner.is_item, inner.kind = False, None
    elif tag == "tr":
        inner.row = next(inner.numbers) if inner.table else 0
    elif tag == "table":
        is_layout = element.get("role") in _LAYOUT_ROLES
        inner.table = 0 if is_layout else next(inner.numbers)
        inner.row = inner.cell = 0
    elif tag in PREFORMATTED_TAGS:
        inner.is_preformatted = True
        inner.kind = _kind_of_preformatted(element)
    elif tag in CAPTION_TAGS:
        inner.kind = ParagraphType.CAPTION
    elif tag == "blockquote":
        inner.kind = ParagraphType.QUOTE
    if tag not in _PAGE_TAGS and (role := find_role(element)) is not None:
        _set_role(inner, role)
    return inner


def _set_role(inner: Opened, role: Role) -> None:
    """Note what the names of an element say that it is."""
    if role is Role.COMMENTS:
        inner.comment = -1
    elif role is Role.COMMENT:
        if inner.comment == 0:
            inner.comment = next(inner.numbers)
    elif role is Role.CAPTION:
        inner.kind = ParagraphType.CAPTION
    else:
        inner.kind = ParagraphType.QUOTE


def _kind_of_preformatted(element: etree._Element) -> ParagraphType:
    """Return whether preformatted text is code, by its child or the names around it."""
    first = next(iter(element), None)
    if first is not None and not element.text and first.tag in _CODE_CHILDREN:
        return ParagraphType.CODE
    around = element
    for _ in range(3):
        if _CODE_NAMES_RE.search(around.get("class") or ""):
            return ParagraphType.CODE
        parent = around.getparent()
        if parent is None:
            break
        around = parent
    return ParagraphType.PREFORMATTED
