"""Logistic regression over sparse binary features.

scikit-learn would take over a second to load, and double the memory of the crawler.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import expit

from ilspfc.text.arrays import FloatArray

# Gradient norm, relative to the start, at which the fit ends.
_TOLERANCE = 1e-5


class _Problem:
    """Loss with its derivatives; the last weight is the intercept."""

    def __init__(self, rows: Sequence[Sequence[int]], targets: Sequence[float]) -> None:
        flat = np.fromiter(chain.from_iterable(rows), dtype=np.int64)
        self.features, places = np.unique(flat, return_inverse=True)
        ends = np.cumsum([0, *map(len, rows)])
        shape = len(rows), len(self.features)
        self._rows = csr_array((np.ones(len(flat)), places, ends), shape=shape)
        self._columns = self._rows.T
        self._targets = np.asarray(targets, dtype=np.float64)

    def _times(self, weights: FloatArray) -> FloatArray:
        margins: FloatArray = self._rows @ weights[:-1] + weights[-1]
        return margins

    def _transposed_times(self, values: FloatArray) -> FloatArray:
        return np.append(self._columns @ values, values.sum())

    def loss(self, weights: FloatArray) -> float:
        """Return the regularized loss."""
        margins = self._times(weights)
        losses = np.logaddexp(0.0, margins) - self._targets * margins
        return float(losses.sum() + 0.5 * weights @ weights)

    def gradient(self, weights: FloatArray) -> FloatArray:
        """Return the gradient of the loss, in the shape of the weights."""
        probabilities = expit(self._times(weights))
        return weights + self._transposed_times(probabilities - self._targets)

    def hessian_times(self, weights: FloatArray, vector: FloatArray) -> FloatArray:
        """Return the product of the Hessian with a vector."""
        probabilities = expit(self._times(weights))
        curvature = probabilities * (1.0 - probabilities)
        return vector + self._transposed_times(curvature * self._times(vector))


def fit_logistic(
    rows: Sequence[Sequence[int]], targets: Sequence[float]
) -> dict[int, float]:
    """Return the weight of each feature.

    A row holds the distinct features of an outcome; its target is the share of success,
    from 0 to 1. The loss is that of L2-regularized logistic regression with C = 1 and a
    regularized intercept (Fan et al. 2008, LIBLINEAR), in which a target g is a success of
    weight g and a failure of weight 1 - g; it is minimized by a truncated Newton method
    (Lin et al. 2008).
    """
    problem = _Problem(rows, targets)
    start = np.zeros(len(problem.features) + 1)
    norm = float(np.linalg.norm(problem.gradient(start)))
    if not norm:  # the start is the minimum
        return dict.fromkeys(problem.features.tolist(), 0.0)
    found = minimize(
        problem.loss,
        start,
        jac=problem.gradient,
        hessp=problem.hessian_times,
        method="trust-ncg",
        options={"gtol": _TOLERANCE * norm},
    )
    return dict(zip(problem.features.tolist(), found.x.tolist(), strict=False))
