"""The length model: how well the lengths of two groups of segments fit each other.

Gale and Church (1993) take the length of a translation to be normal, with
mean ``ratio`` and variance ``variance`` per character of the source. A bead's weight
here is that likelihood over the one of target segments drawn at random from the same
text (log-normal), times the prior of the bead's shape. So beads of different shapes, and
segments without a translation, compare on one scale, and weights may be summed up to
posteriors.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.alignment.beads import MATCH, PUBLISHED_PRIORS, Shape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ilspfc.text.arrays import FloatArray, IntArray


VARIANCE = 6.8
"""Variance of the target's length per source character (Gale and Church 1993)."""

RATIO = 1.0
"""Target characters per source character where nothing is known (Gale and Church 1993)."""

RATIO_PSEUDO_CHARS = 500
"""Characters of evidence that the default ratio counts for."""

VARIANCE_PSEUDO_BEADS = 20
"""Pairs of evidence that the default variance counts for."""

PRIOR_PSEUDO_BEADS = 100
"""Beads of evidence that the published priors count for."""

VARIANCE_QUANTILE = 0.68
"""Share of a normal distribution within one standard deviation."""

LOG_DEVIATION = 1.0
"""Standard deviation of the log length of segments where nothing is known."""

LOG_DEVIATION_PSEUDO_SEGMENTS = 10
"""Segments of evidence that the default log deviation counts for."""


@dataclass(frozen=True, slots=True)
class LengthModel:
    """What is known of the lengths of a pair of texts.

    ``ratio`` is in target characters per source character, ``variance`` in characters;
    ``log_mean`` and ``log_deviation`` describe single target segments. ``priors`` also
    says which shapes of bead there are.
    """

    ratio: float
    variance: float
    log_mean: float
    log_deviation: float
    priors: Mapping[Shape, float]

    @classmethod
    def start(
        cls,
        target: FloatArray,
        ratio: float,
        *,
        variance: float = VARIANCE,
        priors: Mapping[Shape, float] = PUBLISHED_PRIORS,
    ) -> LengthModel:
        """Return the model before any bead is known.

        ``target`` are the lengths of the segments of the target text.
        """
        logs = np.log(target) if target.size else np.zeros(1)
        squares = float(((logs - logs.mean()) ** 2).sum())
        squares += LOG_DEVIATION_PSEUDO_SEGMENTS * LOG_DEVIATION**2
        weight = logs.size + LOG_DEVIATION_PSEUDO_SEGMENTS
        total = sum(priors.values())
        return cls(
            ratio=ratio,
            variance=variance,
            log_mean=float(logs.mean()),
            log_deviation=math.sqrt(squares / weight),
            priors={shape: prior / total for shape, prior in priors.items()},
        )

    def refit(
        self,
        shapes: Sequence[Shape],
        source: FloatArray,
        target: FloatArray,
        *,
        char_ratio: float | None = None,
    ) -> LengthModel:
        """Return the model that fits the beads of a path.

        ``shapes`` are all beads of the path; ``source`` and ``target`` the lengths of its
        1-1 beads, which tell ratio and variance. By their pseudo counts, ratio and
        variance are shrunk to the published values and the priors to this model's, so
        that a short page does not make its own rules. A given ``char_ratio`` stays.
        """
        if char_ratio is None:
            char_ratio = _shrink_ratio(float(source.sum()), float(target.sum()))
        mean = (char_ratio * source + target) / 2
        squares = np.sort((target - char_ratio * source) ** 2 / mean)
        pseudo = VARIANCE_PSEUDO_BEADS * VARIANCE
        found = 0.0
        if squares.size:
            # The quantile, unlike the mean, does not see the few beads that are wrong.
            found = float(squares[int(VARIANCE_QUANTILE * (squares.size - 1))])
        counts = Counter(shapes)
        weight = len(shapes) + PRIOR_PSEUDO_BEADS
        return replace(
            self,
            ratio=char_ratio,
            variance=(found * squares.size + pseudo)
            / (squares.size + VARIANCE_PSEUDO_BEADS),
            priors={
                shape: (counts[shape] + PRIOR_PSEUDO_BEADS * prior) / weight
                for shape, prior in self.priors.items()
            },
        )


