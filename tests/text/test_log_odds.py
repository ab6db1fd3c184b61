"""Logistic regression gives what scikit-learn gives, where it is easy and where it is not."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from ilspfc.text.log_odds import fit_logistic


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("penalty", [0.02, 1.0, 100.0])
@pytest.mark.parametrize("spread", [0.1, 1.0, 30.0])
def test_weights_are_those_of_scikit_learn(
    seed: int, penalty: float, spread: float
) -> None:
    random = np.random.default_rng(seed)
    features = random.normal(size=(200, 6)) * spread
    features[:, 5] = 0.0  # a feature that no outcome has
    margins = features @ random.normal(size=6) + 0.5
    successes = margins + random.normal(size=200) > 0
    weights, bias = fit_logistic(features, successes, penalty)
    peer = LogisticRegression(C=penalty, tol=1e-10, max_iter=100_000)
    peer.fit(features, successes)
    assert weights == pytest.approx(peer.coef_[0], rel=1e-3, abs=1e-5)
    assert bias == pytest.approx(peer.intercept_[0], rel=1e-3, abs=1e-4)


def test_outcomes_that_one_feature_divides_have_finite_weights() -> None:
    weights, bias = fit_logistic(
        np.array([[-40.0], [-30.0], [30.0], [40.0]]), np.array([0, 0, 1, 1]) > 0, 1.0
    )
    assert 0 < weights[0] < 1
    assert abs(bias) < 1
