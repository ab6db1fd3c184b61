"""Words as a reader counts them: runs of letters in any script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import chain

# Scripts without spaces between words, which are read by characters, as the inside of a class of
# a pattern: Thai, Lao, Burmese and Khmer; New Tai Lue, Javanese and Yi; kana, bopomofo and Han,
# that beyond the basic plane too. Of Tibetan a syllable is as much as a character of these.
SOUTH_EAST_ASIAN = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
UNSPACED = (
    f"{SOUTH_EAST_ASIAN}\u1980-\u19df\u3040-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua000-\ua48f\ua980-\ua9df\uff66-\uff9f\U00020000-\U0003ffff"
)
SYLLABLE_MARKS = "\u0f0b\u0f0c"
"""What parts the syllables of Tibetan, as the inside of a class of a pattern."""

WORD_MARKS = "\u1361"
"""What parts the words of Ethiopic, where no blank does."""
# Vowel signs and accents belong to the letter before them, but are no letters. Han has none.
_WORD_MARKS = "".join(
    char
    for char in map(chr, chain(range(0x300, 0x3400), range(0xA000, 0xFE30)))
    if unicodedata.category(char)[0] == "M"
)
_LETTER = rf"[^\W\d_{UNSPACED}]"
WORD_PATTERN = f"[{UNSPACED}]|{_LETTER}+(?:[{_WORD_MARKS}]+{_LETTER}*)*"

_WORD_RE = re.compile(WORD_PATTERN)
_WORD_OR_NUMBER_RE = re.compile(rf"{WORD_PATTERN}|\d+")
# Most texts have neither marks nor unspaced scripts, and are split at less cost.
_SPECIAL_RE = re.compile(f"[{UNSPACED}{_WORD_MARKS}]")
_PLAIN_WORD_OR_NUMBER_RE = re.compile(r"[^\W\d_]+|\d+")


def split_words(text: str, *, lower: bool = True) -> list[str]:
    """Return the words of a text, by default in lower case, without punctuation and numbers.

    >>> split_words("L'infortunio n. 3 (art. 12-bis): COVID-19!")
    ['l', 'infortunio', 'n', 'art', 'bis', 'covid']
    """
    text = unicodedata.normalize("NFC", text)
    return _WORD_RE.findall(text.lower() if lower else text)


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


def fold_accents(text: str) -> str:
    """Return a text without case and accents.

    >>> fold_accents("Añadir Über ﬁn")
    'anadir uber fin'
    """
    if text.isascii():
        return text.casefold()
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in parts if not unicodedata.combining(char))


def iter_spans(size: int, longest: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of the n-grams of a text of some words, up to n words long.

    >>> list(iter_spans(3, 2))
    [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]
    """
    for start in range(size):
        for end in range(start + 1, min(start + longest, size) + 1):
            yield start, end
