"""Sound of foreign words in katakana and Hangul, beside that of words in Latin letters.

A key is the word's consonants in order, led by ``a`` where the word begins with a vowel.
Consonants that transcriptions do not tell apart are one, coarser than in English and finer
than the classes of Dolgopolsky (1964): l and r, v and b, f and p, th and sh and z and j and s.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator

TRANSCRIBING = frozenset({"jpn", "kor"})
"""Languages (ISO 639-3) that transcribe foreign words by their sound."""

# Smallest number of consonants of a word, and number that is compared of a longer one.
MIN_CONSONANTS = 2
KEY_CONSONANTS = 5
# Shorter words are alike by chance: letters, kana, syllables.
_MIN_LETTERS, _MIN_KANA, _MIN_SYLLABLES = 4, 3, 2

_KANA = str.maketrans(
    {
        kana: sound
        for sound, some in {
            "a": "アイウエオヤユヨ",
            "k": "カキクケコ",
            "g": "ガギグゲゴ",
            "s": "サシスセソザジズゼゾヂヅ",
            "t": "タチツテト",
            "d": "ダデド",
            "n": "ナニヌネノン",
            "h": "ハヒヘホ",
            "b": "バビブベボヴ",
            "p": "パピプペポフ",
            "m": "マミムメモ",
            "r": "ラリルレロ",
            "w": "ワヲ",
            "": "ァィゥェォャュョッー",
        }.items()
        for kana in some
    }
)
_KATAKANA_RE = re.compile(r"[ァ-ヴー]+")
_GLIDE_RE = re.compile("ウ(?=[ィェォ])")

_HANGUL_RE = re.compile(r"[가-힣]+")
# Particles that follow a noun.
_PARTICLE_RE = re.compile(
    "(?:들?(?:은|는|이|가|을|를|의|에|와|과|도|만|로|에서|에게|으로|이나|까지|부터|처럼)|들)$"
)
# Vowels with a glide (와, 웨, 위 …), all other vowels; consonants that begin a syllable, in
# the order of Unicode, and those that end one.
_GLIDES = {0x116A, 0x116B, 0x116F, 0x1170, 0x1171}
_INITIALS = "g g n d d r m b b s s - s s t k t p h".split()
_FINALS = {"ᆨ": "k", "ᆫ": "n", "ᆯ": "r", "ᆷ": "m", "ᆸ": "p", "ᆺ": "t", "ᆼ": "ng"}
_JAMO = str.maketrans(
    {chr(0x1100 + n): sound.strip("-") for n, sound in enumerate(_INITIALS)}
    | {chr(n): "wa" if n in _GLIDES else "a" for n in range(0x1161, 0x1176)}
    | {chr(n): "" for n in range(0x11A8, 0x11C3)}
    | _FINALS
)

_LATIN_RE = re.compile(r"[a-z]+")
# Spellings of English and of what is spelled like it, in the order of the rules.
_SPELLINGS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"(?<=[^su])s$", ""),
        (r"[st]ion", "sn"),
        (r"^kn", "n"),
        (r"^wr", "r"),
        (r"sch", "sk"),
        (r"dg(?=[eiy])|[zj]|th|sh", "s"),
        (r"t?ch", "t"),
        (r"ph|f", "p"),
        (r"gh", ""),
        (r"ck|qu?", "k"),
        (r"x", "ks"),
        (r"c(?=[eiy])", "s"),
        (r"c", "k"),
        (r"v", "b"),
        (r"(?<=[aeiouy])r(?=e?$|[^aeiouyr])", ""),
        (r"l", "r"),
        (r"m(?=[pb])", "n"),
        (r"[wh](?![aeiou])", ""),
    )
)
_DOUBLE_RE = re.compile(r"(.)\1+")
_VOWELS_RE = re.compile(r"(?<!^)[aeiouy]")


def sound_keys(token: str, known: Container[str] = ()) -> set[str]:
    """Return the keys of a case-folded word by its sound; empty for other scripts.

    A spelling may have two sounds: "module" is モジュール and 모듈. A run of katakana whose
    parts are ``known`` words has a key for each part.

    >>> sound_keys("server") == sound_keys("サーバー") == sound_keys("서버")
    True
    """
    if _LATIN_RE.fullmatch(token):
        keys = _latin_sounds(token) if len(token) >= _MIN_LETTERS else ()
    elif _KATAKANA_RE.fullmatch(token):
        keys = map(_kana_sound, _split_katakana(token, known))
    elif _HANGUL_RE.fullmatch(token):
        keys = _hangul_sounds(token)
    else:
        keys = ()
    return {key for key in map(_make_key, keys) if key}


def _make_key(sounds: str) -> str:
    """Return the key of consonants between vowels; empty where they are too few."""
    consonants = _VOWELS_RE.sub("", _DOUBLE_RE.sub(r"\1", sounds))
    consonants = _DOUBLE_RE.sub(r"\1", consonants)
    begins = "a" if consonants[:1] in set("aeiouy") else ""
    consonants = consonants.removeprefix(consonants[:1] if begins else "")
    if len(consonants) < MIN_CONSONANTS:
        return ""
    return begins + consonants[:KEY_CONSONANTS]


def _latin_sounds(word: str) -> Iterator[str]:
    """Yield the sounds of a word: d may be soft before u, g before e and i."""
    hard = word
    for pattern, sound in _SPELLINGS:
        hard = pattern.sub(sound, hard)
    yield hard
    yield hard.replace("du", "su")
    yield re.sub("g(?=[eiy])", "s", hard)


def _kana_sound(word: str) -> str:
    return _GLIDE_RE.sub("w", word).translate(_KANA)


def _split_katakana(word: str, known: Container[str]) -> list[str]:
    """Return the known words that a run of katakana is made of, the run if it is not."""
    if len(word) < _MIN_KANA:
        return []
    for place in range(len(word) - _MIN_KANA, _MIN_KANA - 1, -1):
        if word[:place] in known and word[place:] in known:
            return [
                part
                for half in (word[:place], word[place:])
                for part in _split_katakana(half, known)
            ]
    return [word]


def _hangul_sounds(word: str) -> Iterator[str]:
    """Yield the sounds of a word with and without its particle; a final b may be p."""
    for form in {word, _PARTICLE_RE.sub("", word)}:
        if len(form) >= _MIN_SYLLABLES:
            jamo = unicodedata.normalize("NFD", form)
            sounds = re.sub("ng(?=[kg])", "n", jamo.translate(_JAMO))
            yield sounds
            if "ᆸ" in jamo:
                yield jamo.replace("ᆸ", "b").translate(_JAMO)
