"""Bytes to text: which encoding a page is in, and the text free of characters that no corpus wants."""

from __future__ import annotations

import codecs
import re
import sys
import unicodedata

from resiliparse.parse.encoding import detect_encoding
from w3lib.encoding import (
    html_body_declared_encoding,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
)

# The Python codecs of the encodings that the WHATWG Encoding Standard (section 4.2)
# knows. Python has others (idna, zlib, unicode_escape …) that no page may choose.
_WEB_CODECS = frozenset(
    codecs.lookup(name).name
    for name in (
        "utf-8 utf-16 utf-16-le utf-16-be cp866 iso8859-2 iso8859-3 iso8859-4 iso8859-5"
        " iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14 iso8859-15"
        " iso8859-16 koi8-r koi8-u mac-roman cp874 cp1250 cp1251 cp1252 cp1253 cp1254"
        " cp1255 cp1256 cp1257 cp1258 mac-cyrillic gb18030 big5hkscs euc-jp"
        " iso2022-jp shift_jis cp932 cp949 euc-kr"
    ).split()
)
_FALLBACK = "cp1252"

_SPACES_RE = re.compile(r"[^\S\n]|\u200b")
_LINE_BREAKS_RE = re.compile(r"\r\n?|[\u0085\u2028\u2029]")
# Soft hyphens, C0 and C1 controls but line breaks and tabs, directional marks that only
# steer a display, what forbids a line break, lone surrogates and non-characters.
_UNWANTED_RE = re.compile(
    "[\u00ad\u2060\ufeff\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
# Marks that combine with the letter before them. More than 30 in a row are in no language
# (UAX 15, section 13), and sorting them takes the square of their number.
_MARKS = "".join(
    char
    for char in map(chr, range(0x300, sys.maxunicode + 1))
    if unicodedata.combining(char)
)
_MAX_MARKS = 30
_MARKS_RE = re.compile(f"([{_MARKS}]{{{_MAX_MARKS}}})[{_MARKS}]++")
# What may hold such a run, found at a tenth of the cost.
_MAYBE_MARKS_RE = re.compile(rf"[^\w\s\x00-\x7f]{{{_MAX_MARKS + 1},}}+")


def _codec(label: str | None) -> str | None:
    """Return the Python codec for an encoding label, or None if no page may use it."""
    codec = resolve_encoding(label) if label else None
    if codec is None or codecs.lookup(codec).name not in _WEB_CODECS:
        return None
    return codec


def _decode_strictly(body: bytes, codec: str | None) -> str | None:
    if codec is None:
        return None
    try:
        return body.decode(codec)
    except (UnicodeDecodeError, LookupError):
        return None


def decode(body: bytes, content_type: str = "") -> tuple[str, str]:
    """Return the text of a page and the encoding that read it.

    In order: the byte order mark; UTF-8 where the bytes are valid UTF-8 and not plain
    ASCII (a stale declaration is common, valid UTF-8 by chance is not); the HTTP header;
    the meta element; a detector. A declared encoding that cannot read the bytes is passed
    over. Nothing raises: at the worst undecodable bytes become U+FFFD.

    >>> decode("Größe".encode("latin-1"), "text/html; charset=utf-8")
    ('Größe', 'cp1252')
    """
    bom_encoding, bom = read_bom(body)
    if bom_encoding is not None and bom is not None:
        return body[len(bom) :].decode(bom_encoding, "replace"), bom_encoding
    if not body.isascii() and (text := _decode_strictly(body, "utf-8")) is not None:
        return text, "utf-8"
    header = _codec(http_content_type_encoding(content_type))
    declared = _codec(html_body_declared_encoding(body))
    if declared is not None and declared.startswith("utf-16"):
        # A declaration that can be read as ASCII is not in UTF-16 (HTML standard, 13.2.3.2).
        declared = "utf-8"
    detected = None if body.isascii() else _codec(detect_encoding(body))
    for codec in (header, declared, detected):
        if (text := _decode_strictly(body, codec)) is not None and codec is not None:
            return text, codec
    unknown = "utf-8" if body.isascii() else _FALLBACK
    codec = header or declared or detected or unknown
    return body.decode(codec, "replace"), codec


def normalize(text: str) -> str:
    r"""Return text in NFC with plain spaces, line feeds, and no invisible characters.

    Zero-width joiners stay: Persian and Indic spelling needs them.

    >>> normalize("Arbeits\u00adschutz\u00a0am\u202fBau\ud800")
    'Arbeitsschutz am Bau'
    """
    if text.isascii() and text.isprintable():
        return text
    text = _LINE_BREAKS_RE.sub("\n", text)
    text = _SPACES_RE.sub(" ", _UNWANTED_RE.sub("", text))
    text = _MAYBE_MARKS_RE.sub(lambda run: _MARKS_RE.sub(r"\1", run[0]), text)
    return unicodedata.normalize("NFC", text)
