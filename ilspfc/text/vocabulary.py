"""Words as numbers: a vocabulary, and segments as flat arrays of its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ilspfc.text.arrays import IdArray, IntArray

UNKNOWN = -1
"""The number of a word that is not in a vocabulary."""


@dataclass(frozen=True, slots=True)
class Segments:
    """Segments of word numbers: segment ``n`` is ``ids[offsets[n]:offsets[n + 1]]``."""

    ids: IdArray
    offsets: IntArray

    @classmethod
    def join(cls, segments: Sequence[IdArray]) -> Segments:
        """Return arrays of word numbers as segments."""
        ids = np.concatenate([np.zeros(0, np.int32), *segments])
        return cls(ids, np.cumsum([0, *map(len, segments)], dtype=np.int64))

    @classmethod
    def concatenate(cls, parts: Sequence[Segments]) -> Segments:
        """Return the segments of all parts, in their order."""
        lengths = [np.zeros(1, np.int64), *(part.lengths for part in parts)]
        ids = [np.zeros(0, np.int32), *(part.ids for part in parts)]
        return cls(np.concatenate(ids), np.cumsum(np.concatenate(lengths)))

    def take(self, numbers: IntArray) -> Segments:
        """Return the segments of these numbers."""
        return self.cut(self.offsets[numbers], self.lengths[numbers])

    def cut(self, starts: IntArray, lengths: IntArray) -> Segments:
        """Return the stretches of these starts and lengths as segments."""
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        return Segments(self.ids[spread(starts, lengths)], offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, number: int) -> IdArray:
        return self.ids[self.offsets[number] : self.offsets[number + 1]]

    @property
    def lengths(self) -> IntArray:
        """The numbers of tokens of the segments."""
        return np.diff(self.offsets)


Word = TypeVar("Word", str, bytes)


class Numbering(dict[Word, int]):
    """Words and their numbers; a word that is asked for and has none gets the next one."""

    def __missing__(self, word: Word) -> int:
        self[word] = number = len(self)
        return number


class Vocabulary(Numbering[str]):
    """Words and their numbers, from 0 in the order in which the words were first given.

    With ``Vocabulary.sort`` the numbers do not depend on the order of the words.
    """

    def __init__(self, words: Iterable[str] = ()) -> None:
        super().__init__()
        for word in words:
            self[word]

    @classmethod
    def sort(cls, tokens: Iterable[str]) -> Vocabulary:
        """Return the vocabulary of some tokens, numbered in the order of their characters."""
        return cls(sorted(set(tokens)))

    @property
    def words(self) -> list[str]:
        """The words by their numbers."""
        return list(self)

    def number(self, word: str) -> int:
        """Return the number of a word; -1 if it has none."""
        return self.get(word, UNKNOWN)

    def add(self, tokens: Iterable[str]) -> IdArray:
        """Return the numbers of tokens; unknown words are given the next ones."""
        return np.fromiter(map(self.__getitem__, tokens), np.int32)

    def encode(self, tokens: Iterable[str]) -> IdArray:
        """Return the numbers of tokens, -1 for unknown words."""
        return np.fromiter(map(self.number, tokens), np.int32)


def spread(starts: IntArray, lengths: IntArray) -> IntArray:
    """Return the numbers ``start, start + 1 …`` of all stretches, one after the other.

    >>> spread(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if ends.size else 0
    return np.repeat(starts - (ends - lengths), lengths) + np.arange(total)
