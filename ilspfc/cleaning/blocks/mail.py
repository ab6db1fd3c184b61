"""Messages in archives of mailing lists, as MHonArc delimits them by comments."""

from __future__ import annotations

from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.utils import parseaddr, parsedate
from html import unescape
from itertools import chain
from string import ascii_lowercase, ascii_uppercase

from lxml import etree
from lxml.etree import _Element as Element

from ilspfc.cleaning.encoding.decoding import normalize

MESSAGE = b"<!--X-Body-of-Message-->"
"""The comment before the text of a message."""

# What surrounds subject and text, from one comment to another: links to other messages, the
# header, answers. Versions differ in the comments between.
_FRAMES = {
    "X-TopPNI": "X-TopPNI-End",
    "X-Head-of-Message": "X-Body-of-Message",
    "X-MsgBody-End": "X-BotPNI-End",
}
# As links to edit a section: no text, but links that are followed.
_NO_TEXT = {"class": "edit-section"}
# The program's own rot13, which turns letters and the signs beside capitals.
_CAPITALS = f"@{ascii_uppercase}["
_TURNED = str.maketrans(
    _CAPITALS + ascii_lowercase,
    _CAPITALS[14:] + _CAPITALS[:14] + ascii_lowercase[13:] + ascii_lowercase[:13],
)


def read_message(root: Element) -> None:
    """Mark what surrounds a message as no text; add date and author as meta elements."""
    frames = dict(_FRAMES)
    before = root.itersiblings(etree.Comment, preceding=True)
    for comment in [*before, *root.iter(etree.Comment)]:
        name, _, value = (comment.text or "").partition(": ")
        if comment.getparent() is not None and name in frames:
            _mark(comment, frames.pop(name))
        elif name == "X-Date" and (date := parsedate(unescape(value))):
            _add_meta(root, "date", "{:04}-{:02}-{:02}".format(*date))
        elif name == "X-From-R13":
            _add_meta(root, "author", _read_name(unescape(value).translate(_TURNED)))


def _mark(start: Element, end: str) -> None:
    """Move what is between two comments into an element that is no text.

    The second one may be outside of elements that the text of the message left open.
    """
    around = (start, *start.iterancestors())
    inside: list[Element] = []
    for one in chain.from_iterable(level.itersiblings() for level in around):
        if not isinstance(one.tag, str) and one.text == end:
            frame = start.makeelement("div", _NO_TEXT)
            frame.text, start.tail = start.tail, None
            start.addnext(frame)
            frame.extend(inside)
            return
        inside.append(one)


def _read_name(sender: str) -> str:
    name, _ = parseaddr(sender)
    try:
        return str(make_header(decode_header(name)))
    except (HeaderParseError, LookupError, ValueError):
        return ""


def _add_meta(root: Element, name: str, content: str) -> None:
    root.insert(0, root.makeelement("meta", name=name, content=normalize(content)))
