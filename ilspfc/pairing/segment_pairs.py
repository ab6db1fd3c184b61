"""Segments of pages that are taken to translate each other: what a lexicon learns from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from ilspfc.pairing.page_arrays import Pages
    from ilspfc.text.arrays import FloatArray, IdArray


# Costs are negative logarithms, up to a constant. A block without a counterpart; two that
# stand for one; another kind; and the standard deviation of the logarithm of the lengths,
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
    """Return which blocks of two pages stand for each other, by kinds and lengths.

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


def iter_segments(
    left: Pages, right: Pages, row: int, column: int, log_ratio: float
) -> Iterator[tuple[IdArray, IdArray]]:
    """Yield the stems of the segments of two pages that stand for each other.

    A block is cut into its sentences where its counterpart has as many.
    """
    beads = align_blocks(
        (left.kinds[row], right.kinds[column]),
        (left.lengths[row], right.lengths[column]),
        log_ratio,
    )
    sources, targets = left.blocks(row), right.blocks(column)
    for source, target in beads:
        a = [sentence for block in sources[source] for sentence in block]
        b = [sentence for block in targets[target] for sentence in block]
        pairs = zip(a, b, strict=True) if len(a) == len(b) else [(_join(a), _join(b))]
        yield from ((one, other) for one, other in pairs if len(one) and len(other))


def _join(sentences: list[IdArray]) -> IdArray:
    return np.concatenate([np.zeros(0, np.int32), *sentences])
