"""Gain of moving the borders of beads into sentences, by the words near them.

If a clause ends a sentence in one language but begins the next one in the other, two beads
look right that are right only when merged. Then the next bead explains the last tokens of
one sentence better, and the previous bead the first tokens of the other. The border is
moved to every token; the gain is the maximum over these positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ilspfc.alignment.lexical_score import Explainer
from ilspfc.alignment.sides import Side

if TYPE_CHECKING:
    from ilspfc.alignment.lexical_score import Table, Tables
    from ilspfc.text.arrays import FloatArray, IntArray

NOISE = 0.5
"""Smaller gains, in log odds, are due to chance."""

# Batch size of beads, which bounds memory.
_BLOCK = 512


def join_sentences(side: Side, ends: IntArray) -> Side:
    """Return a text with the sentences of each bead joined; ``ends`` are the bead ends."""
    borders = np.concatenate([np.zeros(1, np.int64), ends])
    lengths = np.concatenate([[0.0], np.cumsum(side.lengths)])
    return Side(np.diff(lengths[borders]), side.ids, side.offsets[borders])


def find_gains(source: Side, target: Side, tables: Tables) -> FloatArray:
    """Return the gain of shifting each border, in log odds, shape (beads + 1,).

    Sides have one sentence per bead. The gain of a border is the smaller of the two sides',
    and 0 before the first and after the last bead.
    """
    first, last = _find_side_gains(source, target, tables[0])
    other_first, other_last = _find_side_gains(target, source, tables[1])
    gains = np.zeros(len(source) + 1)
    # A clause that comes late on one side comes early on the other.
    late = np.minimum(first[1:], other_last[:-1])
    early = np.minimum(last[:-1], other_first[1:])
    gains[1:-1] = np.maximum(np.maximum(late, early) - NOISE, 0.0)
    return gains


def _find_side_gains(
    source: Side, target: Side, table: Table
) -> tuple[FloatArray, FloatArray]:
    """Return the gains of the first, and of the last tokens of target sentences.

    They gain by the previous, and by the next source sentence; shapes (sentences,).
    """
    explainer = Explainer(source, target, table)
    is_empty = source.token_counts == 0
    firsts, lasts = np.zeros(len(target)), np.zeros(len(target))
    for start in range(0, len(target), _BLOCK):
        end = min(start + _BLOCK, len(target))
        counts = target.token_counts[start:end]
        previous, own, following = explainer.explain_near((start, end))
        # A token without a source costs nothing, one with an unfit source log λ.
        own[np.repeat(is_empty[start:end], counts)] = -table.log_mix
        firsts[start:end] = _max_prefix_sums(previous - own, counts)
        last = _max_prefix_sums((following - own)[::-1], counts[::-1])
        lasts[start:end] = last[::-1]
    return firsts, lasts


def _max_prefix_sums(values: FloatArray, counts: IntArray) -> FloatArray:
    """Return the maximum prefix sum of each group of values, at least 0."""
    sums = np.cumsum(values)
    ends = np.cumsum(counts)
    starts = ends - counts
    nonempty = counts > 0
    highest = np.zeros(counts.size)
    if sums.size:
        offsets = np.concatenate([[0.0], sums])[starts[nonempty]]
        highest[nonempty] = np.maximum.reduceat(sums, starts[nonempty]) - offsets
    return np.maximum(highest, 0.0)
