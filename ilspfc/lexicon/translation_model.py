"""Learned lexicon: translation probabilities in both directions, and their support."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ilspfc.lexicon.bags import sort_unique
from ilspfc.lexicon.cooccurrence import Cooccurrence
from ilspfc.lexicon.entries import Entries
from ilspfc.text.arrays import IdArray, IntArray

MIN_SCORE = 0.05
MIN_SEGMENTS = 2


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Bilingual lexicon over two vocabularies.

    ``forward`` is p(target | source), a sparse matrix (CSR), shape (source words, target
    words); ``backward`` is p(source | target), transposed. ``candidates`` are the word
    pairs in both, scored by the geometric mean of the two probabilities.
    """

    forward: Any
    backward: Any
    candidates: Entries

    def entries(
        self,
        min_score: float = MIN_SCORE,
        min_segments: int = MIN_SEGMENTS,
        min_pairs: int = 1,
    ) -> Entries:
        """Return the reliable word pairs.

        They have a score of at least ``min_score`` and co-occur in ``min_segments`` segment
        pairs, from ``min_pairs`` document pairs. Pairs known from the prior alone do not
        co-occur.
        """
        found = self.candidates
        is_seen = (found.segments >= min_segments) & (found.documents >= min_pairs)
        return found.take((found.scores >= min_score) & is_seen)


def make_lexicon(forward: Any, backward: Any, places: Cooccurrence) -> Lexicon:
    """Return the lexicon of two tables, with the support of its word pairs."""
    common = forward.multiply(backward.T).tocoo()
    keys = common.row.astype(np.int64) * places.target_size + common.col
    index = np.searchsorted(places.keys, keys)
    candidates = Entries(
        common.row.astype(np.int32),
        common.col.astype(np.int32),
        np.sqrt(common.data),
        *_count_support(places, index),
        (int(common.shape[0]), int(common.shape[1])),
    )
    return Lexicon(forward, backward, candidates)


def _count_support(places: Cooccurrence, index: IntArray) -> tuple[IdArray, IdArray]:
    """Return the numbers of segments and documents in which word pairs co-occur."""
    # The rank of each requested word pair, -1 for all others.
    kept = np.full(places.sources.size, -1, np.int32)
    kept[index] = np.arange(index.size)
    sizes = places.bags.source.lengths * places.bags.target.lengths
    span = int(places.bags.documents.max(initial=0)) + 1
    segments = np.zeros(index.size, np.int32)
    seen = [np.zeros(0, np.int64)]
    for (first, last), pairs in zip(places.bounds, places.places, strict=True):
        entry = kept[pairs].astype(np.int64)
        document = np.repeat(places.bags.documents[first:last], sizes[first:last])
        known = entry >= 0
        segments += np.bincount(entry[known], minlength=index.size).astype(np.int32)
        seen.append(sort_unique(entry[known] * span + document[known]))
    distinct = sort_unique(np.concatenate(seen))
    documents = np.bincount(distinct // span, minlength=index.size).astype(np.int32)
    return segments, documents
