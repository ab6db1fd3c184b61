"""Properties of a block inherited from the elements around it: list, table, role."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from itertools import count, islice
from operator import attrgetter

from lxml import etree

from ilspfc.cleaning.blocks.tags import (
    CAPTION_TAGS,
    FRAME_ROLES,
    FRAME_TAGS,
    LIST_ITEM_TAGS,
    LIST_TAGS,
    PREFORMATTED_TAGS,
)
from ilspfc.documents import ParagraphType

COMMENTS = "comments"
"""The comments of readers, all of them: a role beside the types of paragraphs. Where an element
is the only one whose names mean a comment, they may mean something else."""

# Names of classes and ids are English nearly everywhere; the others are the words of the
# larger web languages for the same thing.
_WORD = (
    "(?:comment|kommentar|commentaire|comentario|comentário|commento|komentar|komentarz"
    "|kommentti|reactie|yorum)"
)
_PLURAL = (
    "(?:comments|kommentare|kommentarer|commentaires|comentarios|commenti|komentarze"
    "|komentari|kommentit|reacties|yorumlar|disqus_thread|fb-comments)"
)
_BEFORE = (
    "(?:(?:user|reader|visitor|post|blog|entry|article|page|wp|node|field|the)[-_])*"
)
_PART = (
    "(?:list|area|section|wrap|wrapper|container|block|box|thread|body|text|content"
    "|contents|item|holder|main|inner|tree|children|entry|post|view|template|title)"
)
_COMMENTS_RE = re.compile(
    rf"{_BEFORE}(?:{_PLURAL}(?:[-_]+{_PART})*"
    rf"|{_WORD}[-_]*(?:list|thread|area|section|tree)(?:[-_]+{_PART})*)",
    re.IGNORECASE,
)
_COMMENT_RE = re.compile(
    rf"{_BEFORE}{_WORD}(?:[-_]+{_PART})*(?:[-_]?(?=\d*[\da-f]{{6}}|\d)[\da-f]+)?",
    re.IGNORECASE,
)
_CAPTIONS = frozenset(
    "caption caption-text figcaption figure-caption image-caption img-caption photo-caption"
    " thumbcaption wp-caption-text".split()
)
_QUOTES = frozenset("bbcode_quote blockquote epigraph quotecontent".split())
_COMMENT_TYPES = ("schema.org/comment", "schema.org/usercomments")


# Parts of the names above, without hyphens: they rule out most elements.
ROLE_CUES = tuple("omment omentar eacti yorum disqus caption quote epigraph".split())
_MAX_NAMES_CHARS = 500


@lru_cache(maxsize=8192)
def _role_of_names(names: str) -> str | None:
    """Return the role that the blank-separated names of an element give it."""
    lower = names.lower()
    if not any(cue in lower for cue in ROLE_CUES):
        return None
    role = None
    for name in names[:_MAX_NAMES_CHARS].split():
        if _COMMENTS_RE.fullmatch(name):
            return COMMENTS
        if _COMMENT_RE.fullmatch(name):
            role = ParagraphType.COMMENT
        elif role is None and name.lower() in _CAPTIONS:
            role = ParagraphType.CAPTION
        elif role is None and name.lower() in _QUOTES:
            role = ParagraphType.QUOTE
    return role


def find_role(attributes: Mapping[str, str], names: str) -> str | None:
    """Return the role of an element by its class, id and ARIA role, or its microdata."""
    if (role := _role_of_names(names)) is not None:
        return role
    kind = attributes.get("itemtype", "").lower()
    is_comment = attributes.get("itemprop") == "comment" or kind.endswith(
        _COMMENT_TYPES
    )
    return COMMENTS if is_comment else None


# Elements whose names describe the whole page: "comments-open", "has-code".
PAGE_TAGS = frozenset({"html", "body", "main"})
CODE_NAMES_RE = re.compile(
    r"(?:^|[\s_-])(?:code\w*|highlight|prettyprint|programlisting|source\w*"
    r"|lang(?:uage)?-\S+|brush:?|hljs|syntaxhighlighter)(?=$|[\s_:-])",
    re.IGNORECASE,
)
_CODE_CHILDREN = frozenset({"code", "samp", "kbd"})
LAYOUT_ROLES = frozenset({"presentation", "none"})
SECTION_TAGS = frozenset({"section", "article", "td", "th"})
_CHANGING_TAGS = (
    FRAME_TAGS
    | LIST_TAGS
    | LIST_ITEM_TAGS
    | PREFORMATTED_TAGS
    | CAPTION_TAGS
    | SECTION_TAGS
    | {"table", "tr", "blockquote", "noscript"}
)
_HIDING_ATTRIBUTES = frozenset({"hidden", "style", "aria-hidden"})
CHANGING_ATTRIBUTES = _HIDING_ATTRIBUTES | {"role", "itemprop", "itemtype"}
"""Attributes by which a block element may change the context, whatever its tag."""


@dataclass(slots=True)
class Context:
    """State inside the open block elements; the fields are those of Block.

    ``numbers`` numbers lists, tables, rows, cells and comments of the page.
    """

    list_number: int = -1
    is_item: bool = False
    is_frame: bool = False
    is_hidden: bool = False
    is_preformatted: bool = False
    kind: ParagraphType | None = None
    table: int = 0
    row: int = 0
    cell: int = 0
    comment: int = 0
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def inside(self) -> Context:
        """Return a copy; copy.copy takes ten times as long."""
        return Context(*_fields_of(self))


_fields_of = attrgetter(*(one.name for one in fields(Context)))


def is_hidden(attributes: Mapping[str, str]) -> bool:
    """Test whether an element asks not to be shown, before any script runs."""
    if _HIDING_ATTRIBUTES.isdisjoint(attributes):
        return False
    # "until-found" is folded up, not invisible.
    if attributes.get("hidden", "until-found") != "until-found":
        return True
    style = attributes.get("style", "").replace(" ", "").lower()
    return attributes.get("aria-hidden") == "true" or "display:none" in style


@lru_cache(maxsize=8192)
def is_changing(tag: str, names: str) -> bool:
    """Test whether a block element changes the context by its tag, class or id."""
    is_named = tag not in PAGE_TAGS and _role_of_names(names) is not None
    return is_named or tag in _CHANGING_TAGS


def open_block(
    element: etree._Element,
    tag: str,
    attributes: Mapping[str, str],
    outer: Context,
    names: str,
) -> Context:
    """Return the context inside a block element that begins in an outer context.

    ``names`` are its class, id and role.
    """
    inner = outer.inside()
    if tag == "noscript" or is_hidden(attributes):
        inner.is_hidden = True
    if tag in FRAME_TAGS or attributes.get("role") in FRAME_ROLES:
        inner.is_frame = True
    if tag in _CHANGING_TAGS:
        _enter_tag(inner, tag, element)
    role = None if tag in PAGE_TAGS else find_role(attributes, names)
    if role == COMMENTS:
        inner.comment = -1
    elif role is ParagraphType.COMMENT:
        inner.comment = inner.comment or next(inner.numbers)
    elif role is not None:
        inner.kind = ParagraphType(role)
    return inner


def _enter_tag(inner: Context, tag: str, element: etree._Element) -> None:
    """Set the list, table and kind that an element of _CHANGING_TAGS begins."""
    if tag in LIST_TAGS:
        inner.list_number = next(inner.numbers)
    elif tag in LIST_ITEM_TAGS:
        inner.is_item, inner.kind = True, ParagraphType.LISTITEM
    elif tag == "table":
        is_layout = element.get("role") in LAYOUT_ROLES
        inner.table = 0 if is_layout else next(inner.numbers)
        inner.row = inner.cell = 0
    elif tag == "tr":
        inner.row = next(inner.numbers) if inner.table else 0
    elif tag in SECTION_TAGS:
        inner.is_item, inner.kind = False, None
        if tag in {"td", "th"}:
            inner.cell = next(inner.numbers) if inner.row else 0
    elif tag in PREFORMATTED_TAGS:
        inner.is_preformatted = True
        inner.kind = kind_of_preformatted(element)
    elif tag in CAPTION_TAGS:
        inner.kind = ParagraphType.CAPTION
    elif tag == "blockquote":
        inner.kind = ParagraphType.QUOTE


def kind_of_preformatted(element: etree._Element) -> ParagraphType:
    """Return the kind of preformatted text: code by its child or the names around it."""
    first = next(iter(element), None)
    if first is not None and not element.text and first.tag in _CODE_CHILDREN:
        return ParagraphType.CODE
    around = (element, *islice(element.iterancestors(), 2))
    is_code = any(CODE_NAMES_RE.search(one.get("class") or "") for one in around)
    return ParagraphType.CODE if is_code else ParagraphType.PREFORMATTED
