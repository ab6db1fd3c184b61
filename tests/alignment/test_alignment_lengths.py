"""Lengths of texts and the model of how they fit each other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ilspfc.alignment.beads import PUBLISHED_PRIORS
from ilspfc.alignment.lengths import VARIANCE, LengthModel, LengthScorer, guess_ratios
from ilspfc.text.measure import measure_length, measure_lengths

if TYPE_CHECKING:
    from ilspfc.text.arrays import FloatArray


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("", 1),
        ("  \u00a0", 1),
        ("a b\tc\n", 3),
        ("Ελλάδα", 6),
        ("中文", 6),
        ("ひらがな", 6),
        ("한국", 5),
        ("GDP 中", 6),
    ],
)
def test_lengths_are_in_latin_characters(text: str, length: float) -> None:
    assert measure_length(text) == length


def lengths(*values: float) -> FloatArray:
    return np.array(values, dtype=np.float64)


def test_priors_add_up_to_one() -> None:
    assert sum(PUBLISHED_PRIORS.values()) == pytest.approx(1.0, abs=1e-3)
    model = LengthModel.start(lengths(1), 1.0)
    assert sum(model.priors.values()) == pytest.approx(1.0)


def test_the_ratio_of_a_long_pair_is_its_own() -> None:
    ratios = guess_ratios(np.full(1000, 100.0), np.full(1000, 120.0))
    assert ratios == pytest.approx((1.2, 1.2), abs=0.01)


def test_the_ratio_of_a_short_pair_is_shrunk_to_one() -> None:
    assert guess_ratios(lengths(50), lengths(100))[0] == pytest.approx(600 / 550)


def test_what_is_left_out_does_not_change_the_second_guess() -> None:
    by_sum, by_mean = guess_ratios(np.full(1000, 100.0), np.full(500, 120.0))
    assert by_sum == pytest.approx(0.6, abs=0.01)
    assert by_mean == pytest.approx(1.2, abs=0.01)


@pytest.mark.parametrize(("source", "target"), [((), ()), ((5,), ()), ((), (5,))])
def test_without_a_side_there_is_one_guess(
    source: tuple[float, ...], target: tuple[float, ...]
) -> None:
    assert len(guess_ratios(lengths(*source), lengths(*target))) == 1


def test_a_given_ratio_stays() -> None:
    model = LengthModel.start(lengths(100), 0.5)
    model = model.refit([(1, 1)], lengths(50), lengths(100), char_ratio=0.5)
    assert model.ratio == 0.5


def test_without_pairs_the_published_values_hold() -> None:
    model = LengthModel.start(lengths(), 1.0).refit([], lengths(), lengths())
    assert model.ratio == 1.0
    assert model.variance == VARIANCE
    assert model.priors == pytest.approx(
        {shape: prior / 0.9999 for shape, prior in PUBLISHED_PRIORS.items()}, rel=1e-3
    )


def test_pairs_of_equal_length_lower_the_variance() -> None:
    pairs = np.full(200, 80.0)
    model = LengthModel.start(pairs, 1.0).refit([(1, 1)] * 200, pairs, pairs)
    assert model.variance < 1.0
    assert model.priors[1, 1] > PUBLISHED_PRIORS[1, 1]


def test_a_bead_weighs_as_the_formula_says() -> None:
    model = LengthModel(2.0, 6.8, math.log(90), 0.5, dict(PUBLISHED_PRIORS))
    scorer = LengthScorer(lengths(40, 50), lengths(100), model)
    weight = scorer.score_row(2, 1, 2)[scorer.shapes.index((2, 1)), 0]
    variance = 6.8 * (2 * 90 + 100) / 2
    normal = math.exp(-0.5 * 80**2 / variance) / math.sqrt(2 * math.pi * variance)
    distance = math.log(100 / 90) / 0.5
    background = math.exp(-0.5 * distance**2) / (100 * 0.5 * math.sqrt(2 * math.pi))
    assert weight == pytest.approx(math.log(0.089 / 2 * normal / background))


def test_beads_that_begin_before_the_first_segment_weigh_nothing() -> None:
    sizes = measure_lengths(["one", "two", "three"])
    scorer = LengthScorer(sizes, sizes, LengthModel.start(sizes, 1.0))
    for row in range(4):
        weights = scorer.score_row(row, 0, 4)
        for number, (a, b) in enumerate(scorer.shapes):
            fits = np.array([row >= a and column >= b for column in range(4)])
            assert (np.isfinite(weights[number]) == fits).all()


def test_windows_of_a_row_agree() -> None:
    sizes = measure_lengths(["one", "two", "three", "four", "five"])
    scorer = LengthScorer(sizes, sizes, LengthModel.start(sizes, 1.0))
    whole = scorer.score_row(3, 0, 6)
    for first in range(6):
        for last in range(first + 1, 7):
            window = scorer.score_row(3, first, last)
            np.testing.assert_array_equal(window, whole[:, first:last])


def test_unequal_and_mixed_kinds_cost_a_penalty() -> None:
    sizes = lengths(20, 30)
    model = LengthModel.start(sizes, 1.0)
    plain = LengthScorer(sizes, sizes, model)
    kinds = LengthScorer(
        sizes, sizes, model, source_kinds=[1, 0], target_kinds=[1, 1], kind_penalty=3.0
    )
    one, two = plain.shapes.index((1, 1)), plain.shapes.index((2, 1))
    penalties = plain.score_row(1, 1, 3)[one] - kinds.score_row(1, 1, 3)[one]
    assert penalties == pytest.approx([0.0, 0.0])
    penalties = plain.score_row(2, 1, 3)[one] - kinds.score_row(2, 1, 3)[one]
    assert penalties == pytest.approx([3.0, 3.0])
    penalties = plain.score_row(2, 1, 3)[two] - kinds.score_row(2, 1, 3)[two]
    assert penalties == pytest.approx([3.0, 3.0])
