"""Words of a text in any script, and lengths comparable across scripts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ilspfc.text.arrays import FloatArray


# Scripts without spaces between words, which are read by characters: Thai, Lao, Burmese, Khmer,
# kana, Han, that beyond the basic plane too. As the inside of a class of a pattern.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\U00020000-\U0003ffff"
)
# Vowel signs and accents belong to the letter before them, but are no letters. Han has none.
_MARKS = "".join(
    char
    for char in map(chr, chain(range(0x300, 0x3400), range(0xA000, 0xFE30)))
    if unicodedata.category(char)[0] == "M"
)
_LETTER = rf"[^\W\d_{UNSPACED}]"
WORD_PATTERN = f"[{UNSPACED}]|{_LETTER}+(?:[{_MARKS}]+{_LETTER}*)*"

_WORD_RE = re.compile(WORD_PATTERN)
_WORD_OR_NUMBER_RE = re.compile(rf"{WORD_PATTERN}|\d+")
# Most texts have neither marks nor unspaced scripts, and are split at less cost.
_SPECIAL_RE = re.compile(f"[{UNSPACED}{_MARKS}]")
_PLAIN_WORD_OR_NUMBER_RE = re.compile(r"[^\W\d_]+|\d+")


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation and numbers.

    >>> split_words("L'infortunio n. 3 (art. 12-bis): COVID-19!")
    ['l', 'infortunio', 'n', 'art', 'bis', 'covid']
    """
    return _WORD_RE.findall(unicodedata.normalize("NFC", text).lower())


def split_folded(text: str) -> list[str]:
    """Return the words and numbers of a text, case-folded for comparison.

    The Turkish capital İ, which Python folds to two characters, is an i. Diacritics stay:
    they tell words apart, and the stemmers expect them.

    >>> split_folded("Straße 12, İş")
    ['strasse', '12', 'iş']
    """
    folded = unicodedata.normalize("NFC", text.casefold().replace("i\u0307", "i"))
    if _SPECIAL_RE.search(folded):
        return _WORD_OR_NUMBER_RE.findall(folded)
    return _PLAIN_WORD_OR_NUMBER_RE.findall(folded)


# Latin characters that one character of these scripts stands for: measured on pages with
# the same blocks in English and Chinese, Japanese or Korean, and rounded. The ratio of
# the pair corrects what is left; the weights keep the lengths of mixed text comparable.
HAN_WEIGHT = 3.0
KANA_WEIGHT = 1.5
HANGUL_WEIGHT = 2.5

_WIDE_RE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def measure_length(text: str) -> float:
    """Return the length of a text in characters without blanks, as Latin ones.

    Never less than 1, so that empty segments have a place in the model.

    >>> measure_length("two words")
    8.0
    >>> measure_length("你好。")
    7.0
    """
    length = float(len("".join(text.replace("\u200b", "").split())))
    if not text.isascii():
        for character in _WIDE_RE.findall(text):
            length += _weigh(character) - 1.0
    return max(length, 1.0)


def _weigh(character: str) -> float:
    """Return the number of Latin characters that a character of East Asia stands for."""
    if character <= "\u30ff":
        return KANA_WEIGHT
    return HANGUL_WEIGHT if "\uac00" <= character <= "\ud7af" else HAN_WEIGHT


def measure_lengths(texts: Iterable[str]) -> FloatArray:
    """Return the lengths of texts, shape (number of texts,)."""
    return np.array([measure_length(text) for text in texts], dtype=np.float64)
