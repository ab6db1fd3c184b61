"""Reestimation of the parameters from the probable beads of all texts, once per round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ilspfc.alignment.bead_scores import NULL_COST, Parameters
from ilspfc.alignment.beads import MATCH, PRIORS, Shape
from ilspfc.alignment.parameters import fit_priors, fit_variance, shrink_ratio
from ilspfc.alignment.pieces import Found, Piece
from ilspfc.alignment.sides import group_tokens
from ilspfc.text.arrays import FloatArray
from ilspfc.text.vocabulary import Segments

MANY_NULLS = 0.1
"""Share of sentences without a translation from which a null bead costs only its prior."""

NO_TRUST, FULL_TRUST = 0.5, 0.75
"""Mean posteriors of beads at which the share of nulls is not trusted, and fully trusted."""

NULL_PSEUDO_SENTENCES = 50.0
"""Pseudocount, in sentences, of the overall share of nulls in a text."""


def calibrate(
    parameters: Sequence[Parameters], pieces: Iterable[Piece], found: Iterable[Found]
) -> list[Parameters]:
    """Return the parameters of texts with ratios, variance and priors fitted to beads.

    Variance and priors are common to all texts; the ratio of a text is smoothed toward
    that of all. There has to be a piece.
    """
    # Of each text: characters of matched sentences on both sides; nulls and sentences.
    sums, null_sums = np.zeros((2, len(parameters), 2))
    matches, scores = [], []
    # The shapes of beads, which all pieces have in common, and their expected numbers.
    shapes: Sequence[Shape] = ()
    counts, insertions = np.zeros(1), 0.0
    for piece, one in zip(pieces, found, strict=True):
        probable, shapes = one.probable, one.shapes
        is_match = probable.choices == shapes.index(MATCH)
        weights = probable.values[is_match]
        source = piece.source.lengths[probable.rows[is_match] - 1]
        target = piece.target.lengths[probable.columns[is_match] - 1]
        sums[piece.text] += (weights * source).sum(), (weights * target).sum()
        texts = np.full(weights.size, piece.text, np.int64)
        matches.append((texts, source, target, weights))
        counts = counts + one.counts
        insertions += one.insertions
        is_paired = [number for number, (_, b) in enumerate(shapes) if b]
        scores.append(one.scores[np.isin(one.steps.choices, is_paired)])
        nulls = float(one.counts[[not b for _, b in shapes]].sum()) + one.insertions
        null_sums[piece.text] += nulls, len(piece.source) + len(piece.target)
    total = sums.sum(axis=0)
    ratio = shrink_ratio(float(total[0]), float(total[1]), 1.0)
    ratios = np.array([shrink_ratio(s, t, ratio) for s, t in sums.tolist()])
    texts, source, target, weights = (
        np.concatenate([match[n] for match in matches]) for n in range(4)
    )
    variance = fit_variance(source * ratios[texts], target, weights)
    priors = fit_priors(PRIORS, shapes, counts, insertions)
    relief = _measure_trust(np.concatenate(scores)) / MANY_NULLS
    return [
        replace(
            known,
            ratio=ratio,
            variance=variance,
            priors=priors,
            null_cost=NULL_COST * max(0.0, 1 - share * relief),
        )
        for known, ratio, share in zip(
            parameters,
            ratios.tolist(),
            _smooth_null_shares(null_sums).tolist(),
            strict=True,
        )
    ]


def _measure_trust(scores: FloatArray) -> float:
    """Return the reliability of beads with both sides by their posteriors, in [0, 1].

    If nothing fits, cheap nulls would only breed more nulls.
    """
    mean = float(scores.mean()) if scores.size else 0.0
    return min(max((mean - NO_TRUST) / (FULL_TRUST - NO_TRUST), 0.0), 1.0)


def _smooth_null_shares(sums: FloatArray) -> FloatArray:
    """Return the share of sentences without a translation in each text, shape (texts,).

    It is smoothed toward that of all texts. ``sums`` are the numbers of both, shape (texts, 2).
    """
    nulls, sentences = sums.sum(axis=0)
    share = nulls / max(sentences, 1.0)
    shares: FloatArray = (sums[:, 0] + NULL_PSEUDO_SENTENCES * share) / (
        sums[:, 1] + NULL_PSEUDO_SENTENCES
    )
    return shares


def gather_groups(
    pieces: Iterable[Piece], found: Iterable[Found], least: float
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
