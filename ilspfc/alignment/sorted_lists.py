"""Alphabetical lists: indexes that each language sorts in its own order.

Alignment relies on order, which is no evidence there. So the words of a row must match
those of its counterpart better than those of any other row of the list.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

import numpy as np

from ilspfc.alignment.bead_scores import DEFAULT_WEIGHTS
from ilspfc.alignment.beads import Bead
from ilspfc.alignment.lexical_score import Explainer, Tables
from ilspfc.alignment.sides import Side
from ilspfc.text.arrays import FloatArray, IntArray

MIN_ITEMS = 12
"""Minimum number of items for an order that is not due to chance."""

# Part of the items whose first letters can be read.
_READ_SHARE = 0.9
# Part of the items that do not come before their predecessor: half by chance, some four
# fifths in an index with terms below terms, each of which is a list of its own.
_SORTED_SHARE = 0.75
# Lead over the order of chance, in standard deviations (permutations: (n + 1) / 12).
_SORTED_DEVIATIONS = 4.0
_MIN_INITIALS = 4
# Items with the same first letters count as sorted: collations differ in the rest.
_KEY_CHARS = 2
# Batch size of rows that are scored against all columns.
_ROWS = 256


def find_lists(
    sentences: Sequence[str], blocks: Sequence[int] | None, kinds: Sequence[int] | None
) -> IntArray:
    """Return the number of each sentence's alphabetical list, from 1; 0 outside of lists.

    A list is a run of paragraphs of one kind, not 0, of which nine tenths begin with letters
    and three quarters follow on their predecessor in the alphabet, many more than by chance;
    there are at least four different initials.
    """
    found = np.zeros(len(sentences), np.int64)
    if blocks is None or kinds is None:
        return found
    starts = [n for n, b in enumerate(blocks) if n == 0 or blocks[n - 1] != b]
    runs = groupby(range(len(starts)), key=lambda number: kinds[starts[number]])
    number = 0
    for kind, group in runs:
        items = [*group]
        if kind and _is_sorted([sentences[starts[item]] for item in items]):
            number += 1
            end = items[-1] + 1
            last = starts[end] if end < len(starts) else len(sentences)
            found[starts[items[0]] : last] = number
    return found


def _is_sorted(texts: Sequence[str]) -> bool:
    keys = [key for key in map(_read_key, texts) if key]
    if len(keys) < max(MIN_ITEMS, _READ_SHARE * len(texts)):
        return False
    steps = len(keys) - 1
    ascending = sum(a <= b for a, b in pairwise(keys))
    lead = (ascending - steps / 2) / math.sqrt((len(keys) + 1) / 12)
    return (
        ascending >= _SORTED_SHARE * steps
        and lead >= _SORTED_DEVIATIONS
        and len({key[0] for key in keys}) >= _MIN_INITIALS
    )


def _read_key(text: str) -> str:
    """Return the first letters without case and accents, empty if a digit precedes them."""
    key = ""
    for character in unicodedata.normalize("NFKD", text.casefold()):
        if character.isalpha():
            key += character
        elif key or character.isdigit():
            break
        if len(key) == _KEY_CHARS:
            break
    return key


def weigh_lists(
    beads: Sequence[Bead],
    texts: tuple[Side, Side],
    lists: tuple[IntArray, IntArray],
    tables: Tables,
    temperature: float,
) -> list[Bead]:
    """Return the beads with lower scores if both sides are in alphabetical lists.

    The score is multiplied by the lexical odds of the bead against the best row or column
    of the lists, and against no partner; ``temperature`` converts weights into log odds.
    """
    weighed = list(beads)
    places: dict[tuple[int, int], list[int]] = {}
    for place, bead in enumerate(beads):
        if bead.source and bead.target:
            left, right = lists[0][bead.source[0]], lists[1][bead.target[0]]
            if left and right:
                places.setdefault((int(left), int(right)), []).append(place)
    for numbers, inside in places.items():
        first = [np.flatnonzero(lists[n] == numbers[n]) for n in (0, 1)]
        sides = [
            text.cut(int(one[0]), int(one[-1]) + 1)
            for text, one in zip(texts, first, strict=True)
        ]
        nodes = [
            (beads[p].source[0] - first[0][0], beads[p].target[0] - first[1][0])
            for p in inside
        ]
        losses = _find_losses(sides[0], sides[1], tables, np.array(nodes))
        for place, loss in zip(inside, losses.tolist(), strict=True):
            score = beads[place].score * float(np.exp(-temperature * loss))
            weighed[place] = replace(beads[place], score=score)
    return weighed


def _find_losses(
    source: Side, target: Side, tables: Tables, nodes: IntArray
) -> FloatArray:
    """Return the lead of the best row, column or null over each node, in log odds."""
    forward = Explainer(source, target, tables[0])
    backward = Explainer(target, source, tables[1])
    rows, columns = len(source), len(target)
    own = np.zeros(len(nodes))
    best_of_rows, best_of_columns = np.zeros(rows), np.zeros(columns)
    for first in range(0, rows, _ROWS):
        last = min(first + _ROWS, rows)
        weights = forward.score((first + 1, last + 1), (0, columns), 1)[0]
        weights += backward.score((1, columns + 1), (first, last), 1)[0].T
        weights *= np.float32(DEFAULT_WEIGHTS.lexicon / 2)
        best_of_rows[first:last] = weights.max(axis=1)
        np.maximum(best_of_columns, weights.max(axis=0), out=best_of_columns)
        in_batch = (nodes[:, 0] >= first) & (nodes[:, 0] < last)
        own[in_batch] = weights[nodes[in_batch, 0] - first, nodes[in_batch, 1]]
    best = np.maximum(best_of_rows[nodes[:, 0]], best_of_columns[nodes[:, 1]])
    losses: FloatArray = np.maximum(best, 0) - own
    return losses
