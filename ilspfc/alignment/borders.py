"""Gain of moving the borders of beads into sentences, by the words near them.

Where a clause ends a sentence in one language and begins the next one in the other, two
beads look right that are right only together. Then the last tokens of the one sentence
are better explained by the next bead's, and the first tokens of the other by the bead
before. A border is tried at every token; the gain is the most that any place wins.
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
"""Gains of less, in log odds, come by chance."""

# Beads that are scored at a time, which bounds memory.
_BLOCK = 512


def join_sentences(side: Side, ends: IntArray) -> Side:
    """Return a text with the sentences of each bead as one; ``ends`` are those of beads."""
    borders = np.concatenate([np.zeros(1, np.int64), ends])
    lengths = np.concatenate([[0.0], np.cumsum(side.lengths)])
    return Side(np.diff(lengths[borders]), side.ids, side.offsets[borders])


def find_gains(source: Side, target: Side, tables: Tables) -> FloatArray:
    """Return the gain of shifting each border, shape (beads + 1,).

    Sides have one sentence a bead. Both must gain: that of a border is the smaller one.
    Before the first bead and behind the last one there is nothing to gain.
    """
    first, last = _find_side_gains(source, target, tables[0])
    other_first, other_last = _find_side_gains(target, source, tables[1])
    gains = np.zeros(len(source) + 1)
    # A clause that is told late on one side is told early on the other.
    late = np.minimum(first[1:], other_last[:-1])
    early = np.minimum(last[:-1], other_first[1:])
    gains[1:-1] = np.maximum(np.maximum(late, early) - NOISE, 0.0)
    return gains


def _find_side_gains(
    source: Side, target: Side, table: Table
) -> tuple[FloatArray, FloatArray]:
    """Return the gain of the first tokens of target sentences with the source before the border.

    The second is what the last ones gain with the one behind; shape (sentences,) both.
    """
    explainer = Explainer(source, target, table)
    is_empty = source.token_counts == 0
    firsts, lasts = np.zeros(len(target)), np.zeros(len(target))
    for start in range(0, len(target), _BLOCK):
        end = min(start + _BLOCK, len(target))
        counts = target.token_counts[start:end]
        before, own, behind = explainer.explain_near((start, end))
        # A token without a translation costs nothing, one with an unfit one log λ.
        own[np.repeat(is_empty[start:end], counts)] = -table.log_mix
        firsts[start:end] = _highest_sums(before - own, counts)
        last = _highest_sums((behind - own)[::-1], counts[::-1])
        lasts[start:end] = last[::-1]
    return firsts, lasts


def _highest_sums(values: FloatArray, counts: IntArray) -> FloatArray:
    """Return the highest sum of the first values of each group, 0 where all are lower."""
    sums = np.cumsum(values)
    ends = np.cumsum(counts)
    starts = ends - counts
    some = counts > 0
    highest = np.zeros(counts.size)
    if sums.size:
        before = np.concatenate([[0.0], sums])[starts[some]]
        highest[some] = np.maximum.reduceat(sums, starts[some]) - before
    return np.maximum(highest, 0.0)
