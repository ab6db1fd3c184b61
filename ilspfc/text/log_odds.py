"""Probabilities, their log odds, and logistic regression."""

from __future__ import annotations

from typing import Any

import numpy as np

from ilspfc.text.arrays import BoolArray, FloatArray

# Beyond it the exponential leaves the range of a double.
_LARGEST = 500.0
# Steps of Newton's method; it takes some ten.
_MAX_STEPS = 100
# Change of a weight at which a fit ends.
_NEAR = 1e-6
# What keeps the curvature from vanishing where all outcomes are certain.
_LEAST_CURVATURE = 1e-9


def to_probability(odds: Any) -> Any:
    """Return the probability of log odds, of a number or of each element of an array.

    >>> float(to_probability(0.0))
    0.5
    """
    return 1 / (1 + np.exp(-np.clip(odds, -_LARGEST, _LARGEST)))


def to_log_odds(probabilities: Any, least: float = 1e-6) -> FloatArray:
    """Return the log odds of probabilities, none nearer to 0 or 1 than ``least``.

    >>> to_log_odds([0.5, 1.0]).round(1).tolist()
    [0.0, 13.8]
    """
    bounded = np.clip(probabilities, least, 1 - least)
    odds: FloatArray = np.log(bounded / (1 - bounded))
    return odds


def fit_logistic(
    features: FloatArray, successes: BoolArray, penalty: float
) -> tuple[FloatArray, float]:
    """Return weights and bias of an L2-regularized logistic regression.

    ``features`` has the shape (outcomes, features); ``penalty`` is C, the factor on the loss,
    and the bias is free (Hastie and others 2009, 4.4.1: Newton's method). scikit-learn gives
    the same but takes a second to load. For thousands of sparse features, which have no
    matrix of second derivatives, see :mod:`ilspfc.frontier.scoring.logistic`.
    """
    rows = np.column_stack([features, np.ones(len(features))])
    ridge = np.full(rows.shape[1], 1 / penalty)
    ridge[-1] = 0.0
    weights = np.zeros(rows.shape[1])

    def loss(values: FloatArray) -> float:
        margins = rows @ values
        losses = np.logaddexp(0.0, margins) - successes * margins
        return float(losses.sum() + 0.5 * (ridge * values) @ values)

    current = loss(weights)
    for _ in range(_MAX_STEPS):
        odds = to_probability(rows @ weights)
        gradient = rows.T @ (odds - successes) + ridge * weights
        curvature = (rows.T * (odds * (1 - odds))) @ rows
        curvature.flat[:: len(ridge) + 1] += ridge + _LEAST_CURVATURE
        step = np.linalg.solve(curvature, gradient)
        # Far from the minimum a whole step may lead away from it.
        while (found := loss(weights - step)) > current + _NEAR:
            step /= 2
        weights = weights - step
        current = found
        if np.abs(step).max() <= _NEAR:
            break
    return weights[:-1], float(weights[-1])
