"""State of two languages of a site while their pages are compared, round by round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from ilspfc.pairing.sparse import (
    inverse_frequencies,
    unique_pairs,
    weigh,
    weigh_sides,
)
from ilspfc.text.vocabulary import Segments

if TYPE_CHECKING:
    import numpy.typing as npt

    from ilspfc.pairing.page_arrays import Pages
    from ilspfc.text.arrays import FloatArray, IdArray, IntArray

    Sides = tuple[csr_array, csr_array]
    # Segments of two pages; as many of both.
    Lesson = tuple[Segments, Segments]


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
        """Return a mask of the candidates that are such pairs."""
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


@dataclass(frozen=True, slots=True)
class TokenTable:
    """Properties of the tokens of a corpus, which the sites share; shapes (tokens,).

    ``numbers`` says which tokens have digits, ``telling`` which can tell a page, ``keys``
    the family of cognates of each, shape (tokens, families), ``lengths`` their lengths in
    characters that are comparable across scripts. ``left_stems`` and ``right_stems`` are
    the numbers of their stems in the two languages, -1 for tokens that the language has not.
    """

    numbers: npt.NDArray[np.bool_]
    telling: npt.NDArray[np.bool_]
    keys: csr_array
    lengths: FloatArray
    left_stems: IdArray
    right_stems: IdArray


@dataclass
class Comparison:
    """Two languages of a site, and the findings of the rounds so far.

    ``marks`` are the codes and names of each language in URLs.
    ``lexicon`` holds how well stems translate each other, shape (stems of the left,
    stems of the right), ``shared_lexicon`` the part of it that several pairs have taught;
    ``matches`` are the pairs of the last round, ``sure`` those of them to learn from,
    ``scores`` the probabilities of all candidates; ``log_ratio`` is the logarithm of how
    much longer the right side's text is. ``measured`` holds the scores of the kinds of
    evidence so far, while candidates are measured; ``claims``, ``url_parts`` and ``votes``
    are kept by the kinds of evidence of these names.
    """

    left: Pages
    right: Pages
    table: TokenTable
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

        A word that is rare in one language and common in the other ("die", "in") has
        no weight.
        """
        left = inverse_frequencies(self.left.whole.words)
        right = inverse_frequencies(self.right.whole.words)
        return np.minimum(left, right) * self.table.telling

    @cached_property
    def token_mass(self) -> tuple[FloatArray, FloatArray]:
        """Information in each page's tokens: the logarithm of the sum of their weights."""
        sides = (self.left.whole.words, self.right.whole.words)
        return tuple(
            np.log1p(np.asarray(weigh(w, self.word_weights).sum(axis=1)).ravel())
            for w in sides
        )

    def tokens(self, of: str, *, numbers: bool = False) -> Sides:
        """Return the weighted tokens of both sides, rows of length 1.

        ``of`` is the path of an array of :class:`Pages`; with ``numbers`` only tokens with
        digits.
        """

        def make() -> Sides:
            weights = self.word_weights * (self.table.numbers if numbers else 1.0)
            left, right = self.arrays(of)
            return weigh_sides(left, right, weights)

        return self.keep_last(f"{of} {numbers}", make)

    def arrays(self, of: str) -> Sides:
        """Return the array of both sides that has this path, like ``clean.words``."""
        get = attrgetter(of)
        return get(self.left), get(self.right)

    def cognates(self, of: str) -> Sides:
        """Return the weighted families of cognates of both sides, rows of length 1.

        The weight of a family is the smaller of its IDFs in the two languages.
        """

        def make() -> Sides:
            left, right = (
                csr_array(side @ self.table.keys) for side in self.arrays(of)
            )
            weights = np.minimum(inverse_frequencies(left), inverse_frequencies(right))
            return weigh_sides(left, right, weights)

        return self.keep_last(f"cognates {of}", make)

    def keep_last(self, key: str, make: Callable[[], Sides]) -> Sides:
        """Return the arrays that ``make`` makes for the key, unless they are the last made.

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

    def drop_caches(self) -> None:
        """Forget all that the next round makes anew, or that it is given."""
        self.forget()
        self.lexicon = self.shared_lexicon = self.scores = self.votes = None
        self.__dict__.pop("word_weights", None)

    def segments(self, row: int, column: int) -> Iterator[tuple[IdArray, IdArray]]:
        """Yield the stems of the segments of two pages that stand for each other.

        A block is cut into its sentences where its counterpart has as many.
        """
        left, right = self.left.whole, self.right.whole
        kinds = left.kinds[row], right.kinds[column]
        lengths = left.lengths[row], right.lengths[column]
        sources = self.left.sentences(row, left, self.table.left_stems)
        targets = self.right.sentences(column, right, self.table.right_stems)
        for source, target in align_blocks(kinds, lengths, self.log_ratio):
            a = [sentence for block in sources[source] for sentence in block]
            b = [sentence for block in targets[target] for sentence in block]
            pairs = (
                zip(a, b, strict=True) if len(a) == len(b) else [(_join(a), _join(b))]
            )
            yield from ((one, other) for one, other in pairs if len(one) and len(other))

    def lesson(self, row: int, column: int) -> Lesson:
        """Return the segments of two pages that stand for each other, side by side."""
        pairs = list(self.segments(row, column))
        return (
            Segments.join([source for source, _ in pairs]),
            Segments.join([target for _, target in pairs]),
        )

    def learn_from(self, sure: Matches) -> None:
        """Take pairs for right, for the next round to learn from."""
        self.sure = sure
        if len(sure) < MIN_LENGTH_PAIRS:
            self.log_ratio = 0.0
            return
        a = self.left.whole.sizes[sure.rows]
        b = self.right.whole.sizes[sure.columns]
        ratio = float(np.median(np.log(np.maximum(b, 1) / np.maximum(a, 1))))
        self.log_ratio = min(max(ratio, -MAX_LOG_RATIO), MAX_LOG_RATIO)


def join_lessons(lessons: Iterable[Lesson]) -> tuple[Segments, Segments, IntArray]:
    """Return the segments of all lessons, and the number of the lesson of each."""
    some = list(lessons)
    sizes = [len(source) for source, _ in some]
    return (
        Segments.concatenate([source for source, _ in some]),
        Segments.concatenate([target for _, target in some]),
        np.repeat(np.arange(len(some)), sizes),
    )


# Costs are negative logarithms, up to a constant. The cost of a block without a counterpart; of two that
# stand for one; of another kind; and the standard deviation of the logarithm of the lengths,
# which is larger for short ones.
_SKIP = 2.5
_MERGE = 2.0
_OTHER_KIND = 3.0
_DEVIATION = 0.25
_SHORT_DEVIATION = 3.0
_MAX_COST = 6.0
# How a place of the table was reached: 0 leaves a block of the left out.
_SIZES = {1: (1, 1), 2: (1, 2), 3: (2, 1)}
_INSERTION = 4


def align_blocks(
    kinds: tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]],
    lengths: tuple[FloatArray, FloatArray],
    log_ratio: float,
) -> list[tuple[slice, slice]]:
    """Return the blocks of two pages that stand for each other, by kinds and lengths.

    One block to one, one to two, two to one; blocks without a counterpart are left out.
    After Gale and Church 1993, whose beads these are.
    """
    a, b = lengths
    n, m = len(a), len(b)
    other = _OTHER_KIND * (kinds[0][:, None] != kinds[1][None, :])
    one = _cost(a[:, None], b[None, :], log_ratio) + other
    skips = np.arange(m + 1) * _SKIP
    pair_b = b[:-1] + b[1:] if m > 1 else np.zeros(0)
    pair_a = a[:-1] + a[1:] if n > 1 else np.zeros(0)
    one_two = _cost(a[:, None], pair_b[None, :], log_ratio) + other[:, 1:] + _MERGE
    two_one = _cost(pair_a[:, None], b[None, :], log_ratio) + other[1:] + _MERGE
    before, row = skips, skips
    beads = np.zeros((n + 1, m + 1), np.int8)
    for i in range(1, n + 1):
        options = np.full((4, m + 1), np.inf)
        options[0] = row + _SKIP
        options[1, 1:] = row[:-1] + one[i - 1]
        options[2, 2:] = row[:-2] + one_two[i - 1]
        if i > 1:
            options[3, 1:] = before[:-1] + two_one[i - 2]
        choice = options.argmin(axis=0)
        best = options.min(axis=0)
        before, row = row, np.minimum.accumulate(best - skips) + skips
        beads[i] = np.where(row < best - 1e-9, _INSERTION, choice)
    return _trace(beads)


def _cost(a: FloatArray, b: FloatArray, log_ratio: float) -> FloatArray:
    difference = np.log(np.maximum(b, 1) / np.maximum(a, 1)) - log_ratio
    spread = _DEVIATION + _SHORT_DEVIATION / (np.minimum(a, b) + 5)
    return np.minimum((difference / spread) ** 2 / 2, _MAX_COST)


def _trace(beads: npt.NDArray[np.int8]) -> list[tuple[slice, slice]]:
    found = []
    i, j = beads.shape[0] - 1, beads.shape[1] - 1
    while i and j:
        bead = beads[i, j]
        if bead == _INSERTION:
            j -= 1
        elif bead == 0:
            i -= 1
        else:
            a, b = _SIZES[bead]
            found.append((slice(i - a, i), slice(j - b, j)))
            i, j = i - a, j - b
    return found[::-1]


def _join(sentences: list[IdArray]) -> IdArray:
    return np.concatenate([np.zeros(0, np.int32), *sentences])
