"""Figures on sites left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from evaluation.pairing_cases import Case
from evaluation.pairing_left_out import Findings, fit_calibration, language_pairs
from ilspfc.pairing.comparison import Candidates
from ilspfc.pairing.evidence.catalog import EVIDENCE
from ilspfc.pairing.model.pair_model import calibrate
from ilspfc.pairing.outcome import ScoredCandidates
from ilspfc.text.log_odds import to_probability

if TYPE_CHECKING:
    import numpy.typing as npt


def test_the_pairs_of_a_site_are_those_measured_and_those_that_agree() -> None:
    assert language_pairs("lilypond") == [
        *("de-it", "en-it", "en-fr", "de-en"),
        *("de-fr", "fr-it"),
    ]
    assert "de-fr" in language_pairs("apache-manual")
    assert "de-it" not in language_pairs("apache-manual")


def test_calibration_is_a_line_for_pairs_of_like_to_probability(
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


def test_calibration_is_shown_by_the_amount_of_text(
    capsys: pytest.CaptureFixture[str],
) -> None:
    findings = Findings()
    findings.probabilities = [0.92, 0.94, 0.92, 0.3]
    findings.is_right = [True, False, True, True]
    findings.texts = [50, 99, 100, 50]

    findings.print_calibration_by_text()

    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == [
        "0 to 100 characters",
        "0.90 to 0.95      2  0.930  0.500",
        "100 to 300 characters",
        "0.90 to 0.95      1  0.920  1.000",
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


def judge(odds: float, rival: float, text: float = 1000.0) -> ScoredCandidates:
    """Return a pair of such log odds and one worse candidate of its left page."""
    return ScoredCandidates(
        ["d1"],
        ["i1", "i2"],
        Candidates(np.zeros(2, np.int64), np.arange(2)),
        np.zeros((2, len(EVIDENCE))),
        to_probability(np.array([odds, rival])),
        np.full(2, text),
        1,
    )


class OneKey(Case):
    """A case whose chosen candidate is right, or is not."""

    def label_judged(self, judged: ScoredCandidates) -> npt.NDArray[np.int8]:
        right = bool(self.gold)
        return np.array([right, False], np.int8)[: len(judged.candidates)]


def found(
    odds: float, rival: float, *, right: bool, text: float = 1000.0
) -> tuple[Case, ScoredCandidates]:
    """Return a case with what was judged, the first candidate of which is right or not."""
    gold = frozenset({"key"} if right else ())
    case = OneKey("site", "hard", ("de", "it"), None, {}, gold)  # type: ignore[arg-type]
    return case, judge(odds, rival, text)


def test_pairs_are_as_probable_as_such_ones_were_right() -> None:
    # Too sure by far: of pairs of such odds half are right, those with a near rival wrong.
    left_out = [found(6, -6, right=True), found(6, 5, right=False)] * 40
    calibration = fit_calibration(left_out)

    clear = calibrate(judge(6, -6), calibration).probabilities[0]
    doubtful = calibrate(judge(6, 5), calibration).probabilities[0]
    assert doubtful < 0.1
    assert clear > 0.9
    assert calibration.margin > 0


def test_the_same_odds_say_less_on_short_pages_where_they_were_right_less_often() -> (
    None
):
    long = [found(4, -6, right=True, text=2000)] * 40
    short = [found(4, -6, right=n % 2 == 0, text=60) for n in range(40)]

    calibration = fit_calibration([*long, *short])

    said = [
        calibrate(judge(4, -6, text), calibration).probabilities[0]
        for text in (60, 2000)
    ]
    assert said[0] == pytest.approx(0.5, abs=0.1)
    assert said[1] > 0.9
