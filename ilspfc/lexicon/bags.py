"""Pairs of segments as bags of words, sorted by content alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ilspfc.text.arrays import FloatArray, IdArray, IntArray
from ilspfc.text.vocabulary import Segments, spread

MAX_TOKENS = 100
"""Pairs with a longer segment are split: cost grows with the product of the lengths."""

MAX_PLACES = 1 << 24
"""Maximum number of co-occurrences to process, as of some 100,000 short segments."""

# Multipliers of splitmix64.
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


@dataclass(frozen=True, slots=True)
class Bags:
    """Distinct words of one side; bag ``n`` is at ``offsets[n]:offsets[n + 1]``."""

    words: IdArray
    counts: FloatArray
    offsets: IntArray

    @property
    def lengths(self) -> IntArray:
        """Number of distinct words of each bag, shape (bags,)."""
        return np.diff(self.offsets)

    def take(self, order: IntArray) -> Bags:
        """Return the bags at these indices."""
        lengths = self.lengths[order]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        index = spread(self.offsets[:-1][order], lengths)
        return Bags(self.words[index], self.counts[index], offsets)

    def digests(self) -> npt.NDArray[np.uint64]:
        """Return a hash of the content of each bag; bags must not be empty."""
        code = self.words.astype(np.uint64) * np.uint64(1 << 20)
        code += self.counts.astype(np.uint64) + np.uint64(1)
        for shift, factor in zip((30, 27), _MIX, strict=True):
            code = (code ^ (code >> np.uint64(shift))) * factor
        code ^= code >> np.uint64(31)
        return np.add.reduceat(code, self.offsets[:-1]) if code.size else code


@dataclass(frozen=True, slots=True)
class BagPairs:
    """Pairs of bags; ``weights`` are positive, ``documents`` are numbered from 0."""

    source: Bags
    target: Bags
    weights: FloatArray
    documents: IntArray

    def __len__(self) -> int:
        return len(self.weights)


def pair_bags(
    source: Segments,
    target: Segments,
    *,
    weights: FloatArray | None = None,
    documents: IdArray | IntArray | None = None,
    max_places: int = MAX_PLACES,
) -> BagPairs:
    """Return the bags of pairs of segments, sorted by content.

    Pairs with more than MAX_TOKENS tokens on a side are split proportionally. If the
    products of lengths sum to more than ``max_places``, a sample is taken that does not
    depend on the order. Unknown words (-1), pairs with an empty side and pairs without a
    positive weight are left out. By default, each pair counts as one document. ValueError
    if sides, weights and documents differ in number.
    """
    number = len(source)
    for name, given in (
        ("target", target),
        ("weights", weights),
        ("documents", documents),
    ):
        if given is not None and len(given) != number:
            raise ValueError(f"{name}: {len(given)} for {number} source segments")
    pieces = np.maximum(source.lengths, target.lengths) + MAX_TOKENS - 1
    pieces = np.maximum(pieces // MAX_TOKENS, 1)
    left = _count_words(source.ids, _split_segments(source.offsets, pieces))
    right = _count_words(target.ids, _split_segments(target.offsets, pieces))
    origin = np.repeat(np.arange(number), pieces)
    if weights is None:
        weights = np.ones(number)
    if documents is None:
        documents = np.arange(number)
    weight = np.asarray(weights, np.float64)[origin]
    kept = np.flatnonzero((left.lengths > 0) & (right.lengths > 0) & (weight > 0))
    left, right, weight = left.take(kept), right.take(kept), weight[kept]
    document = np.asarray(documents, np.int64)[origin[kept]]
    order = np.lexsort((document, weight, right.digests(), left.digests()))
    # Digests are practically random, so the first ones are a sample.
    ends = np.cumsum((left.lengths * right.lengths)[order])
    order = order[: np.searchsorted(ends, max_places, side="right")]
    return BagPairs(left.take(order), right.take(order), weight[order], document[order])


def sort_unique(keys: IntArray) -> IntArray:
    """Return the distinct keys, sorted; np.unique, which hashes, is many times slower here."""
    return drop_repeats(np.sort(keys))


def drop_repeats(ordered: IntArray) -> IntArray:
    """Return the distinct keys of a sorted array."""
    is_first = np.ones(ordered.size, bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    return ordered[is_first]


def sum_by(numbers: IdArray, values: FloatArray, size: int) -> FloatArray:
    """Return the sums of the values by number, shape (``size``,)."""
    return np.bincount(numbers, values, size).astype(np.float64, copy=False)


def _split_segments(offsets: IntArray, pieces: IntArray) -> IntArray:
    """Return the offsets of segments after splitting each into equal pieces."""
    if pieces.size == pieces.sum():
        return offsets
    number = spread(np.zeros_like(pieces), pieces)
    lengths = np.repeat(np.diff(offsets), pieces)
    cuts = np.repeat(offsets[:-1], pieces) + lengths * number // np.repeat(
        pieces, pieces
    )
    return np.concatenate([cuts, offsets[-1:]])


def _count_words(ids: IdArray, offsets: IntArray) -> Bags:
    """Return the distinct words of each segment in numeric order, with their counts."""
    number = offsets.size - 1
    segment = np.repeat(np.arange(number), np.diff(offsets))
    known = ids[offsets[0] : offsets[-1]] >= 0
    size = int(ids.max(initial=0)) + 1
    keys = segment[known] * size + ids[offsets[0] : offsets[-1]][known]
    keys, counts = np.unique(keys, return_counts=True)
    segment, words = np.divmod(keys, size)
    ends = np.searchsorted(segment, np.arange(number + 1))
    return Bags(words.astype(np.int32), counts.astype(np.float64), ends)
