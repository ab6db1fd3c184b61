"""Co-occurrence of words in pairs of segments: found once, used by every iteration."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.lexicon.bags import sort_unique
from ilspfc.text.vocabulary import spread

if TYPE_CHECKING:
    from ilspfc.lexicon.bags import BagPairs, Bags
    from ilspfc.text.arrays import BoolArray, FloatArray, IdArray, IntArray

CHUNK_PLACES = 1 << 18
"""Places that are worked on at a time: what bounds the memory beside the pairs."""

_KEY_BITS = 63


@dataclass(frozen=True, slots=True)
class Chunk:
    """The places of some pairs of bags: where a word of one side meets one of the other.

    Places come in runs, one for each word of the outer side, with a place for each word
    of the inner side: run ``n`` begins at ``starts[n]`` and is ``runs[n]`` long; it belongs
    to ``outer_words[n]``, which counts ``weights[n]`` (its count times the weight of the
    bags). ``pairs`` are the numbers of the pairs of words. At the places ``repeated`` the
    inner word stands ``repeats`` times, elsewhere once.
    """

    pairs: IdArray
    starts: IntArray
    runs: IntArray
    outer_words: IdArray
    weights: FloatArray
    repeated: IntArray
    repeats: FloatArray


@dataclass(frozen=True, slots=True)
class Cooccurrence:
    """All pairs of words that stand together in a pair of bags or in the prior, and where.

    ``sources`` and ``targets`` are the words of the pairs, in ascending order; a pair's
    place there is its number. ``unseen`` are the numbers of those of the prior alone.
    ``places`` are the numbers for each place of each chunk; at
    first in runs for the target words. Memory: 8 bytes a pair of words and 4 a place.
    """

    bags: BagPairs
    target_size: int
    sources: IdArray
    targets: IdArray
    unseen: IntArray
    bounds: list[tuple[int, int]]
    places: list[IdArray]

    @property
    def keys(self) -> IntArray:
        """The pairs as single numbers, ``source * target_size + target``, ascending."""
        keys = self.sources.astype(np.int64)
        keys *= self.target_size
        keys += self.targets
        return keys

    def given_source(self) -> list[Chunk]:
        """Return the places in runs for the target words."""
        source, target = self.bags.source, self.bags.target
        return [
            _make_chunk(source, target, self.bags.weights[a:b], (a, b), pairs)
            for (a, b), pairs in zip(self.bounds, self.places, strict=True)
        ]

    def given_target(self) -> list[Chunk]:
        """Return the places in runs for the source words.

        They are turned around where they are, to take no more memory: what
        ``given_source`` returned cannot be used any more.
        """
        source, target = self.bags.source, self.bags.target
        chunks = []
        for number, (a, b) in enumerate(self.bounds):
            order = _turn(source.lengths[a:b], target.lengths[a:b])
            self.places[number][:] = self.places[number][order]
            weights = self.bags.weights[a:b]
            chunks.append(
                _make_chunk(target, source, weights, (a, b), self.places[number])
            )
        return chunks


def find_cooccurrences(
    bags: BagPairs, target_size: int, prior_keys: IntArray
) -> Cooccurrence:
    """Return the pairs of words of some pairs of bags, and those of a prior.

    ``target_size`` words can occur; ``prior_keys`` are keys as in ``Cooccurrence.keys``.
    """
    bounds = _find_bounds(bags.source.lengths * bags.target.lengths)
    keys = _find_keys(bags, target_size)
    unseen = prior_keys[~_is_among(prior_keys, keys)]
    if unseen.size:
        keys = np.concatenate([keys, unseen])
        keys.sort(kind="stable")  # which merges what is in order
    places = []
    for first, last in bounds:
        own, numbers = _number_keys(_place_keys(bags, first, last, target_size))
        np.searchsorted(keys, own).astype(np.int32).take(numbers, out=numbers)
        places.append(numbers)
    unseen = np.searchsorted(keys, unseen)
    # Without an array of larger numbers between.
    sources, targets = np.empty(keys.size, np.int32), np.empty(keys.size, np.int32)
    np.remainder(keys, target_size, out=targets, casting="unsafe")
    np.floor_divide(keys, target_size, out=sources, casting="unsafe")
    return Cooccurrence(bags, target_size, sources, targets, unseen, bounds, places)


def _is_among(some: IntArray, keys: IntArray) -> BoolArray:
    """Return a mask of those that are among keys in order."""
    if not keys.size:
        return np.zeros(some.size, bool)
    places = np.minimum(np.searchsorted(keys, some), keys.size - 1)
    found: BoolArray = keys[places] == some
    return found


def _find_keys(bags: BagPairs, target_size: int) -> IntArray:
    """Return the keys of the pairs of words that stand together, ascending."""
    from scipy.sparse import csr_array  # noqa: PLC0415

    size = int(bags.source.words.max(initial=0)) + 1
    ones = np.ones(max(bags.source.words.size, bags.target.words.size), bool)
    left, right = (
        csr_array(
            (ones[: side.words.size], side.words, side.offsets), (len(bags), width)
        )
        for side, width in ((bags.source, size), (bags.target, target_size))
    )
    together = csr_array(left.T) @ right
    together.sort_indices()
    runs = np.diff(together.indptr)
    keys: IntArray = np.repeat(np.arange(size) * target_size, runs)
    keys += together.indices
    return keys


def _find_bounds(sizes: IntArray) -> list[tuple[int, int]]:
    """Return the first and last pair of bags of chunks of nearly equal size."""
    ends = np.cumsum(sizes)
    marks = np.arange(0, int(ends[-1]) if ends.size else 0, CHUNK_PLACES)
    cuts = np.unique(np.append(np.searchsorted(ends, marks, side="right"), ends.size))
    return list(pairwise(cuts.tolist()))


def _place_keys(bags: BagPairs, first: int, last: int, target_size: int) -> IntArray:
    """Return the keys of the places of a chunk, in runs for the target words."""
    source, target = bags.source, bags.target
    outer = slice(int(target.offsets[first]), int(target.offsets[last]))
    runs, index = _find_runs(source, target, first, last)
    keys = source.words[index].astype(np.int64) * target_size
    keys += np.repeat(target.words[outer], runs)
    return keys


def _find_runs(
    inner: Bags, outer: Bags, first: int, last: int
) -> tuple[IntArray, IntArray]:
    """Return the lengths of the runs of a chunk, and the inner index of each place."""
    lengths = outer.lengths[first:last]
    runs = np.repeat(inner.lengths[first:last], lengths)
    starts = np.repeat(inner.offsets[first:last], lengths)
    return runs, spread(starts, runs)


def _number_keys(keys: IntArray) -> tuple[IntArray, IdArray]:
    """Return the different keys in order, and the number of each place's key.

    Sorts each key with its place behind it in one integer, far faster than numpy's
    argsort.
    """
    place_bits = int(keys.size).bit_length()
    if int(keys.max(initial=0)).bit_length() + place_bits > _KEY_BITS:
        unique = sort_unique(keys)
        return unique, np.searchsorted(unique, keys).astype(np.int32)
    packed: IntArray = (keys << place_bits) | np.arange(keys.size)
    packed.sort()
    places = packed & ((1 << place_bits) - 1)
    packed >>= place_bits
    is_first = np.ones(keys.size, bool)
    np.not_equal(packed[1:], packed[:-1], out=is_first[1:])
    numbers: IdArray = np.zeros(keys.size, np.int32)
    numbers[places] = np.cumsum(is_first) - 1
    return packed[is_first], numbers


def _turn(inner: IntArray, outer: IntArray) -> IntArray:
    """Return the places of a chunk, given in runs for outer words, by inner words."""
    sizes = inner * outer
    bases = np.cumsum(sizes) - sizes
    firsts = spread(bases, inner)
    runs = np.repeat(outer, inner)
    steps = np.repeat(np.repeat(inner, inner), runs)
    return np.repeat(firsts, runs) + steps * spread(np.zeros_like(runs), runs)


def _make_chunk(
    inner: Bags,
    outer: Bags,
    weights: FloatArray,
    bounds: tuple[int, int],
    pairs: IdArray,
) -> Chunk:
    runs, index = _find_runs(inner, outer, *bounds)
    repeats = inner.counts[index]
    repeated = np.flatnonzero(repeats > 1)
    place = slice(int(outer.offsets[bounds[0]]), int(outer.offsets[bounds[1]]))
    lengths = outer.lengths[bounds[0] : bounds[1]]
    return Chunk(
        pairs=pairs,
        starts=np.cumsum(runs) - runs,
        runs=runs,
        outer_words=outer.words[place],
        weights=outer.counts[place] * np.repeat(weights, lengths),
        repeated=repeated,
        repeats=repeats[repeated],
    )
