"""Learned lexicon: translation probabilities in both directions, and their support."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ilspfc.lexicon.bags import sort_unique
from ilspfc.lexicon.entries import Entries

if TYPE_CHECKING:
    from ilspfc.lexicon.cooccurrence import Cooccurrence
    from ilspfc.text.arrays import IdArray, IntArray

MIN_SCORE = 0.05
MIN_SEGMENTS = 2


@dataclass(frozen=True, slots=True)
class Lexicon:
    """A bilingual lexicon over two vocabularies.

    ``forward`` is p(target | source), a sparse matrix (CSR) of source by target words;
    ``backward`` is p(source | target), target by source. ``candidates`` are the pairs of
    words in both, with the geometric mean of both probabilities as score.
    """

    forward: Any
    backward: Any
    candidates: Entries

    @property
    def shape(self) -> tuple[int, int]:
        """The sizes of both vocabularies."""
        return self.candidates.shape

    def entries(
        self,
        min_score: float = MIN_SCORE,
        min_segments: int = MIN_SEGMENTS,
        min_pairs: int = 1,
    ) -> Entries:
        """Return the pairs of words that are sure enough.

        They have a score of at least ``min_score`` and stand together in ``min_segments``
        pairs of segments, from ``min_pairs`` pairs of documents. What the prior alone
        vouches for has been seen in none.
        """
        found = self.candidates
        is_seen = (found.segments >= min_segments) & (found.documents >= min_pairs)
        return found.take((found.scores >= min_score) & is_seen)

    def matrix(
        self,
        min_score: float = MIN_SCORE,
        min_segments: int = MIN_SEGMENTS,
        min_pairs: int = 1,
    ) -> Any:
        """Return the scores of ``entries`` as a sparse matrix (CSR), source by target."""
        return self.entries(min_score, min_segments, min_pairs).matrix()


def make_lexicon(forward: Any, backward: Any, places: Cooccurrence) -> Lexicon:
    """Return the lexicon of two tables, with where its pairs of words were seen."""
    keys, scores = _mean(forward, backward)
    segments, documents = _count_support(places, keys)
    shape = forward.shape
    width = max(shape[1], 1)
    candidates = Entries(
        (keys // width).astype(np.int32),
        (keys % width).astype(np.int32),
        scores,
        segments,
        documents,
        (int(shape[0]), int(shape[1])),
    )
    return Lexicon(forward, backward, candidates)


def _mean(forward: Any, backward: Any) -> tuple[IntArray, Any]:
    """Return the keys of the pairs in both tables and the means of their values."""
    width = forward.shape[1]
    there, back = forward.tocoo(), backward.tocoo()
    there_keys = there.row.astype(np.int64) * width + there.col
    back_keys = back.col.astype(np.int64) * width + back.row
    keys, left, right = np.intersect1d(
        there_keys, back_keys, assume_unique=True, return_indices=True
    )
    return keys, np.sqrt(there.data[left] * back.data[right])


def _count_support(places: Cooccurrence, keys: IntArray) -> tuple[IdArray, IdArray]:
    """Return in how many pairs of segments and of documents pairs of words stand."""
    number = len(keys)
    segments = np.zeros(number, np.int64)
    all_keys = places.keys
    # The number of each pair of words among the keys; -1 for those that were not kept.
    kept = np.full(all_keys.size, -1, np.int32)
    index = np.searchsorted(all_keys, keys)
    index[index == all_keys.size] = 0
    is_seen = all_keys[index] == keys if all_keys.size else np.zeros(number, bool)
    del all_keys
    kept[index[is_seen]] = np.flatnonzero(is_seen)
    sizes = places.bags.source.lengths * places.bags.target.lengths
    span = int(places.bags.documents.max(initial=0)) + 1
    seen = [np.zeros(0, np.int64)]
    for (first, last), pairs in zip(places.bounds, places.places, strict=True):
        entry = kept[pairs].astype(np.int64)
        document = np.repeat(places.bags.documents[first:last], sizes[first:last])
        known = entry >= 0
        segments += np.bincount(entry[known], minlength=number)
        seen.append(sort_unique(entry[known] * span + document[known]))
    distinct = sort_unique(np.concatenate(seen))
    documents = np.bincount(distinct // span, minlength=number)
    return segments.astype(np.int32), documents.astype(np.int32)
