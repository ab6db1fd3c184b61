"""Markup to a tree: limits on its size, elements without an end, shadow trees.

A million tags, or a tag with tens of thousands of attributes (libxml2 compares each with
all before it), cost seconds and say nothing. One scan of the text finds them before the
parse, at about 7 ms a megabyte. It reads comments, raw text and quoted values as the HTML
standard does (section 13.2.5); a page that leads it astray meets the limit of the workers.

Nesting has no limit: libxml2 stops at 2,048 levels, and the text below is kept by a
second, flat parse.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from ilspfc.cleaning.blocks.books import mark_books
from ilspfc.cleaning.blocks.boundaries import mark_boundaries
from ilspfc.cleaning.blocks.footnotes import resolve_footnotes
from ilspfc.cleaning.blocks.line_repairs import repair_lines, unwrap_heading
from ilspfc.cleaning.blocks.mail import MESSAGE, read_message
from ilspfc.cleaning.blocks.side_by_side import part_languages
from ilspfc.cleaning.blocks.streamed import SEGMENT, place_parts
from ilspfc.cleaning.blocks.tags import HEADING_TAGS
from ilspfc.cleaning.blocks.visibility import name_toggles, show_page, unlink_heading
from ilspfc.cleaning.encoding.decoding import normalize

MAX_TAGS = 60_000
"""Tags, comments and declarations of a page, end tags left out. The most on 3,868 real
pages were 21,644 with the end tags; a tag costs up to 20 microseconds on its way."""
MAX_ATTRIBUTES = 400
"""Attributes of a tag; the most on those pages were 206."""
MAX_TAG_CHARS = 64 * 1024
"""Characters of a tag outside its quoted values. Pictures inside a value make real tags
longer than a megabyte, and cost nothing."""

# Possessive quantifiers throughout: no character is read twice.
_QUOTED = r"\"[^\"]*+\"?|'[^']*+'?"
ATTRIBUTE = (
    r"[\s/]*+(?:[^\s/>=][^\s/>=]*+|=[^\s/>=]*+)"
    rf"(?:\s*+=\s*+(?:{_QUOTED}|[^\s>]*+))?+"
)
RAW_TAGS = "script|style|textarea|title|xmp|iframe|noembed|noframes"
_QUOTED_RE = re.compile(_QUOTED)
_TOO_MANY_ATTRIBUTES_RE = re.compile(rf"(?:{ATTRIBUTE}){{{MAX_ATTRIBUTES + 1}}}")
_TAG_RE = re.compile(
    # A comment,
    r"<!--(?:-?>|[^-]*+(?:-(?!-!?>)[^-]*+)*+(?:--!?>)?)"
    # a declaration or an instruction,
    r"|<[!?][^>]*+"
    # or a tag, and with it the raw text of an element that holds no tags.
    rf"|<(?:(?P<raw>{RAW_TAGS})(?=[\s/>])"
    r"|[a-z][^\s/>]*+)"
    rf"(?P<attributes>(?:{ATTRIBUTE})*+)"
    r"(?(raw)[^<]*+(?:<(?!/(?P=raw)[\s/>])[^<]*+)*+)",
    re.IGNORECASE,
)


# Markup that needs no second look: text, end tags, comments, and tags that are far from the
# bounds, with the raw text behind them. A search for it reads a page in a single step.
_PLAIN_ATTRIBUTES = (
    r"(?:\s{1,100}+[^\s\"'<>=/]{1,100}+"
    r"(?:=(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'<>=]{1,100}+))?+){0,100}+[\s/]{0,100}+"
)
_PLAIN_RE = re.compile(
    r"(?:[^<]++|</[a-z][a-z0-9-]*+\s*+>|<!--[^-]*+(?:-(?!-!?>)[^-]*+)*+-->"
    rf"|<(?!{RAW_TAGS})[a-z][^\s\"'<>/=]*+{_PLAIN_ATTRIBUTES}>"
    rf"|<({RAW_TAGS}){_PLAIN_ATTRIBUTES}>[^<]*+(?:<(?!/\1[\s/>])[^<]*+)*+)*+",
    re.IGNORECASE,
)


def is_excessive(text: str) -> bool:
    """Test whether the markup of a page exceeds the limits of the parser.

    >>> is_excessive("<p>Lärm</p>"), is_excessive("<p>" * (MAX_TAGS + 1))
    (False, True)
    """
    is_long = text.count("<") > MAX_TAGS
    if is_long and next(islice(_TAG_RE.finditer(text), MAX_TAGS, None), None):
        return True
    place = 0
    while place < len(text):
        if plain := _PLAIN_RE.match(text, place):
            place = plain.end()
        tag = _TAG_RE.match(text, place)
        if tag is not None and _is_excessive_tag(text, tag):
            return True
        place = tag.end() if tag is not None else place + 1
    return False


def _is_excessive_tag(text: str, tag: re.Match[str]) -> bool:
    start, end = tag.span("attributes")
    # Two characters are the shortest attribute with the blank before it.
    if end - start <= 2 * MAX_ATTRIBUTES:
        return False
    return (
        _TOO_MANY_ATTRIBUTES_RE.match(text, start, end) is not None
        or len(_QUOTED_RE.sub("", text[start:end])) > MAX_TAG_CHARS
    )


_COMMENT = b"!--"
_NAMES = (_COMMENT, *RAW_TAGS.encode().split(b"|"))
_OPENING_RE = re.compile(
    rb"<(?:(?P<comment>!--)(?!-?>)|(?:(?P<raw>%b)(?=[\s/>])|[a-z][^\s/>]*+)(?:%b)*+\s*+/?>?)"
    % (RAW_TAGS.encode(), ATTRIBUTE.encode()),
    re.IGNORECASE,
)
_RAW_RE = re.compile(rb"<(!--|/?(?:%b)(?=[\s/>]))" % RAW_TAGS.encode())
_END_RE = {
    name: re.compile(
        rb"--!?>" if name == _COMMENT else rb"</%b[\s/>]" % name, re.IGNORECASE
    )
    for name in _NAMES
}
_START_TAG_RE = re.compile(rb"(?=<[a-z/!])", re.IGNORECASE)
# Code may have tags in its strings, but seldom these, or any at the start of a line.
_CODE_NAMES = frozenset({b"script", b"style"})
_NO_CODE_RE = re.compile(rb"\s*+(?=<[a-z/!])", re.IGNORECASE)
_TAG_BEHIND_CODE_RE = re.compile(
    rb"\n(?=[ \t]*+<[a-z/!])|(?=<(?:/?(?:head|body)|script|style|link|meta)[\s/>])",
    re.IGNORECASE,
)
_COMMENT_END_RE = re.compile(rb">|(?=<)")
_BUTTON_RE = re.compile(
    rb"(<button(?=[\s/>]).*?)(?=</button[\s>])", re.IGNORECASE | re.DOTALL
)
_WHOLE_COMMENT_RE = re.compile(rb"<!--.*?-->", re.DOTALL)


def close_elements(html: bytes) -> bytes:
    """Return a page with ends added to raw text and comments that are never closed.

    They end before the next tag; a comment at the next ``>`` if that comes first. What has
    an end somewhere behind it is left as it is. In buttons, ``div`` elements are closed.

    >>> close_elements(b"<title>News<body><p>Today")
    b'<title>News</title><body><p>Today'
    """
    html = _BUTTON_RE.sub(_close_divs, html)
    lower = html.lower()
    # Places by name, the last one of each; those of end tags have a slash before it.
    last = {found[1]: found.start() for found in _RAW_RE.finditer(lower)}
    if _COMMENT in last:
        last[b"/" + _COMMENT] = max(lower.rfind(b"-->"), lower.rfind(b"--!>"))
    last_ends = {name: last.get(b"/" + name, -1) for name in _NAMES}
    if all(last.get(name, -1) <= end for name, end in last_ends.items()):
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


def _close_divs(button: re.Match[bytes]) -> bytes:
    """Return the markup of a button up to its end, with the ends that its ``div`` elements lack.

    Browsers end a button with what is open in it (HTML, section 13.2.6.4.7); libxml2 passes
    over the end, and the button holds the rest of the page.
    """
    shown = _WHOLE_COMMENT_RE.sub(b"", button[1]).lower()
    return button[1] + b"</div>" * (shown.count(b"<div") - shown.count(b"</div"))


def _find_end(html: bytes, place: int, name: bytes) -> int:
    """Return the place to end an element without an end, whose content begins here."""
    found = None
    if name == _COMMENT:
        found = _COMMENT_END_RE.search(html, place)
    elif name in _CODE_NAMES:
        found = _NO_CODE_RE.match(html, place)
        found = found or _TAG_BEHIND_CODE_RE.search(html, place)
    found = found or _START_TAG_RE.search(html, place)
    return found.end() if found is not None else len(html)


# What stands before the body where a page has no tag for it.
_HEAD_RE = re.compile(
    rb"(?:\s++|<!--.*?-->|<[!?][^>]*+>|</?(?:html|head)(?=[\s/>])[^>]*+>"
    rb"|<(?:meta|link|base)(?=[\s/>])(?:%b)*+\s*+/?>"
    rb"|<(title|script|style|noscript|template)(?=[\s/>])(?:%b)*+\s*+>.*?</\1\s*+>)*+"
    % (ATTRIBUTE.encode(), ATTRIBUTE.encode()),
    re.IGNORECASE | re.DOTALL,
)
_BODY_RE = re.compile(rb"<(?:body|frameset)(?=[\s/>])", re.IGNORECASE)


def open_body(html: bytes) -> bytes:
    """Return a page with a tag for its body, which HTML lets it leave out.

    libxml2 would take elements that it does not know, such as main and article, for a part of
    the head: text and links of the page would be lost.

    >>> open_body(b"<title>News</title><main><p>Today")
    b'<title>News</title><body><main><p>Today'
    """
    if _BODY_RE.search(html):
        return html
    head = _HEAD_RE.match(html)
    place = head.end() if head else 0
    if not html[place:].strip(b"\0"):
        return html
    return html[:place] + b"<body>" + html[place:]


# -- declarative shadow trees: a host shows its template, whose slots show the host's content

_MODES = frozenset({"open", "closed"})
# The second name is that of the proposal, which Chromium had until 2023.
_ATTRIBUTES = ("shadowrootmode", "shadowroot")


def attach_shadow_trees(root: Element) -> None:
    """Put shadow trees in the place of what their hosts contain, slots filled.

    HTML, 4.12.3 and 4.12.4. Content of a host that no slot asks for is not shown, and
    goes; an empty slot shows its own content. Other templates are left as they are.
    """
    for template in list(root.iter("template")):
        host = template.getparent()
        modes = {(template.get(name) or "").lower() for name in _ATTRIBUTES}
        if host is not None and not modes.isdisjoint(_MODES):
            _attach(host, template)


def _attach(host: Element, template: Element) -> None:
    content: defaultdict[str, list[Element]] = defaultdict(list)
    has_content = set()
    for part in list(_take_parts(host)):
        if part.tag == "template" and part is not template:
            for name in _ATTRIBUTES:  # the first one counts
                part.attrib.pop(name, "")
        elif part is not template:
            name = part.get("slot") or ""
            content[name].append(part)
            if len(part) or part.tag != "slotted" or not (part.text or "").isspace():
                has_content.add(name)
    host.append(template)
    template.tag = "shadow-tree"
    for slot in list(_iter_slots(template)):
        name = slot.get("name") or ""
        if name in has_content:
            has_content.remove(name)
            slot[:] = content[name]
            slot.text = None


def _take_parts(host: Element) -> Iterator[Element]:
    """Yield the children of an element that is emptied, its texts as elements."""
    texts = [host.text, *(child.tail for child in host)]
    children = [None, *host]
    host.text = None
    for child, text in zip(children, texts, strict=True):
        if child is not None:
            child.tail = None
            host.remove(child)
            if isinstance(child.tag, str):
                yield child
        if text:
            part = host.makeelement("slotted")
            part.text = normalize(text)  # lxml refuses control characters
            yield part


def _iter_slots(template: Element) -> Iterator[Element]:
    """Yield the slots of a shadow tree, not those of trees and templates inside it."""
    stack = [template]
    while stack:
        element = stack.pop()
        if element.tag == "slot":
            yield element
        stack += [child for child in reversed(element) if child.tag != "template"]


# -- the parse

# All tags but those that carry meaning for the text and never nest deeply in earnest.
_NESTING_TAG_RE = re.compile(
    rb"</?(?!(?:a|p|br|h[1-6]|li|img|title|link|meta|base|script|style|html|head|body)\b)"
    rb"[a-z][^<>]*>",
    re.IGNORECASE,
)


# Class of remarks on the text around them, as generators of manuals name it.
_NOTE_RE = re.compile(
    r"(?<!\S)(?:(?:\S*aside-+)?(?:note|tip|hint|important|caution|warning|danger)"
    r"|(?:\w+-)?(?:admonition|callout)(?:-\S*)?)(?!\S)",
    re.IGNORECASE,
)

# Class names of the DocBook stylesheets, which many manuals have.
_MANUAL_NAVIGATION = "navheader", "navfooter"


def read_tree(html: bytes) -> Element | None:
    """Return the root of a page in UTF-8, its shadow trees in their place; None if it is empty.

    What programs mark in ways of their own is marked as in HTML.
    """
    # libxml2 takes a NUL for the end of the page.
    html = open_body(html).replace(b"\0", b"")
    root, is_too_deep = _parse_once(html)
    if is_too_deep:
        # libxml2 stops at 2,048 levels and drops the rest: unclosed tags, mostly.
        root, _ = _parse_once(_NESTING_TAG_RE.sub(b"<p>", html))
    if root is not None:
        attach_shadow_trees(root)
        if SEGMENT in html:
            place_parts(root, html)
        _follow_conventions(root, html)
    return root


def _follow_conventions(root: Element, html: bytes) -> None:
    """Mark as in HTML what programs mark in ways of their own.

    An ``aside`` whose class says that it is a note is a ``div``, part of the text. Blocks around
    all the text of a heading, and links of a heading to itself, are removed. The links of
    DocBook above and below a section, which name its neighbors, are a ``nav``; a link that
    shows and hides the text behind it is a ``button``. What surrounds a message in an archive
    of a mailing list is no text, marks of footnotes are emptied. A page hidden until it is loaded
    is shown; blocks end between languages, and text that markup splits or glues is repaired.
    """
    for element in root.iter("aside", *HEADING_TAGS):
        if element.tag != "aside":
            unwrap_heading(element)
            unlink_heading(element)
        elif _NOTE_RE.search(element.get("class") or ""):
            element.tag = "div"
    if b"navheader" in html or b"navfooter" in html:
        for element in root.iter("div"):
            if element.get("class") in _MANUAL_NAVIGATION:
                element.tag = "nav"
    show_page(root)
    mark_boundaries(root, html)
    mark_books(root, html)
    repair_lines(root, html)
    name_toggles(root)
    if MESSAGE in html:
        read_message(root)
    resolve_footnotes(root, html)
    part_languages(root, html)


def _parse_once(html: bytes) -> tuple[Element | None, bool]:
    """Return the root of a page, and whether its elements nest too deeply."""
    # The tree is built from UTF-8 bytes, so that a declaration in the page, which has
    # done its service, cannot be taken for the encoding of the decoded text.
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, no_network=True, collect_ids=False
    )
    try:
        root = etree.fromstring(html, parser)
    except etree.XMLSyntaxError:
        root = None
    return root, any("depth" in error.message for error in parser.error_log)
