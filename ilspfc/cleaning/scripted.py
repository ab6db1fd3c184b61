"""Recognition of pages without a text of their own, which scripts build in the browser."""

from __future__ import annotations

import re
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from ilspfc.cleaning.blocks.links import find_refresh
from ilspfc.cleaning.blocks.visibility import JAVASCRIPT_RE

# Characters of text from which on a page has one of its own, hidden text and that for readers
# without scripts included: forums have all of theirs there. Of text that is shown fewer do:
# servers render short pages into the elements of frameworks, beside "Loading …" there is none.
_OWN_TEXT_CHARS = 400
_SHOWN_CHARS = 40
# An inline script of fewer characters counts visits or redirects.
_BUNDLE_CHARS = 2000
# Elements of a kind that are looked at, so that a page of nested ones is cheap.
_LOOKED_AT = 8
# Ids and names of the elements that frameworks fill: root, app, __next, q-app, app-root …
_ROOT_RE = re.compile(
    r"_*(?:[a-z]+[-_])?(?:root|app|application|next|nuxt|gatsby|svelte)"
    r"(?:[-_](?:root|container|mount|wrapper))?",
    re.IGNORECASE,
)
_REDIRECT_RE = re.compile(r"\blocation(?:\.href)?\s*=|\blocation\.(?:replace|assign)\(")
_SILENT_TAGS = frozenset({"head", "script", "style", "template", "svg"})
_ROOT_TAGS = frozenset({"div", "main", "section"})
_CONTENT_TAGS = ("img", "picture", "video", "iframe", "object", "embed", "a", "form")


def needs_javascript(root: Element) -> bool:
    """Test whether scripts build the text of a page.

    The page has nearly no text, and scripts; it has an empty element for scripts to
    fill, or nothing at all to show but a request for JavaScript.
    """
    if (
        _has_text(root)
        or find_refresh(root) is not None
        or next(root.iter("frameset"), None) is not None
    ):
        return False
    inline = [s.text or "" for s in root.iter("script") if not s.get("src")]
    if max(map(len, inline), default=0) < _BUNDLE_CHARS and not any(
        s.get("src") for s in root.iter("script")
    ):
        return False
    roots = islice(filter(_is_root, root.iter(etree.Element)), _LOOKED_AT)
    if not all(map(_has_content, roots)):
        return True
    requests = islice(root.iter("noscript"), _LOOKED_AT)
    return (
        any(JAVASCRIPT_RE.search("".join(map(str, one.itertext()))) for one in requests)
        and not _has_content(root)
        and not any(map(_REDIRECT_RE.search, inline))
    )


def _has_text(root: Element) -> bool:
    """Test whether a page has a text of its own: some that is shown, or much for any reader."""
    chars = shown = 0
    is_shown = True
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        if element.tag == "noscript":
            is_shown = event == "end"
        text = element.tail
        if event == "start":
            text = element.text
            if element.tag in _SILENT_TAGS:
                walker.skip_subtree()
                text = None
        if text:
            length = len(text.strip())
            chars += length
            shown += length * is_shown
            if chars >= _OWN_TEXT_CHARS or shown >= _SHOWN_CHARS:
                return True
    return False


def _is_root(element: Element) -> bool:
    tag = element.tag
    name = (element.get("id") or "") if tag in _ROOT_TAGS else tag if "-" in tag else ""
    return _ROOT_RE.fullmatch(name) is not None


def _has_content(element: Element) -> bool:
    """Test whether an element shows more than one thing, such as a logo."""
    shown = (
        one
        for one in element.iter(*_CONTENT_TAGS)
        if next(one.iterancestors("noscript"), None) is None
    )
    return len(list(islice(shown, 2))) > 1
