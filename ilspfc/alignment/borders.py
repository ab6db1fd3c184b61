"""Words near the borders of beads: gain of moving borders, and words explained.

If a clause ends a sentence in one language but begins the next one in the other, two beads
look right that are right only when merged. Then the next bead explains the last tokens of
one sentence better, and the previous bead the first tokens of the other. The border is
moved to every token; the gain is the maximum over these positions.

A token is explained by its bead if it is at least as probable given the other side as by
chance. Tokens without any translation in the lexicon say nothing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ilspfc.alignment.lexical_score import Explainer, Table, Tables
from ilspfc.alignment.sides import Side
from ilspfc.text.arrays import FloatArray, IntArray

NOISE = 0.5
"""Smaller gains, in log odds, are due to chance."""

# log(1 + odds) of a token as probable given the other side as by chance.
_CHANCE = math.log(2)

# Batch size of beads, which bounds memory.
_BLOCK = 512


def join_sentences(side: Side, ends: IntArray) -> Side:
    """Return a text with the sentences of each bead joined; ``ends`` are the bead ends."""
    borders = np.concatenate([np.zeros(1, np.int64), ends])
    lengths = np.concatenate([[0.0], np.cumsum(side.lengths)])
    return Side(np.diff(lengths[borders]), side.ids, side.offsets[borders])


class Nearness(NamedTuple):
    """Evidence of the words of beads on their borders and on themselves.

    ``gains`` are the gains of shifting each border, in log odds, shape (beads + 1,); the
    gain of a border is the smaller of the two sides', and 0 before the first and after the
    last bead. ``explained`` and ``known`` are the numbers of tokens of each bead that the
    other side explains, and that are in the lexicon, shape (2, beads): target, source.
    """

    gains: FloatArray
    explained: FloatArray
    known: FloatArray


def compare_words(source: Side, target: Side, tables: Tables) -> Nearness:
    """Compare the words of texts with one sentence per bead."""
    first, last, *counts = _explain(source, target, tables[0])
    other_first, other_last, *others = _explain(target, source, tables[1])
    gains = np.zeros(len(source) + 1)
    # A clause that comes late on one side comes early on the other.
    late = np.minimum(first[1:], other_last[:-1])
    early = np.minimum(last[:-1], other_first[1:])
    gains[1:-1] = np.maximum(np.maximum(late, early) - NOISE, 0.0)
    explained, known = np.stack([counts, others], axis=1)
    return Nearness(gains, explained, known)


def _explain(
    source: Side, target: Side, table: Table
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return gains and numbers of tokens of target sentences, each of shape (sentences,).

    They are the gains of the first tokens by the previous, of the last by the next source
    sentence, and the numbers of explained and of known tokens.
    """
    explainer = Explainer(source, target, table)
    is_empty = source.token_counts == 0
    firsts, lasts, explained = np.zeros((3, len(target)))
    for start in range(0, len(target), _BLOCK):
        end = min(start + _BLOCK, len(target))
        counts = target.token_counts[start:end]
        sentence = np.repeat(np.arange(end - start), counts)
        previous, own, following = explainer.explain_near((start, end))
        explained[start:end] = np.bincount(sentence, own >= _CHANCE, end - start)
        # A token without a source costs nothing, one with an unfit source log λ.
        own[is_empty[start:end][sentence]] = -table.log_mix
        firsts[start:end] = _max_prefix_sums(previous - own, counts)
        last = _max_prefix_sums((following - own)[::-1], counts[::-1])
        lasts[start:end] = last[::-1]
    sentence = np.repeat(np.arange(len(target)), target.token_counts)
    known = np.bincount(sentence, table.is_known[target.ids], len(target))
    return firsts, lasts, explained, known.astype(np.float64)


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
