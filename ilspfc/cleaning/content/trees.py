"""Boosted decision trees over features in whole steps, evaluated for all blocks of a page at once.

A tree is complete: ``DEPTH`` questions lead to one of ``2 ** DEPTH`` leaves. The answers of
a chunk of blocks to one question are the bits of one number, so that choosing between two
questions takes three operations for a chunk of blocks. Leaves are whole numbers, and their sum
does not depend on an order: the same page has the same scores on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEPTH = 6
LEAF_UNIT = 2.0**-16
"""What a leaf of 1 adds to the log odds."""
# Blocks at once: the bits of a number.
_CHUNK = 64


@dataclass(frozen=True, slots=True)
class Trees:
    """An ensemble of trees.

    ``features`` and ``thresholds`` have the shape (questions, trees), the questions of a
    tree level by level: question q is followed by 2q + 1 where the feature is at most the
    threshold, else by 2q + 2. ``leaves`` has the shape (trees, leaves), in units of
    ``LEAF_UNIT``; ``base`` is the log odds that they add to.
    """

    features: NDArray[np.intp]
    thresholds: NDArray[np.uint8]
    leaves: NDArray[np.int32]
    base: float

    _asked: NDArray[np.intp] = field(init=False, repr=False, compare=False)
    _bounds: NDArray[np.uint8] = field(init=False, repr=False, compare=False)
    _places: NDArray[np.intp] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Find the questions that differ: half of all are asked in several trees."""
        steps = np.iinfo(np.uint8).max + 1
        questions = self.features.astype(np.intp) * steps + self.thresholds
        distinct, places = np.unique(questions, return_inverse=True)
        object.__setattr__(self, "_asked", distinct // steps)
        bounds = (distinct % steps).astype(np.uint8)[:, None]
        object.__setattr__(self, "_bounds", bounds)
        object.__setattr__(self, "_places", places.reshape(questions.shape))

    def predict(self, values: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the probabilities of blocks whose features stand in columns."""
        count = values.shape[1]
        some = np.zeros((len(values), _CHUNK), np.uint8)
        answers = np.empty((len(self._asked), _CHUNK), np.uint8)
        odds = np.full(count, self.base)
        for start in range(0, count, _CHUNK):
            part = values[:, start : start + _CHUNK]
            width = part.shape[1]
            some[:, :width] = part
            sums = self._sum_leaves(some, answers)[:width]
            odds[start : start + width] += sums * LEAF_UNIT
        return np.asarray(1 / (1 + np.exp(-odds)))

    def _sum_leaves(
        self, values: NDArray[np.uint8], answers: NDArray[np.uint8]
    ) -> NDArray[np.int64]:
        """Return the sums of the leaves of a chunk; ``answers`` is written over."""
        np.take(values, self._asked, axis=0, out=answers, mode="clip")
        np.greater(answers, self._bounds, out=answers.view(bool))
        # The answers of a chunk to a question are the bits of one number.
        distinct = np.packbits(answers.reshape(-1)).view(np.uint64)
        bits = distinct[self._places]
        chosen: list[NDArray[np.uint64]] = []
        for level in range(DEPTH):
            asked = bits[2**level - 1 : 2 ** (level + 1) - 1]
            for answer in chosen:
                half = len(asked) // 2
                left, right = asked[:half], asked[half:]
                asked = left ^ ((left ^ right) & answer)
            chosen.append(asked[0])
        trees = len(self.leaves)
        ways = np.zeros((trees, _CHUNK), np.uint8)
        for answer in chosen:
            np.left_shift(ways, 1, out=ways)
            went_right = np.unpackbits(np.ascontiguousarray(answer).view(np.uint8))
            np.bitwise_or(ways, went_right.reshape(trees, _CHUNK), out=ways)
        first_leaves = np.arange(0, self.leaves.size, 2**DEPTH, dtype=np.int32)
        leaves = self.leaves.ravel().take(ways + first_leaves[:, None])
        return np.asarray(leaves.sum(axis=0, dtype=np.int64))
