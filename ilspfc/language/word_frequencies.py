"""Frequencies of the commonest words of languages that are alike, for short texts.

Whole words tell close languages apart where n-grams of characters do not (the idea of HeLI:
Jauhiainen et al. 2016, "HeLI, a Word-Based Backoff Method for Language Identification").
``words.npz`` is made by ``python -m evaluation.train_words``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    Words = tuple[NDArray[np.uint32], NDArray[np.float64]]

WORDS_NAME = "words.npz"
STEP = 0.1
"""A level is so much of a natural logarithm, from frequency 1 down."""
FLOOR = 1e-6
"""Added to each frequency: about that of a word that is in no list."""
_UNLISTED = np.log(FLOOR)
# Of the logarithms of the frequencies. Words of a text depend on one another, and lists hold
# words of other languages. Chosen with the floor and the number of words on the calibration
# part of pairs of words in ten groups of close languages: of .5, .7 and 1, with 1e-7 and 1e-6
# and 5,000 to 60,000 words all are within .01 (.831 without words, .866 with them).
_WEIGHT = 0.7
# The first words of a text say enough.
_MAX_WORDS = 50
_WORD_RE = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def word_key(word: str) -> int:
    """Return the key of a word in lower case, of 32 bits."""
    return crc32(word.encode("utf-8", "surrogatepass"))


@lru_cache(maxsize=1)
def listed_languages() -> frozenset[str]:
    """Return the ISO 639-3 codes of the languages that have a list."""
    with _open() as arrays:
        return frozenset(name for name in arrays.files if "." not in name)


@lru_cache(maxsize=64)
def _read(lang: str) -> Words:
    """Return the keys of a language's words, ascending, and the logarithms of their frequencies."""
    with _open() as arrays:
        keys = np.cumsum(arrays[lang], dtype=np.uint32)
        return keys, np.log(np.exp(-STEP * arrays[f"{lang}.levels"]) + FLOOR)


@contextmanager
def _open() -> Iterator[np.lib.npyio.NpzFile[Any]]:
    path = resources.files("ilspfc.language") / WORDS_NAME
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        yield arrays


def weigh_words(texts: Sequence[str], langs: Sequence[str]) -> NDArray[np.float64]:
    """Return log likelihoods of texts in languages that have a list, with the shape (texts, langs)."""
    keys: list[int] = []
    ends = []
    for text in texts:
        words = islice(_WORD_RE.findall(text.lower()), _MAX_WORDS)
        keys += map(word_key, words)
        ends.append(len(keys))
    sought = np.array(keys, np.uint32)
    sums = np.zeros((len(keys) + 1, len(langs)))
    for number, lang in enumerate(langs):
        listed, values = _read(lang)
        places = np.minimum(np.searchsorted(listed, sought), len(listed) - 1)
        is_listed = listed[places] == sought
        np.cumsum(np.where(is_listed, values[places], _UNLISTED), out=sums[1:, number])
    totals: NDArray[np.float64] = np.diff(sums[ends], axis=0, prepend=0)
    return _WEIGHT * totals
