"""State of two languages of a site while their pages are compared, round by round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from ilspfc.pairing.page_arrays import Pages
from ilspfc.pairing.sparse import (
    inverse_frequencies,
    renumber,
    sort_unique,
    unique_pairs,
    weigh,
    weigh_sides,
)
from ilspfc.text.arrays import FloatArray, IdArray, IntArray
from ilspfc.text.vocabulary import Segments, spread

Sides = tuple[csr_array, csr_array]
# Aligned segments of two pages, equal in number.
Lesson = tuple[Segments, Segments]
# Kinds and lengths of the blocks of two pages.
Kinds = tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]
Lengths = tuple[FloatArray, FloatArray]
# Start and end of the aligned blocks of the left page, then of the right one.
Bead = tuple[int, int, int, int]


# Bound on the absolute log ratio of text lengths in two languages: a larger value comes
# from wrong pairs.
MAX_LOG_RATIO = 0.5
# Weighted tokens that are held between kinds of evidence, 12 bytes each.
MAX_HELD = 1_000_000
# Minimum number of pairs to estimate the ratio from.
MIN_LENGTH_PAIRS = 5


@dataclass(frozen=True, slots=True)
class Candidates:
    """Pairs of pages that may translate each other, shape (candidates,), sorted."""

    rows: IntArray
    columns: IntArray

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, chosen: IntArray | npt.NDArray[np.bool_]) -> Candidates:
        """Return the candidates selected by an index array or a mask."""
        return Candidates(self.rows[chosen], self.columns[chosen])

    def among(self, matches: Candidates | Matches) -> npt.NDArray[np.bool_]:
        """Return a mask of the candidates that are among ``matches``."""
        columns = np.concatenate([self.columns, matches.columns])
        width = int(columns.max(initial=0)) + 1
        return np.isin(
            self.rows * width + self.columns, matches.rows * width + matches.columns
        )

    @classmethod
    def union(
        cls, parts: Iterable[tuple[IntArray, IntArray]], width: int
    ) -> Candidates:
        """Return the distinct pairs of all parts; ``width`` is greater than any column."""
        pairs = list(parts)
        empty = np.zeros(0, np.int64)
        rows = np.concatenate([empty, *(rows for rows, _ in pairs)])
        columns = np.concatenate([empty, *(columns for _, columns in pairs)])
        return cls(*unique_pairs(rows, columns, width))


@dataclass(frozen=True, slots=True)
class Matches:
    """Pairs assumed to be right, with their probabilities; each page occurs at most once."""

    rows: IntArray
    columns: IntArray
    probabilities: FloatArray

    def __len__(self) -> int:
        return len(self.rows)


NO_MATCHES = Matches(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))


@dataclass(frozen=True, slots=True)
class TokenTable:
    """Properties of the tokens of a corpus, shared by all sites; shapes (tokens,).

    ``numbers`` masks the tokens with digits, ``telling`` those that can identify a page.
    ``keys`` maps each to its families of cognates, shape (tokens, families). ``lengths``
    are in characters normalized across scripts. ``left_stems`` and ``right_stems`` are the
    numbers of their stems in the two languages, -1 for tokens not found in the language.
    """

    numbers: npt.NDArray[np.bool_]
    telling: npt.NDArray[np.bool_]
    keys: csr_array
    lengths: FloatArray
    left_stems: IdArray
    right_stems: IdArray


NO_STEMS = np.zeros(0, np.int32)


@dataclass
class Comparison:
    """Two languages of a site, and the results of the rounds so far.

    ``marks`` are the codes and names of each language in URLs. ``lexicon`` holds the
    translation scores of stems, shape (left stems, right stems), ``shared_lexicon`` its
    part learned from several pairs. ``matches`` are the pairs of the last round, ``sure``
    those of them to learn from, ``scores`` the probabilities of all candidates.
    ``log_ratio`` is the logarithm of the right side's text length over the left side's.
    ``stems`` has the numbers in the corpus of the stems of either side, if :func:`narrow`
    gave them others. ``measured`` holds the scores of the kinds of evidence computed so far in a round;
    ``claims``, ``url_parts`` and ``votes`` are caches of the kinds of evidence so named.
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
    stems: tuple[IdArray, IdArray] = (NO_STEMS, NO_STEMS)
    claims: dict[str, csr_array] = field(default_factory=dict)
    url_parts: Sides | None = None
    measured: dict[str, FloatArray] = field(default_factory=dict)
    votes: csr_array | None = None
    _weighted: dict[str, Sides] = field(default_factory=dict)

    @cached_property
    def word_weights(self) -> FloatArray:
        """Weight of each token: the smaller of its IDFs in the two languages.

        A word that is rare in one language but common in the other ("die", "in") gets
        little weight.
        """
        left = inverse_frequencies(self.left.whole.words)
        right = inverse_frequencies(self.right.whole.words)
        return np.minimum(left, right) * self.table.telling

    @cached_property
    def token_mass(self) -> tuple[FloatArray, FloatArray]:
        """Information content of each page: log1p of the sum of its tokens' weights."""
        sides = (self.left.whole.words, self.right.whole.words)
        return tuple(
            np.log1p(np.asarray(weigh(w, self.word_weights).sum(axis=1)).ravel())
            for w in sides
        )

    def tokens(self, of: str, *, numbers: bool = False) -> Sides:
        """Return the weighted tokens of both sides, rows of norm 1.

        ``of`` is the attribute path of an array of :class:`Pages`; ``numbers`` limits them
        to tokens with digits.
        """

        def make() -> Sides:
            weights = self.word_weights * (self.table.numbers if numbers else 1.0)
            left, right = self.arrays(of)
            return weigh_sides(left, right, weights)

        return self.keep(f"{of} {numbers}", make)

    def arrays(self, of: str) -> Sides:
        """Return the arrays of both sides at an attribute path, such as ``clean.words``."""
        get = attrgetter(of)
        return get(self.left), get(self.right)

    def cognates(self, of: str) -> Sides:
        """Return the weighted families of cognates of both sides, rows of norm 1.

        The weight of a family is the smaller of its IDFs in the two languages.
        """

        def make() -> Sides:
            left, right = (
                csr_array(side @ self.table.keys) for side in self.arrays(of)
            )
            weights = np.minimum(inverse_frequencies(left), inverse_frequencies(right))
            return weigh_sides(left, right, weights)

        return self.keep(f"cognates {of}", make)

    def keep(self, key: str, make: Callable[[], Sides]) -> Sides:
        """Return the arrays of the key from a cache, or from ``make``.

        The weighted tokens of all pages take as much memory as the pages: of a large site,
        only the last ones are held.
        """
        if key not in self._weighted:
            held = sum(side.nnz for sides in self._weighted.values() for side in sides)
            if held > MAX_HELD:
                self._weighted.clear()
            self._weighted[key] = make()
        return self._weighted[key]

    def set_lexicon(self, lexicon: csr_array, shared: csr_array | None = None) -> None:
        """Set the lexicon, and its part learned from several pairs; drop what came of others."""
        self.lexicon, self.shared_lexicon = lexicon, shared
        self.forget()

    def forget(self) -> None:
        """Drop the caches that any kind of evidence can rebuild."""
        self.url_parts = None
        self._weighted.clear()

    def drop_caches(self) -> None:
        """Drop all that the next round rebuilds or receives."""
        self.forget()
        self.lexicon = self.shared_lexicon = self.scores = self.votes = None
        self.__dict__.pop("word_weights", None)

    def lessons(
        self, rows: IntArray, columns: IntArray
    ) -> tuple[Segments, Segments, IntArray]:
        """Return the stems of the aligned segments of pairs of pages, and the pair of each.

        Aligned blocks are split into sentences if their numbers of sentences agree.
        """
        left, right = self.left.whole, self.right.whole
        aligned = align_pages(
            (
                (left.kinds[row], right.kinds[column]),
                (left.lengths[row], right.lengths[column]),
                self.log_ratio,
            )
            for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        )
        found = [
            (number, *bead) for number, part in enumerate(aligned) for bead in part
        ]
        pairs, *bounds = np.array(found, np.int64).reshape(-1, 5).T
        sides = self.left.sentences, self.right.sentences
        starts, ends = zip(
            sides[0].bounds(rows[pairs], *bounds[:2]),
            sides[1].bounds(columns[pairs], *bounds[2:]),
            strict=True,
        )
        is_split = ends[0] - starts[0] == ends[1] - starts[1]
        counts = np.where(is_split, ends[0] - starts[0], 1)
        beads = np.repeat(np.arange(len(counts)), counts)
        is_split = is_split[beads]
        steps = spread(np.zeros_like(counts), counts)
        offsets = [side.stems.offsets for side in sides]
        texts = []
        for own, first, last in zip(offsets, starts, ends, strict=True):
            begin = first[beads] + steps
            end = np.where(is_split, begin + 1, last[beads])
            texts.append((own[begin], own[end] - own[begin]))
        kept = (texts[0][1] > 0) & (texts[1][1] > 0)
        source, target = (
            side.stems.cut(begin[kept], lengths[kept])
            for side, (begin, lengths) in zip(sides, texts, strict=True)
        )
        return source, target, pairs[beads][kept]

    def learn_from(self, sure: Matches) -> None:
        """Set the sure pairs that the next round learns from, and the length ratio."""
        self.sure = sure
        if len(sure) < MIN_LENGTH_PAIRS:
            self.log_ratio = 0.0
            return
        a = self.left.whole.sizes[sure.rows]
        b = self.right.whole.sizes[sure.columns]
        ratio = float(np.median(np.log(np.maximum(b, 1) / np.maximum(a, 1))))
        self.log_ratio = min(max(ratio, -MAX_LOG_RATIO), MAX_LOG_RATIO)


