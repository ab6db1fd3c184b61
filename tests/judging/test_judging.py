"""Samples, verdicts on them, and the tables that come of these."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import load_workbook
from small_corpus import SmallCorpus

from ilspfc.exceptions import ArgumentError, CorpusError
from ilspfc.judging.questions import ERROR, PARALLEL, QUESTIONS, find_verdict
from ilspfc.judging.samples import Size, draw_items
from ilspfc.judging.sampling import draw, estimate, measure_agreement, sample_size
from ilspfc.judging.sheets import read_sheet, write_sheet
from ilspfc.judging.store import Item, JudgingStore
from ilspfc.judging.verdict_tables import (
    count_errors,
    decide,
    format_tables,
    make_curves,
    make_tables,
)

PAIRS = [
    Item(
        "pairs",
        f"p{n}",
        "de-it",
        "",
        n / 10,
        {"url1": f"=u{n}", "text1": "a\tb", "evidence": "links"},
    )
    for n in range(5)
]
PARAGRAPHS = [
    Item("paragraphs", "d1-p1", "de", "text", 0.9, {"text": "Text"}),
    Item("paragraphs", "d1-p2", "de", "frame", 0.1, {"text": "Menü"}),
    Item("paragraphs", "i1-p1", "it", "frame", 0.2, {"text": "Testo"}),
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[JudgingStore]:
    with JudgingStore(tmp_path / "judging.db") as store:
        store.set_items("pairs", PAIRS)
        store.set_items("paragraphs", PARAGRAPHS)
        yield store


def test_a_smaller_margin_and_more_confidence_want_more_items() -> None:
    sizes = [
        sample_size(807),
        sample_size(807, margin=0.05),
        sample_size(807, confidence=0.99),
        sample_size(10**9),
        sample_size(1),
    ]
    assert sizes == [86, 260, 138, 96, 1]


def test_a_sample_has_one_item_of_each_stretch() -> None:
    places = draw(1000, 100, seed=7)
    assert [place // 10 for place in places] == list(range(100))
    assert places == draw(1000, 100, seed=7)
    assert places != draw(1000, 100, seed=8)


def test_intervals_are_wilsons() -> None:
    assert estimate(94, 103) == pytest.approx((0.9126, 0.8422, 0.9534), abs=1e-4)
    assert estimate(0, 0) is None


def test_agreement_is_over_what_both_have_judged() -> None:
    one = {"1": "x", "2": "y", "3": "x", "4": "y"}
    other = {"1": "x", "2": "y", "3": "y", "4": "y", "5": "x"}
    assert measure_agreement({"a": one, "b": other}) == pytest.approx(0.5)
    assert measure_agreement({"a": one}) is None
    assert measure_agreement({"a": {"1": "x"}, "b": {"1": "x"}}) is None


def test_keys_of_a_question_are_unambiguous() -> None:
    for questions in QUESTIONS.values():
        for question in questions:
            assert len(question.keys) == len(question.verdicts), question.name
    assert find_verdict(ERROR, "M") == "machine"


def test_most_judges_decide_and_ties_are_unfavorable() -> None:
    judges = [{"1": "parallel"}, {"1": "parallel"}, {"1": "not"}, {"2": "borderline"}]
    assert decide(judges, PARALLEL) == {"1": "parallel", "2": "borderline"}
    assert decide([*judges, {"1": "not"}], PARALLEL)["1"] == "not"


@pytest.mark.parametrize("suffix", [".tsv", ".xlsx"])
def test_sheets_come_back_with_verdicts(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"sheet{suffix}"
    write_sheet(path, "pairs", PAIRS)
    if suffix == ".tsv":
        text = path.read_text("utf-8")
        assert "\t =u1\ta b" in text
        lines = text.splitlines()
        lines[1] = lines[1].replace("p0\t", "p0\tp", 1)
        path.write_text("\ufeff" + "\n".join(lines), encoding="utf-8")
    else:
        book = load_workbook(path)
        book.active["B2"] = "Parallel"
        book.create_sheet("notes of the judge")["A1"] = "p0"
        assert book.active["D3"].data_type == "s"
        book.save(path)
    what, verdicts = read_sheet(path)
    assert what == "pairs"
    assert verdicts[0] == ("p0", "parallel", "parallel")
    assert {verdict for _, _, verdict in verdicts[1:]} == {""}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "item\tparallel\np0\tmaybe\n",
            "row 2: no such verdict: maybe; known for paral",
        ),
        ("a\tb\n", "no sheet of a sample: its columns begin with a, b"),
        ("", "its first row is empty; give a file that `scrapy sample` wrote"),
        ("\n\n", "its first row is empty"),
    ],
)
def test_wrong_sheets_are_told(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "sheet.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ArgumentError, match=message):
        read_sheet(path)


def test_a_damaged_workbook_is_told(tmp_path: Path) -> None:
    path = tmp_path / "sheet.xlsx"
    path.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(CorpusError, match="cannot be read as a workbook"):
        read_sheet(path)


def test_tables_have_shares_and_agreement(store: JudgingStore) -> None:
    verdicts = ["parallel", "parallel", "parallel", "borderline", "not"]
    rows = [(f"p{n}", "parallel", verdict) for n, verdict in enumerate(verdicts)]
    store.add_verdicts("pairs", "anna", rows)
    store.add_verdicts("pairs", "ben", [*rows[:4], ("p4", "parallel", "parallel")])
    table, errors = make_tables(store)
    head, row = table.rows
    assert head[:3] == ("", "judged", "parallel")
    assert row[:3] == ("de-it", "5", "3")
    assert [share.split(" (")[0] for share in row[-2:]] == ["60.0 %", "80.0 %"]
    assert errors.rows == (
        ("", "judged", "errors", "of all"),
        ("links", "5", "1", "100%"),
    )
    text = format_tables(store)
    assert "Parallelness: errors by evidence (1 of 5)" in text
    assert "Parallelness (judged by anna, ben; kappa 0.5" in text
    assert "60.0 % (23.1 to 88.2)" in text
    # The bound that leaves out the two good pairs of the lowest scores.
    bounds = make_curves(store)["pairs", "parallel"]
    assert [(one.bound, one.kept) for one in bounds[:2]] == [(0.0, 5), (0.3, 2)]
    assert [one.share and one.share.value for one in bounds[:2]] == [0.6, 0.0]


def test_boilerplate_is_compared_with_what_the_corpus_says(store: JudgingStore) -> None:
    verdicts = [(item.name, "boilerplate", "text") for item in PARAGRAPHS]
    verdicts[1] = ("d1-p2", "boilerplate", "frame")
    store.add_verdicts("paragraphs", "anna", verdicts)
    table, _ = make_tables(store)
    assert [row[:5] for row in table.rows] == [
        ("", "judged", "right", "lost", "left"),
        ("de", "2", "2", "0", "0"),
        ("it", "1", "0", "1", "0"),
        ("all", "3", "2", "1", "0"),
    ]
    # Shares of text by score of content: that of the frame is low.
    curves = make_curves(store)
    assert [*curves] == [("paragraphs", "text")]
    bounds = curves["paragraphs", "text"]
    assert [(one.kept, one.share and one.share.value) for one in bounds[:2]] == [
        (3, pytest.approx(2 / 3)),
        (1, 1.0),
    ]
    assert "score at least  judged" in format_tables(store)


def test_documents_are_scored_by_the_probability_of_the_subject(
    tmp_path: Path,
) -> None:
    corpus = SmallCorpus(tmp_path / "c")
    for name in ("d1", "d2"):
        corpus.add(name, "deu", ["Die Bienen fliegen."])
    with corpus.open() as opened:
        opened.index.set_rows("subject", [("d1", 0.7, "")])
        items = draw_items(opened, "documents", Size())
    assert [(item.name, item.score) for item in items] == [("d1", 0.7), ("d2", None)]
    with JudgingStore(corpus.files.judging) as store:
        store.set_items("documents", items)
        verdicts = [("d1", "domain", "in"), ("d2", "domain", "out")]
        store.add_verdicts("documents", "anna", verdicts)
        curves = make_curves(store)
    assert [row.kept for row in curves["documents", "in"]][4:7] == [1, 0, 0]


def test_verdicts_can_be_taken_back_and_survive_a_new_draw(store: JudgingStore) -> None:
    store.add_verdicts("pairs", "anna", [("p0", "parallel", "not")])
    store.add_verdicts("pairs", "anna", [("p1", "parallel", "not")])
    store.set_items("pairs", PAIRS[:1])
    assert store.verdicts("pairs", "parallel") == {"anna": {"p0": "not"}}
    store.add_verdicts("pairs", "anna", [("p0", "parallel", "")])
    assert store.verdicts("pairs", "parallel") == {}
    assert count_errors(store) == {}
