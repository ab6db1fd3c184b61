"""Score of a bead: the probability that it is exactly right.

The posterior of a bead shares the blind spots of the model that found it. So a logistic
model combines three features: the mean posterior under two models, the number of sentences,
and the gain of moving the bead's borders (:mod:`ilspfc.alignment.borders`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.alignment.bead_scores import Weights
from ilspfc.alignment.beads import Evidence, Rating
from ilspfc.alignment.borders import find_gains, join_sentences
from ilspfc.alignment.grid import Grid
from ilspfc.alignment.pieces import make_program, make_scorer, weigh_all
from ilspfc.text.log_odds import to_probability

if TYPE_CHECKING:
    from ilspfc.alignment.bead_scores import Parameters
    from ilspfc.alignment.lexical_score import Tables
    from ilspfc.alignment.pieces import Found, Piece
    from ilspfc.text.arrays import FloatArray

EVIDENCE = Evidence._fields[1:]
"""Features: the log odds of the mean of two posteriors, the number of sentences beyond one
per side, and log1p of the gain of moving the borders."""

SECOND_WEIGHTS = Weights(prior=1.5, length=0.8, dilution=0.5)
"""Second model: merged sentences have lower priors, lengths count less, and long groups
are diluted less."""

SECOND_HALF_WIDTH = 30
"""Columns on each side of the path in the grid of the second model."""

_LEAST_PROBABILITY = 1e-3


@dataclass(frozen=True, slots=True)
class QualityModel:
    """Logistic model with the ``weights`` of ``EVIDENCE``, shape (3,)."""

    weights: FloatArray
    bias: float

    def score(self, evidence: FloatArray) -> FloatArray:
        """Return the probabilities of beads from their evidence, shape (beads, 3)."""
        scores: FloatArray = to_probability(evidence @ self.weights + self.bias)
        return scores


def read_model(data: Mapping[str, float]) -> QualityModel:
    """Return the model of a parsed JSON object; ValueError if its features differ."""
    if set(data) != {*EVIDENCE, "bias"}:
        raise ValueError(f"a model of quality needs bias, {', '.join(EVIDENCE)}")
    return QualityModel(np.array([data[name] for name in EVIDENCE]), data["bias"])


@cache
def shipped_model() -> QualityModel:
    """Return the model that comes with the package (``evaluation/train_alignment.py``)."""
    path = files("ilspfc.alignment") / "quality.json"
    return read_model(json.loads(path.read_text("utf-8")))


def rate(
    piece: Piece,
    found: Found,
    parameters: Parameters,
    tables: Tables,
    temperature: float,
) -> Rating:
    """Return the scores of the beads found in a piece.

    Sentences without a translation are scored by their posteriors.
    """
    steps = found.steps
    evidence = np.zeros((steps.rows.size, len(EVIDENCE)))
    if not steps.rows.size:
        return Rating(found.scores, evidence)
    second = _score_by_second(piece, found, parameters, tables, temperature)
    mean = np.clip(
        (found.scores + second) / 2, _LEAST_PROBABILITY, 1 - _LEAST_PROBABILITY
    )
    evidence[:, 0] = np.log(mean) - np.log1p(-mean)
    rows = np.diff(steps.rows, prepend=0)
    columns = np.diff(steps.columns, prepend=0)
    evidence[:, 1] = rows + columns - 2
    gains = find_gains(
        join_sentences(piece.source, steps.rows),
        join_sentences(piece.target, steps.columns),
        tables,
    )
    evidence[:, 2] = np.log1p(gains[:-1] + gains[1:])
    is_unit = (rows > 0) & (columns > 0)
    scores = np.where(is_unit, shipped_model().score(evidence), found.scores)
    return Rating(scores, evidence)


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
