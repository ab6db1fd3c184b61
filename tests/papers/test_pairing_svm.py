"""The support vector machine of structure: its kernel, its file, its decisions."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.svm import SVC

from ilspfc.papers.ilsp_fc import (
    FEATURES,
    PolynomialSvm,
    read_svm,
    structure_svm,
)


def small() -> PolynomialSvm:
    vectors = np.array([[1.0, 1.0, 0.0], [0.5, 0.5, 0.5]])
    return PolynomialSvm(vectors, np.array([1.0, -1.0]), -0.5, 2, 1.0, 1.0)


def test_a_decision_by_hand() -> None:
    """The kernels are 9 and 4, the intercept takes half a point."""
    assert small().decide(np.array([[1.0, 1.0, 0.0]])).tolist() == [4.5]
    border = small().probability(np.array([[1.0, 1.0, 0.0]]))
    assert border.tolist() == pytest.approx([1 / (1 + np.exp(-4.5))])


def test_decisions_are_those_of_the_library_it_was_trained_with() -> None:
    points = np.random.default_rng(1).random((60, 3))
    fitted = SVC(kernel="poly", degree=3, gamma=0.7, coef0=1.0)
    fitted.fit(points, points[:, 2] < points[:, 0] * points[:, 1])
    weights, bias = fitted.dual_coef_[0], float(fitted.intercept_[0])
    svm = PolynomialSvm(fitted.support_vectors_, weights, bias, 3, 0.7, 1.0)
    others = np.random.default_rng(2).random((40, 3))
    assert svm.decide(others) == pytest.approx(fitted.decision_function(others))


def test_a_machine_of_other_features_is_refused() -> None:
    with pytest.raises(ValueError, match=FEATURES[0]):
        read_svm(json.dumps({"features": ["a", "b", "c"]}))


def test_the_shipped_machine_tells_copies_from_strangers() -> None:
    alike, apart = structure_svm().decide(np.array([[1.0, 1.0, 0.0], [0.6, 0.6, 0.9]]))
    assert alike > 0 > apart


def test_a_larger_distance_is_never_a_better_sign() -> None:
    """Not so in ILSP-FC, whose machine of degree 19 prefers some of the worse pairs."""
    distances = np.linspace(0, 1, 21)
    for ratio in (0.8, 0.9, 1.0):
        rows = np.array([[ratio, ratio, distance] for distance in distances])
        assert (np.diff(structure_svm().decide(rows)) < 0).all()
