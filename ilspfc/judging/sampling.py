"""Size of a sample and its draw; intervals of shares, and agreement of judges."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
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
    """Share of items with its Wilson interval; all None where nothing was judged."""

    value: float | None
    low: float | None
    high: float | None


def estimate(successes: int, judged: int) -> Share:
    """Return a share with its interval (Wilson 1927).

    >>> estimate(94, 103).value, round(estimate(94, 103).low, 3)
    (0.912621359223301, 0.842)
    """
    if not judged:
        return Share(None, None, None)
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
    for first, second in combinations(verdicts.values(), 2):
        items = sorted(first.keys() & second.keys())
        kappa = _kappa([first[i] for i in items], [second[i] for i in items])
        if kappa is not None:
            values.append(kappa)
    return sum(values) / len(values) if values else None


def _kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    labels = sorted({*first, *second})
    if len(labels) < 2:
        return None
    from sklearn.metrics import cohen_kappa_score  # noqa: PLC0415 - takes a second

    return float(cohen_kappa_score(first, second, labels=labels))
