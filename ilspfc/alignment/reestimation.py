"""Parameters of the model, and their reestimation from the probable beads of all texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.alignment.bead_scores import NULL_COST, Parameters
from ilspfc.alignment.beads import INSERTION, MATCH, PRIORS, Shape
from ilspfc.alignment.sides import group_tokens
from ilspfc.text.arrays import FloatArray
from ilspfc.text.vocabulary import Segments

if TYPE_CHECKING:
    from ilspfc.alignment.pieces import Found, Piece


# -- length ratio, variance, length distribution, shape priors ---------------------------

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


MANY_NULLS = 0.1
"""Share of sentences without a translation from which a null bead costs only its prior."""

NO_TRUST, FULL_TRUST = 0.5, 0.75
"""Mean posteriors of beads at which the share of nulls is not trusted, and fully trusted."""

NULL_PSEUDO_SENTENCES = 50.0
"""Pseudocount, in sentences, of the overall share of nulls in a text."""


def calibrate(
    parameters: Sequence[Parameters], pieces: Iterable[Piece], found: Sequence[Found]
) -> list[Parameters]:
    """Return the parameters of texts with ratios, variance and priors fitted to beads.

    Variance and priors are common to all texts; the ratio of a text is smoothed toward
    that of all.
    """
    sums = np.zeros((len(parameters), 2))
    matches = []
    for piece, one in zip(pieces, found, strict=True):
        probable = one.probable
        is_match = probable.choices == one.shapes.index(MATCH)
        weights = probable.values[is_match]
        source = piece.source.lengths[probable.rows[is_match] - 1]
        target = piece.target.lengths[probable.columns[is_match] - 1]
        sums[piece.text] += (weights * source).sum(), (weights * target).sum()
        texts = np.full(weights.size, piece.text, np.int64)
        matches.append((texts, source, target, weights))
    total = sums.sum(axis=0)
    ratio = shrink_ratio(float(total[0]), float(total[1]), 1.0)
    ratios = np.array([shrink_ratio(s, t, ratio) for s, t in sums.tolist()])
    texts = np.concatenate([match[0] for match in matches])
    source, target, weights = (
        np.concatenate([match[n] for match in matches]) for n in (1, 2, 3)
    )
    variance = fit_variance(source * ratios[texts], target, weights)
    priors = fit_priors(
        PRIORS,
        found[0].shapes,
        np.sum([one.counts for one in found], axis=0),
        sum(one.insertions for one in found),
    )
    relief = _measure_trust(found) / MANY_NULLS
    shares = _find_null_shares(len(parameters), pieces, found)
    return [
        replace(
            known,
            ratio=ratio,
            variance=variance,
            priors=priors,
            null_cost=NULL_COST * max(0.0, 1 - share * relief),
        )
        for known, ratio, share in zip(
            parameters, ratios.tolist(), shares.tolist(), strict=True
        )
    ]


def _measure_trust(found: Sequence[Found]) -> float:
    """Return the reliability of beads, in [0, 1].

    If nothing fits, cheap nulls would only breed more nulls.
    """
    scores = [
        one.scores[np.isin(one.steps.choices, _find_matches(one))] for one in found
    ]
    all_scores = np.concatenate(scores)
    mean = float(all_scores.mean()) if all_scores.size else 0.0
    return min(max((mean - NO_TRUST) / (FULL_TRUST - NO_TRUST), 0.0), 1.0)


def _find_matches(found: Found) -> list[int]:
    return [number for number, (_, b) in enumerate(found.shapes) if b]


def _find_null_shares(
    texts: int, pieces: Iterable[Piece], found: Sequence[Found]
) -> FloatArray:
    """Return the share of sentences without a translation in each text, shape (texts,).

    It is smoothed toward that of all texts.
    """
    sums = np.zeros((texts, 2))
    for piece, one in zip(pieces, found, strict=True):
        is_null = [not b for _, b in one.shapes]
        nulls = float(one.counts[is_null].sum()) + one.insertions
        sums[piece.text] += nulls, len(piece.source) + len(piece.target)
    nulls, sentences = sums.sum(axis=0)
    share = nulls / max(sentences, 1.0)
    shares: FloatArray = (sums[:, 0] + NULL_PSEUDO_SENTENCES * share) / (
        sums[:, 1] + NULL_PSEUDO_SENTENCES
    )
    return shares


def gather_groups(
    pieces: Iterable[Piece], found: Sequence[Found], least: float
) -> tuple[Segments, Segments, FloatArray]:
    """Return the source and target tokens of all beads more probable than ``least``.

    The third array holds their posteriors.
    """
    sources, targets, weights = [], [], []
    for piece, one in zip(pieces, found, strict=True):
        sizes = np.array(one.shapes, np.int64)[one.probable.choices]
        kept = (one.probable.values > least) & (sizes[:, 1] > 0)
        a, b = sizes[kept, 0], sizes[kept, 1]
        sources.append(group_tokens(piece.source, one.probable.rows[kept] - a, a))
        targets.append(group_tokens(piece.target, one.probable.columns[kept] - b, b))
        weights.append(one.probable.values[kept])
    return (
        Segments.concatenate(sources),
        Segments.concatenate(targets),
        np.concatenate(weights),
    )
