"""Logistic regression, against scikit-learn's."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from ilspfc.frontier.scoring.logistic import fit_logistic


def make_outcomes(number: int) -> tuple[list[list[int]], list[float]]:
    generator = random.Random(number)
    truth = [generator.gauss(0, 1) for _ in range(300)]
    rows, targets = [[7], [7]], [1.0, 0.0]
    for _ in range(number):
        row = sorted({int(generator.paretovariate(0.6)) % 300 for _ in range(20)})
        rows.append(row)
        is_success = sum(truth[feature] for feature in row) > 0
        targets.append(generator.choice([float(is_success), float(is_success), 0.3]))
    return rows, targets


@pytest.mark.parametrize("number", [0, 5, 400])
def test_the_weights_are_those_of_scikit_learn(number: int) -> None:
    rows, targets = make_outcomes(number)
    weighted = [
        (row, success, weight)
        for row, target in zip(rows, targets, strict=True)
        for success, weight in ((True, target), (False, 1 - target))
        if weight
    ]
    matrix = np.zeros((len(weighted), 300))
    for index, (row, _, _) in enumerate(weighted):
        matrix[index, row] = 1
    model = LogisticRegression(solver="liblinear", tol=1e-8, max_iter=1000)
    model.fit(
        csr_matrix(matrix),
        [success for _, success, _ in weighted],
        sample_weight=[weight for _, _, weight in weighted],
    )
    weights = fit_logistic(rows, targets)
    assert weights.keys() == {feature for row in rows for feature in row}
    for feature, weight in weights.items():
        assert weight == pytest.approx(model.coef_[0][feature], abs=1e-4)


def test_outcomes_that_are_all_alike_give_finite_weights() -> None:
    weights = fit_logistic([[1, 2]] * 50, [1.0] * 50)
    assert 0 < weights[1] < 5
    assert weights[1] == pytest.approx(weights[2])
