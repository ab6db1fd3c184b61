"""The arithmetic of harvest curves."""

from __future__ import annotations

import pytest

from evaluation.curves import at_points, harvest_area, harvest_curve, requests_until


def test_curve_counts_wanted_pages() -> None:
    assert harvest_curve("axbyz", {"a", "b", "c"}) == [1, 1, 2, 2, 2]


def test_a_crawl_that_ended_stays_at_its_last_value() -> None:
    assert at_points([0, 1, 2], [1, 3, 10]) == [0, 2, 2]


def test_a_crawl_that_fetched_nothing_has_nothing() -> None:
    assert at_points([], [1, 10]) == [0, 0]


def test_area_of_the_best_crawl_is_one() -> None:
    assert harvest_area([1, 2, 2, 2], wanted=2, budget=4) == 1.0


def test_area_by_hand() -> None:
    # 0 + 1 + 1 + 2 of 1 + 2 + 2 + 2.
    assert harvest_area([0, 1, 1, 2], wanted=2, budget=4) == pytest.approx(4 / 7)


def test_area_of_a_crawl_that_ended_early_goes_on_flat() -> None:
    # 0 + 1 + 1 + 1 of 1 + 2 + 2 + 2.
    assert harvest_area([0, 1], wanted=2, budget=4) == pytest.approx(3 / 7)


def test_area_counts_the_budget_alone() -> None:
    assert harvest_area([0, 0, 1, 2, 2], wanted=2, budget=2) == 0.0


def test_area_without_wanted_pages_is_nothing() -> None:
    assert harvest_area([0, 0], wanted=0, budget=2) == 0.0


def test_the_requests_until_a_share_is_found_are_counted() -> None:
    assert requests_until([0, 1, 1, 3], 2.7) == 4
    assert requests_until([1], 1) == 1
    assert requests_until([0, 1], 2) is None
