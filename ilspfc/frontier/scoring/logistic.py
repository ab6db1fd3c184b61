"""Logistic regression over sparse binary features.

Only numpy is needed: scikit-learn takes more than a second to load and as much memory as the
rest of the crawler.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ilspfc.text.arrays import FloatArray


_MAX_STEPS = 100
_MAX_CG_STEPS = 200
_MAX_HALVINGS = 30
# Relative gradient at which the fit ends, and tolerance of each Newton step.
_TOLERANCE = 1e-5
_CG_TOLERANCE = 0.1
# Sufficient decrease (Armijo), relative to that predicted by the gradient.
_SUFFICIENT = 1e-4


class _Problem:
    """Loss with its derivatives; the last weight is the intercept."""

    def __init__(self, rows: Sequence[Sequence[int]], targets: Sequence[float]) -> None:
        lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
        flat = np.fromiter((f for row in rows for f in row), dtype=np.int64)
        self.features, self._places = np.unique(flat, return_inverse=True)
        self._row_of = np.repeat(np.arange(len(rows)), lengths)
        self._targets = np.asarray(targets, dtype=np.float64)
        self.size = len(self.features) + 1

    def _times(self, weights: FloatArray) -> FloatArray:
        sums = np.bincount(
            self._row_of, weights[self._places], minlength=len(self._targets)
        )
        margins: FloatArray = sums + weights[-1]
        return margins

    def _transposed_times(self, values: FloatArray) -> FloatArray:
        result = np.bincount(
            self._places, values[self._row_of], minlength=self.size
        ).astype(np.float64)
        result[-1] = values.sum()
        return result

    def loss(self, weights: FloatArray) -> float:
        margins = self._times(weights)
        losses = np.logaddexp(0.0, margins) - self._targets * margins
        return float(losses.sum() + 0.5 * weights @ weights)

    def derivatives(
        self, weights: FloatArray
    ) -> tuple[FloatArray, Callable[[FloatArray], FloatArray]]:
        """Return the gradient and the product with the Hessian as a function."""
        odds = 0.5 * (1.0 + np.tanh(0.5 * self._times(weights)))
        gradient = weights + self._transposed_times(odds - self._targets)
        curvature = odds * (1.0 - odds)

        def hessian(vector: FloatArray) -> FloatArray:
            return vector + self._transposed_times(curvature * self._times(vector))

        return gradient, hessian


def _solve(
    hessian: Callable[[FloatArray], FloatArray], gradient: FloatArray
) -> FloatArray:
    """Return the approximate Newton step, by conjugate gradients."""
    step = np.zeros_like(gradient)
    residual = -gradient
    direction = residual.copy()
    square = float(residual @ residual)
    enough = _CG_TOLERANCE**2 * square
    for _ in range(_MAX_CG_STEPS):
        if square <= enough:
            break
        image = hessian(direction)
        length = square / float(direction @ image)
        step += length * direction
        residual -= length * image
        previous, square = square, float(residual @ residual)
        direction = residual + square / previous * direction
    return step


def fit_logistic(
    rows: Sequence[Sequence[int]], targets: Sequence[float]
) -> dict[int, float]:
    """Return the weight of each feature.

    A row is the features that an outcome has, none of them twice; its target is the share
    of success, from 0 to 1. The loss is that of L2-regularised logistic regression with C = 1 and a
    regularised intercept (Fan and others 2008, LIBLINEAR), in which a target between 0 and
    1 is a success and a failure with these weights; it is minimised by a truncated
    Newton method (Lin and others 2008).
    """
    problem = _Problem(rows, targets)
    weights = np.zeros(problem.size)
    loss = problem.loss(weights)
    enough = 0.0
    for number in range(_MAX_STEPS):
        gradient, hessian = problem.derivatives(weights)
        norm = float(np.linalg.norm(gradient))
        if number == 0:
            enough = _TOLERANCE * norm
        if norm <= enough:
            break
        step = _solve(hessian, gradient)
        slope, size = float(gradient @ step), 1.0
        for _ in range(_MAX_HALVINGS):
            moved = problem.loss(weights + size * step)
            if moved <= loss + _SUFFICIENT * size * slope:
                break
            size /= 2
        weights, loss = weights + size * step, moved
    return dict(zip(problem.features.tolist(), weights.tolist(), strict=False))
