"""Where words begin and end, in any script."""

from __future__ import annotations

import re
import unicodedata

# Scripts without spaces between words are read by characters.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
)
# Vowel signs and accents belong to the letter before them, but are no letters.
_MARKS = "".join(
    char
    for char in map(chr, range(0x300, 0xFE30))
    if unicodedata.category(char)[0] == "M"
)
_LETTER = rf"[^\W\d_{_UNSPACED}]"
WORD_PATTERN = f"[{_UNSPACED}]|{_LETTER}+(?:[{_MARKS}]+{_LETTER}*)*"

_WORD_RE = re.compile(WORD_PATTERN)
_WORD_OR_NUMBER_RE = re.compile(rf"{WORD_PATTERN}|\d+")
# Most texts have neither marks nor unspaced scripts, and are split at less cost.
_SPECIAL_RE = re.compile(f"[{_UNSPACED}{_MARKS}]")
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
