"""Decision on the subject: terms, neighbors, classifier and translations, by hand."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from ilspfc.decisions.subject import (
    DENSITY_WEIGHT,
    INTERCEPT,
    NEIGHBOR_WEIGHT,
    NO_NEIGHBORS,
    join_translations,
    neighbor_evidence,
    pool_odds,
    subject_odds,
    term_evidence,
    to_odds,
)
from ilspfc.text.log_odds import to_probability


def test_terms_speak_by_their_density_in_median_terms() -> None:
    found = term_evidence(
        np.array([40.0, -5.0, 0.0]), np.array([2000.0, 10.0, 0.0]), 10.0
    )
    # 40 / 10 terms in 2,000 tokens: two by thousand.
    assert found == pytest.approx([log(3), 0, 0])


def test_neighbors_are_both_those_linked_to_and_those_that_link() -> None:
    values = np.array([3.0, 2.0, 1.0, 0.0])
    found = neighbor_evidence(values, [(0, 1), (2, 0), (2, 0), (0, 0)])
    # Repeated links and links to oneself do not count.
    assert found == pytest.approx([(2 + 1) / (2 + NO_NEIGHBORS), 3 / 1.5, 3 / 1.5, 0.0])


def test_a_menu_weighs_little() -> None:
    values = np.array([0.0, 4.0, *[1.0] * 98])
    menu = [(0, target) for target in range(1, 100)]
    alone, with_menu = (
        neighbor_evidence(values, links)[1] for links in ([(99, 1)], [(99, 1), *menu])
    )
    assert 0.6 * alone < with_menu < alone


def test_a_corpus_without_links_has_no_neighbors() -> None:
    assert neighbor_evidence(np.array([1.0, 2.0]), []).tolist() == [0, 0]
    assert neighbor_evidence(np.array([]), []).tolist() == []


def test_the_odds_are_those_of_the_regression() -> None:
    (found,) = subject_odds(np.array([3.0]), np.array([2.0]))
    assert found == pytest.approx(3 * DENSITY_WEIGHT + 2 * NEIGHBOR_WEIGHT + INTERCEPT)


def test_the_classifier_is_a_second_opinion_where_there_is_one() -> None:
    odds = pool_odds(np.array([1.0, 1.0, 1.0]), np.array([np.nan, -3.0, 1e9]))
    assert odds == pytest.approx([1.0, -1.0, 4.0])


def test_translations_are_judged_together() -> None:
    odds = join_translations(np.array([4.0, 0.0, -1.0, 2.0]), [(0, 1), (1, 2)])
    assert odds == pytest.approx([1.0, 1.0, 1.0, 2.0])


def test_probabilities_and_odds_are_inverse() -> None:
    assert to_odds(to_probability(np.array([-2.0, 3.0])).tolist()) == pytest.approx(
        [-2, 3]
    )
    assert np.isnan(to_odds([None])).all()
    assert np.isfinite(to_odds([0.0, 1.0])).all()
