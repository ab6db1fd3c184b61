"""How kept text is scored, and which pages are left out together."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from evaluation.cleaning_pages import parse_page, write_model
from evaluation.cleaning_scores import Score, describe_expected, score_marks, score_text
from evaluation.cleaning_sets import FOLDS, GoldPage, fold_of, site_of
from evaluation.cleaning_trees import LabelledPage
from evaluation.train_cleaning import fit_models
from ilspfc.cleaning.content.block_features import read_features


def gold_page(gold: str = "", present: str = "", absent: str = "") -> GoldPage:
    return GoldPage("set", "1", Path("1.html"), "site", "", gold, (present,), (absent,))


def test_f1_is_of_multisets_of_words() -> None:
    score = score_text("ein Helm, ein Schuh", gold_page("Ein Helm und ein Helm"))
    assert score.precision == 3 / 4
    assert score.recall == 3 / 5
    assert score.value == pytest.approx(2 * 3 / 9)
    assert score_text("", gold_page("Helm")).value == 0


def test_expected_f1_is_judged_by_the_lowest_tenth() -> None:
    pages = [(number / 20, 1 - (number in {0, 10})) for number in range(20)]
    assert describe_expected(pages).startswith(
        "1 of 2 pages below .5 in the lowest tenth, whose mean F1 is 0.5000;"
    )


def test_snippets_are_to_be_there_or_not() -> None:
    page = gold_page(present="ein  Helm", absent="Menü")
    assert score_text("Er trägt ein\nHelm", page).right == 2
    assert score_text("Menü", page).right == 0


def test_wrong_blocks_and_their_words_are_counted() -> None:
    score = score_marks(["a b c", "d", "e"], [True, True, False], [True, False, False])
    assert score.wrong_blocks == pytest.approx(1 / 3)
    assert score.wrong_words == pytest.approx(1 / 5)


def test_parts_of_a_score_are_added() -> None:
    assert Score(value=0.5) + Score(wrong_blocks=0.1) == Score(0.5, wrong_blocks=0.1)


@pytest.mark.parametrize(
    ("url", "body", "site"),
    [
        ("https://www.example.co.uk/a", b"", "example.co.uk"),
        ("", b'<link rel="canonical" href="http://blog.example.org/x">', "example.org"),
        (
            "",
            b'<a href="http://a.example.net/">x</a> <img src="http://b.example.net/">',
            "example.net",
        ),
        ("", b"<p>nothing</p>", "7"),
    ],
)
def test_the_site_of_a_page_is_told_by_url_or_links(
    url: str, body: bytes, site: str
) -> None:
    assert site_of(url, body, "7") == site


def _pages(count: int) -> list[LabelledPage]:
    pages = []
    for number in range(count):
        items = "".join(
            f"<li><a href=/{n}>Punkt {n}</a></li>" for n in range(number % 9 + 9)
        )
        prose = (
            "<p>Ein Satz, der lang genug ist, um als Text zu gelten, steht hier.</p>"
            * 9
        )
        parsed = parse_page(f"<ul>{items}</ul><div>{prose}</div>".encode())
        assert parsed is not None
        labels = np.array([block.tag == "p" for block in parsed[0].blocks])
        features = read_features(*parsed)
        known = np.ones(len(labels), bool)
        pages.append(LabelledPage(f"site{number}", features, labels, known))
    return pages


def test_a_trained_model_is_the_same_at_each_run_and_learns() -> None:
    pages = _pages(24)
    assert {fold_of(page.site) for page in pages} == set(range(FOLDS))
    model, parts = fit_models(pages, processes=2)
    again, _ = fit_models(pages, processes=1)
    assert len(parts) == FOLDS
    one, other = io.BytesIO(), io.BytesIO()
    write_model(model, one)
    write_model(again, other)
    assert one.getvalue() == other.getvalue()
    for page in pages:
        for judge in (model, parts[fold_of(page.site)]):
            assert ((judge.predict(page.features) > 0.5) == page.labels).all()
