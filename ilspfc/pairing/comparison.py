"""State of two languages of a site while their pages are compared, round by round."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from ilspfc.pairing.segment_pairs import iter_segments
from ilspfc.pairing.sparse import (
    inverse_frequencies,
    unique_pairs,
    weigh,
    weigh_sides,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import numpy.typing as npt

    from ilspfc.pairing.page_arrays import Pages
    from ilspfc.text.arrays import FloatArray, IdArray, IntArray

    Sides = tuple[csr_array, csr_array]

# Bound on the logarithm of how much longer text is in one language than in the other: a
# larger figure comes from pages that are no pairs.
MAX_LOG_RATIO = 0.5
# Pairs from which the ratio is known.
MIN_LENGTH_PAIRS = 5


@dataclass(frozen=True, slots=True)
class Candidates:
    """Pairs of pages that may translate each other, shape (candidates,), sorted."""

    rows: IntArray
    columns: IntArray

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, chosen: IntArray | npt.NDArray[np.bool_]) -> Candidates:
        """Return the candidates at these places, or where this mask is true."""
        return Candidates(self.rows[chosen], self.columns[chosen])

    def among(self, matches: Candidates | Matches) -> npt.NDArray[np.bool_]:
        """Return which candidates are such pairs."""
        columns = np.concatenate([self.columns, matches.columns])
        width = int(columns.max(initial=0)) + 1
        return np.isin(
            self.rows * width + self.columns, matches.rows * width + matches.columns
        )

    @classmethod
    def union(
        cls, parts: Iterable[tuple[IntArray, IntArray]], width: int
    ) -> Candidates:
        """Return the pairs of all parts, each once; ``width`` is above all columns."""
        some = list(parts)
        empty = np.zeros(0, np.int64)
        rows = np.concatenate([empty, *(rows for rows, _ in some)])
        columns = np.concatenate([empty, *(columns for _, columns in some)])
        return cls(*unique_pairs(rows, columns, width))


@dataclass(frozen=True, slots=True)
class Matches:
    """Pairs that are taken for right, each page at most once, with their probability."""

    rows: IntArray
    columns: IntArray
    probabilities: FloatArray

    def __len__(self) -> int:
        return len(self.rows)


NO_MATCHES = Matches(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))


@dataclass
class Comparison:
    """Two languages of a site, and the findings of the rounds so far.

    ``numbers`` says which tokens have digits, ``telling`` which can tell a page, ``keys``
    the family of cognates of each; ``marks`` are the codes and names of each language in
    URLs. ``lexicon`` holds how well stems translate each other, shape (stems of the left,
    stems of the right), ``shared_lexicon`` the part of it that several pairs have taught;
    ``matches`` are the pairs of the last round, ``sure`` those of them to learn from,
    ``scores`` the probabilities of all candidates; ``log_ratio`` is the logarithm of how
    much longer the right side's text is. ``measured`` holds the scores of the kinds of
    evidence so far, while candidates are measured; ``claims``, ``url_parts`` and ``votes``
    are kept by the kinds of evidence of these names.
    """

    left: Pages
    right: Pages
    numbers: npt.NDArray[np.bool_]
    telling: npt.NDArray[np.bool_]
    keys: csr_array
    marks: Mapping[str, frozenset[str]] = field(default_factory=dict)
    lexicon: csr_array | None = None
    shared_lexicon: csr_array | None = None
    matches: Matches | None = None
    sure: Matches | None = None
    scores: csr_array | None = None
    log_ratio: float = 0.0
    claims: dict[str, csr_array] = field(default_factory=dict)
    url_parts: Sides | None = None
    measured: dict[str, FloatArray] = field(default_factory=dict)
    votes: csr_array | None = None
    _weighted: tuple[str, Sides] | None = None

    @cached_property
    def word_weights(self) -> FloatArray:
        """Weight of each token: the smaller of its IDFs in the two languages.

        A word that is rare in one language and common in the other ("die", "in") says
        nothing.
        """
        left = inverse_frequencies(self.left.words)
        right = inverse_frequencies(self.right.words)
        return np.minimum(left, right) * self.telling

    @cached_property
    def token_mass(self) -> tuple[FloatArray, FloatArray]:
        """Information in each page's tokens: the logarithm of the sum of their weights."""
        sides = (self.left.words, self.right.words)
        return tuple(
            np.log1p(np.asarray(weigh(w, self.word_weights).sum(axis=1)).ravel())
            for w in sides
        )

    def tokens(self, of: str, *, numbers: bool = False) -> Sides:
        """Return the weighted tokens of both sides, rows of length 1.

        ``of`` names an array of :class:`Pages`; with ``numbers`` only tokens with digits.
        """

        def make() -> Sides:
            weights = self.word_weights * (self.numbers if numbers else 1.0)
            left, right = getattr(self.left, of), getattr(self.right, of)
            return weigh_sides(left, right, weights)

        return self.keep_last(f"{of} {numbers}", make)

    def cognates(self) -> Sides:
        """Return the weighted families of cognates of both sides, rows of length 1.

        The weight of a family is the smaller of its IDFs in the two languages.
        """

        def make() -> Sides:
            left = csr_array(self.left.words @ self.keys)
            right = csr_array(self.right.words @ self.keys)
            weights = np.minimum(inverse_frequencies(left), inverse_frequencies(right))
            return weigh_sides(left, right, weights)

        return self.keep_last("cognates", make)

    def keep_last(self, key: str, make: Callable[[], Sides]) -> Sides:
        """Return what ``make`` has made for the key, if nothing else was made since.

        The weighted tokens of all pages take as much memory as the pages: of a large site
        not all kinds of them can be held at once.
        """
        if self._weighted is None or self._weighted[0] != key:
            self._weighted = None
            self._weighted = (key, make())
        return self._weighted[1]

    def forget(self) -> None:
        """Forget what can be made anew."""
        self.url_parts = None
        self._weighted = None

    def segments(self, row: int, column: int) -> Iterator[tuple[IdArray, IdArray]]:
        """Yield the stems of the segments of two pages that stand for each other."""
        return iter_segments(self.left, self.right, row, column, self.log_ratio)

    def learn_from(self, sure: Matches) -> None:
        """Take pairs for right, for the next round to learn from."""
        self.sure = sure
        if len(sure) < MIN_LENGTH_PAIRS:
            self.log_ratio = 0.0
            return
        a, b = self.left.sizes[sure.rows], self.right.sizes[sure.columns]
        ratio = float(np.median(np.log(np.maximum(b, 1) / np.maximum(a, 1))))
        self.log_ratio = min(max(ratio, -MAX_LOG_RATIO), MAX_LOG_RATIO)
