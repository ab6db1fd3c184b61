"""Words as numbers: a vocabulary, and segments as flat arrays of its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ilspfc.text.arrays import IdArray, IntArray


UNKNOWN = -1
"""The number of a word that is not in a vocabulary."""


@dataclass(frozen=True, slots=True)
class Segments:
    """Segments of word numbers: segment ``n`` is ``ids[offsets[n]:offsets[n + 1]]``."""

    ids: IdArray
    offsets: IntArray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, number: int) -> IdArray:
        return self.ids[self.offsets[number] : self.offsets[number + 1]]

    @property
    def lengths(self) -> IntArray:
        """The numbers of tokens of the segments."""
        return np.diff(self.offsets)


class Vocabulary:
    """Words and their numbers, from 0 in the order in which the words were first given.

    With ``Vocabulary.sort`` the numbers do not depend on the order of the words.
    """

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._numbers = _Numbering()
        for word in words:
            self._numbers[word]

    @classmethod
    def sort(cls, tokens: Iterable[str]) -> Vocabulary:
        """Return the vocabulary of some tokens, numbered in the order of their characters."""
        return cls(sorted(set(tokens)))

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __contains__(self, word: object) -> bool:
        return word in self._numbers

    @property
    def words(self) -> list[str]:
        """The words by their numbers."""
        return list(self._numbers)

    def number(self, word: str) -> int:
        """Return the number of a word; -1 if it has none."""
        return self._numbers.get(word, UNKNOWN)

    def add(self, tokens: Sequence[str]) -> IdArray:
        """Return the numbers of tokens; unknown words are given the next ones."""
        return np.fromiter(map(self._numbers.__getitem__, tokens), np.int32)

    def encode(self, tokens: Sequence[str]) -> IdArray:
        """Return the numbers of tokens, -1 for unknown words."""
        get = self._numbers.get
        return np.fromiter((get(token, UNKNOWN) for token in tokens), np.int32)

    def add_segments(self, segments: Sequence[Sequence[str]]) -> Segments:
        """Return segments of tokens as numbers; unknown words are given the next ones."""
        ids = np.fromiter(
            map(self._numbers.__getitem__, chain.from_iterable(segments)), np.int32
        )
        return Segments(ids, _offsets(segments))

    def encode_segments(self, segments: Sequence[Sequence[str]]) -> Segments:
        """Return segments of tokens as numbers, -1 for unknown words."""
        get = self._numbers.get
        tokens = chain.from_iterable(segments)
        ids = np.fromiter((get(token, UNKNOWN) for token in tokens), np.int32)
        return Segments(ids, _offsets(segments))


class _Numbering(dict[str, int]):
    """Gives the next number to a word that is asked for and has none."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


def spread(starts: IntArray, lengths: IntArray) -> IntArray:
    """Return the numbers ``start, start + 1 …`` of all stretches, one after the other.

    >>> spread(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if ends.size else 0
    return np.repeat(starts - (ends - lengths), lengths) + np.arange(total)


def _offsets(segments: Sequence[Sequence[str]]) -> IntArray:
    offsets = np.zeros(len(segments) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, segments), np.int64, len(segments)), out=offsets[1:])
    return offsets
