"""Pairs of words with what is known of them: as arrays of numbers, and spelled out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ilspfc.text.arrays import FloatArray, IdArray
    from ilspfc.text.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Entry:
    """Two words that translate each other, with a score in (0, 1].

    ``segments``, ``documents`` and ``sites`` count where they were seen together: pairs
    of segments, pairs of documents, sites. A dictionary that does not tell has 0.
    """

    source: str
    target: str
    score: float = 1.0
    segments: int = 0
    documents: int = 0
    sites: int = 0

    def transpose(self) -> Entry:
        """Return the entry in the other direction."""
        return replace(self, source=self.target, target=self.source)


@dataclass(frozen=True, slots=True)
class Entries:
    """Pairs of word numbers, in the order of source, then target; see Entry.

    ``shape`` are the sizes of both vocabularies.
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
        """Return the entries that a mask or an index selects."""
        return Entries(
            self.sources[kept],
            self.targets[kept],
            self.scores[kept],
            self.segments[kept],
            self.documents[kept],
            self.shape,
        )

    def matrix(self) -> Any:
        """Return the scores as a sparse matrix (CSR), source by target words."""
        # Imported where it is needed: crawls that learn nothing start without it.
        from scipy.sparse import csr_array  # noqa: PLC0415

        index = (self.sources, self.targets)
        return csr_array((self.scores, index), shape=self.shape)

    def spell(self, source: Vocabulary, target: Vocabulary) -> list[Entry]:
        """Return the entries with their words, sorted by source and target word."""
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
    """Return the entries whose words are in two vocabularies, as numbers.

    Of entries with the same words the best score and the largest counts hold.
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
