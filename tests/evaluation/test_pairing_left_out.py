"""Figures on sites left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.pairing_cases import Case
from evaluation.pairing_left_out import Findings, fit_calibration, language_pairs
from ilspfc.pairing.comparison import Candidates
from ilspfc.pairing.evidence import EVIDENCE
from ilspfc.pairing.model.pair_model import calibrate, probability
from ilspfc.pairing.outcome import ScoredCandidates

if TYPE_CHECKING:
    import numpy.typing as npt
    import pytest


def test_the_pairs_of_a_site_are_those_measured_and_those_that_agree() -> None:
    assert language_pairs("lilypond") == [
        *("de-it", "en-it", "en-fr", "de-en"),
        *("de-fr", "fr-it"),
    ]
    assert "de-fr" in language_pairs("apache-manual")
    assert "de-it" not in language_pairs("apache-manual")


def test_calibration_is_a_line_for_pairs_of_like_probability(
    capsys: pytest.CaptureFixture[str],
) -> None:
    findings = Findings()
    findings.probabilities = [0.55, 0.65, 0.995, 1.0, 0.96]
    findings.is_right = [True, False, True, True, True]

    findings.print_calibration()

    lines = capsys.readouterr().out.splitlines()[1:]
    assert [line.split() for line in lines] == [
        ["0.50", "to", "0.70", "2", "0.600", "0.500"],
        ["0.95", "to", "0.97", "1", "0.960", "1.000"],
        ["0.99", "to", "1.00", "2", "0.998", "1.000"],
    ]


def test_opinions_that_are_right_support_and_others_conflict(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # Log odds, support, conflict, disagreement: what is supported is right, nothing else.
    features = np.array([[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]] * 50, float)
    labels = np.array([1, 0, 0] * 50, float)
    findings = Findings(said=[(features, labels, np.ones(150))])

    findings.print_weights()

    said = capsys.readouterr().out.removeprefix("opinions: ").split(", ")
    weights = {name: float(weight) for name, weight in map(str.split, said)}
    assert weights["support"] > 2
    assert weights["conflict"] < -2
    assert weights["disagreement"] < -2


def judge(odds: float, rival: float) -> ScoredCandidates:
    """Return a pair of such log odds and one worse candidate of its left page."""
    return ScoredCandidates(
        ["d1"],
        ["i1", "i2"],
        Candidates(np.zeros(2, np.int64), np.arange(2)),
        np.zeros((2, len(EVIDENCE))),
        probability(np.array([odds, rival])),
        1,
    )


class OneKey(Case):
    """A case whose chosen candidate is right, or is not."""

    def label_judged(self, judged: ScoredCandidates) -> npt.NDArray[np.int8]:
        right = bool(self.gold)
        return np.array([right, False], np.int8)[: len(judged.candidates)]


def test_pairs_are_as_probable_as_such_ones_were_right() -> None:
    def found(
        odds: float, rival: float, *, right: bool
    ) -> tuple[Case, ScoredCandidates]:
        gold = frozenset({"key"} if right else ())
        case = OneKey("site", "hard", ("de", "it"), None, {}, gold)  # type: ignore[arg-type]
        return case, judge(odds, rival)

    # Too sure by far: of pairs of such odds half are right, those with a near rival wrong.
    left_out = [found(6, -6, right=True), found(6, 5, right=False)] * 40
    calibration = fit_calibration(left_out)

    clear = calibrate(judge(6, -6), calibration).probabilities[0]
    doubtful = calibrate(judge(6, 5), calibration).probabilities[0]
    assert doubtful < 0.1
    assert clear > 0.9
    assert calibration.margin > 0