def narrow(comparison: Comparison) -> Comparison:
    """Return a comparison with numbers for the tokens, stems and images of its pages alone.

    Arrays of a site then grow with the site, not with the corpus. The numbers keep their
    order, so all else is the same. The pages as read, and the stems of tokens, are left out.
    """
    sides, table = (comparison.left, comparison.right), comparison.table
    tokens = _number(
        [part.indices for side in sides for part in (side.whole.words, side.anchors)]
    )
    images = _number([side.images.indices for side in sides])
    keys = table.keys[tokens]
    stems = [
        _number([side.whole.stems.indices, side.anchor_stems.indices]) for side in sides
    ]
    left, right = (
        side.renumber(tokens, own, images)
        for side, own in zip(sides, stems, strict=True)
    )
    return Comparison(
        left,
        right,
        TokenTable(
            numbers=table.numbers[tokens],
            telling=table.telling[tokens],
            keys=renumber(keys, _number([keys.indices])),
            lengths=table.lengths[tokens],
            left_stems=NO_STEMS,
            right_stems=NO_STEMS,
        ),
        comparison.marks,
        stems=(stems[0], stems[1]),
    )


def _number(parts: Sequence[IdArray]) -> npt.NDArray[Any]:
    return sort_unique(np.concatenate([np.zeros(0, np.int32), *parts]))


