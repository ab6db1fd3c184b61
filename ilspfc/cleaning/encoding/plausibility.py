"""How plausible a reading of bytes is: what a detector of encodings says is looked at twice.

Each language is a unigram model of the characters beyond ASCII; a reading is worth the log
probability of its characters in the language that explains them best, less what no spelling
has: a symbol amid a word, a capital after a small letter, two scripts in one word.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import islice
from math import log
from typing import TYPE_CHECKING

from ilspfc.cleaning.encoding.alphabets import (
    ALPHABETS,
    PUNCTUATION,
    SIGNS,
    WIDE_PUNCTUATION,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

# Natural logarithms throughout. Shares of a text's characters beyond ASCII:
_PUNCTUATION_SHARE = 0.1
# A language without letters of its own beyond ASCII: English.
_ASCII_LANG = "en"
_ASCII_LANG_PUNCTUATION_SHARE = 0.8
_CAPITAL_SHARE = 0.05
_WIDE_PUNCTUATION_SHARE = 0.15
_SIGNS_SHARE = 0.6
# What is in no list: a rare sign, a letter of another language, what is no text at all.
_RARE_SIGN = log(0.25 / 7000)
_FOREIGN_LETTER = log(0.0005)
_SYMBOL = log(0.0001)
_NO_TEXT = -14.0
# Only languages that have one of the most frequent letters are tried: so many letters.
_LOOKED_UP = 4

_NO_TEXT_RE = re.compile("[\x80-\x9f\ue000-\uf8ff\ufffd]")
_RARE_SIGN_RE = re.compile("[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")
_CASED = [chr(code) for code in range(0x80, 0x530)]
_LOWER = "".join(char for char in _CASED if char.islower())
_UPPER = "".join(char for char in _CASED if char.isupper())
_LATIN = "a-zA-Zß-öø-ÿÀ-ÖØ-ÞĀ-ɏ"
_OTHER = "Ͱ-ԯא-ת\u0620-\u06d3\u0e01-\u0e4e"
_SYMBOLS = "¡-©¬®-´¶¸¹»-¿×÷†-•‰™‡ˆ˜\u2500-\u25ff"
# What no spelling has, and its log probability.
_FAULTS = (
    (re.compile(f"[a-z{_LOWER}](?=[{_UPPER}])|[{_LOWER}](?=[A-Z])"), -3.0),
    (re.compile(f"[{_LATIN}](?=[{_OTHER}])|[{_OTHER}](?=[{_LATIN}])"), -4.0),
    (re.compile(f"[{_LATIN}{_OTHER}][{_SYMBOLS}](?=[{_LATIN}{_OTHER}])"), -4.0),
    (
        re.compile(f"(?<![{_LATIN}{_OTHER}0-9])[¤¦¨¬¯-³¹´¶¸¼-¾](?=[{_LATIN}{_OTHER}])"),
        -2.0,
    ),
    (re.compile("[\u0370-\u03ff](?=[\u0400-\u052f])"), -4.0),
    # Half-width forms are as good as never a text.
    (re.compile("[\uff61-\uff9f]"), -4.0),
)


def _ranked(chars: Iterable[str], share: float) -> dict[str, float]:
    """Return probabilities that fall with the rank, ``share`` in all."""
    weights = {char: 1 / (rank + 3) for rank, char in enumerate(dict.fromkeys(chars))}
    total = sum(weights.values())
    return {char: share * weight / total for char, weight in weights.items()}


@cache
def _models() -> dict[str, dict[str, float]]:
    """Return the log probabilities of the characters, by language."""
    models = {}
    for lang, letters in ALPHABETS.items():
        share = _PUNCTUATION_SHARE
        if lang == _ASCII_LANG:
            share = _ASCII_LANG_PUNCTUATION_SHARE
        punctuation = _ranked(PUNCTUATION, share)
        small = _ranked(letters, 1 - _CAPITAL_SHARE - share)
        capitals = {
            char.upper(): probability * _CAPITAL_SHARE
            for char, probability in small.items()
            if len(char.upper()) == 1
        }
        models[lang] = capitals | small | punctuation
    wide = _ranked(WIDE_PUNCTUATION, _WIDE_PUNCTUATION_SHARE)
    for lang, signs in SIGNS.items():
        models[lang] = _ranked(signs, _SIGNS_SHARE) | wide
    return {
        lang: {char: log(probability) for char, probability in model.items()}
        for lang, model in models.items()
    }


@cache
def _langs_of() -> dict[str, set[str]]:
    """Return the languages that have a character among their letters or signs."""
    langs: dict[str, set[str]] = {}
    common = {*PUNCTUATION, *WIDE_PUNCTUATION}
    for lang, model in _models().items():
        for char in model.keys() - common:
            langs.setdefault(char, set()).add(lang)
    return langs


def _unlisted(char: str) -> float:
    """Return the log probability of a character that a language's list does not have."""
    if _NO_TEXT_RE.match(char):
        return _NO_TEXT
    if _RARE_SIGN_RE.match(char):
        return _RARE_SIGN
    return _FOREIGN_LETTER if char.isalpha() else _SYMBOL


def plausibility(text: str) -> float:
    """Return the log probability of a text's characters beyond ASCII, 0 if it has none.

    Readings of the same bytes can be compared by it.
    """
    counts = Counter(char for char in text if char > "\x7f")
    if not counts:
        return 0.0
    unlisted = {char: _unlisted(char) for char in counts}
    models, langs_of = _models(), _langs_of()
    frequent = (char for char, _ in counts.most_common() if char in langs_of)
    langs = set[str]().union(*(langs_of[char] for char in islice(frequent, _LOOKED_UP)))
    best = max(
        sum(
            count * models[lang].get(char, unlisted[char])
            for char, count in counts.items()
        )
        for lang in langs | {_ASCII_LANG}
    )
    return best + sum(weight * len(fault.findall(text)) for fault, weight in _FAULTS)