def guess_ratios(source: FloatArray, target: FloatArray) -> tuple[float, ...]:
    """Return what the ratio may be, judged by the lengths of all segments alone.

    First by the sums, right where both texts say the same; then by the means, right where
    one of them leaves something out.
    """
    sums = float(source.sum()), float(target.sum())
    by_sum = _shrink_ratio(*sums)
    if not source.size or not target.size:
        return (by_sum,)
    by_mean = _shrink_ratio(sums[0], sums[1] * source.size / target.size)
    return (by_sum, by_mean)


def _shrink_ratio(source_chars: float, target_chars: float) -> float:
    """Return target characters per source character, drawn to RATIO where they are few."""
    default = RATIO_PSEUDO_CHARS
    return (target_chars + RATIO * default) / (source_chars + default)


class LengthScorer:
    """Log weights of beads under a length model (a BeadScorer).

    ``source`` and ``target`` are segment lengths. Where the kinds of the segments are
    given (any small numbers, one for each segment), a bead of unequal kinds is worth
    ``kind_penalty`` less.
    """

    def __init__(
        self,
        source: FloatArray,
        target: FloatArray,
        model: LengthModel,
        *,
        source_kinds: Sequence[int] = (),
        target_kinds: Sequence[int] = (),
        kind_penalty: float = 0.0,
    ) -> None:
        self.model = model
        self.rows = source.size
        self.columns = target.size
        self.shapes = tuple(sorted(model.priors, key=lambda shape: shape != MATCH))
        self._source = np.concatenate(([0.0], np.cumsum(source)))
        self._source_kinds = source_kinds
        self._kind_penalty = kind_penalty
        sums = np.concatenate(([0.0], np.cumsum(target)))
        # By number of target segments: their length, background and kind, for each
        # column that they may end in.
        self._target: dict[int, FloatArray] = {}
        self._background: dict[int, FloatArray] = {}
        self._target_kinds: dict[int, IntArray] = {}
        for count in {b for a, b in self.shapes if a and b}:
            ends = sums[count:] - sums[:-count]
            self._target[count] = ends
            self._background[count] = _log_background(ends, count, model)
            if target_kinds:
                groups = [
                    _common_kind(target_kinds[column : column + count], -1)
                    for column in range(len(target_kinds) - count + 1)
                ]
                self._target_kinds[count] = np.array(groups, dtype=np.int64)

    def score_row(self, row: int, first: int, last: int) -> FloatArray:
        """Return log weights, shape (number of shapes, last - first); see BeadScorer."""
        scores = np.full((len(self.shapes), last - first), -np.inf)
        for number, (a, b) in enumerate(self.shapes):
            start = max(first, b)
            if a > row or start >= last:
                continue
            weights = scores[number, start - first :]
            weights[:] = math.log(self.model.priors[a, b])
            if a and b:
                weights += self._score_match(row, a, b, slice(start - b, last - b))
        return scores

    def _score_match(self, row: int, a: int, b: int, ends: slice) -> FloatArray:
        """Return log odds of a source and b target segments, for beads of one row."""
        expected = self.model.ratio * (self._source[row] - self._source[row - a])
        found = self._target[b][ends]
        variance = self.model.variance * (expected + found) / 2
        log_normal = (found - expected) ** 2 / variance + np.log(2 * np.pi * variance)
        odds: FloatArray = -0.5 * log_normal - self._background[b][ends]
        if self._target_kinds:
            kind = _common_kind(self._source_kinds[row - a : row], -2)
            odds -= self._kind_penalty * (self._target_kinds[b][ends] != kind)
        return odds


def _log_background(lengths: FloatArray, count: int, model: LengthModel) -> FloatArray:
    """Return log densities of the length of count target segments drawn at random."""
    deviation = model.log_deviation / math.sqrt(count)
    logs = np.log(lengths)
    distances = (logs - model.log_mean - math.log(count)) / deviation
    densities: FloatArray = (
        -0.5 * distances**2 - logs - math.log(deviation * math.sqrt(2 * math.pi))
    )
    return densities


def _common_kind(kinds: Sequence[int], mixed: int) -> int:
    """Return the kind that all segments have, or ``mixed``."""
    return kinds[0] if len(set(kinds)) == 1 else mixed
