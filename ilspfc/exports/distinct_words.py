"""How many different words there are in a memory."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# So many words are kept before the different ones among them are found.
_MANY_WORDS = 500_000


class Vocabulary:
    """Counts the different words of texts by their hashes, in eight bytes a word.

    That two words of a million have the same is one chance in tens of millions.
    """

    def __init__(self) -> None:
        self._known: NDArray[np.int64] = np.zeros(0, np.int64)
        self._new = array("q")

    def update(self, words: list[str]) -> None:
        """Add words."""
        self._new.extend(map(hash, words))
        if len(self._new) > _MANY_WORDS:
            self.count()

    def count(self) -> int:
        """Return how many different words there were."""
        new = np.frombuffer(self._new, np.int64)
        self._known = np.unique(np.concatenate([self._known, new]))
        self._new = array("q")
        return int(self._known.size)
