"""The categories of a whole wiki as numbers, and the tree below one of them."""

from __future__ import annotations

from array import array
from collections import deque
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MISSING = 0


def title_key(title: bytes) -> int:
    """Return 64 bits that stand for a title; two of 10 million share one by 1 in 370,000."""
    return int.from_bytes(blake2b(title, digest_size=8).digest(), "big") or 1


class KeyTable:
    """Keys of titles by number (of a page or a link target): 16 bytes each."""

    def __init__(self) -> None:
        self._numbers = array("Q")
        self._keys = array("Q")
        self._sorted: tuple[NDArray[np.uint64], NDArray[np.uint64]] | None = None

    def add(self, number: int, key: int) -> None:
        """Take a number with its key."""
        self._numbers.append(number)
        self._keys.append(key)

    def keys_of(self, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Return the key of each number, 0 where there is none."""
        if self._sorted is None:
            given = np.frombuffer(self._numbers, dtype=np.uint64)
            order = np.argsort(given, kind="stable")
            keys = np.frombuffer(self._keys, dtype=np.uint64)
            self._sorted = given[order], keys[order]
        known, keys = self._sorted
        if not len(known):
            return np.zeros(len(numbers), dtype=np.uint64)
        places = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
        return np.where(known[places] == numbers, keys[places], np.uint64(_MISSING))

    def numbers_of(self, keys: set[int]) -> dict[int, int]:
        """Return the numbers of some keys, with the key of each."""
        wanted = np.fromiter(keys, dtype=np.uint64, count=len(keys))
        all_keys = np.frombuffer(self._keys, dtype=np.uint64)
        places = np.flatnonzero(np.isin(all_keys, wanted))
        return {self._numbers[place]: self._keys[place] for place in places.tolist()}


class CategoryGraph:
    """Which category is in which: 16 bytes for each such membership."""

    def __init__(self) -> None:
        self._children = array("Q")
        self._parents = array("Q")

    def add(self, child: int, parent: int) -> None:
        """Take a membership; numbers of any kind."""
        self._children.append(child)
        self._parents.append(parent)

    def tree(
        self,
        root: int,
        depth: int,
        children: KeyTable,
        parents: KeyTable | None,
    ) -> tuple[dict[int, int], int]:
        """Return the keys of all categories below one with their depths, and the loops.

        ``children`` and ``parents`` give the keys of the numbers that were added; without
        the latter these are keys already.
        """
        inner = children.keys_of(np.frombuffer(self._children, dtype=np.uint64))
        outer = np.frombuffer(self._parents, dtype=np.uint64)
        if parents is not None:
            outer = parents.keys_of(outer)
        order = np.argsort(outer, kind="stable")
        outer, inner = outer[order], inner[order]
        depths = {root: 0}
        loops = 0
        waiting = deque([root])
        while waiting:
            key = waiting.popleft()
            start = int(np.searchsorted(outer, np.uint64(key), "left"))
            end = int(np.searchsorted(outer, np.uint64(key), "right"))
            for child in sorted(inner[start:end].tolist()):
                if child in depths:
                    loops += depths[child] <= depths[key]
                elif child != _MISSING and depths[key] < depth:
                    depths[child] = depths[key] + 1
                    waiting.append(child)
        return depths, loops
