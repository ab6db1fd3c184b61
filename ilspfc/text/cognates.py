"""Words that are spelled alike in two languages: one key for each family of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from ilspfc.text.transcription import sound_keys
from ilspfc.text.word_split import fold_accents

# So many letters at the beginning make two words cognates (Simard, Foster and Isabelle
# 1992 take four); shorter words are alike by chance.
KEY_CHARS = 5
MIN_CHARS = 4

_LETTERS = str.maketrans(
    "αβγδεζηθικλμνξοπρσςτυφχωабвгдежзиклмнопрстуфхцчшщыэюяієґјłđıðøæœ",
    "abgdezetiklmnxoprsstifkoabvgdejsiklmnoprstufkskssieuaiegildidoee",
    "ъь",
) | {ord("ψ"): "ps", ord("ß"): "ss"}
# What languages spell in several ways comes to one.
_SPELLINGS = tuple(
    one.split(">")
    for one in "ph>f th>t ch>k qu>k ck>k ce>se ci>si cy>si c>k y>i j>i z>s w>v".split()
)
# Russian and Ukrainian write the h of a foreign word with the letter for g.
_CYRILLIC_H_RE = re.compile("^г(?=[иіу])")
_DOUBLE_RE = re.compile(r"(.)\1")
_LATIN_RE = re.compile(r"[a-z]+")


def cognate_key(token: str) -> str:
    """Return the first letters of a word's cognates; empty for numbers and short words.

    Greek and Cyrillic letters become Latin ones; words of other scripts have no key.

    >>> cognate_key("Konfiguration") == cognate_key("configurazione")
    True
    >>> cognate_key("τηλέφωνο") == cognate_key("telephone")
    True
    """
    if len(token) < MIN_CHARS:
        return ""
    text = _CYRILLIC_H_RE.sub("h", fold_accents(token)).translate(_LETTERS)
    for spelling, one in _SPELLINGS:
        text = text.replace(spelling, one)
    text = _DOUBLE_RE.sub(r"\1", text)[:KEY_CHARS]
    return text if _LATIN_RE.fullmatch(text) else ""


def cognate_keys(tokens: Sequence[str], *, by_sound: bool = False) -> csr_array:
    """Return the keys of each token as ones: shape (tokens, keys).

    With ``by_sound`` also those of foreign words in katakana and Hangul.
    """
    known = frozenset(tokens) if by_sound else frozenset[str]()
    numbers: dict[str, int] = {}
    rows, columns = [], []
    for row, token in enumerate(tokens):
        keys = {cognate_key(token)} - {""}
        if by_sound:
            # No key of letters begins like this.
            keys |= {f"/{key}" for key in sound_keys(token, known)}
        rows += [row] * len(keys)
        columns += [numbers.setdefault(key, len(numbers)) for key in sorted(keys)]
    shape = (len(tokens), max(len(numbers), 1))
    cells = np.array(rows, np.int32), np.array(columns, np.int32)
    return csr_array((np.ones(len(rows), "f4"), cells), shape=shape)
