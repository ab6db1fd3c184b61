"""Parameters fitted to texts: length ratio, variance, length distribution, shape priors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ilspfc.alignment.beads import INSERTION, Shape
from ilspfc.text.arrays import FloatArray

RATIO_PSEUDO_CHARS = 500.0
"""Pseudocount, in characters, of the collection's ratio in a pair of texts."""

VARIANCE = 6.8
"""Variance of the target's length per character (Gale and Church 1993)."""

VARIANCE_PSEUDO_BEADS = 20
"""Pseudocount, in beads, of the published variance."""

VARIANCE_QUANTILE = 0.68
"""Share of a normal distribution within one standard deviation."""

PRIOR_PSEUDO_BEADS = 100.0
"""Pseudocount, in beads, of the initial priors."""

SPREAD_PSEUDO_SEGMENTS = 10
LOG_DEVIATION = 1.0
"""Prior standard deviation of the log length of sentences."""

MIN_RATIO, MAX_RATIO = 0.1, 10.0


def shrink_ratio(source: float, target: float, ratio: float) -> float:
    """Return target characters per source character, smoothed toward ``ratio``."""
    found = (target + ratio * RATIO_PSEUDO_CHARS) / (source + RATIO_PSEUDO_CHARS)
    return min(max(found, MIN_RATIO), MAX_RATIO)


def fit_variance(source: FloatArray, target: FloatArray, weights: FloatArray) -> float:
    """Return the variance per character of 1-1 beads, smoothed toward ``VARIANCE``.

    ``source`` lengths are scaled by the ratio. A quantile is robust to a few wrong beads.
    """
    squares = (target - source) ** 2 / ((source + target) / 2)
    order = np.argsort(squares, kind="stable")
    shares = np.cumsum(weights[order])
    total = float(shares[-1]) if shares.size else 0.0
    found = 0.0
    if total:
        place = np.searchsorted(shares, VARIANCE_QUANTILE * total)
        found = float(squares[order[min(int(place), squares.size - 1)]])
    pseudo = VARIANCE_PSEUDO_BEADS
    return max((found * total + VARIANCE * pseudo) / (total + pseudo), 0.5)


def fit_spread(
    lengths: FloatArray, largest: int, known: tuple[Sequence[float], Sequence[float]]
) -> tuple[list[float], list[float]]:
    """Return means and deviations of the log length of 1, 2 … adjacent sentences.

    They are smoothed toward ``known``, the means and deviations of the prior.
    """
    ends = np.concatenate([[0.0], np.cumsum(lengths)])
    means, deviations = [], []
    for number in range(1, largest + 1):
        mean, deviation = known[0][number - 1], known[1][number - 1]
        logs = (
            np.log(ends[number:] - ends[:-number]) if ends.size > number else ends[:0]
        )
        weight = logs.size + SPREAD_PSEUDO_SEGMENTS
        center = (float(logs.sum()) + SPREAD_PSEUDO_SEGMENTS * mean) / weight
        squares = float(((logs - center) ** 2).sum())
        squares += SPREAD_PSEUDO_SEGMENTS * (deviation**2 + (mean - center) ** 2)
        means.append(center)
        deviations.append(math.sqrt(squares / weight))
    return means, deviations


def spread_of_all(
    texts: Iterable[FloatArray], largest: int
) -> tuple[list[float], list[float]]:
    """Return means and deviations of the log length of 1, 2 … sentences of all texts."""
    all_lengths = np.concatenate([np.zeros(0), *texts])
    mean = float(np.log(all_lengths).mean()) if all_lengths.size else 4.0
    guess = [mean + math.log(number) for number in range(1, largest + 1)]
    deviations = [LOG_DEVIATION / math.sqrt(n) for n in range(1, largest + 1)]
    return fit_spread(all_lengths, largest, (guess, deviations))


def fit_priors(
    start: Mapping[Shape, float],
    shapes: Sequence[Shape],
    counts: FloatArray,
    insertions: float,
) -> dict[Shape, float]:
    """Return the frequencies of shapes, smoothed toward ``start``.

    ``counts`` are the expected numbers of beads of ``shapes``.
    """
    found = dict(zip(shapes, counts.tolist(), strict=True))
    found[INSERTION] = insertions
    total = sum(found.values()) + PRIOR_PSEUDO_BEADS
    known = sum(start.values())
    return {
        shape: (found[shape] + PRIOR_PSEUDO_BEADS * prior / known) / total
        for shape, prior in start.items()
    }
