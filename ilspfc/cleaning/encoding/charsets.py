"""The character encodings that a page may be in: those of the WHATWG Encoding Standard.

Python knows others (idna, zlib, unicode_escape …) that no page may choose.
"""

from __future__ import annotations

from resiliparse.parse.encoding import map_encoding_to_html5

REPLACEMENT = "replacement"
"""What the labels mean that a browser refuses to read: stateful encodings, in which what
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
_OTHER_LABELS = {
    "x-mac-cyrillic": "mac_cyrillic",
    "x-mac-ukrainian": "mac_cyrillic",
    "csiso2022kr": REPLACEMENT,
    "hz-gb-2312": REPLACEMENT,
    "iso-2022-cn": REPLACEMENT,
    "iso-2022-cn-ext": REPLACEMENT,
    "iso-2022-kr": REPLACEMENT,
    "replacement": REPLACEMENT,
}


def codec_of(label: str | None) -> str | None:
    """Return the Python codec of an encoding label, or None if no page may use it.

    It is ``REPLACEMENT`` for what no browser reads. ``x-user-defined`` is no text: None.

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
