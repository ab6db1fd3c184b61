"""Titles, scripts and comments that are never closed, ended where the page goes on.

The HTML standard (section 13.2.5) reads such an element to the end of the page, and so do
browsers and libxml2: nothing is left of the page but a long title. Browsers of the time
when such pages were written ended it at the next tag.
"""

from __future__ import annotations

import re

from ilspfc.cleaning.blocks.parser_limits import ATTRIBUTE, RAW_TAGS

_COMMENT = b"!--"
_NAMES = (_COMMENT, *RAW_TAGS.encode().split(b"|"))
_OPENING_RE = re.compile(
    rb"<(?:(?P<comment>!--)(?!-?>)|(?:(?P<raw>%b)(?=[\s/>])|[a-z][^\s/>]*+)(?:%b)*+\s*+/?>?)"
    % (RAW_TAGS.encode(), ATTRIBUTE.encode()),
    re.IGNORECASE,
)
_END_RE = {
    name: re.compile(
        rb"--!?>" if name == _COMMENT else rb"</%b[\s/>]" % name, re.IGNORECASE
    )
    for name in _NAMES
}
_TAG_RE = re.compile(rb"(?=<[a-z/!])", re.IGNORECASE)
# Code may have tags in its strings, but seldom these, or any at the start of a line.
_CODE_NAMES = frozenset({b"script", b"style"})
_NO_CODE_RE = re.compile(rb"\s*+(?=<[a-z/!])", re.IGNORECASE)
_TAG_BEHIND_CODE_RE = re.compile(
    rb"\n(?=[ \t]*+<[a-z/!])|(?=<(?:/?(?:head|body)|script|style|link|meta)[\s/>])",
    re.IGNORECASE,
)
_COMMENT_END_RE = re.compile(rb">|(?=<)")


def close_elements(html: bytes) -> bytes:
    """Return a page in which raw text and comments without an end have one.

    They end before the next tag; a comment at the next ``>`` if that comes first. What has
    an end somewhere behind it is left as it is.

    >>> close_elements(b"<title>News<body><p>Today")
    b'<title>News</title><body><p>Today'
    """
    lower = html.lower()
    last_ends = {name: _last_end(lower, name) for name in _NAMES}
    if all(lower.rfind(b"<" + name) <= last_ends[name] for name in _NAMES):
        return html
    parts = []
    copied = place = 0
    while (opening := _OPENING_RE.search(html, place)) is not None:
        place = opening.end()
        name = _COMMENT if opening["comment"] else (opening["raw"] or b"").lower()
        if not name:
            continue
        if place <= last_ends[name]:
            end = _END_RE[name].search(html, place)
            place = end.end() if end is not None else place
            continue
        place = _find_end(html, place, name)
        closing = b"-->" if name == _COMMENT else b"</%b>" % name
        parts += [html[copied:place], closing]
        copied = place
    return b"".join([*parts, html[copied:]])


def _last_end(lower: bytes, name: bytes) -> int:
    """Return where the last end of an element or comment begins, -1 if it has none."""
    if name == _COMMENT:
        return max(lower.rfind(b"-->"), lower.rfind(b"--!>"))
    end = b"</" + name
    place = lower.rfind(end)
    while place >= 0 and _END_RE[name].match(lower, place) is None:
        place = lower.rfind(end, 0, place)
    return place


def _find_end(html: bytes, place: int, name: bytes) -> int:
    """Return where an element that has no end is to end, whose content begins here."""
    found = None
    if name == _COMMENT:
        found = _COMMENT_END_RE.search(html, place)
    elif name in _CODE_NAMES:
        found = _NO_CODE_RE.match(html, place)
        found = found or _TAG_BEHIND_CODE_RE.search(html, place)
    found = found or _TAG_RE.search(html, place)
    return found.end() if found is not None else len(html)
