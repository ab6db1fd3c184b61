"""Texts with known links made of translated sentences."""

from __future__ import annotations

from random import Random

from evaluation.alignment import calibrate
from evaluation.alignment_disturbed import Group, disturb

PAIRS = [
    Group(
        [f"Satz {n}, der zwei Teile hat{n}."],
        [f"Frase {n}, che ha due parti{n}."],
        n // 2,
    )
    for n in range(600)
]
OTHERS = [Group(["Anderer Satz, auch lang."], ["Altra frase, anche lunga."])]


def test_groups_hold_all_sentences_but_for_those_left_out() -> None:
    groups = disturb(PAIRS, Random(1), (" ", " "), OTHERS)
    sources = " ".join(sentence for group in groups for sentence in group.source)
    targets = " ".join(sentence for group in groups for sentence in group.target)
    alone = [(g.source, g.target) for g in groups if not (g.source and g.target)]
    for pair in PAIRS:
        assert (pair.source[0] in sources) != (([], pair.target) in alone)
        assert (pair.target[0] in targets) != ((pair.source, []) in alone)
    shapes = {(len(group.source), len(group.target)) for group in groups}
    assert shapes == {(1, 1), (0, 1), (1, 0), (1, 2), (2, 1), (2, 2)}
    replaced = [g for g in groups if OTHERS[0].source[0] in g.source]
    assert replaced
    assert not any(group.target for group in replaced)


def test_sentences_of_two_blocks_are_not_merged() -> None:
    apart = [Group(one.source, one.target, n) for n, one in enumerate(PAIRS)]
    groups = disturb(apart, Random(1), (" ", " "), OTHERS)
    assert max(len(group.source) + len(group.target) for group in groups) == 2


def test_the_same_chance_disturbs_in_the_same_way() -> None:
    first, second = (disturb(PAIRS, Random(3), ("", ""), OTHERS) for _ in range(2))
    assert first == second


def test_calibration_counts_by_ranges_and_leaves_out_empty_ones() -> None:
    assert calibrate([0.2, 0.4, 0.85, 1.0], [False, True, True, True]) == [
        "0 to 0.5: 2, 0.30, 0.50",
        "0.8 to 0.9: 1, 0.85, 1.00",
        "0.98 to 1: 1, 1.00, 1.00",
    ]
