"""Counterparts: corresponding blocks of two pages, by a monotone alignment.

No lexicon is needed: pages that translate each other have the same elements in the same
order, with proportional lengths and the same names and numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from scipy.sparse import csr_array

from ilspfc.text.arrays import BoolArray, FloatArray, IntArray, SingleArray
from ilspfc.text.vocabulary import Segments
from ilspfc.text.word_split import split_folded

if TYPE_CHECKING:
    from ilspfc.decisions.content import PageBlocks

# Longer pages are not compared: the alignment table grows with both lengths.
MAX_BLOCKS = 1500
# Rows that are compared at a time: arrays of the size of a cache.
_ROWS = 32
# Number of buckets of hashed tokens.
_WIDTH = 1024
# Weights of types, lengths, recurrence and equal tokens in the similarity of two blocks;
# blocks with a negative sum do not match.
_SAME_KIND, _OTHER_KIND, _SAME_LEVEL = 0.6, -1.0, 0.3
_LENGTH, _LENGTH_SCALE, _LEAST_LENGTH = 0.7, 0.5, -2.0
_RECURRENCE = 0.8
_TOKENS = 2.0


def hash_tokens(texts: Iterable[str]) -> Segments:
    """Return the tokens of texts as the numbers of their buckets."""
    return Segments.join([np.array(_hash_text(text), np.int32) for text in texts])


@lru_cache(maxsize=1 << 12)  # blocks that recur on a site
def _hash_text(text: str) -> list[int]:
    return [
        crc32(token.encode("utf-8", "surrogatepass")) % _WIDTH
        for token in split_folded(text)
    ]


def compare_tokens(left: Segments, right: Segments) -> SingleArray:
    """Return the cosines of the token counts of texts, shape (left texts, right texts)."""
    sides = []
    for tokens in (left, right):
        data = np.ones(len(tokens.ids), np.float32), tokens.ids, tokens.offsets
        counts = csr_array(data, shape=(len(tokens), _WIDTH), copy=True)
        counts.sum_duplicates()
        norms = np.sqrt((counts**2).sum(axis=1))
        counts.data /= np.repeat(np.maximum(norms, 1), np.diff(counts.indptr))
        sides.append(counts)
    cosines: SingleArray = (sides[0] @ sides[1].T).toarray()
    return cosines


def match_blocks(
    left: PageBlocks,
    right: PageBlocks,
    tokens: tuple[Segments, Segments],
    shares: tuple[FloatArray, FloatArray],
) -> IntArray:
    """Return the counterpart of each block of the left page, -1 for none.

    ``shares`` are the shares of other pages of the site with the same text.
    """
    if not len(left) or not len(right) or max(len(left), len(right)) > MAX_BLOCKS:
        return np.full(len(left), -1, np.int64)
    logs = [np.log1p(side.lengths) for side in (left, right)]
    frames = [np.minimum(1, 10 * share) for share in shares]
    cosines = compare_tokens(*tokens)
    similarity = np.empty(cosines.shape)
    for first in range(0, len(left), _ROWS):
        rows = slice(first, first + _ROWS)
        part = np.where(left.kinds[rows, None] == right.kinds, _SAME_KIND, _OTHER_KIND)
        levels = left.levels[rows, None]
        part += _SAME_LEVEL * ((levels == right.levels) & (levels > 0))
        ratio = np.abs(logs[0][rows, None] - logs[1])
        part += _LENGTH * np.maximum(1 - (ratio / _LENGTH_SCALE) ** 2, _LEAST_LENGTH)
        difference = np.abs(frames[0][rows, None] - frames[1])
        part += _RECURRENCE * (0.5 - difference)
        similarity[rows] = part + _TOKENS * cosines[rows]
    return find_path(similarity)


def find_path(similarity: FloatArray) -> IntArray:
    """Return the column of each row on the monotone path of the largest sum, -1 for none."""
    rows, columns = similarity.shape
    best, after = np.zeros(columns + 1), np.empty(columns + 1)
    diagonal = np.full(columns + 1, -np.inf)
    is_taken, is_above = np.empty((2, rows, columns + 1), bool)
    for row in range(rows):
        np.add(best[:-1], similarity[row], out=diagonal[1:])
        np.maximum(diagonal, best, out=after)
        np.maximum.accumulate(after, out=after)
        np.greater_equal(diagonal, after, out=is_taken[row])
        np.greater_equal(best, after, out=is_above[row])
        best, after = after, best
    return _trace(is_taken, is_above)


def _trace(is_taken: BoolArray, is_above: BoolArray) -> IntArray:
    found = np.full(len(is_taken), -1, np.int64)
    row, column = len(is_taken) - 1, is_taken.shape[1] - 1
    while row >= 0 and column > 0:
        if is_taken[row, column]:
            found[row] = column - 1
            row, column = row - 1, column - 1
        elif is_above[row, column]:
            row -= 1
        else:
            column -= 1
    return found
