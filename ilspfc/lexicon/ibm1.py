"""Training: IBM Model 1 in both directions, on pairs of segments.

Source: Brown et al. 1993, section 4.1 (model 1). What goes beyond it, the discount and the
prior, is described in ``docs/lexicon.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ilspfc.lexicon.bags import MAX_PLACES, pair_bags, sort_unique, sum_by
from ilspfc.lexicon.cooccurrence import find_cooccurrences
from ilspfc.lexicon.translation_model import Lexicon, make_lexicon

if TYPE_CHECKING:
    from ilspfc.lexicon.cooccurrence import Chunk
    from ilspfc.text.arrays import FloatArray, IdArray, IntArray
    from ilspfc.text.vocabulary import Segments


PRIOR_STRENGTH = 5.0
"""Counts that a belief of the prior, of the value 1, is worth."""

MAX_TRANSLATIONS = 40
"""Translations of a word that are kept, the likeliest."""

# The least divisor.
_LEAST = 1e-300

#: Beliefs about pairs of words before training: sources, targets and values in [0, 1]. They
#: count in both directions. Of a pair given twice the larger value holds.
Prior: TypeAlias = "tuple[IdArray, IdArray, FloatArray]"


@dataclass(frozen=True, slots=True)
class Options:
    """Options of training.

    A pair of words loses ``discount`` of its expected count at the end: what was seen in
    one segment alone would otherwise confirm itself. Translations that are less likely
    than ``min_probability`` are left out. With ``use_null`` words may
    have been translated from nothing. ``max_places`` bounds time and memory: see ``pair_bags``.
    """

    iterations: int = 8
    discount: float = 1.0
    min_probability: float = 0.0
    use_null: bool = True
    max_places: int = MAX_PLACES


DEFAULT_OPTIONS = Options(max_places=MAX_PLACES // 2)
"""For scoring the very segments that are learned from, as alignment does. A tenth of these
places is enough for units all but free of errors (``evaluation.alignment_pages``)."""

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
        max_places=options.max_places,
    )
    keys, values = _sort_prior(prior, sizes)
    places = find_cooccurrences(bags, max(sizes[1], 1), keys)
    beliefs = np.searchsorted(places.keys, keys), PRIOR_STRENGTH * values
    sources, targets = places.sources, places.targets
    fit = partial(_fit, unseen=places.unseen, beliefs=beliefs, options=options)
    # One direction after the other: the chunks of one take as much memory as the places.
    forward = fit(places.given_source(), sources, targets, sizes)
    backward = fit(places.given_target(), targets, sources, sizes[::-1])
    return make_lexicon(forward, backward, places)


def _sort_prior(
    prior: Prior | None, sizes: tuple[int, int]
) -> tuple[IntArray, FloatArray]:
    """Return the keys of the pairs of words of a prior, each once, with its values."""
    if prior is None:
        return np.zeros(0, np.int64), np.zeros(0)
    sources, targets, given = prior
    for ids, size in ((sources, sizes[0]), (targets, sizes[1])):
        if ids.max(initial=-1) >= size or ids.min(initial=0) < 0:
            raise ValueError(f"prior: word number beyond a vocabulary of {size}")
    all_keys: IntArray = sources.astype(np.int64) * max(sizes[1], 1) + targets
    keys = sort_unique(all_keys)
    values = np.zeros(keys.size)
    np.maximum.at(values, np.searchsorted(keys, all_keys), given)
    return keys, values


def _fit(
    chunks: list[Chunk],
    given: IdArray,
    found: IdArray,
    sizes: tuple[int, int],
    *,
    unseen: IntArray,
    beliefs: tuple[IntArray, FloatArray],
    options: Options,
) -> Any:
    """Return p(found | given) as a sparse matrix, given by found words.

    ``given`` and ``found`` are the words of all pairs, ``unseen`` the numbers of those that
    stand together nowhere; ``beliefs`` are the numbers of the pairs of the prior and their
    counts.
    """
    pairs, believed = beliefs
    mass = sum_by(given[pairs], believed, sizes[0])
    # All translations are equally likely at first, but for the prior.
    counts = np.ones(given.size)
    counts[unseen] = 0
    null = np.full(sizes[1], 1 / max(sizes[1], 1))
    for _ in range(options.iterations):
        # Words without any count have no pair to divide.
        totals = np.maximum(sum_by(given, counts, sizes[0]) + mass, _LEAST)
        counts[pairs] += believed
        counts /= totals[given]
        counts, null_counts = _expect(chunks, counts, null * options.use_null)
        null = null_counts / max(null_counts.sum(), _LEAST)
    totals = sum_by(given, counts, sizes[0]) + 1 + mass
    # In place: there are millions of them.
    counts -= options.discount
    np.maximum(counts, 0, out=counts)
    counts[pairs] += believed
    counts /= totals[given]
    return _keep_likeliest(counts, given, found, sizes, options)


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


def _keep_likeliest(
    values: FloatArray,
    given: IdArray,
    found: IdArray,
    sizes: tuple[int, int],
    options: Options,
) -> Any:
    """Return the probabilities of the likeliest pairs of words as a sparse matrix."""
    from scipy.sparse import csr_array  # noqa: PLC0415

    kept = np.flatnonzero((values > 0) & (values >= options.min_probability))
    given, found, values = given[kept], found[kept], values[kept]
    # By given word, the likeliest first; of equally likely ones the smaller number.
    order = np.lexsort((found, -values, given))
    numbers = np.bincount(given, minlength=sizes[0])
    rank = np.arange(order.size) - np.repeat(np.cumsum(numbers) - numbers, numbers)
    order = order[rank < MAX_TRANSLATIONS]
    table = csr_array((values[order], (given[order], found[order])), shape=sizes)
    table.sort_indices()
    return table


def learn_tables(
    source: Segments,
    target: Segments,
    weights: FloatArray,
    sizes: tuple[int, int],
    prior: tuple[IdArray, IdArray, FloatArray],
) -> tuple[Any, Any]:
    """Return the tables of both directions, learned from groups of sentences.

    ``prior`` are known entries as ids and values; the trainer that alignment takes.
    """
    lexicon = train(
        source,
        target,
        sizes,
        weights=weights,
        prior=prior,
        options=DEFAULT_OPTIONS,
    )
    return lexicon.forward, lexicon.backward
