"""Boosted decision trees over features in whole steps, evaluated for all blocks of a page at once.

A tree is complete: ``DEPTH`` questions lead to one of ``2 ** DEPTH`` leaves. The answers of
all blocks to one question are the bits of a few bytes, so that choosing between two
questions takes three operations for eight blocks. Leaves are whole numbers, and their sum
does not depend on an order: the same page has the same scores on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEPTH = 6
LEAF_UNIT = 2.0**-16
"""What a leaf of 1 adds to the log odds."""
# Blocks at once: the answers of so many fit the processor's cache.
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

    def predict(self, values: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the probabilities of blocks whose features stand in columns."""
        count = values.shape[1]
        scratch = np.empty((self.features.size, min(count, _CHUNK)), np.uint8)
        odds = np.full(count, self.base)
        for start in range(0, count, _CHUNK):
            some = np.ascontiguousarray(values[:, start : start + _CHUNK])
            width = some.shape[1]
            answers = (
                scratch if width == scratch.shape[1] else scratch[:, :width].copy()
            )
            odds[start : start + width] += self._sum_leaves(some, answers) * LEAF_UNIT
        return np.asarray(1 / (1 + np.exp(-odds)))

    def _sum_leaves(
        self, values: NDArray[np.uint8], answers: NDArray[np.uint8]
    ) -> NDArray[np.int64]:
        """Return the sums of the leaves of a few blocks; ``answers`` is written over."""
        count, trees = values.shape[1], len(self.leaves)
        np.take(values, self.features.ravel(), axis=0, out=answers, mode="clip")
        np.greater(answers, self.thresholds.reshape(-1, 1), out=answers.view(bool))
        bits = np.packbits(answers, axis=1).reshape(len(self.features), trees, -1)
        chosen: list[NDArray[np.uint8]] = []
        for level in range(DEPTH):
            asked = bits[2**level - 1 : 2 ** (level + 1) - 1]
            for answer in chosen:
                half = len(asked) // 2
                left, right = asked[:half], asked[half:]
                asked = left ^ ((left ^ right) & answer)
            chosen.append(asked[0])
        ways = np.zeros((trees, count), np.uint8)
        for answer in chosen:
            np.left_shift(ways, 1, out=ways)
            np.bitwise_or(ways, np.unpackbits(answer, axis=1, count=count), out=ways)
        first_leaves = np.arange(0, self.leaves.size, 2**DEPTH, dtype=np.int32)
        leaves = self.leaves.ravel().take(ways + first_leaves[:, None])
        return np.asarray(leaves.sum(axis=0, dtype=np.int64))
