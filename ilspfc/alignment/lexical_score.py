"""Lexical score: likelihood of the tokens of a group given those of the other side.

A token *f* given a group of *L* tokens *e* scores

    log(λ + (1 − λ) Σₑ t(f | e) / (L u(f))),

its interpolated probability given the group over its unigram probability *u(f)*. An
unexplained token scores log λ; a sentence that explains nothing dilutes its group by *L*.
Parts of words weigh less (:func:`ilspfc.text.tokens.weigh_tokens`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ilspfc.alignment.sides import Side
from ilspfc.text.arrays import (
    BoolArray,
    FloatArray,
    IdArray,
    IntArray,
    SingleArray,
)
from ilspfc.text.vocabulary import spread


@dataclass(frozen=True, slots=True)
class Table:
    """Odds of tokens given others: row ``e`` holds t(f | e) / u(f) · (1 − λ) / λ.

    Rows are compressed: the entries of ``e`` are at ``starts[e]:starts[e + 1]``. ``is_known``
    marks the tokens with an entry in any row, ``weights`` are those of the tokens *f*.
    """

    starts: IntArray
    found: IdArray
    odds: SingleArray
    size: int
    is_known: BoolArray
    weights: SingleArray
    log_mix: float

    @classmethod
    def make(
        cls, matrix: Any, unigrams: FloatArray, weights: SingleArray, mix: float
    ) -> Table:
        """Return the table of a sparse matrix (CSR) of t(f | e), ``mix`` being λ."""
        found = matrix.indices.astype(np.int32)
        odds = matrix.data / unigrams[found] * ((1 - mix) / mix)
        is_known = np.zeros(matrix.shape[1], np.bool_)
        is_known[found] = True
        return cls(
            matrix.indptr.astype(np.int64),
            found,
            odds.astype(np.float32),
            is_known.size,
            is_known,
            weights,
            math.log(mix),
        )


Tables: TypeAlias = tuple[Table, Table]
"""Tables of both directions."""


class Explainer:
    """Scorer of the tokens of target sentences given groups of source sentences.

    The reverse direction is an Explainer with the sides swapped. ``dilution`` is the
    exponent of a group's length, relative to that of an average sentence.
    """

    def __init__(
        self, source: Side, target: Side, table: Table, *, dilution: float = 1.0
    ) -> None:
        self._dilution = dilution
        self._source = source
        self._target = target
        self._table = table
        self._lookup = np.full(table.size, -1, np.int32)
        self._counts = np.concatenate([[0], np.cumsum(source.token_counts)])

    def score(
        self, rows: tuple[int, int], columns: tuple[int, int], largest: int
    ) -> SingleArray:
        """Return the scores of the sentences ``columns`` given groups that end in ``rows``.

        Shape (largest, rows, columns): ``[a - 1, n]`` is given the ``a`` sentences before
        ``rows[0] + n``; groups that would begin before the first sentence are truncated.
        """
        first, last = rows
        start = first - largest
        words, target = self._index_words(columns)
        weights = np.asarray(target.sum(axis=1), np.float64)
        scores = np.empty((largest, last - first, weights.size), np.float32)
        scores[:] = weights * self._table.log_mix
        if words.size == 0:
            return scores
        # Sentence 0 is ``start``; those before the first explain nothing.
        sentences, places, odds = self._explain(start, last - 1)
        self._lookup[words] = -1
        height = last - first
        width = height + largest - 1
        flat = np.bincount(places * width + sentences, odds, words.size * width)
        sums = flat.astype(np.float32).reshape(words.size, width)
        # Dense: the logarithm of 1 is cheaper than the bookkeeping that would spare it.
        explained = np.zeros((words.size, largest, height), np.float32)
        for size in range(largest):
            begin = largest - 1 - size
            explained[:, size] = (
                explained[:, size - 1] + sums[:, begin : begin + height]
            )
        ends = np.arange(first, last)
        begins = np.maximum(ends - np.arange(1, largest + 1)[:, None], 0)
        lengths = np.maximum(self._counts[ends] - self._counts[begins], 1)
        explained /= self._dilute(lengths).astype(np.float32)
        explained += 1
        np.log(explained, out=explained)
        scores += (target @ explained.reshape(words.size, -1)).T.reshape(scores.shape)
        return scores

    def _dilute(self, lengths: IntArray) -> IntArray | FloatArray:
        """Return the divisors of the odds for groups with these numbers of tokens."""
        if self._dilution == 1:
            return lengths
        average = max(self._counts[-1] / max(len(self._source), 1), 1.0)
        diluted: FloatArray = average * (lengths / average) ** self._dilution
        return diluted

    def explain_near(self, columns: tuple[int, int]) -> FloatArray:
        """Return log(1 + odds) of each token of target sentences given single sentences.

        Shape (3, tokens of ``columns``): given the source sentences numbered one less than
        the token's own sentence, the same, and one more; 0 if there is no such sentence.
        """
        first, last = columns
        words, _ = self._index_words(columns)
        offsets = self._target.offsets[first : last + 1]
        ids = self._target.ids[offsets[0] : offsets[-1]]
        number = self._lookup[ids].astype(np.int64)
        # Row 0 is for the sentence before the first one.
        near = min(last + 1, len(self._source))
        sums = _sum_up(*self._explain(first - 1, near), (near - first + 1, words.size))
        self._lookup[words] = -1
        rows = np.repeat(np.arange(sums.shape[0]), np.diff(sums.indptr))
        keys = np.concatenate([rows * words.size + sums.indices, [-1]])
        lengths = self._counts[rows + first] - self._counts[rows + first - 1]
        odds = np.concatenate([np.log1p(sums.data / np.maximum(lengths, 1)), [0.0]])
        own = np.repeat(np.arange(last - first), np.diff(offsets)) * words.size + number
        found = np.zeros((3, ids.size))
        for step in range(3):
            wanted = own + step * words.size
            place = np.searchsorted(keys[:-1], wanted)
            found[step] = np.where(keys[place] == wanted, odds[place], 0.0)
        return found

    def _index_words(self, columns: tuple[int, int]) -> tuple[IdArray, Any]:
        """Return the distinct words of the columns, and their counts times their weights.

        The counts have the shape (columns, words).
        """
        from scipy.sparse import csr_array  # noqa: PLC0415

        side = self._target
        offsets = side.offsets[columns[0] : columns[1] + 1]
        ids = side.ids[offsets[0] : offsets[-1]]
        words = np.unique(ids)
        self._lookup[words] = np.arange(words.size, dtype=np.int32)
        return words, csr_array(
            (
                self._table.weights[ids],
                self._lookup[ids],
                (offsets - offsets[0]).astype(np.int32),
            ),
            shape=(columns[1] - columns[0], words.size),
        )

    def _explain(self, first: int, last: int) -> tuple[IntArray, IdArray, SingleArray]:
        """Return the odds of the indexed words given the sentences [first, last).

        Arrays of one shape, an element for each token that explains a word: the sentence,
        counted from ``first``, the index of the word, and the odds.
        """
        table, side = self._table, self._source
        skipped = max(-first, 0)
        offsets = side.offsets[first + skipped : last + 1]
        tokens = side.ids[offsets[0] : offsets[-1]]
        sentences = np.repeat(np.arange(skipped, last - first), np.diff(offsets))
        starts = table.starts[tokens]
        lengths = table.starts[tokens + 1] - starts
        index = spread(starts, lengths)
        place = self._lookup[table.found[index]]
        known = np.flatnonzero(place >= 0)
        return (
            np.repeat(sentences, lengths)[known],
            place[known],
            table.odds[index[known]],
        )


def _sum_up(
    rows: IntArray | IdArray,
    columns: IntArray | IdArray,
    values: SingleArray,
    shape: tuple[int, int],
) -> Any:
    """Return the sparse matrix (CSR) of the sums of values at the same place."""
    from scipy.sparse import csr_array  # noqa: PLC0415

    places = rows.astype(np.int32), columns.astype(np.int32)
    return csr_array((values, places), shape=shape)
