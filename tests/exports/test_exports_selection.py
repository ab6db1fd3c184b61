"""Which units stay, with what remarks, and what is counted."""

from __future__ import annotations

from typing import Any

import pytest

from ilspfc.exports import Selection, selection
from ilspfc.exports.filters import (
    NEIGHBORS,
    ExportReason,
    UnitSigns,
    judge_unit,
    neighbor_scores,
)
from ilspfc.exports.selection import PRESETS, Action, SelectionCounts

GOOD = ("Das ist ein Satz.", "Questa è una frase.")
NEAR = ("Das ist ein Satz!", "Questa è una frase")
OTHER = ("Hier steht ein anderer.", "Qui ce n'è un altro.")
NUMBERS = ("Es waren genau 3 Leute.", "Erano esattamente 4 persone.")

Info = tuple[str, ...] | None


def add(selection: Selection, *texts: str, **signs: Any) -> None:
    found = UnitSigns(**{"kind": "1:1", "score": 0.9, **signs})
    reasons = judge_unit(texts[0], texts[1], found, selection.limits)
    selection.add(texts[0], texts[1], found.score, reasons)


def select(
    *pairs: tuple[str, str], preset: str = "annotate", **actions: str
) -> tuple[list[Info], SelectionCounts]:
    chosen = dict(PRESETS[preset])
    chosen |= {ExportReason(name): Action(action) for name, action in actions.items()}
    selection = Selection(chosen)
    for pair in pairs:
        add(selection, *pair)
    counts = selection.finish()
    return list(selection.infos()), counts


def select_one(**values: Any) -> list[Info]:
    selection = Selection()
    add(selection, *GOOD, **values)
    selection.finish()
    return list(selection.infos())


@pytest.mark.parametrize(
    ("texts", "score", "is_kept"),
    [
        (NUMBERS, 0.89, False),
        (NUMBERS, 0.9, True),
        (NUMBERS, None, True),
        (GOOD, 0.6, True),
    ],
)
def test_units_with_different_numbers_need_a_higher_score(
    texts: tuple[str, str], score: float | None, is_kept: bool
) -> None:
    selection = Selection()
    add(selection, *texts, score=score)
    counts = selection.finish()
    assert counts.units == is_kept
    assert counts.dropped[ExportReason.UNSURE_NUMBERS] == (not is_kept)


def test_everything_is_annotated_unless_asked_otherwise() -> None:
    infos, counts = select(GOOD, NUMBERS, GOOD, NEAR)
    assert infos == [
        (),
        ("different numbers in TUVs",),
        ("duplicate",),
        ("near-duplicate",),
    ]
    assert counts.units == 4
    assert +counts.annotated == {"numbers": 1, "duplicate": 1, "near_duplicate": 1}
    assert +counts.dropped == {}


def test_units_without_letters_are_dropped_by_default() -> None:
    infos, counts = select(GOOD, ("[...]", "[...]"), ("D.3.1.", "1.3."))
    assert infos[:2] == [(), None]
    assert counts.dropped[ExportReason.NO_LETTERS] == 2
    assert select(("[...]", "[...]"), no_letters="annotate")[0] != [None]


def test_the_clean_preset_drops_what_would_be_annotated() -> None:
    infos, counts = select(GOOD, NUMBERS, GOOD, NEAR, OTHER, preset="clean")
    assert infos == [(), None, None, None, ()]
    assert counts.units == 2
    assert +counts.dropped == {"numbers": 1, "duplicate": 1, "near_duplicate": 1}
    assert +counts.annotated == {}


def test_what_is_off_leaves_no_trace() -> None:
    infos, counts = select(GOOD, NUMBERS, GOOD, preset="off")
    assert infos == [(), (), ()]
    assert (+counts.annotated, +counts.dropped) == ({}, {})


@pytest.mark.parametrize("action", list(Action))
def test_an_action_is_for_its_reason_alone(action: Action) -> None:
    infos, counts = select(NUMBERS, ("Ja 1", "Sì 2"), preset="off", numbers=action)
    remarks = {"off": (), "annotate": ("different numbers in TUVs",), "drop": None}
    assert infos == [remarks[action]] * 2
    assert counts.units == (0 if action == "drop" else 2)


