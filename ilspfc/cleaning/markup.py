"""What tags say, each spelling of one read once: most are on every page of a site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ilspfc.cleaning.roles import Role, find_role
from ilspfc.cleaning.spans import BOLD_TAGS, CODE_TAGS, is_bold
from ilspfc.cleaning.surroundings import read_names
from ilspfc.cleaning.tags import BLOCK_TAGS, FRAME_ROLES, FRAME_TAGS, SKIPPED_TAGS

if TYPE_CHECKING:
    from collections.abc import Mapping

# Their names tell of the whole page: "comments-open", "has-code".
_PAGE_TAGS = frozenset({"html", "body", "main"})
_ATTRIBUTE_RE = re.compile(r'([^\s=]+)="([^"]*)"')
_REFERENCE_RE = re.compile(r"&(?:#(\d+|x[\da-fA-F]+)|(lt|gt|amp|quot));")
# Attributes that are read here and may come without a value.
_VALUELESS = ("href", "hidden", "title", "alt")
_CHARACTERS = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
# Longer tags hold data of their own, and are not remembered. When so many are known, all
# are forgotten.
_MAX_KNOWN_CHARS = 300
_MAX_KNOWN = 1 << 15


# What a tag means to the walk over a page. Plain numbers, for members of an enum take
# several times as long to compare and to look up.
(
    NOTHING,
    BLOCK,
    LINE_BREAK,
    ANCHOR,
    IMAGE,
    RUBY,
    BOLD,
    CODE,
    PLAIN,  # of those that may be in bold type, and is not
    SKIPPED,  # passed over with all that is inside
) = range(10)
KINDS: Mapping[str, int] = {
    **dict.fromkeys(SKIPPED_TAGS, SKIPPED),
    **dict.fromkeys(BLOCK_TAGS, BLOCK),  # noscript is in both
    "br": LINE_BREAK,
    **dict.fromkeys(("a", "area", "frame"), ANCHOR),
    **dict.fromkeys(BOLD_TAGS, BOLD),
    **dict.fromkeys(CODE_TAGS, CODE),
    "img": IMAGE,
    "rt": RUBY,
}


# Their attributes tell nothing but that they are hidden.
_BARE_KINDS = frozenset({NOTHING, SKIPPED, LINE_BREAK, RUBY, CODE})
# Hardly any is like another.
_UNLIKE_KINDS = frozenset({ANCHOR, IMAGE})
_NO_ATTRIBUTES: Mapping[str, str] = {}


class Tag(NamedTuple):
    """A tag; ``kind`` is negative for an end tag.

    ``is_empty`` tells that the element ends with its start tag. What follows is said of
    blocks alone. ``names`` are class, id and role; ``is_hidden`` tells that the element is
    not shown at first, ``is_frame`` that it is navigation, a footer or the like; ``families`` and ``path`` are what :func:`read_names` says of it.
    """

    kind: int
    name: str
    attributes: Mapping[str, str]
    is_empty: bool = False
    names: str = ""
    is_hidden: bool = False
    is_frame: bool = False
    role: Role | None = None
    families: int = 0
    path: str = ""


BODY = Tag(BLOCK, "body", {})
"""What is around all elements of a page."""


def unescape(text: str) -> str:
    """Return the characters of a serialized text or attribute."""
    return _REFERENCE_RE.sub(_character, text)


def _character(reference: re.Match[str]) -> str:
    number, name = reference.groups()
    if name:
        return _CHARACTERS[name]
    return chr(int(number[1:], 16) if number[0] == "x" else int(number))


def is_hidden(attributes: Mapping[str, str]) -> bool:
    """Return whether an element asks not to be shown, before any script runs."""
    # "until-found" is folded up, not invisible.
    if attributes.get("hidden", "until-found") != "until-found":
        return True
    style = attributes.get("style")
    return attributes.get("aria-hidden") == "true" or (
        style is not None and "display:none" in style.replace(" ", "").lower()
    )


def read_attributes(markup: str) -> dict[str, str]:
    """Return the attributes of a serialized tag, given what stands behind its name.

    >>> read_attributes('href="/?a=1&amp;b=2" hidden="hidden"')
    {'href': '/?a=1&b=2', 'hidden': ''}
    """
    attributes: dict[str, str] = dict(_ATTRIBUTE_RE.findall(markup))
    if "&" in markup:
        attributes = {name: unescape(value) for name, value in attributes.items()}
    for name in _VALUELESS:
        if attributes.get(name) == name:  # it is written with its name for the value
            attributes[name] = ""
    return attributes


def _read_tag(markup: str) -> Tag:
    if markup[0] == "/":
        kind = KINDS.get(markup[1:], NOTHING)
        return Tag(-kind if kind != SKIPPED else NOTHING, markup, _NO_ATTRIBUTES)
    name, _, rest = markup.partition(" ")
    is_empty = markup[-1] == "/"
    if not rest:
        name = name.rstrip("/")
    kind = KINDS.get(name, NOTHING)
    may_hide = "hidden" in rest or "style=" in rest
    attributes = _NO_ATTRIBUTES
    if may_hide or (rest and kind not in _BARE_KINDS):
        attributes = read_attributes(rest)
    hides = may_hide and is_hidden(attributes)
    if kind == BLOCK:
        return _read_block(name, attributes, is_empty, hides)
    if hides:
        kind = SKIPPED
    elif kind == BOLD and not is_bold(attributes, name):
        kind = PLAIN
    return Tag(kind, name, attributes, is_empty)


def _read_block(
    name: str, attributes: Mapping[str, str], is_empty: bool, hides: bool
) -> Tag:
    names, role, is_frame = "", None, name in FRAME_TAGS
    if attributes:
        names = " ".join(filter(None, map(attributes.get, ("class", "id", "role"))))
        is_frame = is_frame or attributes.get("role") in FRAME_ROLES
        if name not in _PAGE_TAGS:
            role = find_role(attributes, names)
    hides = hides or name == "noscript"
    families, path = read_names(name, names)
    return Tag(
        BLOCK, name, attributes, is_empty, names, hides, is_frame, role, families, path
    )


_known: dict[str, Tag] = {}


def read_tag(markup: str) -> Tag:
    """Return what a tag says, given what stands between < and >."""
    tag = _known.get(markup)
    if tag is None:
        tag = _read_tag(markup)
        if len(markup) <= _MAX_KNOWN_CHARS and tag.kind not in _UNLIKE_KINDS:
            if len(_known) >= _MAX_KNOWN:
                _known.clear()
            _known[markup] = tag
    return tag
