"""Training: IBM Model 1 in both directions, on pairs of segments.

Source: Brown et al. 1993, section 4.1 (model 1). What goes beyond it, the discount and the
prior, is told in ``docs/lexicon.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ilspfc.lexicon.bags import MAX_PLACES, MAX_TOKENS, pair_bags, sort_unique, sum_by
from ilspfc.lexicon.cooccurrence import find_cooccurrences
from ilspfc.lexicon.translation_model import Lexicon, make_lexicon

if TYPE_CHECKING:
    from ilspfc.lexicon.cooccurrence import Chunk
    from ilspfc.text.arrays import FloatArray, IdArray, IntArray
    from ilspfc.text.vocabulary import Segments


@dataclass(frozen=True, slots=True)
class Prior:
    """Beliefs about pairs of words before training: ``values`` in [0, 1].

    It counts in both directions. Of a pair given twice the larger value holds.
    """

    sources: IdArray
    targets: IdArray
    values: FloatArray


@dataclass(frozen=True, slots=True)
class Options:
    """Options of training.

    A pair of words loses ``discount`` of its expected count at the end: what was seen in
    one segment alone would otherwise confirm itself. The prior counts as
    ``prior_strength`` times its value. Each word keeps its ``keep`` likeliest
    translations, of those at least ``min_probability`` likely. With ``use_null`` words may
    have been translated from nothing.
    ``max_tokens`` and ``max_places`` bound the cost, see ``pair_bags``.
    """

    iterations: int = 8
    discount: float = 1.0
    prior_strength: float = 5.0
    keep: int = 40
    min_probability: float = 0.0
    max_tokens: int = MAX_TOKENS
    max_places: int = MAX_PLACES
    use_null: bool = True


DEFAULT_OPTIONS = Options()
"""For scoring the very segments that are learned from, as alignment does."""

LOOKUP_OPTIONS = Options(discount=0.0)
"""For other texts than those learned from: they do not confirm themselves, and every entry
counts. Measured on segments of unseen pages (docs/lexicon.md)."""


def train(
    source: Segments,
    target: Segments,
    sizes: tuple[int, int],
    *,
    weights: FloatArray | None = None,
    documents: IdArray | IntArray | None = None,
    prior: Prior | None = None,
    options: Options = DEFAULT_OPTIONS,
) -> Lexicon:
    """Return the lexicon of pairs of segments; ``sizes`` are those of the vocabularies.

    ``weights`` tell how sure each pair of segments is, in (0, 1]; ``documents`` which pair
    of documents it comes from. The result does not depend on the order of the segments.
    ValueError for arrays of unequal numbers, and for word numbers beyond ``sizes``.
    """
    for side, size in zip((source, target), sizes, strict=True):
        if side.ids.max(initial=-1) >= size:
            raise ValueError(f"word number {side.ids.max()} in a vocabulary of {size}")
    bags = pair_bags(
        source,
        target,
        weights=weights,
        documents=documents,
        max_tokens=options.max_tokens,
        max_places=options.max_places,
    )
    places = find_cooccurrences(bags, max(sizes[1], 1))
    beliefs = _Beliefs.sort(prior, sizes, places.keys)
    sources, targets = places.sources, places.targets
    # One direction after the other: the chunks of one take as much memory as the places.
    forward = _fit(
        places.given_source(), _Direction(sources, targets, sizes, beliefs), options
    )
    backward = _fit(
        places.given_target(),
        _Direction(targets, sources, sizes[::-1], beliefs.turn()),
        options,
    )
    return make_lexicon(forward, backward, places)


@dataclass(frozen=True, slots=True)
class _Beliefs:
    """A prior as seen from one side.

    ``pairs`` are the numbers of the pairs of words that stand together, ``on_pairs`` its
    values for them; ``given``, ``found`` and ``values`` are those of all others.
    """

    pairs: IntArray
    on_pairs: FloatArray
    given: IdArray
    found: IdArray
    values: FloatArray

    @classmethod
    def sort(
        cls, prior: Prior | None, sizes: tuple[int, int], keys: IntArray
    ) -> _Beliefs:
        """Return a prior from the side of the source, told apart by the pairs' keys."""
        width = max(sizes[1], 1)
        if prior is None:
            nothing = np.zeros(0, np.int32)
            prior = Prior(nothing, nothing, np.zeros(0))
        for ids, size in ((prior.sources, sizes[0]), (prior.targets, sizes[1])):
            if ids.max(initial=-1) >= size or ids.min(initial=0) < 0:
                raise ValueError(f"prior: word number beyond a vocabulary of {size}")
        given: IntArray = prior.sources.astype(np.int64) * width + prior.targets
        unique = sort_unique(given)
        place = np.searchsorted(unique, given)
        values = np.zeros(unique.size)
        np.maximum.at(values, place, prior.values)
        index = np.searchsorted(keys, unique)
        index[index == keys.size] = 0
        is_pair = keys[index] == unique if keys.size else np.zeros(unique.size, bool)
        others = unique[~is_pair]
        return cls(
            index[is_pair],
            values[is_pair],
            (others // width).astype(np.int32),
            (others % width).astype(np.int32),
            values[~is_pair],
        )

    def turn(self) -> _Beliefs:
        """Return the prior from the other side."""
        return _Beliefs(self.pairs, self.on_pairs, self.found, self.given, self.values)


@dataclass(frozen=True, slots=True)
class _Direction:
    """The pairs of words by their numbers: ``given`` one word, the other is ``found``."""

    given: IdArray
    found: IdArray
    sizes: tuple[int, int]
    beliefs: _Beliefs

    def sum_given(self, values: FloatArray) -> FloatArray:
        """Return the sums of the values of the pairs of each given word."""
        return sum_by(self.given, values, self.sizes[0])

    def sum_beliefs(self) -> FloatArray:
        """Return the sums of the prior of each given word."""
        beliefs, size = self.beliefs, self.sizes[0]
        on_pairs = sum_by(self.given[beliefs.pairs], beliefs.on_pairs, size)
        return on_pairs + sum_by(beliefs.given, beliefs.values, size)


def _fit(chunks: list[Chunk], pairs: _Direction, options: Options) -> Any:
    """Return p(found | given) as a sparse matrix, given by found words."""
    beliefs = pairs.beliefs
    believed = options.prior_strength * beliefs.on_pairs
    mass = options.prior_strength * pairs.sum_beliefs()
    # All translations are equally likely at first, but for the prior.
    counts = np.ones(pairs.given.size)
    null = np.full(pairs.sizes[1], 1 / max(pairs.sizes[1], 1))
    for _ in range(options.iterations):
        totals = pairs.sum_given(counts) + mass
        counts[beliefs.pairs] += believed
        counts /= totals[pairs.given]
        counts, null_counts = _expect(chunks, counts, null * options.use_null)
        null = null_counts / max(null_counts.sum(), 1e-300)
    return _finish(pairs, counts, options)


def _expect(
    chunks: list[Chunk], table: FloatArray, null: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the expected counts of the pairs of words, and of words from nothing."""
    counts = np.zeros(table.size)
    null_counts = np.zeros(null.size)
    for chunk in chunks:
        shares = table[chunk.pairs]
        shares[chunk.repeated] *= chunk.repeats
        from_nothing = null[chunk.outer_words]
        factors = np.add.reduceat(shares, chunk.starts) + from_nothing
        np.divide(chunk.weights, factors, out=factors, where=factors > 0)
        shares *= np.repeat(factors, chunk.runs)
        np.add.at(counts, chunk.pairs, shares)
        from_nothing *= factors
        null_counts += sum_by(chunk.outer_words, from_nothing, null.size)
    return counts, null_counts


def _finish(pairs: _Direction, counts: FloatArray, options: Options) -> Any:
    """Return the table of counts, smoothed and with the prior, the likeliest alone."""
    from scipy.sparse import csr_array  # noqa: PLC0415

    beliefs, strength = pairs.beliefs, options.prior_strength
    totals = pairs.sum_given(counts) + 1 + strength * pairs.sum_beliefs()
    counts -= options.discount
    np.maximum(counts, 0, out=counts)
    counts[beliefs.pairs] += strength * beliefs.on_pairs
    counts /= totals[pairs.given]
    kept = np.flatnonzero((counts > 0) & (counts >= options.min_probability))
    given = np.concatenate([pairs.given[kept], beliefs.given])
    found = np.concatenate([pairs.found[kept], beliefs.found])
    others = strength * beliefs.values / totals[beliefs.given]
    values = np.concatenate([counts[kept], others])
    # By given word, the likeliest first; of equally likely ones the smaller number.
    order = np.lexsort((found, -values, given))
    order = order[values[order] > 0]
    sizes = np.bincount(given[order], minlength=pairs.sizes[0])
    rank = np.arange(order.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    order = order[rank < options.keep]
    table = csr_array((values[order], (given[order], found[order])), shape=pairs.sizes)
    table.sort_indices()
    return table
