"""Encodings that a page may be in (WHATWG Encoding Standard): their labels, declarations, reading.

Python knows others (idna, zlib, unicode_escape …) that no page may choose.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from resiliparse.parse.encoding import map_encoding_to_html5

REPLACEMENT = "replacement"
"""Codec of labels that browsers refuse to read: stateful encodings, in which text that
looks harmless to a filter can be markup (Encoding Standard, section 14.1)."""

# Python's codecs are the narrow form where the standard means the vendor's wide one.
_WIDE_CODECS = {
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "iso8859-11": "cp874",
}
# The labels that resiliparse does not map.
_OTHER_LABELS = dict.fromkeys(
    "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement".split(),
    REPLACEMENT,
) | dict.fromkeys(("x-mac-cyrillic", "x-mac-ukrainian"), "mac_cyrillic")


def codec_of(label: str | None) -> str | None:
    """Return the Python codec of an encoding label, or None if no page may use it.

    It is ``REPLACEMENT`` for encodings that no browser reads, and None for
    ``x-user-defined``, which is no text.

    >>> codec_of("Latin1"), codec_of(" GB2312 "), codec_of("x-user-defined")
    ('cp1252', 'gb18030', None)
    """
    if not label:
        return None
    label = label.strip("\t\n\f\r ").lower()
    if label in _OTHER_LABELS:
        return _OTHER_LABELS[label]
    if not label.isascii() or "\0" in label:
        return None
    codec: str | None = map_encoding_to_html5(label, fallback_utf8=False)
    return None if codec is None else _WIDE_CODECS.get(codec, codec)


MAX_BYTES = 16 * 1024
"""Browsers look at 1,024 bytes; real pages declare later, behind scripts and comments."""

_ATTRIBUTE = (
    rb"[\t\n\f\r /]*+(?P<name>[^\t\n\f\r />][^\t\n\f\r />=]*+)"
    rb"(?![\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"[^\"]*+|'[^']*+)\Z)"  # a quote without an end
    rb"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+"
    rb"(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)'"
    rb"|(?P<bare>[^\t\n\f\r >\"'][^\t\n\f\r >]*+)|(?=>)))?+"
)
_ATTRIBUTE_RE = re.compile(_ATTRIBUTE, re.DOTALL)
_ATTRIBUTES = rb"(?:%b)*+" % re.sub(rb"\?P<\w+>", b"?:", _ATTRIBUTE)
# A tag that the end of the bytes cuts declares nothing.
_TAG_RE = re.compile(
    rb"<!--(?=-?>)|<!--.*?-->|<!--.*"
    rb"|<(?:meta(?=[\t\n\f\r />])(?P<meta>%b)|/?[a-z][^\t\n\f\r />]*+%b)(?=[^>]*>)"
    rb"|</?[a-z].*|<[!?/][^>]*" % (_ATTRIBUTES, _ATTRIBUTES),
    re.IGNORECASE | re.DOTALL,
)
# The algorithm for extracting a character encoding from a meta element.
_CONTENT_RE = re.compile(
    rb"charset[\t\n\f\r ]*=[\t\n\f\r ]*"
    rb"(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\t\n\f\r ;\"'][^\t\n\f\r ;]*))",
    re.IGNORECASE,
)
_XML_RE = re.compile(
    rb"<\?xml(?=[\t\n\f\r ])[^>]*?[\t\n\f\r ]encoding[\t\n\f\r ]*=[\t\n\f\r ]*"
    rb"(?:\"(?P<double>[^\">]*)\"|'(?P<single>[^'>]*)')"
)


def _value(match: re.Match[bytes]) -> bytes:
    groups = match.groupdict()
    return groups.get("double") or groups.get("single") or groups.get("bare") or b""


def _label(match: re.Match[bytes] | None) -> str | None:
    return _value(match).decode("latin-1") if match else None


def _iter_meta(head: bytes) -> Iterator[dict[bytes, bytes]]:
    """Yield the attributes of each meta element, the first of each name."""
    for tag in _TAG_RE.finditer(head):
        if tag["meta"] is not None:
            attributes: dict[bytes, bytes] = {}
            for found in _ATTRIBUTE_RE.finditer(tag["meta"]):
                attributes.setdefault(found["name"].lower(), _value(found))
            yield attributes


def _declared(meta: dict[bytes, bytes]) -> str | None:
    """Return the codec that a meta element declares."""
    if b"charset" in meta:
        label = meta[b"charset"].decode("latin-1")
    elif meta.get(b"http-equiv", b"").lower() == b"content-type":
        label = _label(_CONTENT_RE.search(meta.get(b"content", b""))) or ""
    else:
        return None
    return _inside(label)


def _inside(label: str) -> str | None:
    codec = codec_of(label)
    if codec is not None and codec.startswith("utf-16"):
        # A declaration that reads as ASCII is not in UTF-16.
        return "utf-8"
    if label.strip().lower() == "x-user-defined":
        return "cp1252"
    return codec


def find_declared(body: bytes) -> str | None:
    """Return the codec that a page declares in a meta element or an XML declaration.

    None if it declares nothing that a page may use. This is the prescan of the HTML
    standard (section 13.2.3.2): comments are passed over, attributes are read as by the
    tokenizer, and a ``meta`` inside another tag is none.

    >>> find_declared(b'<meta charset="koi8-r">')
    'koi8-r'
    """
    head = body[:MAX_BYTES]
    for meta in _iter_meta(head):
        if (codec := _declared(meta)) is not None:
            return codec
    if (label := _label(_XML_RE.match(head.lstrip()))) is not None:
        return _inside(label)
    return None


# Characters of Big5 that Python's ``big5hkscs`` lacks (Encoding Standard, index Big5), in
# runs of neighboring codes: four hexadecimal digits of the first, then their characters.
_RUNS = (
    "877a㡵𡵓𣚞𦀡㻬𥣞㫵竼龗𤅡𨤍𣇪𠪊𣉞䌊蒄龖鐯䤰蘓墖靊鈘秐稲晠権袝瑌篅枂稬剏遆㓦珄𥶹瓆鿇垳䤯呌䄱𣚎堘穲𧭥讏䚮𦺈䆁𥶙箮𢒼鿈𢓁𢓉𢓌鿉蔄𣖻䂴鿊䓡𪷿拁灮鿋 "
    "8e69箸 8e6f簆 8e7e糎 8eab緒 8eb4縝 8ecd者 8ed0耨 8f57菁 8f69蒨 8f6e萏 8fcb覦覩 "
    "8ffe起 906d都 907a銹 90dc靜 90f1響 91bf鼖 9244蔃 92af兙兛兝兞 92c8鍮 92d1瑹 9447浧 "
    "94ca禛 95d9邗 9644靝 96ed瀞 96fc嬨 9b76爁 9b78矗 9b7b纇 9bc6駖 9bde釔 9bec惞 "
    "9bf6澶 9c42輶 9c53侻 9c62營 9c68鄄 9c6b鷰 9c77菏 9cbc尐秣 9cd0婧 9d57輋 9d5a筑 "
    "9dc4拐 9ea9恢 9eef痹 9efd汊 9f60鬮 9f66鼗 9fcb僭 9fd8弌 a063蠏 a077拎 a0d5瑨 "
    "a0df煢 a0e4牐 a3c0␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟␡€ c6cf廴 c6d3无 c6d5癶 "
    "c6d7隶 c6de〃仝 fa5f倩 fa66偽 fabd包 fac5卄 fad5卿 fb48嘅 fbb8婷 fbf3幵 fbf9廐 "
    "fc4f彘 fc6c悤 fcb9撐 fce2晴 fcf1杞 fdb7沜渝 fdbb港 fdf1煮 fe52猪 fe6f瑜 feaa瓩 "
    "fedd砉 "
)
_TRAILS = (*range(0x40, 0x7F), *range(0xA1, 0xFF))


def _read_runs() -> dict[bytes, str]:
    characters: dict[bytes, str] = {}
    for run in _RUNS.split():
        lead, trail = bytes.fromhex(run[:4])
        first = _TRAILS.index(trail)
        for number, character in enumerate(run[4:], first):
            characters[bytes((lead, _TRAILS[number]))] = character
    return characters


BIG5_CHARACTERS = _read_runs()
"""Characters by their two bytes."""


_EAST_ASIAN_CODECS = frozenset({"big5hkscs", "cp932", "iso2022_jp"})
_EAST_ASIAN_ERRORS = "ilspfc-east-asian"


def read_all(body: bytes, codec: str) -> str:
    """Return the text of bytes; U+FFFD stands for what the codec cannot read.

    A character that the end of the bytes cuts is left out.
    """
    errors = _EAST_ASIAN_ERRORS if codec in _EAST_ASIAN_CODECS else "replace"
    decoder = codecs.getincrementaldecoder(codec)(errors)
    return decoder.decode(body)


def _replace_east_asian(error: UnicodeError) -> tuple[str, int]:
    """Return the replacement of undecodable bytes by the Encoding Standard (section 12).

    A pair that is no character is one U+FFFD, unless its second byte is ASCII. The rows
    of NEC and IBM, which Python's ISO-2022-JP lacks, are those of cp932.
    """
    if not isinstance(error, UnicodeDecodeError):
        raise error
    pair = error.object[error.start : error.start + 2]
    if error.encoding == "big5hkscs":
        character = BIG5_CHARACTERS.get(pair)
        return (character, error.start + 2) if character else ("\ufffd", error.end)
    if len(pair) == 2 and all(0x21 <= byte <= 0x7E for byte in pair):
        row, cell = pair
        first = (row - 0x21 >> 1) + (0x81 if row < 0x5F else 0xC1)
        second = cell + (0x1F + (cell >= 0x60) if row & 1 else 0x7E)
        return bytes((first, second)).decode("cp932", "replace")[:1], error.start + 2
    is_one = error.encoding == "cp932" and len(pair) == 2 and pair[1] >= 0x80
    return "\ufffd", error.start + 2 if is_one else error.end


codecs.register_error(_EAST_ASIAN_ERRORS, _replace_east_asian)
