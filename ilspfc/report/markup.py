"""HTML that is escaped by construction: a text becomes markup only through :func:`element`."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

import langcodes

if TYPE_CHECKING:
    from collections.abc import Iterable

_VOID = frozenset({"br", "col", "meta"})
_BREAK_AFTER = frozenset(
    "article body dd details div dl dt figure footer h1 h2 h3 head header html li main meta nav ol p section style svg "
    "table tbody thead title tr ul".split()
)
_NOT_A_CHARACTER_RE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


class Markup(str):
    """A piece of HTML; any other string is text and is escaped when it enters an element."""

    __slots__ = ()


def escape_text(text: str) -> Markup:
    r"""Return a text as HTML; characters that HTML does not allow become U+FFFD.

    >>> escape_text('<b title="x">\x00')
    '&lt;b title=&quot;x&quot;&gt;�'
    """
    return Markup(escape(_NOT_A_CHARACTER_RE.sub("\ufffd", text)))


def join(parts: Iterable[str]) -> Markup:
    """Return the parts in a row: markup as it is, text escaped."""
    return Markup(
        "".join(
            part if isinstance(part, Markup) else escape_text(part) for part in parts
        )
    )


def element(name: str, /, *children: str, **attributes: str | float | None) -> Markup:
    """Return an element; attributes that are ``None`` are left out.

    A trailing underscore of an attribute's name is dropped, the others become hyphens.

    >>> element("a", "1 < 2", href="?a&b", class_="x", aria_label="y", id=None)
    '<a href="?a&amp;b" class="x" aria-label="y">1 &lt; 2</a>'
    """
    start = [name]
    for key, value in attributes.items():
        if value is not None:
            attribute = key.rstrip("_").replace("_", "-")
            start.append(f'{attribute}="{escape_text(str(value))}"')
    end = "" if name in _VOID else f"</{name}>"
    line_break = "\n" if name in _BREAK_AFTER else ""
    return Markup(f"<{' '.join(start)}>{join(children)}{end}{line_break}")


def bcp47(lang: str) -> str:
    """Return a language code as the value of a ``lang`` attribute, empty (language unknown) where it is not a code.

    >>> bcp47("deu"), bcp47("sqi"), bcp47('"><script>')
    ('de', 'sq', '')
    """
    try:
        return str(langcodes.standardize_tag(lang))
    except ValueError:
        return ""


def quoted(text: str, lang: str = "", name: str = "span") -> Markup:
    """Return a text from the web as an element of its own, with its language, and isolated in its own direction."""
    return element(name, text, lang=bcp47(lang), dir="auto")


def web_link(url: str, text: str = "") -> Markup:
    """Return a link to a page of the web; an address of another scheme stays text.

    >>> web_link("javascript:alert(1)")
    '<span class="url">javascript:alert(1)</span>'
    """
    try:
        linked = urlsplit(url).scheme in {"http", "https"}
    except ValueError:
        linked = False
    label = text or url
    if not linked:
        return element("span", label, class_="url")
    return element("a", label, class_="url", href=url, rel="noreferrer")


def file_link(path: str, text: str = "") -> Markup:
    """Return a link to a file of the corpus; a path that leaves the corpus folder stays text.

    >>> file_link("xml/deu-1.xml")
    '<a class="path" href="xml/deu-1.xml">xml/deu-1.xml</a>'
    >>> file_link("../x")
    '<span class="path">../x</span>'
    """
    label = text or path
    if not path or path.startswith("/") or ".." in path.split("/"):
        return element("span", label, class_="path")
    return element("a", label, class_="path", href=quote(path, errors="replace"))
