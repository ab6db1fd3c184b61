"""Parts of a page that a server sends behind it, put in their places as React's script does.

React streams what it waits for (``Suspense``; loading states of Next.js) as hidden elements at
the end of the page, and calls a function that puts them in the place of a template.
"""

from __future__ import annotations

import re
from itertools import islice

from lxml.etree import _Element as Element

SEGMENT = b'id="S:'
"""Markup of a page that has such parts."""
# $RC(boundary, part), with styles $RR; $RS(part, place inside another part).
_CALL_RE = re.compile(rb'\$R([CRS])\("([\w:-]{1,40})","([\w:-]{1,40})"')
_PART_RE = re.compile(r"S:[0-9a-f]+")
_MAX_CALLS = 1000
_MAX_FALLBACK = 200
_FALLBACK_END = "/$"


def place_parts(root: Element, html: bytes) -> None:
    """Show the parts of a page that were sent behind it, in their places where these are known."""
    named = {one.get("id", ""): one for one in root.iter("*")}
    for name, one in named.items():
        if _PART_RE.fullmatch(name):
            _show(one)
    for call in islice(_CALL_RE.finditer(html), _MAX_CALLS):
        first, second = call[2].decode(), call[3].decode()
        place, name = (second, first) if call[1] == b"S" else (first, second)
        template, part = named.get(place), named.get(name)
        if template is None or part is None or template.tag != "template":
            continue
        around = list(template.iterancestors())
        # None are around a template that an earlier call has replaced.
        if around and part not in around:
            if call[1] != b"S":
                _drop_fallback(around[0], template)
            _replace(around[0], template, part)


def _show(part: Element) -> None:
    around = part.getparent()
    part.attrib.pop("hidden", "")
    if around is not None and around.tag == "table":  # around rows
        around.attrib.pop("hidden", "")


def _drop_fallback(around: Element, template: Element) -> None:
    """Remove what is shown until a part comes: all between its template and a comment."""
    fallback = []
    for one in islice(template.itersiblings(), _MAX_FALLBACK):
        if not isinstance(one.tag, str) and one.text == _FALLBACK_END:
            for shown in fallback:
                around.remove(shown)
            return
        fallback.append(one)


def _replace(around: Element, template: Element, part: Element) -> None:
    """Put a part in the place of a template; its element has no border of its own."""
    if part.tag == "div":
        part.tag = "span"
    part.tail = None
    template.addprevious(part)
    part.tail, template.tail = template.tail, None
    around.remove(template)
