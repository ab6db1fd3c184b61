"""Counts of characters by kind, independent of the language."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class CharKind(IntEnum):
    """The kind of a character; each has one."""

    LETTER = 0
    UPPER = 1
    DIGIT = 2
    SPACE = 3
    COMMA = 4
    SENTENCE_END = 5
    COLON = 6
    PUNCTUATION = 7
    SEPARATOR = 8
    SYMBOL = 9
    UNSPACED = 10
    """Of a script without spaces between words."""
    BREAK = 11
    """A line feed: a br element."""
    MARK = 12
    INITIAL = 13
    """An upper-case letter at the start of a word; only in counts."""
    CLOSING = 14
    """What may stand after the end of a sentence: quotes and brackets."""


KINDS = 16

_COMMAS = ",;،，、；؛"
_SENTENCE_ENDS = ".!?。！？…؟۔।॥։።"
_COLONS = ":："
_SEPARATORS = "|»«›‹•·→←/><~▸▶►✓✔*+_#@"
_CLOSINGS = "\"'”’)]』」）"
_UNSPACED = (
    (0x0E00, 0x0F00),
    (0x1000, 0x10A0),
    (0x1780, 0x1800),
    (0x3040, 0x3100),
    (0x3400, 0x4DC0),
    (0x4E00, 0xA000),
)
_BY_CATEGORY = {
    "Lu": CharKind.UPPER,
    "Lt": CharKind.UPPER,
    "Nd": CharKind.DIGIT,
    "Nl": CharKind.DIGIT,
    "No": CharKind.DIGIT,
    "Zs": CharKind.SPACE,
}
_BY_CLASS = {
    "M": CharKind.MARK,
    "P": CharKind.PUNCTUATION,
    "S": CharKind.SYMBOL,
    "C": CharKind.SYMBOL,
    "Z": CharKind.SPACE,
}
_BASIC_PLANE = 0x10000


@cache
def _kinds() -> NDArray[np.uint8]:
    """Return the kind of each character of the basic plane, and last that of the others."""
    table = np.zeros(_BASIC_PLANE + 1, np.uint8)
    for code in range(_BASIC_PLANE):
        category = unicodedata.category(chr(code))
        kind = _BY_CATEGORY.get(category) or _BY_CLASS.get(category[0])
        table[code] = kind or CharKind.LETTER
    for first, end in _UNSPACED:
        letters = table[first:end] == CharKind.LETTER
        table[first:end][letters] = CharKind.UNSPACED
    for chars, kind in (
        (_COMMAS, CharKind.COMMA),
        (_SENTENCE_ENDS, CharKind.SENTENCE_END),
        (_COLONS, CharKind.COLON),
        (_SEPARATORS, CharKind.SEPARATOR),
        (_CLOSINGS, CharKind.CLOSING),
        ("\n", CharKind.BREAK),
        ("\u200b", CharKind.SPACE),  # between the words of Thai, Lao, Burmese, Khmer
    ):
        table[[ord(char) for char in chars]] = kind
    table[_BASIC_PLANE] = CharKind.SYMBOL  # emoji, mostly
    return table


def count_kinds(
    texts: Sequence[str],
) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the number of characters of each kind in texts, and their first and last kind.

    None of the texts is empty. The counts have the shape (texts, KINDS). The last kind is
    that of the last character but quotes and brackets, if there is one among the last three.
    """
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    codes = np.frombuffer(
        "".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32
    )
    kinds = _kinds()[np.minimum(codes, _BASIC_PLANE)]
    ends = np.cumsum(lengths)
    starts = ends - lengths
    owners = np.repeat(np.arange(len(texts)), lengths)
    counts = np.bincount(owners * KINDS + kinds, minlength=len(texts) * KINDS)
    counts = counts.reshape(-1, KINDS)
    is_first = np.zeros(len(kinds), bool)
    is_first[starts] = True
    after_space = (kinds == CharKind.SPACE) | (kinds == CharKind.BREAK)
    is_first[1:] |= after_space[:-1]
    initials = owners[is_first & (kinds == CharKind.UPPER)]
    counts[:, CharKind.INITIAL] = np.bincount(initials, minlength=len(texts))
    last = kinds[ends - 1]
    for back in (2, 3):
        before = kinds[np.maximum(ends - back, starts)]
        last = np.where(last == CharKind.CLOSING, before, last)
    return counts, kinds[starts], last