def narrow_lexicon(
    lexicon: csr_array, transposed: csr_array, stems: tuple[IdArray, IdArray]
) -> csr_array:
    """Return the translations of the stems of a site, and from them.

    Rows and columns are those of ``stems``, then all others that translate one of them, so
    that the translations of a stem of the site are complete.
    """
    own, back = lexicon[stems[0]].tocoo(), transposed[stems[1]].tocoo()
    columns, width = _find_places(own.col, stems[1])
    rows, height = _find_places(back.col, stems[0])
    new = rows >= len(stems[0])
    cells = np.r_[own.row, rows[new]], np.r_[columns, back.row[new]]
    return csr_array((np.r_[own.data, back.data[new]], cells), shape=(height, width))


def _find_places(ids: IdArray, known: IdArray) -> tuple[IntArray, int]:
    """Return the place of each id among those known, then all others, and their number."""
    places = np.searchsorted(known, ids)
    is_new = np.append(known, -1)[places] != ids
    others = _number([ids[is_new]])
    places[is_new] = len(known) + np.searchsorted(others, ids[is_new])
    return places, len(known) + len(others)


def join_lessons(lessons: Iterable[Lesson]) -> tuple[Segments, Segments, IntArray]:
    """Return the segments of all lessons, and the number of the lesson of each."""
    parts = list(lessons)
    sizes = [len(source) for source, _ in parts]
    return (
        Segments.concatenate([source for source, _ in parts]),
        Segments.concatenate([target for _, target in parts]),
        np.repeat(np.arange(len(parts)), sizes),
    )


# Costs, as negative log probabilities up to a constant: of a block without a counterpart,
# of a 1:2 or 2:1 bead, of blocks of different kinds. Then the standard deviation of the log
# length ratio, its increment for short blocks, and the maximum cost of lengths.
_SKIP = 2.5
_MERGE = 2.0
_OTHER_KIND = 3.0
_DEVIATION = 0.25
_SHORT_DEVIATION = 3.0
_MAX_COST = 6.0
# Backpointers of the table, with the numbers of blocks; 0 skips a block of the left.
_SIZES = {1: (1, 1), 2: (1, 2), 3: (2, 1)}
_INSERTION = 4
# Cells of the tables of pairs of pages that are aligned together.
_CELLS_AT_ONCE = 100_000


