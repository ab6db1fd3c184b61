"""Structural similarity: the sequence of paragraphs, by kind and length.

:class:`Fingerprint` is a tolerant variant of the paper's fingerprint (000, section 3.9,
figure 2), :class:`Frame` compares the kinds of all paragraphs, after the tag sequences of
001, section 3.1, :class:`Length` the lengths of the texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cpdist
from scipy.sparse import csr_array

from ilspfc.pairing.comparison import Candidates, Comparison
from ilspfc.pairing.evidence.kind import EvidenceKind
from ilspfc.pairing.page_arrays import Pages, Texts
from ilspfc.pairing.sparse import inverse_frequencies, most_alike, weigh_sides
from ilspfc.text.arrays import FloatArray, IntArray

PROPOSED = 15
# Width of the length classes, on a log scale. The paper's integers require equal lengths,
# which translations rarely have; the shorter a paragraph, the less its ratio says, so some
# characters are added to each. Several offsets soften the class boundaries.
CLASS_WIDTH = 0.4
_EXTRA_CHARS = 12
_OFFSETS = (0.0, 1 / 3, 2 / 3)
# Sizes of the n-grams of kinds that propose candidates; paragraphs of a page to use.
_FRAME_RUNS = (4, 6)
_MAX_CODE = 200
# First character of the codes of kinds and classes.
_FIRST = 0x100
# Radix greater than any code: an n-gram of up to six fits a 64-bit integer.
_RADIX = 0x400
# Batch size of candidates to compare, which bounds temporary lists.
_PAIRS_AT_ONCE = 10_000


def _encode(text: Texts, shift: float, offset: float) -> list[str]:
    """Return each page as a string with a code for each block's kind and length class."""
    kinds = np.concatenate([np.zeros(0, np.int8), *text.kinds])
    lengths = np.log(np.concatenate([np.zeros(0), *text.lengths]) + _EXTRA_CHARS)
    classes = ((lengths + shift) / CLASS_WIDTH + offset).astype(np.uint32)
    codes = _FIRST + classes * 8 + (kinds % 8).astype(np.uint32)
    signs = codes.astype("<u4").tobytes().decode("utf-32-le")
    ends = np.cumsum([0, *map(len, text.kinds)]).tolist()
    return [signs[start:end] for start, end in pairwise(ends)]


def common_share(
    left: Sequence[str], right: Sequence[str], candidates: Candidates
) -> FloatArray:
    """Return the longest common subsequence of each candidate, over the mean length."""
    shares = np.zeros(len(candidates))
    for start in range(0, len(candidates), _PAIRS_AT_ONCE):
        part = slice(start, start + _PAIRS_AT_ONCE)
        shares[part] = cpdist(
            [left[row] for row in candidates.rows[part].tolist()],
            [right[column] for column in candidates.columns[part].tolist()],
            scorer=Indel.normalized_similarity,
            dtype=np.float64,
        )
    empty = np.array([not text for text in left], bool)[candidates.rows]
    return np.where(empty, 0.0, shares)


