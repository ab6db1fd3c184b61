"""An inverted index of paragraphs: which documents may share most of their text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.dedup.hashes import DIGEST_BYTES

if TYPE_CHECKING:
    import numpy.typing as npt

    from ilspfc.dedup.hashes import DocumentParagraphs
    from ilspfc.text.arrays import IntArray


def _number(documents: Sequence[DocumentParagraphs]) -> IntArray:
    """Return a number for each paragraph of all documents, the same for the same digest."""
    data = b"".join(document.digests for document in documents)
    halves = np.frombuffer(data, np.uint64).reshape(-1, DIGEST_BYTES // 8)
    order = np.argsort(halves[:, 0])
    is_new = _differ(halves[order], 0)
    if (is_new != (is_new | _differ(halves[order], 1))).any():
        # Half a digest tells all paragraphs apart but for one corpus in millions.
        order = np.lexsort((halves[:, 1], halves[:, 0]))
        is_new = _differ(halves[order], 0) | _differ(halves[order], 1)
    numbers = np.empty(len(order), np.int64)
    numbers[order] = np.cumsum(is_new) - 1
    return numbers


def _differ(halves: npt.NDArray[np.uint64], column: int) -> npt.NDArray[np.bool_]:
    """Return a mask of the rows that differ from their predecessor in a column."""
    values = halves[:, column]
    is_new = np.ones(len(values), bool)
    is_new[1:] = values[1:] != values[:-1]
    return is_new


class SharedParagraphs:
    """The distinct paragraphs of documents; only those that several have are kept.

    Documents go by their place in the sequence. ``sizes`` are their numbers of distinct
    paragraphs.
    """

    def __init__(self, documents: Sequence[DocumentParagraphs]) -> None:
        counts = [len(document.digests) // DIGEST_BYTES for document in documents]
        places = np.repeat(np.arange(len(documents), dtype=np.int64), counts)
        numbers = _number(documents)
        width = int(numbers.max(initial=0)) + 1
        entries = np.sort(places * width + numbers)
        entries = entries[np.diff(entries, prepend=-1) > 0]
        places, numbers = np.divmod(entries, width)
        self.sizes: IntArray = np.bincount(places, minlength=len(documents))
        frequency = np.bincount(numbers, minlength=width)
        is_shared = frequency[numbers] > 1
        places, numbers = places[is_shared], numbers[is_shared]
        # The rarest first, ties by the digest.
        self._numbers = numbers[np.lexsort((numbers, frequency[numbers], places))]
        shared = np.bincount(places, minlength=len(documents))
        self._starts = np.concatenate([[0], np.cumsum(shared)])
        # The registered owners of a paragraph are a chain of entries, the last one first.
        self._last = np.full(width, -1, np.int64)
        self._before = np.full(len(numbers), -1, np.int64)
        self._places = places
        self._marked = np.zeros(width, bool)

    def __getitem__(self, place: int) -> IntArray:
        """Return the paragraphs that a document shares with any other, the rarest first."""
        return self._numbers[self._starts[place] : self._starts[place + 1]]

    def register(self, place: int) -> None:
        """Let a document be found from now on."""
        own, start = self[place], int(self._starts[place])
        self._before[start : start + len(own)] = self._last[own]
        self._last[own] = np.arange(start, start + len(own))

    def find(self, place: int, needed: int) -> Iterator[tuple[int, int]]:
        """Yield the registered documents that share ``needed`` paragraphs, and how many.

        Not all documents are compared: two sets of which one has ``n`` members and that
        share ``needed`` of them share one among any ``n - needed + 1``, so also among the
        rarest of these.
        """
        own = self[place]
        unshared = int(self.sizes[place]) - len(own)
        probes = int(self.sizes[place]) - needed + 1 - unshared
        if probes <= 0:
            return
        candidates = self._owners(own[:probes])
        if not candidates:
            return
        rows = [self[candidate] for candidate in candidates]
        self._marked[own] = True
        hits = self._marked[np.concatenate(rows)]
        self._marked[own] = False
        starts = np.cumsum([0, *(len(row) for row in rows[:-1])])
        overlaps = np.add.reduceat(hits.astype(np.int64), starts)
        for candidate, overlap in zip(candidates, overlaps.tolist(), strict=True):
            if overlap >= needed:
                yield candidate, overlap

    def _owners(self, numbers: IntArray) -> list[int]:
        """Return the registered documents that have any of some paragraphs."""
        # Views give integers several times faster than arrays do.
        before, places = self._before.data, self._places.data
        found: set[int] = set()
        for last in self._last[numbers].tolist():
            entry = last
            while entry >= 0:
                found.add(places[entry])
                entry = before[entry]
        return sorted(found)
