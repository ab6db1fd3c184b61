"""Co-occurrence of words in pairs of segments, found once for all iterations."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ilspfc.lexicon.bags import BagPairs, Bags, sort_unique
from ilspfc.text.arrays import BoolArray, FloatArray, IdArray, IntArray
from ilspfc.text.vocabulary import spread

CHUNK_PLACES = 1 << 18
"""Batch size in places; it bounds memory, except for the pairs themselves."""

_KEY_BITS = 63


@dataclass(frozen=True, slots=True)
class Chunk:
    """Places in a batch of bag pairs: co-occurrences of an outer and an inner word.

    Places form runs, one for each word of the outer side, with a place for each word of
    the inner side: run ``n`` starts at ``starts[n]``, has the length ``runs[n]`` and
    belongs to ``outer_words[n]``, whose weight is ``weights[n]`` (its count times the
    weight of the bags). ``pairs`` are the numbers of the word pairs. The inner word occurs
    ``repeats`` times at the places ``repeated``, and once at all others.
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
    """All word pairs that co-occur in a pair of bags or are in the prior, and their places.

    ``sources`` and ``targets`` are the words of the pairs, sorted; the index of a pair is
    its number. ``unseen`` are the numbers of pairs in the prior alone. ``places`` are the
    pair numbers of the places of each chunk, initially in runs for the target words.
    Memory: 8 bytes per word pair and 4 per place.
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
        """Pairs as single numbers, ``source * target_size + target``, ascending."""
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

    def given_target(self, *, in_place: bool) -> list[Chunk]:
        """Return the places in runs for the source words.

        ``in_place`` saves memory and loses the order for the target words.
        """
        source, target = self.bags.source, self.bags.target
        chunks = []
        for number, (a, b) in enumerate(self.bounds):
            order = _transpose(source.lengths[a:b], target.lengths[a:b])
            places = self.places[number][order]
            if in_place:
                self.places[number] = places
            weights = self.bags.weights[a:b]
            chunks.append(_make_chunk(target, source, weights, (a, b), places))
        return chunks


def find_cooccurrences(
    bags: BagPairs, target_size: int, prior_keys: IntArray
) -> Cooccurrence:
    """Return the word pairs of pairs of bags and of a prior.

    ``target_size`` is the size of the target vocabulary; ``prior_keys`` are like
    ``Cooccurrence.keys``.
    """
    bounds = _find_bounds(bags.source.lengths * bags.target.lengths)
    keys = _find_keys(bags, target_size)
    unseen = prior_keys[~_is_among(prior_keys, keys)]
    if unseen.size:
        keys = np.concatenate([keys, unseen])
        keys.sort(kind="stable")  # merges the two sorted runs
    places = []
    for first, last in bounds:
        own, numbers = _number_keys(_place_keys(bags, first, last, target_size))
        np.searchsorted(keys, own).astype(np.int32).take(numbers, out=numbers)
        places.append(numbers)
    unseen = np.searchsorted(keys, unseen)
    # Written into 32-bit arrays directly, without a temporary 64-bit array.
    sources, targets = np.empty(keys.size, np.int32), np.empty(keys.size, np.int32)
    np.remainder(keys, target_size, out=targets, casting="unsafe")
    np.floor_divide(keys, target_size, out=sources, casting="unsafe")
    return Cooccurrence(bags, target_size, sources, targets, unseen, bounds, places)


def _is_among(values: IntArray, keys: IntArray) -> BoolArray:
    """Return a mask of the values that are among sorted keys."""
    if not keys.size:
        return np.zeros(values.size, bool)
    places = np.minimum(np.searchsorted(keys, values), keys.size - 1)
    found: BoolArray = keys[places] == values
    return found


def _find_keys(bags: BagPairs, target_size: int) -> IntArray:
    """Return the keys of the word pairs that co-occur, ascending."""
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
    """Return bounds [first, last) of chunks of bag pairs, nearly equal in size."""
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
    """Return the distinct keys, sorted, and the number of each place's key.

    Sorts integers that pack a key and its place, which is far faster than numpy's argsort.
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


def _transpose(inner: IntArray, outer: IntArray) -> IntArray:
    """Return the order that turns runs for outer words into runs for inner words."""
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