@dataclass(frozen=True)
class Fingerprint(EvidenceKind):
    """Longest common subsequence of kinds and length classes, over the mean length.

    ``of`` names the text of :class:`Pages` to read.
    """

    of: str = "clean"

    def propose(self, comparison: Comparison) -> tuple[IntArray, IntArray] | None:
        """Return the pages that share the rarest n-grams of paragraphs with each page.

        Proposing again once the length ratio is known is costly and changes little.
        """
        if comparison.scores is not None:
            return None
        shift = comparison.log_ratio / 2
        left, right = comparison.arrays(self.of)
        spellings = [
            [_encode(side, shift_, offset) for offset in _OFFSETS[:2]]
            for side, shift_ in ((left, shift), (right, -shift))
        ]
        return _find_similar(spellings, (2, 3))

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the similarity of each candidate, in [0, 1]."""
        shift = comparison.log_ratio / 2
        left, right = comparison.arrays(self.of)
        total = np.zeros(len(candidates))
        for offset in _OFFSETS:
            spellings = _encode(left, shift, offset), _encode(right, -shift, offset)
            total += common_share(*spellings, candidates)
        return total / len(_OFFSETS)


def _find_similar(
    sides: Sequence[Sequence[Sequence[str]]], sizes: Sequence[int]
) -> tuple[IntArray, IntArray]:
    """Return pairs of pages with rare n-grams of these sizes in common.

    Each side holds the pages as strings, in one or more encodings.
    """
    counts = _count_ngrams(sides, sizes)
    weights = np.minimum(*(inverse_frequencies(side) for side in counts))
    return most_alike(*weigh_sides(counts[0], counts[1], weights), count=PROPOSED)


def _count_ngrams(
    sides: Sequence[Sequence[Sequence[str]]], sizes: Sequence[int]
) -> list[csr_array]:
    """Return, for each side, the counts of the n-grams common to both sides by page."""
    rows: list[list[IntArray]] = [[], []]
    columns: list[list[IntArray]] = [[], []]
    width = 0
    for spelling in zip(*sides, strict=True):
        joined = [_join_pages(codes) for codes in spelling]
        for size in sizes:
            found = [_make_ngrams(signs, owners, size) for signs, owners in joined]
            shared = np.intersect1d(found[0][0], found[1][0])
            for side, (ngrams, owners) in enumerate(found):
                places = np.searchsorted(shared, ngrams)
                known = np.append(shared, -1)[places] == ngrams
                rows[side].append(owners[known])
                columns[side].append(width + places[known])
            width += len(shared)
    counts = []
    for side, codes in enumerate(sides):
        cells = np.concatenate(rows[side]), np.concatenate(columns[side])
        shape = (len(codes[0]), max(width, 1))
        counts.append(csr_array((np.ones(len(cells[0])), cells), shape=shape))
    return counts


def _join_pages(codes: Sequence[str]) -> tuple[IntArray, IntArray]:
    """Return the codes of all pages, delimited and concatenated, and the page of each."""
    padded = [f"^{code[:_MAX_CODE]}$" for code in codes]
    signs = np.frombuffer("".join(padded).encode("utf-32-le"), np.uint32)
    owners = np.repeat(np.arange(len(padded)), [len(text) for text in padded])
    return signs.astype(np.int64), owners


def _make_ngrams(
    signs: IntArray, owners: IntArray, size: int
) -> tuple[IntArray, IntArray]:
    """Return the n-grams of ``size`` codes as numbers, and the page of each."""
    number = max(len(signs) - size + 1, 0)
    ngrams = np.zeros(number, np.int64)
    for place in range(size):
        ngrams = ngrams * _RADIX + signs[place : place + number]
    is_whole = owners[:number] == owners[size - 1 : size - 1 + number]
    return ngrams[is_whole], owners[:number][is_whole]


class Frame(EvidenceKind):
    """Longest common subsequence of all paragraphs' kinds, over the mean length."""

    def propose(self, comparison: Comparison) -> tuple[IntArray, IntArray]:
        """Return the pages that share the rarest n-grams of kinds with each page."""
        sides = (comparison.left, comparison.right)
        return _find_similar([[_encode_frames(side)] for side in sides], _FRAME_RUNS)

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the similarity of each candidate, in [0, 1]."""
        left, right = map(_encode_frames, (comparison.left, comparison.right))
        return common_share(left, right, candidates)


def _encode_frames(pages: Pages) -> list[str]:
    return ["".join(chr(_FIRST + kind) for kind in f.tolist()) for f in pages.frames]


class Length(EvidenceKind):
    """Closeness of the length ratio to that of the sure pairs.

    Proposes nothing: too many pages have the same length.
    """

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return exp(-|log ratio - expected log ratio|) of each candidate, in (0, 1]."""
        a = np.log(np.maximum(comparison.left.whole.sizes[candidates.rows], 1))
        b = np.log(np.maximum(comparison.right.whole.sizes[candidates.columns], 1))
        return np.exp(-np.abs(b - a - comparison.log_ratio))


FINGERPRINT = Fingerprint("structure", "structure", learns=True)
FINGERPRINT_WHOLE = Fingerprint("structure_whole", "structure", learns=True, of="whole")
FRAME = Frame("frame", "structure")
LENGTH = Length("length", "length", learns=True)