def align_blocks(
    kinds: Kinds, lengths: Lengths, log_ratio: float
) -> list[tuple[slice, slice]]:
    """Return the aligned blocks of two pages, by their kinds and lengths, in order.

    Beads are 1:1, 1:2 and 2:1, after Gale and Church 1993; blocks without a counterpart
    are left out.
    """
    beads = next(align_pages([(kinds, lengths, log_ratio)]))
    return [(slice(*bead[:2]), slice(*bead[2:])) for bead in beads]


def align_pages(
    pairs: Iterable[tuple[Kinds, Lengths, float]],
) -> Iterator[list[Bead]]:
    """Yield the aligned blocks of each pair of pages; see :func:`align_blocks`.

    Pairs are aligned together, their tables padded to the size of the largest.
    """
    batch: list[tuple[Kinds, Lengths, float]] = []
    height = width = 0
    for pair in pairs:
        n, m = map(len, pair[1])
        height, width = max(height, n), max(width, m)
        if batch and height * width * (len(batch) + 1) > _CELLS_AT_ONCE:
            yield from _align_batch(batch)
            batch, height, width = [], n, m
        batch.append(pair)
    yield from _align_batch(batch)


def _align_batch(
    batch: Sequence[tuple[Kinds, Lengths, float]],
) -> Iterator[list[Bead]]:
    kinds = [_pad([pair[0][side] for pair in batch], np.int8) for side in (0, 1)]
    a, b = (_pad([pair[1][side] for pair in batch], np.float64) for side in (0, 1))
    log_ratios = np.array([pair[2] for pair in batch])[:, None, None]
    n, m = a.shape[1], b.shape[1]
    other = _OTHER_KIND * (kinds[0][:, :, None] != kinds[1][:, None, :])
    pair_a, pair_b = a[:, :-1] + a[:, 1:], b[:, :-1] + b[:, 1:]
    one = _cost(a[:, :, None], b[:, None, :], log_ratios) + other
    one_two = _cost(a[:, :, None], pair_b[:, None, :], log_ratios)
    one_two += other[:, :, 1:] + _MERGE
    two_one = _cost(pair_a[:, :, None], b[:, None, :], log_ratios)
    two_one += other[:, 1:] + _MERGE
    skips = np.arange(m + 1) * _SKIP
    before = row = np.broadcast_to(skips, (len(batch), m + 1))
    beads = np.zeros((len(batch), n + 1, m + 1), np.int8)
    for i in range(1, n + 1):
        options = np.full((4, len(batch), m + 1), np.inf)
        options[0] = row + _SKIP
        options[1, :, 1:] = row[:, :-1] + one[:, i - 1]
        options[2, :, 2:] = row[:, :-2] + one_two[:, i - 1]
        if i > 1:
            options[3, :, 1:] = before[:, :-1] + two_one[:, i - 2]
        choice = options.argmin(axis=0)
        best = options.min(axis=0)
        before, row = row, np.minimum.accumulate(best - skips, axis=1) + skips
        beads[:, i] = np.where(row < best - 1e-9, _INSERTION, choice)
    for table, (_, (left, right), _) in zip(beads, batch, strict=True):
        yield _trace(table[: len(left) + 1, : len(right) + 1].tolist())


def _pad(rows: Sequence[npt.NDArray[Any]], dtype: type[Any]) -> npt.NDArray[Any]:
    """Return rows as one array, with zeros behind the shorter ones."""
    sizes = np.array([len(row) for row in rows], np.int64)
    padded = np.zeros((len(rows), int(sizes.max(initial=0))), dtype)
    padded[np.arange(padded.shape[1]) < sizes[:, None]] = np.concatenate(
        [np.zeros(0, dtype), *rows]
    )
    return padded


def _cost(a: FloatArray, b: FloatArray, log_ratio: FloatArray) -> FloatArray:
    difference = np.log(np.maximum(b, 1) / np.maximum(a, 1)) - log_ratio
    spread = _DEVIATION + _SHORT_DEVIATION / (np.minimum(a, b) + 5)
    return np.minimum((difference / spread) ** 2 / 2, _MAX_COST)


def _trace(beads: list[list[int]]) -> list[Bead]:
    found = []
    i, j = len(beads) - 1, len(beads[0]) - 1
    while i and j:
        bead = beads[i][j]
        if bead == _INSERTION:
            j -= 1
        elif bead == 0:
            i -= 1
        else:
            a, b = _SIZES[bead]
            found.append((i - a, i, j - b, j))
            i, j = i - a, j - b
    return found[::-1]
