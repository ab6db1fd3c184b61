"""What a site claims itself, and what its silence says."""

from __future__ import annotations

import numpy as np
import pytest

from ilspfc.pairing.comparison import Candidates, Matches
from ilspfc.pairing.evidence.catalog import EVIDENCE
from ilspfc.pairing.model.candidate_features import FEATURES, Features
from ilspfc.pairing.model.pair_model import (
    LogisticModel,
    boost_versions,
    judge_candidates,
)

NAMES = [evidence.name for evidence in EVIDENCE]
NOTHING = LogisticModel(
    np.zeros(len(FEATURES)), np.ones(len(FEATURES)), np.zeros(len(FEATURES)), 1.0
)


class NoFeatures(Features):
    """Features of which a model makes its bias alone."""

    def __init__(self, count: int) -> None:
        self._count = count

    def map(self, judge: object) -> np.ndarray:
        assert callable(judge)
        return np.asarray(judge(np.zeros((self._count, len(FEATURES)))))


def candidates(count: int) -> Candidates:
    """Return candidates of pages that have one each."""
    return Candidates(np.arange(count), np.arange(count))


def claims(count: int, **said: list[float]) -> np.ndarray:
    values = np.zeros((count, len(EVIDENCE)))
    for name, some in said.items():
        values[: len(some), NAMES.index(name)] = some
    return values


def judge(values: np.ndarray, sure: int) -> list[float]:
    """Return the log odds of candidates, the first of which are sure pairs."""
    pairs = candidates(len(values))
    some = Matches(np.arange(sure), np.arange(sure), np.ones(sure))
    found = judge_candidates(NOTHING, NoFeatures(len(values)), values, pairs, some)
    return [float(odds) for odds in found]


@pytest.mark.parametrize("name", ["urls", "versions"])
def test_where_all_sure_pairs_are_claimed_silence_speaks_against(name: str) -> None:
    *claimed, silent = judge(claims(11, **{name: [0.9] * 10}), sure=10)
    assert claimed == [1.0] * 10
    assert silent == pytest.approx(1 - np.log(12))


def test_where_no_pair_is_claimed_silence_says_nearly_nothing() -> None:
    assert judge(claims(11), sure=10) == pytest.approx([1 - np.log(12 / 11)] * 11)


def test_of_few_sure_pairs_silence_says_little() -> None:
    assert judge(claims(2, urls=[0.9]), sure=1)[1] == pytest.approx(1 - np.log(3))


def test_what_pages_declare_goes_before_likeness() -> None:
    pairs = Candidates(np.array([0, 0, 1]), np.array([0, 1, 2]))
    probabilities = np.array([0.2, 0.9, 0.9])
    heeded = boost_versions(probabilities, claims(3, versions=[0.95]), pairs)
    assert heeded == pytest.approx([0.95, 0.27, 0.9])


def test_matches_are_found_among_candidates() -> None:
    pairs = Candidates(np.array([0, 0, 3]), np.array([0, 7, 1]))
    some = Matches(np.array([0, 3, 3]), np.array([7, 1, 9]), np.ones(3))
    assert pairs.among(some).tolist() == [False, True, True]
