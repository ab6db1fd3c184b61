"""Texts with known links made of translated sentences."""

from __future__ import annotations

from random import Random

from evaluation.alignment import calibrate
from evaluation.alignment_disturbed import disturb

PAIRS = [
    (f"Satz {n}, der zwei Teile hat{n}.", f"Frase {n}, che ha due parti{n}.")
    for n in range(400)
]


def test_groups_hold_all_sentences_but_for_those_left_out() -> None:
    groups = disturb(PAIRS, Random(1), (" ", " "))
    sources = " ".join(sentence for source, _ in groups for sentence in source)
    targets = " ".join(sentence for _, target in groups for sentence in target)
    for source, target in PAIRS:
        assert (source in sources) != (([], [target]) in groups)
        assert (target in targets) != (([source], []) in groups)
    shapes = {(len(source), len(target)) for source, target in groups}
    assert shapes == {(1, 1), (0, 1), (1, 0), (1, 2), (2, 1), (2, 2)}


def test_the_same_chance_disturbs_in_the_same_way() -> None:
    first, second = (disturb(PAIRS, Random(3), ("", "")) for _ in range(2))
    assert first == second


def test_calibration_counts_by_ranges_and_leaves_out_empty_ones() -> None:
    assert calibrate([0.2, 0.4, 0.85, 1.0], [False, True, True, True]) == [
        "0 to 0.5: 2, 0.30, 0.50",
        "0.8 to 0.9: 1, 0.85, 1.00",
        "0.98 to 1: 1, 1.00, 1.00",
    ]
