"""Score of a bead: the probability that it is exactly right.

The posterior of a bead shares the blind spots of the model that found it: it takes for
granted that the texts have the same sentences. So a logistic model combines it with other
evidence. Pages have a model of their own, with three kinds of evidence more, since they
have paragraphs and are often revised in one language alone:

``opinions``
    Log odds of the mean posterior under two models.
``sentences``
    Number of sentences beyond one per side.
``borders``
    Gain of moving the bead's borders (:mod:`ilspfc.alignment.borders`).
``crossings``
    Number of paragraph borders inside the bead, at most two.
``anchors``
    Number of ends of the bead, 0 to 2, that end a paragraph on both sides.
``words``
    Log of the share of its words that the other side explains, relative to that of the sure
    beads of the collection, on the side where it is smaller; 0 if it is not much smaller.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from ilspfc.alignment.bead_scores import Parameters, Weights, find_borders
from ilspfc.alignment.beads import Evidence, Rating
from ilspfc.alignment.borders import compare_words, join_sentences
from ilspfc.alignment.dynamic_program import Steps
from ilspfc.alignment.grid import Grid
from ilspfc.alignment.lexical_score import Tables
from ilspfc.alignment.pieces import Found, Piece, make_program, make_scorer, weigh_all
from ilspfc.text.arrays import FloatArray
from ilspfc.text.log_odds import to_probability

EVIDENCE = Evidence._fields[1:]
"""Features, in the order of the arrays."""

SURE = 2.0
"""Log odds of the posterior from which a bead is an example of how many words are explained."""

WORDS_TOLERANCE = 0.3
"""Difference of the log share of explained words that says nothing."""

SECOND_WEIGHTS = Weights(prior=1.5, length=0.8, dilution=0.5)
"""Second model: merged sentences have lower priors, lengths count less, and long groups
are diluted less."""

SECOND_HALF_WIDTH = 30
"""Columns on each side of the path in the grid of the second model."""

_LEAST_PROBABILITY = 1e-3
_MAX_CROSSINGS = 2
# Explained words of sure beads, on each side, from which their share is typical.
_TYPICAL_WORDS = 100


@dataclass(frozen=True, slots=True)
class QualityModel:
    """Logistic model with the ``weights`` of ``EVIDENCE``, shape (features,)."""

    weights: FloatArray
    bias: float

    def score(self, evidence: FloatArray) -> FloatArray:
        """Return the probabilities of beads from their evidence, shape (beads, features)."""
        scores: FloatArray = to_probability(evidence @ self.weights + self.bias)
        return scores


def read_model(data: Mapping[str, float]) -> QualityModel:
    """Return the model of a parsed JSON object; ValueError if its features differ."""
    if set(data) != {*EVIDENCE, "bias"}:
        raise ValueError(f"a model of quality needs bias, {', '.join(EVIDENCE)}")
    return QualityModel(np.array([data[name] for name in EVIDENCE]), data["bias"])


@cache
def shipped_model(*, is_page: bool) -> QualityModel:
    """Return the model of pages or of plain lists of sentences that comes with the package.

    ``evaluation/train_alignment.py`` writes both.
    """
    path = files("ilspfc.alignment") / "quality.json"
    models = json.loads(path.read_text("utf-8"))
    return read_model(models["pages" if is_page else "lines"])


def rate(
    piece: Piece,
    found: Found,
    parameters: Parameters,
    tables: Tables,
    temperature: float,
) -> Rating:
    """Return the evidence of the beads found in a piece, without that of the words.

    The scores are posteriors until :func:`score_beads`.
    """
    steps = found.steps
    evidence = np.zeros((steps.rows.size, len(EVIDENCE)))
    explained, known = np.zeros((2, 2, steps.rows.size))
    is_page = piece.source.blocks is not None and piece.target.blocks is not None
    if not steps.rows.size:
        return Rating(found.scores, evidence, explained, known, is_page=is_page)
    second = _score_by_second(piece, found, parameters, tables, temperature)
    mean = np.clip(
        (found.scores + second) / 2, _LEAST_PROBABILITY, 1 - _LEAST_PROBABILITY
    )
    evidence[:, 0] = np.log(mean) - np.log1p(-mean)
    rows = np.diff(steps.rows, prepend=0)
    columns = np.diff(steps.columns, prepend=0)
    evidence[:, 1] = rows + columns - 2
    source = join_sentences(piece.source, steps.rows)
    target = join_sentences(piece.target, steps.columns)
    near = compare_words(source, target, tables)
    tokens = np.maximum(np.minimum(source.token_counts, target.token_counts), 1)
    # A long sentence has more places where a border might gain something by chance.
    evidence[:, 2] = np.log1p((near.gains[:-1] + near.gains[1:]) / np.sqrt(tokens))
    if is_page:
        evidence[:, 3:5] = _compare_paragraphs(piece, steps)
        is_unit = (rows > 0) & (columns > 0)
        explained, known = near.explained * is_unit, near.known
    return Rating(found.scores, evidence, explained, known, is_page=is_page)


def _compare_paragraphs(piece: Piece, steps: Steps) -> FloatArray:
    """Return crossings and anchors of beads, shape (beads, 2)."""
    crossings = np.zeros(steps.rows.size)
    are_ends = np.ones(steps.rows.size + 1, np.bool_)
    for side, ends in ((piece.source, steps.rows), (piece.target, steps.columns)):
        borders = find_borders(side)
        counts = np.concatenate([[0.0], np.cumsum(borders)])
        starts = np.concatenate([[0], ends[:-1]])
        # Borders strictly between the first and the last sentence of the bead.
        inside = counts[ends] - counts[np.minimum(starts + 1, ends)]
        crossings += inside
        are_ends &= borders[np.concatenate([[0], ends])] > 0
    anchors = are_ends[:-1].astype(np.float64) + are_ends[1:]
    return np.stack([np.minimum(crossings, _MAX_CROSSINGS), anchors], axis=1)


class TypicalShares(NamedTuple):
    """Shares of explained words of sure beads, target and source, shape (2, 1).

    ``are_known`` tells whether there are enough of these words.
    """

    shares: FloatArray
    are_known: bool


def find_typical_shares(ratings: Iterable[Rating]) -> TypicalShares:
    """Return the shares of explained words that are usual in a collection."""
    explained, known = np.zeros((2, 2))
    for rating in ratings:
        opinions, sentences = rating.evidence[:, :2].T
        is_sure = (opinions > SURE) & (sentences >= 0)
        explained += rating.explained[:, is_sure].sum(axis=1)
        known += rating.known[:, is_sure].sum(axis=1)
    # Without examples, as if half were usual.
    shares: FloatArray = ((explained + 1) / (known + 2))[:, None]
    return TypicalShares(shares, bool(explained.min() >= _TYPICAL_WORDS))


def score_beads(rating: Rating, typical: TypicalShares) -> Rating:
    """Return the rating of a piece with words and scores.

    Sentences without a translation keep their posteriors.
    """
    evidence = rating.evidence.copy()
    explained = rating.explained / typical.shares
    shrunk = (explained + 1) / (rating.known + 1)
    evidence[:, 5] = np.minimum(np.log(shrunk).min(axis=0) + WORDS_TOLERANCE, 0)
    is_unit = evidence[:, 1] >= 0
    model = shipped_model(is_page=rating.is_page)
    scores = np.where(is_unit, model.score(evidence), rating.scores)
    words = None
    if rating.is_page and typical.are_known:
        words = np.vstack([explained, rating.known]).T
    return replace(rating, scores=scores, evidence=evidence, words=words)


def _score_by_second(
    piece: Piece,
    found: Found,
    parameters: Parameters,
    tables: Tables,
    temperature: float,
) -> FloatArray:
    """Return the posteriors of the beads under the second model."""
    sides = piece.source, piece.target
    scorer = make_scorer(*sides, parameters, tables, SECOND_WEIGHTS)
    grid = Grid.along(
        len(piece.source), len(piece.target), found.steps.nodes, SECOND_HALF_WIDTH
    )
    weights = weigh_all(scorer, grid)
    weights *= np.float32(temperature)
    program = make_program(scorer, grid, weights, temperature)
    return program.sum_paths(weights, found.steps, None)[0]
