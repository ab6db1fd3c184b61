"""Weights of beads: prior, length, lexicon and structure, as one log likelihood ratio.

Each part compares the likelihood of two groups of sentences as translations with that as
unrelated texts, so all segmentations of two texts are on one scale.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.alignment.beads import DELETION, INSERTION, Shape

if TYPE_CHECKING:
    from ilspfc.alignment.grid import Grid
    from ilspfc.alignment.lexical_score import Explainer
    from ilspfc.alignment.sides import Side
    from ilspfc.text.arrays import FloatArray, IntArray, SingleArray

IMPOSSIBLE = -1e30
"""Weight of a bead that would begin before the first sentence."""

NULL_COST = 2.0
"""Cost of a sentence without a translation, in addition to its prior, if these are rare."""

LENGTH_NOISE = 0.02
"""Share of translations with uninformative lengths."""

KIND_COST = 3.0
"""Cost of a bead whose paragraph types differ."""
CROSSING_COST = 3.0
"""Cost of each paragraph boundary inside a bead."""
BORDER_COST = 1.0
"""Cost of a bead that starts, or ends, at a paragraph boundary on one side only."""

_MAX_LOG = 60.0


@dataclass(frozen=True, slots=True)
class Weights:
    """Factors of the parts of a bead's weight.

    ``dilution`` is the exponent of a group's length in the divisor of its odds: at 1, a
    group of twice the length has to explain twice as much.
    """

    prior: float = 0.7
    length: float = 1.2
    lexicon: float = 0.8
    dilution: float = 1.0


DEFAULT_WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Parameters:
    """Parameters of a pair of texts.

    ``ratio`` is in target characters per source character, ``variance`` in characters;
    ``log_mean`` and ``log_deviation`` describe the log length of 1, 2 … target sentences;
    ``priors`` are those of all allowed bead shapes; ``null_cost`` is the cost of a
    sentence without a translation, in addition to its prior.
    """

    ratio: float
    variance: float
    log_mean: Sequence[float]
    log_deviation: Sequence[float]
    priors: Mapping[Shape, float]
    null_cost: float = NULL_COST


class BeadScorer:
    """Scorer of the beads of two texts.

    ``explainers`` score target tokens given source sentences, and vice versa; without
    them, only lengths and priors count.
    """

    def __init__(
        self,
        source: Side,
        target: Side,
        parameters: Parameters,
        explainers: tuple[Explainer, Explainer] | None,
        weights: Weights = DEFAULT_WEIGHTS,
    ) -> None:
        self._weights = weights
        self.shapes = tuple(shape for shape in parameters.priors if shape != INSERTION)
        self._matches = [shape for shape in self.shapes if shape != DELETION]
        self._largest = (
            max(a for a, _ in self._matches),
            max(b for _, b in self._matches),
        )
        self._parameters = parameters
        self._explainers = explainers
        self._source_ends = np.concatenate([[0.0], np.cumsum(source.lengths)])
        target_ends = np.concatenate([[0.0], np.cumsum(target.lengths)])
        self._groups = _measure_groups(target_ends, self._largest[1], parameters)
        self._structure = None
        if source.blocks is not None and target.blocks is not None:
            self._structure = _Structure(source, target, self._largest)

    @property
    def insertion(self) -> float:
        """Weight of a target sentence without a translation."""
        return self._null_weight(INSERTION)

    def _null_weight(self, shape: Shape) -> float:
        return (
            self._weights.prior * math.log(self._parameters.priors[shape])
            - self._parameters.null_cost
        )

    def score(self, grid: Grid, first: int, last: int) -> SingleArray:
        """Return the weights of the beads that end in rows [first, last).

        The array has the shape (rows, bead shapes, width of the grid).
        """
        starts = grid.first[first:last]
        if grid.is_full:
            starts = starts[:1]  # one row for all: they have the same columns
        columns = starts[:, None] + np.arange(grid.width)
        rows = np.arange(first, last)[:, None]
        a, b = np.array(self._matches)[:, :, None, None].swapaxes(0, 1)
        # All shapes at once: most pages are so short that a call costs more than its cells.
        matches = self._score_length(rows, columns, a, b)
        scores = self._score_lexicon(grid, first, last)
        if scores is not None:
            matches += scores
        if self._structure is not None:
            matches -= self._structure.cost(rows, columns, a, b)
        matches[(rows < a) | (columns < b)] = IMPOSSIBLE
        weights = np.empty((last - first, len(self.shapes), grid.width), np.float32)
        others = iter(matches)
        for number, shape in enumerate(self.shapes):
            if shape != DELETION:
                weights[:, number] = next(others)
                continue
            weights[:, number] = self._null_weight(shape)
            weights[:, number][rows[:, 0] < shape[0]] = IMPOSSIBLE
        return weights

    def _score_length(
        self, rows: IntArray, columns: IntArray, a: IntArray, b: IntArray
    ) -> SingleArray:
        """Return prior and length weight of beads of shapes, (shapes, rows, columns)."""
        known, ends = self._parameters, self._source_ends
        source = ends[rows] - ends[np.maximum(rows - a, 0)]
        place = b - 1, np.maximum(columns - b, 0)
        target, background = (part[place] for part in self._groups)
        expected = (known.ratio * source).astype(np.float32)
        variance = (target + expected) * np.float32(known.variance / 2)
        odds: SingleArray = target - expected
        odds *= odds
        odds /= variance
        variance *= np.float32(2 * math.pi)
        odds += np.log(variance, out=variance)
        odds *= np.float32(-0.5)
        odds -= background
        np.clip(odds, -_MAX_LOG, _MAX_LOG, out=odds)
        np.exp(odds, out=odds)
        odds *= np.float32(1 - LENGTH_NOISE)
        odds += np.float32(LENGTH_NOISE)
        np.log(odds, out=odds)
        odds *= np.float32(self._weights.length)
        priors = np.array([math.log(known.priors[shape]) for shape in self._matches])
        odds += (self._weights.prior * priors).astype(np.float32)[:, None, None]
        return odds

    def _score_lexicon(self, grid: Grid, first: int, last: int) -> SingleArray | None:
        """Return the lexical weights of the beads that end in [first, last), by shape.

        The array has the shape (bead shapes without deletions, rows, width of the grid).
        """
        if self._explainers is None or last <= first:
            return None
        forward, backward = self._explainers
        a_max, b_max = self._largest
        low = int(grid.first[first])
        high = int(grid.first[last - 1]) + grid.width
        left, top = max(low - b_max, 0), max(first - a_max, 0)
        # Prefix sums by node, [a - 1, row, column] and [b - 1, row, column].
        fwd = forward.score((first, last), (left, high - 1), a_max)
        fwd = _cumulate(fwd, left - low + b_max)
        bwd = backward.score((low, high), (top, last - 1), b_max)
        bwd = _cumulate(bwd, top - first + a_max).transpose(0, 2, 1).copy()
        rows, columns = last - first, high - low
        # Indices of each row's band in the flattened rectangle.
        starts = np.arange(rows) * columns + grid.first[first:last] - low
        band = starts[:, None] + np.arange(grid.width)
        scores = np.empty((len(self._matches), *band.shape), np.float32)
        for number, (a, b) in enumerate(self._matches):
            weights = fwd[a - 1, :, b_max:] - fwd[a - 1, :, b_max - b : -b]
            weights += bwd[b - 1, a_max:]
            weights -= bwd[b - 1, a_max - a : -a]
            weights *= np.float32(self._weights.lexicon / 2)
            scores[number] = weights.ravel()[band]
        return scores


def _measure_groups(
    ends: FloatArray, largest: int, parameters: Parameters
) -> tuple[SingleArray, SingleArray]:
    """Return the lengths of all groups of target sentences and their log likelihoods.

    Shape (sizes, sentences); row 0 is for groups of one. There is nothing at the end of rows.
    """
    lengths = np.ones((largest, max(len(ends) - 1, 1)))
    for size in range(1, min(largest, len(ends) - 1) + 1):
        lengths[size - 1, : len(ends) - size] = ends[size:] - ends[:-size]
    means, deviations = (
        np.array(part[:largest])[:, None]
        for part in (parameters.log_mean, parameters.log_deviation)
    )
    logs = np.log(lengths)
    background = (
        -0.5 * ((logs - means) / deviations) ** 2
        - logs
        - np.log(deviations * math.sqrt(2 * math.pi))
    )
    return lengths.astype(np.float32), background.astype(np.float32)


def _cumulate(scores: SingleArray, lead: int) -> SingleArray:
    """Return prefix sums over the last axis, after ``lead`` + 1 zeros."""
    sums = np.zeros((*scores.shape[:2], lead + 1 + scores.shape[2]), np.float32)
    np.cumsum(scores, axis=2, out=sums[:, :, lead + 1 :])
    return sums


class _Structure:
    """Costs of beads by paragraph boundaries and types; groups have ``largest`` sentences."""

    def __init__(self, source: Side, target: Side, largest: tuple[int, int]) -> None:
        self._borders = find_borders(source), find_borders(target)
        self._kinds = source.kinds, target.kinds
        self._crossings = [
            _count_crossings(borders, size)
            for borders, size in zip(self._borders, largest, strict=True)
        ]

    def cost(
        self, rows: IntArray, columns: IntArray, a: IntArray, b: IntArray
    ) -> SingleArray:
        """Return the costs of beads of shapes that end at these nodes."""
        source, target = self._borders
        starts = np.maximum(rows - a, 0), np.maximum(columns - b, 0)
        ends = BORDER_COST * (source[rows] != target[columns])
        left, right = self._kinds
        if left is not None and right is not None and left.size and right.size:
            kind = left[np.maximum(rows - 1, 0)]
            ends += KIND_COST * (kind != right[np.maximum(columns - 1, 0)])
        crossings = self._crossings[0][a - 1, rows] + self._crossings[1][b - 1, columns]
        costs: SingleArray = BORDER_COST * (source[starts[0]] != target[starts[1]])
        costs = costs.astype(np.float32)
        costs += np.float32(CROSSING_COST) * crossings
        costs += ends.astype(np.float32)
        return costs


def _count_crossings(borders: SingleArray, largest: int) -> SingleArray:
    """Return the number of boundaries inside groups, by size and end, from size 1."""
    nodes = np.arange(len(borders))
    crossings = np.zeros((largest, len(borders)), np.float32)
    for inside in range(1, largest):
        crossings[inside] = (
            crossings[inside - 1] + borders[np.maximum(nodes - inside, 0)]
        )
    return crossings


def find_borders(side: Side) -> SingleArray:
    """Return 1 for nodes at paragraph boundaries, 0 for others, shape (sentences + 1,)."""
    borders = np.ones(len(side) + 1, np.float32)
    if side.blocks is not None and len(side) > 1:
        borders[1:-1] = np.diff(side.blocks) != 0
    return borders
