"""Size of a sample and its draw; intervals of shares, and agreement of judges."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import combinations
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95
MARGIN = 0.1


def sample_size(
    population: int, confidence: float = CONFIDENCE, margin: float = MARGIN
) -> int:
    """Return the items to judge for a share to be known within a margin.

    Cochran's formula for a share of one half, with the correction for finite populations.
    The paper's 103 of 807 pairs (000, section 5) are those of a margin of 9 %.

    >>> sample_size(807), sample_size(807, margin=0.09), sample_size(5)
    (86, 103, 5)
    """
    quantile = NormalDist().inv_cdf((1 + confidence) / 2)
    unlimited = (quantile / (2 * margin)) ** 2
    size = round(unlimited / (1 + (unlimited - 1) / max(population, 1)))
    return min(max(size, 1), population)


def draw(population: int, size: int, seed: int) -> list[int]:
    """Return the places of a systematic sample: one in each of ``size`` equal stretches.

    The sample is stratified by whatever the population is sorted by. The same seed draws the
    same places.

    >>> len(draw(100, 10, 1)), draw(3, 3, 1)
    (10, [0, 1, 2])
    """
    start = random.Random(seed).random()  # noqa: S311 - no secret
    return [int((number + start) * population / size) for number in range(size)]


class Share(NamedTuple):
    """Share of items with its Wilson interval."""

    value: float
    low: float
    high: float


def estimate(successes: int, judged: int) -> Share | None:
    """Return a share with its interval (Wilson 1927), None where nothing was judged.

    >>> [round(one, 3) for one in estimate(94, 103)]
    [0.913, 0.842, 0.953]
    """
    if not judged:
        return None
    from scipy.stats import binomtest  # noqa: PLC0415 - takes a second

    interval = binomtest(successes, judged).proportion_ci(CONFIDENCE, method="wilson")
    return Share(successes / judged, float(interval.low), float(interval.high))


def measure_agreement(verdicts: Mapping[str, Mapping[str, str]]) -> float | None:
    """Return the mean of Cohen's kappa over the pairs of judges, by what both have judged.

    ``verdicts`` are by judge and item. None without two judges of the same items, or where
    all their verdicts are one and the same, of which kappa says nothing.

    >>> measure_agreement({"a": {"1": "x", "2": "y"}, "b": {"1": "x", "2": "y"}})
    1.0
    """
    values = []
    for both in combinations(verdicts.values(), 2):
        items = sorted(both[0].keys() & both[1].keys())
        first, second = ([one[item] for item in items] for one in both)
        labels = sorted({*first, *second})
        if len(labels) > 1:
            from sklearn.metrics import cohen_kappa_score  # noqa: PLC0415 - takes a second

            values.append(float(cohen_kappa_score(first, second, labels=labels)))
    return sum(values) / len(values) if values else None
