"""The choice of blocks is the one with the best expected F1."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.cleaning_pages import parse_page
from ilspfc.cleaning.content.block_features import read_features
from ilspfc.cleaning.content.choice import level_alike, score_page

PAGES = st.lists(
    st.tuples(st.floats(0.001, 0.999), st.integers(1, 200)), min_size=1, max_size=30
)


def expected_f1(page: list[tuple[float, int]], bound: float) -> float:
    kept = [(p, words) for p, words in page if p >= bound]
    mass = sum(p * words for p, words in kept)
    total = sum(p * words for p, words in page)
    return 2 * mass / (sum(words for _, words in kept) + total)


@given(PAGES)
def test_no_other_bound_expects_a_better_f1(page: list[tuple[float, int]]) -> None:
    probabilities, words = (
        np.array(column, float) for column in zip(*page, strict=True)
    )
    kept = score_page(probabilities, words)[0] >= 0.5
    assert kept.any()
    ours = expected_f1(page, float(probabilities[kept].min()))
    assert ours >= max(expected_f1(page, p) for p, _ in page) - 1e-9
    assert score_page(probabilities, words)[1] == pytest.approx(ours)


@given(PAGES)
def test_scores_order_blocks_as_their_probabilities_do(
    page: list[tuple[float, int]],
) -> None:
    probabilities, words = (
        np.array(column, float) for column in zip(*page, strict=True)
    )
    scores, _ = score_page(probabilities, words)
    assert (np.diff(scores[np.argsort(probabilities, kind="stable")]) >= 0).all()
    assert ((scores >= 0) & (scores <= 1)).all()


def test_a_sure_page_keeps_what_is_sure() -> None:
    scores, _ = score_page(
        np.array([0.99, 0.98, 0.05, 0.02]), np.array([50.0, 40, 60, 9])
    )
    assert (scores >= 0.5).tolist() == [True, True, False, False]


def test_zero_and_one_are_probabilities_too() -> None:
    scores, _ = score_page(np.array([1.0, 0.0]), np.array([5.0, 5.0]))
    assert (scores >= 0.5).tolist() == [True, False]


def test_blocks_that_are_alike_are_drawn_together() -> None:
    cards = "".join(
        f"<div class='card n{n}'><h3>{text}</h3></div>"
        for n, text in enumerate(("eins", "zwei drei vier"))
    )
    parsed = parse_page(f"<p>Text</p>{cards}".encode())
    assert parsed is not None
    given = np.array([0.9, 0.8, 0.2])
    leveled = level_alike(given, read_features(*parsed))
    # Odds of 4 and 1/4, weighted by one and three words: a mean of 1/2.
    assert leveled.tolist() == pytest.approx([0.9, 2**0.5 / (2**0.5 + 1), 0.261204])


def test_a_list_of_links_is_no_text() -> None:
    links = "".join(f"<li><a href=/{n}>Kapitel {n}</a></li>" for n in range(3))
    parsed = parse_page(f"<p>Text</p><ul>{links}</ul><ul><li>Text</li></ul>".encode())
    assert parsed is not None
    leveled = level_alike(np.full(5, 0.9), read_features(*parsed))
    assert leveled.tolist() == pytest.approx([0.9, 0, 0, 0, 0.9])
