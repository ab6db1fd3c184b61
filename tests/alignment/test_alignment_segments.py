"""Alignment of plain lists of segments by their lengths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ilspfc.alignment.beads import PRIORS, Bead
from ilspfc.alignment.collection import align_texts
from ilspfc.alignment.sides import TextPair

SOURCE = [
    "Ein kurzer Titel",
    "Der erste Satz dieses Textes ist von mittlerer Länge und endet hier.",
    "Kurz.",
    "Dann folgt ein recht langer Satz, der von vielen Dingen handelt, mehrere Nebensätze hat und erst spät ein Ende findet, wie es im Deutschen vorkommt.",
    "Noch ein Satz zum Schluss.",
]
TARGET = [
    "Un titolo breve",
    "La prima frase di questo testo è di lunghezza media e finisce qui.",
    "Breve.",
    "Segue poi una frase piuttosto lunga, che parla di molte cose, ha diverse subordinate e trova la sua fine soltanto tardi, come succede in tedesco.",
    "Un'altra frase alla fine.",
]


def align_lengths(source: list[str], target: list[str]) -> list[Bead]:
    (beads,) = align_texts([TextPair(source, target)], ("deu", "ita"), None)
    return beads


def shapes(beads: list[Bead]) -> list[tuple[int, int]]:
    return [bead.shape for bead in beads]


def test_translations_are_aligned_one_to_one() -> None:
    beads = align_lengths(SOURCE, TARGET)
    assert [(bead.source, bead.target) for bead in beads] == [
        ((number,), (number,)) for number in range(5)
    ]
    assert min(bead.score for bead in beads) > 0.9


def test_an_untranslated_segment_stays_alone() -> None:
    beads = align_lengths(SOURCE, TARGET[:3] + TARGET[4:])
    assert shapes(beads) == [(1, 1), (1, 1), (1, 1), (1, 0), (1, 1)]


def test_an_added_segment_stays_alone() -> None:
    beads = align_lengths(SOURCE[:3] + SOURCE[4:], TARGET)
    assert shapes(beads) == [(1, 1), (1, 1), (1, 1), (0, 1), (1, 1)]


def test_a_sentence_translated_by_two_makes_a_bead_of_three() -> None:
    halves = TARGET[3].split(", ha ")
    beads = align_lengths(SOURCE, [*TARGET[:3], *halves, TARGET[4]])
    assert shapes(beads) == [(1, 1), (1, 1), (1, 1), (1, 2), (1, 1)]
    assert beads[3].target == (3, 4)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ([], [], []),
        (["a"], [], [(1, 0)]),
        ([], ["a", "b"], [(0, 1), (0, 1)]),
        (["One."], ["Uno."], [(1, 1)]),
        ([""], [""], [(1, 1)]),
    ],
)
def test_small_inputs(
    source: list[str], target: list[str], expected: list[tuple[int, int]]
) -> None:
    assert shapes(align_lengths(source, target)) == expected


def test_the_ratio_is_learned_from_the_pair() -> None:
    rng = np.random.default_rng(4)
    sizes = [int(size) for size in rng.uniform(20, 200, 60)]
    source = ["x" * size for size in sizes]
    target = ["y" * round(1.8 * size) for size in sizes]
    assert shapes(align_lengths(source, target)) == [(1, 1)] * 60


def test_chinese_aligns_with_english() -> None:
    english = [
        "The package is installed.",
        "No.",
        "Before you begin, please read the whole of this chapter, because the steps depend on each other.",
    ]
    chinese = ["软件包已安装。", "不。", "开始之前请先读完本章，因为各个步骤互相依赖。"]
    assert shapes(align_lengths(english, chinese)) == [(1, 1)] * 3


def test_texts_with_an_insertion() -> None:
    rng = np.random.default_rng(7)
    sizes = [int(size) for size in rng.lognormal(4.3, 0.7, 1200)]
    source = ["x" * max(size, 1) for size in sizes]
    target = source[:600] + source[620:]
    beads = align_lengths(source, target)
    pairs = {(bead.source, bead.target) for bead in beads if bead.shape == (1, 1)}
    kept = [*range(600), *range(620, 1200)]
    found = sum(((row,), (column,)) in pairs for column, row in enumerate(kept))
    assert found > 0.95 * len(kept)


def test_results_do_not_vary() -> None:
    assert align_lengths(SOURCE, TARGET) == align_lengths(list(SOURCE), list(TARGET))


SEGMENTS = st.lists(st.text("ab 中。", max_size=30), max_size=8)


@given(SEGMENTS, SEGMENTS)
def test_every_segment_is_in_one_bead(source: list[str], target: list[str]) -> None:
    beads = align_lengths(source, target)
    assert [n for bead in beads for n in bead.source] == list(range(len(source)))
    assert [n for bead in beads for n in bead.target] == list(range(len(target)))
    assert all(bead.shape in PRIORS for bead in beads)
    assert all(0 <= bead.score <= 1 for bead in beads)
