"""XML sitemaps and feeds, well-formed or not, as a stream of records.

Nothing external is loaded and no entity is expanded: references not predefined by XML are
read as literal text, which also repairs the bare ``&`` of URLs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, cast

from lxml import etree

# Limits of a record; a larger one is the content of an article, or an attack.
MAX_RECORD_CHARS = 16_384
MAX_RECORD_LINKS = 500

# Some elements may be unclosed, but not thousands.
_MAX_DEPTH = 5_000
# A sitemap may be wrapped in another element.
_MAX_ROOT_DEPTH = 2
_LONGEST_TOKEN_CHARS = 12

_TOKEN_RE = re.compile(
    r"<!\[CDATA\[|\]\]>|&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)"
)
_CDATA = "<![CDATA["
# Characters not allowed in documents (XML 1.0, section 2.2).
_FORBIDDEN = bytes(code for code in range(32) if code not in b"\t\n\r")
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_RDF_ABOUT = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"


class SitemapKind(StrEnum):
    """Kind of a sitemap; ``unknown`` if it is not a sitemap, but perhaps an error page."""

    INDEX = "index"
    URLSET = "urlset"
    TEXT = "text"
    FEED = "feed"
    UNKNOWN = "unknown"


_KINDS = {
    "sitemapindex": SitemapKind.INDEX,
    "urlset": SitemapKind.URLSET,
    "rss": SitemapKind.FEED,
    "rdf": SitemapKind.FEED,
    "feed": SitemapKind.FEED,
}
_RECORDS = {
    SitemapKind.INDEX: ("sitemap",),
    SitemapKind.URLSET: ("url",),
    SitemapKind.FEED: ("item", "entry"),
}
_FIELDS = frozenset("loc link guid id about".split())
_ROOT_RE = re.compile(
    rf"<(?:(?P<html>!doctype\s+html\b|html\b)|\?xml\b|(?:[\w.-]+:)?(?:{'|'.join(_KINDS)})\b)",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Record:
    """Element url, sitemap, item or entry, as written.

    ``fields`` are the first nonempty texts of the children by lowercase local name, and
    the element's own under ``""``; ``links`` are the attributes of links.
    """

    fields: dict[str, str] = field(default_factory=dict)
    links: list[dict[str, str]] = field(default_factory=list)


def find_root(text: str) -> int | None:
    """Return the offset of the XML of a sitemap or feed, None for HTML and plain text.

    >>> find_root("Notice: cache is stale <urlset>"), find_root("<html><rss/></html>")
    (23, None)
    """
    root = _ROOT_RE.search(text)
    return root.start() if root and not root["html"] else None


def _iter_repaired(texts: Iterable[str]) -> Iterator[bytes]:
    """Yield UTF-8 without forbidden characters and without references to entities."""
    held = ""
    is_cdata = False

    def repair(token: re.Match[str]) -> str:
        nonlocal is_cdata
        if token[0] == "&":
            return "&" if is_cdata else "&amp;"
        if token[0] == "]]>" and not is_cdata:
            return "]]&gt;"
        is_cdata = token[0] == _CDATA
        return token[0]

    for text in texts:
        data = held + text
        # A token may continue in the next chunk.
        end = len(data) - _LONGEST_TOKEN_CHARS
        cuts = (data.find(char, max(end, 0)) for char in "<&]")
        cut = min((cut for cut in cuts if cut >= 0), default=len(data))
        held = data[cut:]
        yield _encode(_TOKEN_RE.sub(repair, data[:cut]))
    yield _encode(_TOKEN_RE.sub(repair, held))


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "replace").translate(None, _FORBIDDEN)


class RecordReader:
    """Incremental reader of the records of an XML sitemap or feed, a parser target of lxml.

    ``kind`` and ``base`` (the root's xml:base, empty if it has none) are known from the
    first record on; ``is_cut_off`` is True if reading ended early at runaway nesting.
    """

    def __init__(self) -> None:
        self.kind = SitemapKind.UNKNOWN
        self.base = ""
        self.is_cut_off = False
        self._records: list[Record] = []
        self._depth = 0
        self._record: Record | None = None
        self._record_depth = 0
        self._name = ""
        self._text: list[str] = []
        self._own_text: list[str] = []
        self._chars = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Open an element."""
        self._depth += 1
        name = _local(tag)
        if self.kind is SitemapKind.UNKNOWN:
            if self._depth <= _MAX_ROOT_DEPTH:
                self.kind = _KINDS.get(name, self.kind)
                self.base = attributes.get(_XML_BASE, "")
        elif name in _RECORDS[self.kind]:
            # A record inside a record: the end tag of the first is missing.
            self._finish()
            self._record = Record()
            self._record_depth = self._depth
            if about := attributes.get(_RDF_ABOUT):
                self._record.fields["about"] = about
        elif self._record and self._depth == self._record_depth + 1:
            self._name = name
            self._text = []
            if name == "link" and len(self._record.links) < MAX_RECORD_LINKS:
                link = {_local(key): value for key, value in attributes.items()}
                if "href" in link:
                    self._record.links.append(link)

    def data(self, text: str) -> None:
        """Process a piece of text."""
        if self._record is None:
            return
        if self._depth == self._record_depth:
            self._own_text.append(text)
        elif self._depth == self._record_depth + 1 and self._name in _FIELDS:
            self._text.append(text)
        else:
            return
        self._chars += len(text)
        if self._chars > MAX_RECORD_CHARS:
            self._text.clear()
            self._own_text.clear()

    def end(self, _: str) -> None:
        """Close an element."""
        if self._record and self._depth == self._record_depth + 1:
            if text := "".join(self._text).strip():
                self._record.fields.setdefault(self._name, text)
            self._name = ""
            self._text = []
        elif self._depth == self._record_depth:
            self._finish()
        self._depth -= 1

    def _finish(self) -> None:
        """End the open record, if any."""
        if self._record is not None:
            if text := "".join(self._own_text).strip():
                self._record.fields[""] = text
            self._records.append(self._record)
        self._record = None
        self._record_depth = self._chars = 0
        self._own_text = []

    def close(self) -> None:
        """End the document; a truncated record keeps its complete children."""
        self._own_text.clear()
        self._finish()

    def iter_records(self, texts: Iterable[str]) -> Iterator[list[Record]]:
        """Yield the records completed by each text, at the end any truncated one."""
        parser = etree.XMLParser(
            target=cast("Any", self),  # lxml's stub expects methods with bytes
            encoding="utf-8",
            recover=True,
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            huge_tree=False,
        )
        for chunk in _iter_repaired(texts):
            parser.feed(chunk)
            yield self._records[:]
            self._records.clear()
            self.is_cut_off = self._depth > _MAX_DEPTH
            if self.is_cut_off:
                break
        self.close()
        yield self._records


def _local(tag: str) -> str:
    """Return a name without namespace or undeclared prefix."""
    return tag.rsplit("}", 1)[-1].rsplit(":", 1)[-1].lower()
