"""What start tags say, each spelling of one read once a process: most are on every page."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ilspfc.cleaning.roles import Role, find_role
from ilspfc.cleaning.spans import BOLD_TAGS, CODE_TAGS, is_bold
from ilspfc.cleaning.tags import BLOCK_TAGS, FRAME_ROLES, FRAME_TAGS, SKIPPED_TAGS

if TYPE_CHECKING:
    from collections.abc import Mapping

# Their names tell of the whole page: "comments-open", "has-code".
_PAGE_TAGS = frozenset({"html", "body", "main"})
_ATTRIBUTE_RE = re.compile(r'([^\s=]+)="([^"]*)"')
_REFERENCE_RE = re.compile(r"&(?:#(\d+|x[\da-fA-F]+)|(lt|gt|amp|quot));")
_CHARACTERS = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
# Longer tags hold data of their own, and are not remembered.
_MAX_KNOWN_CHARS = 300


class Kind(IntEnum):
    """What a tag means to the walk over a page."""

    NOTHING = 0
    BLOCK = 1
    LINE_BREAK = 2
    ANCHOR = 3
    BOLD = 4
    CODE = 5
    IMAGE = 6
    RUBY = 7
    SKIPPED = 8
    """Passed over with all that is inside."""
    PLAIN = 9
    """An element of those that may be in bold type, and is not."""


KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(SKIPPED_TAGS, Kind.SKIPPED),
    **dict.fromkeys(BLOCK_TAGS, Kind.BLOCK),
    "br": Kind.LINE_BREAK,
    **dict.fromkeys(("a", "area", "frame"), Kind.ANCHOR),
    **dict.fromkeys(BOLD_TAGS, Kind.BOLD),
    **dict.fromkeys(CODE_TAGS, Kind.CODE),
    "img": Kind.IMAGE,
    "rt": Kind.RUBY,
}
END_KINDS: Mapping[str, Kind] = {
    f"/{tag}": kind for tag, kind in KINDS.items() if kind is not Kind.SKIPPED
}
"""The kinds by what stands between < and > in the end tag."""
# noscript, which is in both of the first two, is a block.


class Start(NamedTuple):
    """A start tag; ``is_empty`` tells that the element ends at once.

    What follows is said of blocks alone. ``names`` are class, id and role; ``is_hidden``
    tells that the element is not shown at first, ``is_frame`` that it is navigation, a
    footer or the like.
    """

    kind: Kind
    tag: str
    attributes: Mapping[str, str]
    names: str = ""
    is_empty: bool = False
    is_hidden: bool = False
    is_frame: bool = False
    role: Role | None = None


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
    """Return the attributes of a serialized tag.

    >>> read_attributes('a href="/?a=1&amp;b=2" hidden="hidden"')
    {'href': '/?a=1&b=2', 'hidden': ''}
    """
    attributes = {}
    for name, value in _ATTRIBUTE_RE.findall(markup):
        if "&" in value:
            attributes[name] = unescape(value)
        else:  # one without a value is written with its name as the value
            attributes[name] = value if value != name else ""
    return attributes


def _read_start(markup: str) -> Start:
    tag = markup.split(None, 1)[0].rstrip("/")
    kind = KINDS.get(tag, Kind.NOTHING)
    attributes = read_attributes(markup) if "=" in markup else {}
    hides = bool(attributes) and is_hidden(attributes)
    is_empty = markup.endswith("/")
    if kind is not Kind.BLOCK:
        if hides:
            kind = Kind.SKIPPED
        elif kind is Kind.BOLD and not is_bold(attributes, tag):
            kind = Kind.PLAIN
        return Start(kind, tag, attributes, is_empty=is_empty)
    names = ""
    if attributes:
        names = " ".join(filter(None, map(attributes.get, ("class", "id", "role"))))
    return Start(
        kind,
        tag,
        attributes,
        names,
        is_empty=is_empty,
        is_hidden=hides or tag == "noscript",
        is_frame=tag in FRAME_TAGS or attributes.get("role") in FRAME_ROLES,
        role=None if tag in _PAGE_TAGS else find_role(attributes, names),
    )


_known_start = lru_cache(maxsize=1 << 13)(_read_start)


def read_start(markup: str) -> Start:
    """Return what a serialized start tag says, given what stands between < and >."""
    return (
        _known_start(markup)
        if len(markup) <= _MAX_KNOWN_CHARS
        else _read_start(markup)
    )
