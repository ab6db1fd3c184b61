"""Likeness of structure: paragraphs, their kinds and lengths, in order.

:class:`Fingerprint` is a tolerant form of the paper's fingerprint (000, section 3.9,
figure 2), :class:`Frame` the sequence of all paragraphs' kinds after the tag sequences of
001, section 3.1, :class:`Length` the ratio of the texts' lengths.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cpdist
from scipy.sparse import csr_array

from ilspfc.pairing.sparse import (
    FloatArray,
    IntArray,
    inverse_frequencies,
    most_alike,
    normalize_rows,
    weigh,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ilspfc.pairing.arrays import Pages
    from ilspfc.pairing.comparison import Candidates, Comparison

CANDIDATES = 15
MAX_POSTINGS = 200
# Lengths fall into classes of this logarithm. Translations are rarely of equal length, as
# the paper's integers ask; and the shorter a paragraph, the less its ratio says, so that
# some characters are added to all. Borders at several offsets soften them.
CLASS_WIDTH = 0.4
_EXTRA_CHARS = 12
_OFFSETS = (0.0, 1 / 3, 2 / 3)
_KINDS = 16
# Runs of so many kinds propose candidates; of a page only its first paragraphs do.
_FRAME_RUNS = (4, 6)
_MAX_CODE = 200
# The first character that stands for a kind and a class.
_FIRST = 0x100


def _encode(pages: Pages, shift: float, offset: float) -> list[str]:
    """Return each page as a string of kinds and length classes of its blocks."""
    return [
        "".join(
            chr(
                _FIRST
                + int((length + shift) / CLASS_WIDTH + offset) * 8
                + int(kind) % 8
            )
            for kind, length in zip(
                kinds, np.log(lengths + _EXTRA_CHARS).tolist(), strict=True
            )
        )
        for kinds, lengths in zip(pages.kinds, pages.lengths, strict=True)
    ]


def _likeness(
    left: Sequence[str], right: Sequence[str], candidates: Candidates
) -> FloatArray:
    """Return the longest common subsequence of each candidate, over the mean length."""
    if not len(candidates):
        return np.zeros(0)
    likeness = cpdist(
        [left[row] for row in candidates.rows],
        [right[column] for column in candidates.columns],
        scorer=Indel.normalized_similarity,
        dtype=np.float64,
    )
    empty = np.array([not text for text in left], bool)[candidates.rows]
    return np.where(empty, 0.0, likeness)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Common subsequence of kinds and classes of length, over the mean length."""

    name: str = "structure"
    group: str = "structure"
    learns: bool = True

    def propose(self, comparison: Comparison) -> tuple[IntArray, IntArray] | None:
        """Return for each page those that share the rarest runs of paragraphs.

        That the ratio of the lengths is known later on changes little and costs much.
        """
        if comparison.scores is not None:
            return None
        shift = comparison.log_ratio / 2
        return _share_runs(
            [
                [_encode(side, shift_, offset) for offset in _OFFSETS[:2]]
                for side, shift_ in (
                    (comparison.left, shift),
                    (comparison.right, -shift),
                )
            ],
            (2, 3),
        )

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the likeness of each candidate, in [0, 1]."""
        shift = comparison.log_ratio / 2
        total = np.zeros(len(candidates))
        for offset in _OFFSETS:
            left = _encode(comparison.left, shift, offset)
            right = _encode(comparison.right, -shift, offset)
            total += _likeness(left, right, candidates)
        return total / len(_OFFSETS)


def _share_runs(
    sides: Sequence[Sequence[Sequence[str]]], sizes: Sequence[int]
) -> tuple[IntArray, IntArray]:
    """Return the pages that have rare runs of so many signs in common.

    Each side holds the pages as strings, in one or more spellings.
    """
    numbers: dict[str, int] = {}
    counts = [_count_runs(codes, sizes, numbers) for codes in sides]
    for side in counts:
        side.resize((side.shape[0], max(len(numbers), 1)))
    weights = np.minimum(*(inverse_frequencies(side) for side in counts))
    return most_alike(
        *(normalize_rows(weigh(side, weights)) for side in counts),
        count=CANDIDATES,
        max_postings=MAX_POSTINGS,
    )


def _count_runs(
    codes: Sequence[Sequence[str]], sizes: Sequence[int], numbers: dict[str, int]
) -> csr_array:
    """Return how often each run occurs on each page."""
    pointers, columns = [0], []
    for page in zip(*codes, strict=True):
        for offset, code in enumerate(page):
            padded = f"^{code[:_MAX_CODE]}$"
            for size in sizes:
                columns += [
                    numbers.setdefault(
                        f"{offset}{padded[start : start + size]}", len(numbers)
                    )
                    for start in range(len(padded) - size + 1)
                ]
        pointers.append(len(columns))
    counts = csr_array(
        (np.ones(len(columns)), np.array(columns, np.int32), pointers),
        shape=(len(pointers) - 1, max(len(numbers), 1)),
    )
    counts.sum_duplicates()
    return counts


@dataclass(frozen=True, slots=True)
class Frame:
    """Common subsequence of all paragraphs' kinds, over the mean length."""

    name: str = "frame"
    group: str = "structure"
    learns: bool = False

    def propose(self, comparison: Comparison) -> tuple[IntArray, IntArray]:
        """Return for each page those that share the rarest runs of kinds."""
        return _share_runs(
            [[_encode_frames(side)] for side in (comparison.left, comparison.right)],
            _FRAME_RUNS,
        )

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the likeness of each candidate, in [0, 1]."""
        left, right = (
            _encode_frames(side) for side in (comparison.left, comparison.right)
        )
        return _likeness(left, right, candidates)


def _encode_frames(pages: Pages) -> list[str]:
    return ["".join(chr(_FIRST + kind) for kind in f.tolist()) for f in pages.frames]


@dataclass(frozen=True, slots=True)
class Length:
    """1 at the ratio of lengths that the sure pairs have, less the further from it."""

    name: str = "length"
    group: str = "length"
    learns: bool = True

    def propose(self, comparison: Comparison) -> None:
        """Propose nothing: too many pages have the same."""

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return e to the minus distance of the logarithms, in (0, 1]."""
        a = np.log(np.maximum(comparison.left.sizes[candidates.rows], 1))
        b = np.log(np.maximum(comparison.right.sizes[candidates.columns], 1))
        return np.exp(-np.abs(b - a - comparison.log_ratio))
