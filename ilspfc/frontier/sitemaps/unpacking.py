"""Text of a sitemap, unpacked and decoded in pieces, up to a limit."""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO

from w3lib.encoding import resolve_encoding

_PIECE_BYTES = 65_536
_HEAD_CHARS = 4_096
# RFC 1952, section 2.3.1: ID1 and ID2.
_GZIP_MAGIC = b"\x1f\x8b"

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
_DECLARED_RE = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.-]{1,40})")
# Declared encodings that are accepted; sitemaps.org allows UTF-8 only.
_CHARSET_RE = re.compile(
    r"iso[-_]?8859[-_]?\d+|latin-?\d|(?:windows-?|cp)125\d|koi8-[ru]"
    r"|gbk|gb2312|gb18030|big5|euc-(?:jp|kr)|shift_jis|us-ascii",
    re.IGNORECASE,
)


class SitemapText:
    """Text of a body as an iterable of pieces, few of which are in memory at a time.

    A gzip body is unpacked. The text is decoded by its byte order mark or XML declaration,
    else as UTF-8; invalid bytes become U+FFFD. ``is_truncated`` is set when there are more
    than ``max_bytes`` unpacked bytes, or a damaged archive ends the text early.
    """

    def __init__(self, body: bytes, max_bytes: int) -> None:
        self._body = body
        self._max_bytes = max_bytes
        self.is_truncated = False

    def __iter__(self) -> Iterator[str]:
        decoder = None
        for piece in self._iter_bytes():
            if decoder is None:
                decoder = codecs.getincrementaldecoder(_encoding(piece))("replace")
            yield decoder.decode(piece)

    def _iter_bytes(self) -> Iterator[bytes]:
        """Yield the unpacked bytes up to the limit."""
        left = self._max_bytes
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
    """Yield the lines completed by each text, cut to ``max_chars`` and a character."""
    held = ""
    for text in texts:
        *lines, held = re.split(r"[\r\n]+", held + text)
        yield lines
        held = held[: max_chars + 1]
    yield [held]


def _encoding(head: bytes) -> str:
    """Return the Python codec of a text that begins with ``head``."""
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    declared = _DECLARED_RE.search(head[:1024])
    label = declared[1].decode("ascii", "replace") if declared else ""
    if _CHARSET_RE.fullmatch(label):
        return resolve_encoding(label) or "utf-8"
    return "utf-8"
