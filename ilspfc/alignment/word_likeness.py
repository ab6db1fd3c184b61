"""Word similarity before training: numbers, punctuation, cognates.

Cognates are words with the same first letter whose longest common subsequence is at least
seven tenths of the longer word. Tokens have at most five characters, so cognates are words
that are equal after deletion of at most one letter, not the first, from either. An index of
deletions finds them without comparing all pairs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import numpy as np

from ilspfc.text.arrays import FloatArray, IdArray, IntArray
from ilspfc.text.vocabulary import spread

NUMBER_VALUE = 0.8
SIGN_VALUE = 0.5
WORD_VALUE = 0.5
COGNATE_VALUE = 0.4
"""Factor on the similarity of two cognates."""

MIN_SIMILARITY = 0.7
_MIN_CHARS = 3
_MAX_CHARS = 6

_LETTERS = {
    ord(char): plain
    for char, plain in zip("øđłßþðæœı", "o d l ss t d e e i".split(), strict=True)
}
_MARK_RE = re.compile(r"[\u0300-\u036f]")


def find_cognates(
    source: Sequence[str], target: Sequence[str]
) -> tuple[IdArray, IdArray, FloatArray]:
    """Return pairs of word ids of two vocabularies, with values in (0, 1].

    The pairs are sorted by source, then target.
    """
    sources, targets, values = _find_similar(source, target)
    places = {word: number for number, word in enumerate(target)}
    same = [
        (number, other, _identity_value(word))
        for number, word in enumerate(source)
        if (other := places.get(word)) is not None
    ]
    numbers = np.array([pair[:2] for pair in same], np.int64).reshape(-1, 2)
    keys = np.concatenate([sources, numbers[:, 0]]) * max(len(target), 1)
    keys += np.concatenate([targets, numbers[:, 1]])
    values = np.concatenate([values, [value for _, _, value in same]])
    unique, place = np.unique(keys, return_inverse=True)
    best = np.zeros(unique.size)
    np.maximum.at(best, place, values)
    width = max(len(target), 1)
    return (unique // width).astype(np.int32), (unique % width).astype(np.int32), best


def _identity_value(word: str) -> float:
    if word[0].isdecimal():
        return NUMBER_VALUE
    return WORD_VALUE if word[0].isalpha() else SIGN_VALUE


def _find_similar(
    source: Sequence[str], target: Sequence[str]
) -> tuple[IntArray, IntArray, FloatArray]:
    """Return the cognates of two vocabularies, possibly repeated, and their values."""
    rests: dict[str, int] = {}
    left, right = _index_deletions(source, rests), _index_deletions(target, rests)
    # For each word and rest, the words of the other side with the same rest.
    right = right[np.argsort(right[:, 0], kind="stable")]
    first = np.searchsorted(right[:, 0], left[:, 0])
    counts = np.searchsorted(right[:, 0], left[:, 0], side="right") - first
    one, other = np.repeat(left, counts, axis=0), right[spread(first, counts)]
    longest = np.maximum(one[:, 2], other[:, 2])
    # A rest (or whole word) is as long as the longest common subsequence.
    sizes = np.array([len(rest) for rest in rests], np.int64)[one[:, 0]]
    similarity = sizes / longest
    kept = similarity >= MIN_SIMILARITY
    return one[kept, 1], other[kept, 1], COGNATE_VALUE * similarity[kept]


def _index_deletions(words: Sequence[str], rests: dict[str, int]) -> IntArray:
    """Return an index of the words with at most one letter deleted.

    A row has the number of the rest, that of the word, and the length of the word.
    """
    rows = []
    for number, word in enumerate(words):
        if not word[0].isalpha():
            continue
        plain = word
        if not word.isascii():
            plain = _MARK_RE.sub("", unicodedata.normalize("NFKD", word))
            plain = plain.translate(_LETTERS)
        size = len(plain)
        if _MIN_CHARS <= size <= _MAX_CHARS:
            cuts = {plain[:n] + plain[n + 1 :] for n in range(1, size)}
            rows += [
                (rests.setdefault(rest, len(rests)), number, size)
                for rest in sorted({plain, *cuts})
            ]
    return np.array(rows, np.int64).reshape(-1, 3)
