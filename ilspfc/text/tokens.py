"""Tokens for statistics over texts, and lengths comparable across scripts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import groupby

import numpy as np

from ilspfc.text.arrays import FloatArray, SingleArray
from ilspfc.text.word_split import SOUTH_EAST_ASIAN

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


PREFIX_CHARS = 5
"""Characters that a word is cut to: a stemmer for every language that inflects at the end."""

HANGUL_CHARS = 2
"""Syllables that a word in Hangul is cut to: most nouns have two, then particles follow."""

# Scripts without blanks between words are read by characters, but for runs of katakana,
# which are mostly one foreign word. In Thai, Lao, Burmese and Khmer a consonant and the signs
# around it are one token, with what is stacked below it or closes its syllable.
_CLUSTERS = (
    # Thai, Lao: a vowel before the consonant, signs, a vowel behind them.
    r"[\u0e40-\u0e44\u0ec0-\u0ec4]?[\u0e01-\u0e2e\u0e81-\u0eae\u0edc-\u0edf]"
    r"[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd]*"
    r"[\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3]?"
    # Burmese: with consonants below (virama) and those that close the syllable (asat).
    r"|[\u1000-\u102a\u103f](?:\u1039[\u1000-\u102a]|[\u102b-\u1038\u103a-\u103e])*"
    r"(?:[\u1000-\u1021][\u1037\u1038]*\u103a[\u1037\u1038]*)*"
    # Khmer: with consonants below (coeng).
    r"|[\u1780-\u17b3](?:\u17d2[\u1780-\u17b3]|[\u17b4-\u17d1\u17d3\u17dd])*"
)
CLUSTER_WEIGHT = 0.3
"""Weight of such a token beside a word of another script: there are 2.5 to 2.9 for each token of
English (Universal Declaration of Human Rights)."""
_CHARACTERS = (
    f"{SOUTH_EAST_ASIAN}\u3005-\u3007\u3040-\u309f"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
)
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"


def _make_class(chars: Iterable[str]) -> str:
    """Return ascending characters as the ranges of a character class."""
    # What has the same distance to its place belongs to one range.
    runs = groupby(enumerate(map(ord, chars)), key=lambda item: item[1] - item[0])
    ranges = [[number for _, number in run] for _, run in runs]
    return "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in ranges)


_PLANE = "".join(map(chr, range(0x80, 0x10000)))
_BY_CHARACTER_RE = re.compile(f"[{_CHARACTERS}{_HANGUL}{_KATAKANA}]")
# Classes of single characters within the basic plane become bitmaps: a third faster than
# what is no digit, no sign and none of the above.
_LETTERS = "a-z" + _make_class(filter(str.isalpha, _BY_CHARACTER_RE.sub("", _PLANE)))
# Vowel signs and accents belong to the letter before them, as do joiners.
_MARKS = "\u200c\u200d" + _make_class(
    char for char in _PLANE if unicodedata.category(char)[0] == "M"
)
_NUMBER = r"[0-9]+(?:[.,'’\u00a0\u202f][0-9]+)*"
_ASCII_NUMBER = r"[0-9]+(?:[.,'][0-9]+)*"
_SIGNS = r"[!-/:-@\[-`{-~]"
# The last kind are letters beyond the basic plane, rare Han most of them.
_TOKEN = (
    rf"[{_LETTERS}][{_LETTERS}{_MARKS}]*|{_NUMBER}|{_CLUSTERS}|[{_CHARACTERS}]|"
    rf"[{_HANGUL}]+|"
    rf"[{_KATAKANA}]+|[^\W\d_]"
)

# By whether the text is ASCII and whether punctuation is kept.
_TOKEN_RES = {
    (True, False): re.compile(rf"[a-z]+|{_ASCII_NUMBER}"),
    (True, True): re.compile(rf"[a-z]+|{_ASCII_NUMBER}|{_SIGNS}"),
    (False, False): re.compile(_TOKEN),
    (False, True): re.compile(rf"{_TOKEN}|{_SIGNS}"),
}
_HANGUL_RE = re.compile(f"[{_HANGUL}]")
_SOUTH_EAST_ASIAN_RE = re.compile(f"[{SOUTH_EAST_ASIAN}]")
_SEPARATOR_RE = re.compile(r"\D+")

_DOTTED_LANGS = frozenset({"tur", "aze", "tr", "az"})
_GREEK_LANGS = frozenset({"ell", "grc", "el"})
# Marks with an ASCII counterpart; opening marks of Spanish have none and tell nothing new.
_ASCII_SIGNS = {
    '"': "“”„‟«»″「」『』《》〈〉",
    "'": "‘’‚‛‹›′",
    "-": "‐‑‒–—―−－",
    ".": "…。．｡۔।",
    ",": "，、､،",
    ";": "；؛",
    ":": "：",
    "?": "？؟",
    "!": "！",
    "(": "（【〔",
    ")": "）】〕",
    "/": "／⁄",
    "%": "％",
    "*": "•＊",
    "": "¿¡",
}
_SIGN_TABLE = {
    ord(char): ascii_sign
    for ascii_sign, chars in _ASCII_SIGNS.items()
    for char in chars
}
_DIGIT_TABLE = {
    number: str(unicodedata.decimal(chr(number)))
    for number in range(0x80, 0x10000)
    if chr(number).isdecimal()
}
_SIGN_RE = re.compile(f"[{''.join(map(chr, _SIGN_TABLE))}]")
_INVISIBLE = "\u00ad\u200b\u2060\ufeff"
_CHARACTER_TABLE = _DIGIT_TABLE | dict.fromkeys(map(ord, _INVISIBLE), "")
# A class within the basic plane is a bitmap, which makes the search of every text cheap.
_RARE_RE = re.compile(f"[{''.join(map(chr, _CHARACTER_TABLE))}\u0307]")


def tokenize(
    text: str,
    lang: str,
    *,
    prefix_chars: int = PREFIX_CHARS,
    hangul_chars: int = HANGUL_CHARS,
    punctuation: bool = False,
) -> list[str]:
    """Return the tokens of a text in ``lang`` (ISO 639), case-folded, accents kept.

    Words are cut to ``prefix_chars`` characters, words in Hangul to ``hangul_chars``; a
    number keeps all of its digits, mapped to ASCII, and loses separators; Han and hiragana
    give a token for each character, the scripts of South East Asia for each consonant with
    its signs. Signs in ASCII, or with
    a counterpart there, are tokens only with ``punctuation``.

    >>> tokenize("Die Gefährdungsbeurteilung: 1.250 Straßen!", "deu")
    ['die', 'gefäh', '1250', 'stras']
    >>> tokenize("«Да», 今日は３", "rus", punctuation=True)
    ['"', 'да', '"', ',', '今', '日', 'は', '3']
    """
    text = _fold(text, lang)
    is_ascii = text.isascii()
    if punctuation and not is_ascii:
        text = plain_signs(text)
    if punctuation and lang in _GREEK_LANGS:
        text = text.replace(";", "?").replace("·", ";")
    tokens: list[str] = _TOKEN_RES[is_ascii, punctuation].findall(text)
    if not is_ascii and _HANGUL_RE.search(text):
        tokens = [t[:hangul_chars] if _HANGUL_RE.match(t) else t for t in tokens]
    # ASCII letters and all beyond ASCII sort behind digits; signs have one character.
    return [
        t[:prefix_chars] if t >= "a" else t if len(t) == 1 else _SEPARATOR_RE.sub("", t)
        for t in tokens
    ]


def weigh_tokens(tokens: Iterable[str]) -> SingleArray:
    """Return the weight of each token: less than 1 for parts of words, shape (tokens,).

    >>> (weigh_tokens(["รา", "house"]) < 1).tolist()
    [True, False]
    """
    found = map(_SOUTH_EAST_ASIAN_RE.match, tokens)
    return np.array([CLUSTER_WEIGHT if one else 1.0 for one in found], np.float32)


def _fold(text: str, lang: str) -> str:
    """Return a text case-folded, composed, with ASCII digits, without invisible signs."""
    if lang in _DOTTED_LANGS:
        text = text.replace("İ", "i").replace("I", "ı")
    text = text.casefold()
    if text.isascii():
        return text
    if _RARE_RE.search(text):
        # The Turkish capital İ, which Python folds to two characters, is an i.
        text = text.replace("i\u0307", "i").translate(_CHARACTER_TABLE)
    return unicodedata.normalize("NFC", text)


def plain_signs(text: str) -> str:
    """Return a text with quotes, dashes and the like as their counterparts in ASCII.

    >>> plain_signs("„Da“ – wo?")
    '"Da" - wo?'
    """
    return _SIGN_RE.sub(_map_sign, text)


def _map_sign(match: re.Match[str]) -> str:
    return _SIGN_TABLE[ord(match[0])]