def test_a_unit_that_is_dropped_makes_no_duplicate_of_another() -> None:
    infos, _ = select(NUMBERS, NUMBERS, numbers="drop")
    assert infos == [None, None]
    shouted = ("DAS IST EIN SATZ.", "Questa è una frase.")
    infos, counts = select(shouted, GOOD, capitals="drop", near_duplicate="drop")
    assert infos == [None, ()]
    assert +counts.dropped == {"capitals": 1}


def test_a_unit_counts_once_under_the_first_reason_that_drops_it() -> None:
    _, counts = select(("Ja 1", "Sì 2"), preset="clean")
    assert +counts.dropped == {"short": 1}


def test_segments_without_letters_are_alike_only_if_the_same() -> None:
    infos, _ = select(
        ("1", "2"),
        ("3", "4"),
        ("1", "2"),
        preset="off",
        duplicate="drop",
        near_duplicate="drop",
    )
    assert infos == [(), (), None]


@pytest.mark.parametrize(
    ("values", "remark"),
    [
        ({"kind": "2:1"}, "alignment type other than 1:1"),
        ({"neighbors": 0.59}, "mean score of the neighbors lower than 0.6"),
        ({"is_foreign": True}, "another language"),
    ],
)
def test_what_the_texts_do_not_say_is_told(values: dict[str, Any], remark: str) -> None:
    assert select_one(**values) == [(remark,)]


def test_what_is_at_the_threshold_is_good() -> None:
    assert select_one(score=0.6, neighbors=0.6) == [()]


def test_a_unit_below_the_floor_stays_with_a_remark_only_where_that_is_asked_for() -> (
    None
):
    assert select_one(score=0.59) == [None]
    selection = Selection(
        {**PRESETS["annotate"], ExportReason.QUALITY: Action.ANNOTATE}
    )
    add(selection, *GOOD, kind="5:1", score=0.11)
    selection.finish()
    assert list(selection.infos()) == [
        ("score lower than 0.6", "alignment type other than 1:1")
    ]


def test_the_units_of_all_presets_are_counted_whatever_the_preset() -> None:
    for preset in PRESETS:
        selection = Selection(PRESETS[preset])
        for pair, score in ((GOOD, 0.9), (NUMBERS, 0.9), (GOOD, 0.9), (OTHER, 0.1)):
            add(selection, *pair, score=score)
        counts = selection.finish()
        assert counts.presets == {"annotate": 3, "clean": 1, "off": 4}
        assert counts.units == counts.presets[preset]


def test_neighbors_are_the_nearest_units_of_the_page() -> None:
    means = neighbor_scores([0.0] * NEIGHBORS + [0.5] + [1.0] * (NEIGHBORS + 1))
    assert means[NEIGHBORS] == pytest.approx(0.5)
    assert means[-1] == pytest.approx(1.0)
    assert neighbor_scores([0.1]).tolist() == [1.0]
    assert neighbor_scores([]).tolist() == []


def test_counts_are_of_what_stays() -> None:
    _, counts = select(GOOD, NUMBERS, GOOD, OTHER, preset="clean")
    assert counts.words == (8, 10)
    assert counts.unique_words == (7, 9)
    assert counts.mean_score == pytest.approx(0.9)
    assert counts.std_score == pytest.approx(0)


def test_nothing_gives_nothing() -> None:
    infos, counts = select()
    assert (infos, counts.units, counts.mean_score) == ([], 0, None)


def test_different_words_are_counted_over_all_units(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selection, "_MANY_WORDS", 4)
    _, counts = select(GOOD, NEAR, OTHER)
    assert counts.words == (12, 14)
    assert counts.unique_words == (7, 9)


def test_what_is_unknown_is_not_held_against_a_unit() -> None:
    selection = Selection()
    add(selection, *GOOD, kind="", score=None)
    add(selection, *OTHER, score=0.8)
    counts = selection.finish()
    assert list(selection.infos()) == [(), ()]
    assert counts.mean_score == pytest.approx(0.8)
