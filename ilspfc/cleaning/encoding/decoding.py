"""Decoding of bytes to text, and its normalization."""

from __future__ import annotations

import re
import unicodedata

from ilspfc.cleaning.encoding.charsets import (
    REPLACEMENT,
    codec_of,
    find_declared,
    read_all,
)
from ilspfc.cleaning.encoding.detection import (
    choose,
    is_mostly_text,
    is_stateful,
    looks_like_iso_2022_jp,
    looks_like_utf_8,
    looks_like_utf_16,
)

_CHARSET_RE = re.compile(r"[;\s]charset\s*=\s*[\"']?([^\s;\"',]+)", re.IGNORECASE)
_BYTE_ORDER_MARKS = {
    b"\xef\xbb\xbf": "utf-8",
    b"\xff\xfe": "utf-16-le",
    b"\xfe\xff": "utf-16-be",
}

_SPACES_RE = re.compile(r"[^\S\n]")
# The zero-width space is a place to break a line, and no character of the text. Thai, Lao,
# Burmese and Khmer are written without blanks: there it parts words, and stays.
_PARTED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\ua9e0-\ua9ff\uaa60-\uaa7f"
)
_ZERO_WIDTH_RE = re.compile(
    rf"(?<![{_PARTED}])\u200b++(?![{_PARTED}])|(?<=[\s\u200b])\u200b++|\u200b++(?=\s)"
)
_LINE_BREAKS_RE = re.compile(r"\r\n?|[\u0085\u2028\u2029]")
# Soft hyphens, C0 and C1 controls but line breaks and tabs, directional marks that only
# steer a display, what forbids a line break, lone surrogates and non-characters.
_UNWANTED_RE = re.compile(
    "[\u00ad\u2060\ufeff\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
# Marks that combine with the letter before them. More than 30 in a row are in no language
# (UAX 15, section 13), and sorting them takes the square of their number. All are in the
# first two planes: a look through the others takes a tenth of a second.
_MARKS = "".join(
    char for char in map(chr, range(0x300, 0x20000)) if unicodedata.combining(char)
)
_MAX_MARKS = 30
_MARKS_RE = re.compile(f"([{_MARKS}]{{{_MAX_MARKS}}})[{_MARKS}]++")
# Text that may hold such a run, found at a tenth of the cost.
_MAYBE_MARKS_RE = re.compile(rf"[^\w\s\x00-\x7f]{{{_MAX_MARKS + 1},}}+")

# Most texts have nothing else: letters that compose with no neighbor, digits, punctuation.
_PLAIN_RE = re.compile(
    r"[\n -~\u00a1-\u00ac\u00ae-\u02ff\u0388-\u03ff\u0400-\u0482\u048a-\u052f\u05d0-\u05ea"
    r"\u0621-\u063a\u0641-\u064a\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2122\u3001-\u3011"
    r"\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e]*"
)


def decode(body: bytes, content_type: str = "") -> tuple[str, str]:
    """Return the text of a page and the Python codec that read it.

    In order: the byte order mark; UTF-8 where the bytes are valid UTF-8 and not plain
    ASCII (a stale declaration is common, valid UTF-8 by chance is not); the HTTP header;
    the meta element; a detector. A declaration is believed unless another reading is much
    more plausible. Nothing raises: undecodable bytes become U+FFFD.

    Encodings that browsers refuse to read (``replacement``) give no text. UTF-8 that was
    taken for another encoding and encoded again is not repaired: it may be meant so.

    >>> decode("Größe".encode("latin-1"), "text/html; charset=utf-8")
    ('Größe', 'cp1252')
    """
    for mark, marked in _BYTE_ORDER_MARKS.items():
        if body.startswith(mark):
            return read_all(body[len(mark) :], marked), marked
    label = _CHARSET_RE.search(content_type)
    header = codec_of(label[1] if label else None)
    if body.isascii():
        return _decode_ascii(body, header)
    try:
        return body.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        pass
    codec = looks_like_utf_16(body)
    if codec is None and header is not None and header.startswith("utf-16"):
        codec = header if is_mostly_text(read_all(body, header)) else None
    if codec is None and looks_like_utf_8(body):
        codec = "utf-8"
    if codec is None:
        declared = dict.fromkeys((header, find_declared(body)))
        codec = choose(body, [c for c in declared if c and c != REPLACEMENT])
    return read_all(body, codec), codec


def _decode_ascii(body: bytes, header: str | None) -> tuple[str, str]:
    """Read bytes below 128, which may be in UTF-16 or an encoding with shifts."""
    codec = looks_like_utf_16(body)
    if codec is not None:
        return read_all(body, codec), codec
    if looks_like_iso_2022_jp(body):
        return read_all(body, "iso2022_jp"), "iso2022_jp"
    if is_stateful(body) and REPLACEMENT in {header, find_declared(body)}:
        return "", REPLACEMENT
    return body.decode("ascii"), "utf-8"


def normalize(text: str) -> str:
    r"""Return text in NFC with plain spaces, line feeds, and no invisible characters.

    Zero-width joiners stay: Persian and Indic spelling needs them. So do zero-width spaces
    between the words of Thai, Lao, Burmese and Khmer.

    >>> normalize("Arbeits\u00adschutz\u00a0am\u202fBau\ud800")
    'Arbeitsschutz am Bau'
    """
    if _PLAIN_RE.fullmatch(text):
        return text
    text = _LINE_BREAKS_RE.sub("\n", text)
    text = _SPACES_RE.sub(" ", _UNWANTED_RE.sub("", text))
    if "\u200b" in text:
        text = _ZERO_WIDTH_RE.sub("", text)
    text = _MAYBE_MARKS_RE.sub(lambda run: _MARKS_RE.sub(r"\1", run[0]), text)
    return unicodedata.normalize("NFC", text)
