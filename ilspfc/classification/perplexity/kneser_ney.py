"""The n-grams of a corpus in sorted arrays, with Kneser-Ney probabilities.

An n-gram is known by its key: the place of its first n - 1 words among the n-grams of the
order below, times the size of the vocabulary, plus the number of its last word. Keys of
one order are sorted, so many n-grams are looked up at once by bisection, and no two
n-grams ever share a key.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ilspfc.exceptions import DomainError
from ilspfc.text.vocabulary import Numbering

# The first words of every vocabulary: unknown word, start and end of a sentence.
RESERVED = ("<unk>", "<s>", "</s>")
UNK, BOS, EOS = range(3)

# What the ARPA format has for "never": the start of a sentence is not predicted.
NEVER_LOG10 = -99.0

# For counts too few to estimate discounts from, as KenLM's --discount_fallback.
_FALLBACK_DISCOUNTS = (0.0, 0.5, 1.0, 1.5)


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The n-grams of one order: arrays of the same length, sorted by key.

    ``log10`` holds log10 p(last word | the words before), ``backoff`` log10 of the weight
    that the n-gram has as a context; it is empty in the highest order.
    """

    keys: NDArray[np.int64]
    log10: NDArray[np.float32]
    backoff: NDArray[np.float32]

    def find(
        self, keys: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return the places of keys, and for each whether it is there."""
        places = np.searchsorted(self.keys, keys)
        return places, self.keys.take(places, mode="clip") == keys


def find_keys(
    ngrams: NDArray[np.int64], levels: Sequence[Level], size: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the keys of n-grams, and for each whether its first n - 1 words are known.

    ``ngrams`` has a row of n word numbers for each, ``levels`` the orders below n, ``size``
    is that of the vocabulary.
    """
    keys = ngrams[:, 0]
    is_known = np.full(len(keys), len(levels) == ngrams.shape[1] - 1)
    for level, column in zip(levels, ngrams.T[1:], strict=False):
        places, is_found = level.find(keys)
        is_known &= is_found
        keys = places * size + column
    return keys, is_known


def estimate_levels(
    sentences: Iterable[Sequence[str]], order: int
) -> tuple[list[str], list[Level]]:
    """Return the vocabulary and the levels of a modified Kneser-Ney model.

    For an n-gram c w, where c' is c without its first word and x any word:

        p(w | c) = (a(c w) - D(a(c w))) / Σx a(c x)  +  b(c) p(w | c')
        b(c)     = Σx D(a(c x)) / Σx a(c x)

    down to the uniform distribution over all words but ``<s>``, which gives ``<unk>`` its
    probability. a is the number of occurrences in the highest order and for n-grams that
    begin a sentence, else the number of distinct words before the n-gram; the discounts D
    are those of :func:`estimate_discounts` (Chen and Goodman 1998, section 3; a and the
    interpolation of all orders as in Heafield and others 2013, section 3).

    Neither depends on the order of the sentences. There are fewer levels than ``order``
    where no sentence is long enough. DomainError: there are no words; ValueError: a word
    is ``<s>`` or ``</s>``.
    """
    words, tokens = _read_tokens(sentences)
    return words, _estimate(_count(tokens, len(words), order), len(words))


def estimate_discounts(adjusted: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return D(0) = 0, D(1), D(2) and D(3), which is also that of larger counts.

    D(k) = k - (k + 1) Y t(k+1) / t(k), Y = t(1) / (t(1) + 2 t(2)), where t(k) n-grams have
    the adjusted count k (Chen and Goodman 1998, equation 26). 0.5, 1 and 1.5, as in KenLM,
    where a t(k) is 0 or a discount is not in (0, k].

    >>> estimate_discounts(np.repeat([1, 2, 3, 4], [60, 20, 10, 6])).round(2).tolist()
    [0.0, 0.6, 1.1, 1.56]
    >>> estimate_discounts(np.array([1, 1, 2])).tolist()
    [0.0, 0.5, 1.0, 1.5]
    """
    times = np.bincount(np.minimum(adjusted, 5), minlength=5).astype(np.float64)
    if times[1:4].all():
        k = np.arange(1, 4)
        share = times[1] / (times[1] + 2 * times[2])
        discounts = k - (k + 1) * share * times[2:5] / times[1:4]
        if (discounts > 0).all():
            return np.concatenate(([0.0], discounts))
    return np.array(_FALLBACK_DISCOUNTS)


@dataclass(frozen=True, slots=True, eq=False)
class _Counts:
    """The n-grams of one order by key, with their occurrences or adjusted counts.

    ``suffixes`` are the places of their last n - 1 words in the order below.
    """

    keys: NDArray[np.int64]
    counts: NDArray[np.int64]
    suffixes: NDArray[np.int64]


def _read_tokens(
    sentences: Iterable[Sequence[str]],
) -> tuple[list[str], NDArray[np.int64]]:
    """Return the vocabulary and the numbers of the words of padded sentences."""
    numbers = Numbering(zip(RESERVED, range(3), strict=True))
    tokens = array("q")
    for sentence in filter(len, sentences):
        start = len(tokens)
        tokens.append(BOS)
        tokens.extend(map(numbers.__getitem__, sentence))
        if {BOS, EOS}.intersection(tokens[start + 1 :]):
            raise ValueError(f"{sentence!r}: <s> and </s> are no words")
        tokens.append(EOS)
    if not tokens:
        raise DomainError("no sentences to train a language model from")
    words = [*RESERVED, *sorted(set(numbers).difference(RESERVED))]
    renumbered = np.empty(len(words), dtype=np.int64)
    renumbered[[numbers[word] for word in words]] = np.arange(len(words))
    return words, renumbered[np.frombuffer(tokens, dtype=np.int64)]


def _count(tokens: NDArray[np.int64], size: int, order: int) -> list[_Counts]:
    """Return the adjusted counts of all n-grams, order by order."""
    unigrams = np.bincount(tokens, minlength=size)
    levels = [
        _Counts(
            np.arange(size, dtype=np.int64), unigrams, np.zeros(size, dtype=np.int64)
        )
    ]
    begins = np.arange(size) == BOS
    starts = np.arange(len(tokens))
    places = tokens
    for length in range(2, order + 1):
        starts = starts[tokens[starts + length - 2] != EOS]
        if not starts.size:
            break
        keys, first, inverse, counts = np.unique(
            places[starts] * size + tokens[starts + length - 1],
            return_index=True,
            return_inverse=True,
            return_counts=True,
        )
        suffixes = places[starts[first] + 1]
        before = np.bincount(suffixes, minlength=begins.size)
        lower = levels[-1]
        adjusted = np.where(begins, lower.counts, before)
        levels[-1] = _Counts(lower.keys, adjusted, lower.suffixes)
        levels.append(_Counts(keys, counts, suffixes))
        begins = begins[keys // size]
        places = np.zeros_like(tokens)
        places[starts] = inverse
    levels[0].counts[BOS] = 0
    return levels


def _estimate(levels: Sequence[_Counts], size: int) -> list[Level]:
    """Return probabilities and back-off weights of n-grams with adjusted counts."""
    lower = np.array([1 / (size - 1)])
    estimated: list[Level] = []
    for level in levels:
        contexts = level.keys // size
        discounts = estimate_discounts(level.counts)[np.minimum(level.counts, 3)]
        totals = np.bincount(contexts, level.counts, minlength=lower.size)
        freed = np.bincount(contexts, discounts, minlength=lower.size)
        weights = np.divide(freed, totals, out=np.ones(lower.size), where=totals > 0)
        kept = (level.counts - discounts) / totals[contexts]
        lower = kept + weights[contexts] * lower[level.suffixes]
        if estimated:
            backoff = np.log10(weights).astype(np.float32)
            below = estimated[-1]
            estimated[-1] = Level(below.keys, below.log10, backoff)
        log10 = np.minimum(np.log10(lower), 0).astype(np.float32)
        estimated.append(Level(level.keys, log10, np.zeros(0, dtype=np.float32)))
    estimated[0].log10[BOS] = NEVER_LOG10
    return estimated
