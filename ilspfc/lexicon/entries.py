"""Lexicon entries: word pairs with scores and counts, as arrays and as strings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ilspfc.text.arrays import FloatArray, IdArray
from ilspfc.text.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Entry:
    """Two words that translate each other, with a score in (0, 1].

    ``segments``, ``documents`` and ``sites`` are the numbers of segment pairs, document
    pairs and sites in which they co-occur, 0 if a dictionary does not give them.
    """

    source: str
    target: str
    score: float = 1.0
    segments: int = 0
    documents: int = 0
    sites: int = 0

    @property
    def is_numeric(self) -> bool:
        """True where a side is a number, which is compared by its digits and is no word."""
        return self.source.isdigit() or self.target.isdigit()

    def transpose(self) -> Entry:
        """Return the entry with source and target swapped."""
        return replace(self, source=self.target, target=self.source)


@dataclass(frozen=True, slots=True)
class Entries:
    """Entries with word ids, shapes (entries,), sorted by source, then target; see Entry.

    ``shape`` holds the sizes of both vocabularies.
    """

    sources: IdArray
    targets: IdArray
    scores: FloatArray
    segments: IdArray
    documents: IdArray
    shape: tuple[int, int]

    def __len__(self) -> int:
        return len(self.scores)

    def take(self, kept: Any) -> Entries:
        """Return the entries selected by a mask or an index array."""
        return Entries(
            self.sources[kept],
            self.targets[kept],
            self.scores[kept],
            self.segments[kept],
            self.documents[kept],
            self.shape,
        )

    def matrix(self) -> Any:
        """Return the scores as a sparse matrix (CSR), shape (source words, target words)."""
        # Imported late, so that crawls without a lexicon start faster.
        from scipy.sparse import csr_array  # noqa: PLC0415

        index = (self.sources, self.targets)
        return csr_array((self.scores, index), shape=self.shape)

    def spell(self, source: Vocabulary, target: Vocabulary) -> list[Entry]:
        """Return the entries as strings, sorted by source and target word."""
        sources, targets = source.words, target.words
        columns = (
            self.sources,
            self.targets,
            self.scores,
            self.segments,
            self.documents,
        )
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return sorted(
            (Entry(sources[s], targets[t], *rest) for s, t, *rest in rows),
            key=lambda entry: (entry.source, entry.target),
        )


def number_entries(
    entries: Iterable[Entry], source: Vocabulary, target: Vocabulary
) -> Entries:
    """Return the entries whose words are in the two vocabularies, with word ids.

    Entries with the same words are merged: the best score and the largest counts win.
    """
    rows = [
        (s, t, entry.score, entry.segments, entry.documents)
        for entry in entries
        if (s := source.number(entry.source)) >= 0
        and (t := target.number(entry.target)) >= 0
    ]
    table = np.array(rows, np.float64).reshape(-1, 5)
    keys = table[:, 0].astype(np.int64) * len(target) + table[:, 1].astype(np.int64)
    unique, place = np.unique(keys, return_inverse=True)
    best = np.zeros((unique.size, 3))
    np.maximum.at(best, place, table[:, 2:])
    width = max(len(target), 1)
    return Entries(
        (unique // width).astype(np.int32),
        (unique % width).astype(np.int32),
        best[:, 0],
        best[:, 1].astype(np.int32),
        best[:, 2].astype(np.int32),
        (len(source), len(target)),
    )
