"""Sitemaps: pages listed by a site, with their versions in other languages."""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import chain

from w3lib.encoding import read_bom, resolve_encoding

from ilspfc.frontier.sitemaps.feeds import Record, RecordReader, SitemapKind, find_root
from ilspfc.web.address import MAX_URL_CHARS, AddressError, AddressReason, resolve

MAX_URLS = 50_000
MAX_BYTES = 52_428_800

_ABSOLUTE_RE = re.compile(r"https?://", re.IGNORECASE)
_HOSTLESS_RE = re.compile(r"https?:(?!//[^/?#])", re.IGNORECASE)

_PIECE_BYTES = 65_536
_HEAD_CHARS = 4_096
# RFC 1952, section 2.3.1: ID1 and ID2.
_GZIP_MAGIC = b"\x1f\x8b"

# UTF-16 without a byte order mark.
_BARE_UTF_16 = {b"<\0": "utf-16-le", b"\0<": "utf-16-be"}
_DECLARED_RE = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.-]{1,40})")
# Accepted declared encodings; sitemaps.org allows only UTF-8.
_CHARSET_RE = re.compile(
    r"iso[-_]?8859[-_]?\d+|latin-?\d|(?:windows-?|cp)125\d|koi8-[ru]"
    r"|gbk|gb2312|gb18030|big5|euc-(?:jp|kr)|shift_jis|us-ascii",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """Entry of a sitemap: the URL of a page, or, in an index, of another sitemap.

    ``alternates`` are (hreflang as written, URL) of the declared versions of the page, often
    including the page itself.
    """

    url: str
    alternates: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Sitemap:
    """Readable entries of a sitemap, in order; URLs are absolute and http(s).

    ``is_truncated`` is True if a limit or a damaged archive hides a part; entries without a
    usable URL count toward the limit too. ``unusable`` counts unusable addresses by reason,
    including those of versions.
    """

    kind: SitemapKind
    entries: tuple[SitemapEntry, ...] = ()
    is_truncated: bool = False
    unusable: Counter[str] = field(default_factory=Counter)


def parse_sitemap(body: bytes, url: str) -> Sitemap:
    """Return the content of a sitemap or sitemap index (XML or text), RSS or Atom feed.

    Parsing is lenient: wrong namespaces, bare ``&``, text before the XML and broken XML lose
    only the affected entries. Limits are those of sitemaps.org (50,000 URLs, 52,428,800
    bytes unpacked); gzip is detected by its magic bytes. Versions are those of "Tell Google
    about localized versions of your page" (``xhtml:link``) and of Atom (RFC 4287, section
    4.2.7.4). Relative URLs are resolved against ``url``. Time and memory are linear.

    >>> body = b"<urlset><url><loc>http://example.org/?a=1&b=2</loc></url></urlset>"
    >>> parse_sitemap(body, "http://example.org/sitemap.xml").entries[0].url
    'http://example.org/?a=1&b=2'
    """
    parts = [*iter_parts(body, url)]
    return replace(
        parts[-1],
        entries=tuple(chain.from_iterable(part.entries for part in parts)),
        unusable=sum((part.unusable for part in parts), Counter[str]()),
    )


def iter_parts(body: bytes, url: str) -> Iterator[Sitemap]:
    """Yield the content of a sitemap in parts; see :func:`parse_sitemap`.

    There is at least one part; ``is_truncated`` is valid in the last one.
    """
    text = SitemapText(body)
    pieces = iter(text)
    head = take_head(pieces)
    builder = _Builder(url)
    reader = RecordReader()
    if (start := find_root(head)) is not None:
        for records in reader.iter_records(chain((head[start:],), pieces)):
            for record in records:
                builder.add_record(record, reader)
            yield builder.take(reader.kind)
            if builder.is_full:
                break
    elif not head.lstrip().startswith("<"):
        for lines in iter_lines(chain((head,), pieces), MAX_URL_CHARS):
            builder.add_lines(lines)
            yield builder.take(reader.kind)
            if builder.is_full:
                break
    is_truncated = text.is_truncated or builder.is_full or reader.is_cut_off
    yield replace(builder.take(reader.kind), is_truncated=is_truncated)


class SitemapSession:
    """State of a worker that reads sitemaps one after another, part by part."""

    def __init__(self) -> None:
        self._parts: Iterator[Sitemap] = iter(())

    def open(self, body: bytes, url: str) -> None:
        """Start a sitemap; the previous one is dropped."""
        self._parts = iter_parts(body, url)

    def next(self) -> Sitemap | None:
        """Return the next part of the sitemap, None at its end."""
        return next(self._parts, None)


class _Builder:
    """Builder of entries from records and lines, up to ``MAX_URLS``."""

    def __init__(self, url: str) -> None:
        self.is_full = False
        self._base = url
        self._left = MAX_URLS
        self._is_text = False
        self._entries: list[SitemapEntry] = []
        self._unusable = Counter[str]()

    def take(self, kind: SitemapKind) -> Sitemap:
        """Return the entries added since the last call."""
        part = Sitemap(
            SitemapKind.TEXT if self._is_text else kind,
            tuple(self._entries),
            unusable=self._unusable,
        )
        self._entries, self._unusable = [], Counter()
        return part

    def add_lines(self, lines: Iterable[str]) -> None:
        """Add the URLs on lines."""
        for line in lines:
            if text := line.strip():
                is_url = _ABSOLUTE_RE.match(text) and len(text.split()) == 1
                self._add(self._resolve(self._base, text) if is_url else "", ())
        self._is_text = self._is_text or bool(self._entries)

    def add_record(self, record: Record, reader: RecordReader) -> None:
        """Add the URL of a record."""
        base = self._resolve(self._base, reader.base) or self._base
        pairs = (
            (link.get("hreflang", "").strip(), self._resolve(base, link["href"]))
            for link in record.links
            if _is_alternate(link)
        )
        versions = tuple(dict.fromkeys(pair for pair in pairs if all(pair)))
        self._add(self._resolve(base, _locate(record, reader.kind)), versions)

    def _resolve(self, base: str, text: str) -> str:
        """Return an absolute http(s) URL without fragment, empty if it is unusable."""
        text = text.strip()
        if not text:
            return ""
        try:
            # A scheme without a host would be read as a relative URL.
            return resolve(base, "http://" if _HOSTLESS_RE.match(text) else text)
        except AddressError as error:
            if error.reason is not AddressReason.OTHER_SCHEME:
                self._unusable[error.reason.value] += 1
            return ""

    def _add(self, url: str, alternates: tuple[tuple[str, str], ...]) -> None:
        if not self._left:
            self.is_full = True
            return
        self._left -= 1
        if url:
            self._entries.append(SitemapEntry(url, alternates))


def _is_alternate(link: dict[str, str]) -> bool:
    return "alternate" in link.get("rel", "alternate").lower().split()


def _locate(record: Record, kind: SitemapKind) -> str:
    """Return the URL of a record as written; outside of feeds, it must not be relative."""
    fields = record.fields
    if kind is not SitemapKind.FEED:
        text = fields.get("loc") or fields.get("", "")
        return text if text.startswith("/") or _ABSOLUTE_RE.match(text) else ""
    links = [link for link in record.links if _is_alternate(link)]
    # An Atom entry may have versions of other types (RFC 4287, section 4.1.2).
    links.sort(key=lambda link: "html" not in link.get("type", "html"))
    if "link" in fields or links:
        return fields.get("link") or links[0]["href"]
    names = ("guid", "id", "about")
    urls = (fields[name] for name in names if name in fields)
    return next((text for text in urls if _ABSOLUTE_RE.match(text)), "")


class SitemapText:
    """Text of a body as a stream of pieces, few of which are in memory at a time.

    A gzip body is unpacked. The text is decoded by its byte order mark or XML declaration,
    otherwise as UTF-8; invalid bytes become U+FFFD. ``is_truncated`` is set if there are
    more than ``MAX_BYTES`` unpacked bytes, or a damaged archive ends the text early.
    """

    def __init__(self, body: bytes) -> None:
        self._body = body
        self.is_truncated = False

    def __iter__(self) -> Iterator[str]:
        decoder = None
        for piece in self._iter_bytes():
            if decoder is None:
                decoder = codecs.getincrementaldecoder(_find_codec(piece))("replace")
            yield decoder.decode(piece)

    def _iter_bytes(self) -> Iterator[bytes]:
        """Yield the unpacked bytes up to the limit."""
        left = MAX_BYTES
        file = BytesIO(self._body)
        is_gzip = self._body.startswith(_GZIP_MAGIC)
        source = gzip.GzipFile(fileobj=file) if is_gzip else file
        try:
            while piece := source.read1(_PIECE_BYTES):
                if len(piece) > left:
                    self.is_truncated = True
                    yield piece[:left]
                    return
                left -= len(piece)
                yield piece
        except (OSError, EOFError, zlib.error):
            self.is_truncated = True


def take_head(pieces: Iterator[str]) -> str:
    """Return the first pieces of a text, enough to recognize its kind."""
    head = ""
    while len(head) < _HEAD_CHARS and (piece := next(pieces, "")):
        head += piece
    return head


def iter_lines(texts: Iterable[str], max_chars: int) -> Iterator[list[str]]:
    """Yield the lines completed by each text; truncate a pending one to ``max_chars`` + 1."""
    held = ""
    for text in texts:
        *lines, held = re.split(r"[\r\n]+", held + text)
        yield lines
        held = held[: max_chars + 1]
    yield [held]


def _find_codec(head: bytes) -> str:
    """Return the Python codec of a text that starts with ``head``."""
    marked, _ = read_bom(head)
    if marked is not None:
        # These codecs skip the mark.
        return "utf-8-sig" if marked == "utf-8" else marked[: len("utf-16")]
    if head[:2] in _BARE_UTF_16:
        return _BARE_UTF_16[head[:2]]
    declared = _DECLARED_RE.search(head[:1024])
    label = declared[1].decode("ascii", "replace") if declared else ""
    if _CHARSET_RE.fullmatch(label):
        return resolve_encoding(label) or "utf-8"
    return "utf-8"
