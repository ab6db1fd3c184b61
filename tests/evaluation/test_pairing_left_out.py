"""Figures on sites left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.pairing_left_out import Findings, language_pairs

if TYPE_CHECKING:
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


def test_ways_that_are_right_support_and_others_conflict(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # Log odds, support, conflict: what ways say is right, what likeness says is not.
    features = np.array([[0, 1, 0], [0, 0, 1]] * 50, float)
    labels = np.array([1, 0] * 50, float)
    findings = Findings(said=[(features, labels, np.ones(100))])

    findings.print_weights()

    support, conflict = capsys.readouterr().out.split()[2:5:2]
    assert float(support.rstrip(",")) > 2
    assert float(conflict) > 2
