"""Alignment of two lists of segments by their lengths (Gale and Church 1993)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ilspfc.alignment.beads import MATCH, PUBLISHED_PRIORS, Bead, Shape
from ilspfc.alignment.lattice import find_path, score_path, weigh_path
from ilspfc.alignment.lengths import LengthModel, LengthScorer, guess_ratios
from ilspfc.text.measure import measure_lengths

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ilspfc.text.arrays import FloatArray


def align_lengths(
    source: Sequence[str], target: Sequence[str], *, char_ratio: float | None = None
) -> list[Bead]:
    """Align two lists of segments by length alone; every segment is in one bead.

    Beads are in reading order and of the shapes 1-1, 1-0, 0-1, 2-1, 1-2 and 2-2. Ratio,
    variance and priors are fitted to the pair; ``char_ratio``, in target characters per
    source character, fixes the ratio instead. The score is the posterior of the bead.

    >>> beads = align_lengths(["Yes.", "It rains again today."], ["Ja."])
    >>> [(bead.source, bead.target) for bead in beads]
    [((0,), (0,)), ((1,), ())]
    """
    scorer = fit_scorer(
        measure_lengths(source), measure_lengths(target), char_ratio=char_ratio
    )
    return align_scored(scorer)


def fit_scorer(
    source: FloatArray,
    target: FloatArray,
    *,
    char_ratio: float | None = None,
    priors: Mapping[Shape, float] = PUBLISHED_PRIORS,
    source_kinds: Sequence[int] = (),
    target_kinds: Sequence[int] = (),
    kind_penalty: float = 0.0,
) -> LengthScorer:
    """Return a scorer whose model fits two lists of segment lengths.

    Aligns with each ratio that the lengths suggest and fits the model to the beads of
    the likeliest. The arguments are those of LengthModel and LengthScorer.
    """
    make_scorer = partial(
        LengthScorer,
        source,
        target,
        source_kinds=source_kinds,
        target_kinds=target_kinds,
        kind_penalty=kind_penalty,
    )
    ratios = guess_ratios(source, target) if char_ratio is None else (char_ratio,)
    scorers = [
        make_scorer(LengthModel.start(target, ratio, priors=priors)) for ratio in ratios
    ]
    paths = [find_path(scorer, scorer.rows, scorer.columns)[0] for scorer in scorers]
    weights = [weigh_path(*pair) for pair in zip(scorers, paths, strict=True)]
    best = weights.index(max(weights))
    scorer, path = scorers[best], paths[best]
    pairs = [step for step in path if scorer.shapes[step.choice] == MATCH]
    model = scorer.model.refit(
        [scorer.shapes[step.choice] for step in path],
        source[[step.row - 1 for step in pairs]],
        target[[step.column - 1 for step in pairs]],
        char_ratio=char_ratio,
    )
    return make_scorer(model)


def align_scored(scorer: LengthScorer) -> list[Bead]:
    """Return the beads of the best path under a scorer, each with its posterior."""
    path, band = find_path(scorer, scorer.rows, scorer.columns)
    posteriors = score_path(scorer, band, path)
    beads = []
    for step, posterior in zip(path, posteriors, strict=True):
        a, b = scorer.shapes[step.choice]
        source = tuple(range(step.row - a, step.row))
        target = tuple(range(step.column - b, step.column))
        beads.append(Bead(source, target, posterior))
    return beads
