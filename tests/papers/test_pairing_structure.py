"""Similar structure: the edit distance of fingerprints, and the pairs it finds."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pairing_examples import by_id, german, italian

from ilspfc.papers.ilsp_fc import (
    LENGTH_TOLERANCE,
    find_by_structure,
    tolerant_distance,
)

if TYPE_CHECKING:
    from ilspfc.pairing.page_content import PairingDocument

FIGURE_2 = (-2, 28, 145, -4, 9, -3, 48, -5, 740)
fingerprints = st.lists(
    st.sampled_from([-2, -3, -4, -5]) | st.integers(0, 2000), max_size=25
)


def plain_distance(a: list[int], b: list[int], log_ratio: float) -> float:
    """Return the same distance by the textbook's table."""

    def cost(x: int, y: int) -> float:
        if x < 0 and y < 0:
            return 0.0 if x == y else 0.5
        if x < 0 or y < 0:
            return 1.0
        apart = math.log(max(y, 1)) - math.log(max(x, 1)) - log_ratio
        return float(abs(apart) > LENGTH_TOLERANCE)

    table = [[float(j) for j in range(len(b) + 1)]]
    for i, x in enumerate(a, 1):
        row = [float(i)]
        for j, y in enumerate(b, 1):
            row.append(
                min(table[-1][j] + 1, row[-1] + 1, table[-1][j - 1] + cost(x, y))
            )
        table.append(row)
    return table[-1][-1] / max(len(a), len(b))


@pytest.mark.parametrize(
    ("a", "b", "distance"),
    [
        (FIGURE_2, FIGURE_2, 0),
        # lengths match within the tolerance
        ((100, 200, 300), (140, 145, 300), 0),
        ((100, 100, 100, 100), (100, 100, 100, 150), 1 / 4),
        # codes match exactly or for half the cost; a code never matches a length
        ((-2, 100), (-3, 100), 0.5 / 2),
        ((-5, 100), (5, 100), 1 / 2),
        # insertions and deletions
        ((100, 100, 100, 100), (100, 100, 100), 1 / 4),
        ((-4, 100, -4, 100), (100, 100), 2 / 4),
        ((), (100,), 1),
        ((100,), (), 1),
    ],
)
def test_distances_by_hand(
    a: tuple[int, ...], b: tuple[int, ...], distance: float
) -> None:
    assert tolerant_distance(a, b) == pytest.approx(distance)


@pytest.mark.parametrize(
    ("stretch", "log_ratio", "is_alike"),
    [
        (1.3, 0.0, True),
        (1.6, 0.0, False),
        (1.6, 0.47, True),
        (0.6, -0.5, True),
        (0.6, 0.5, False),
    ],
)
def test_lengths_are_corrected_by_the_ratio_of_the_languages(
    stretch: float, log_ratio: float, is_alike: bool
) -> None:
    a = (100, 200, 300)
    b = tuple(round(length * stretch) for length in a)
    distance = tolerant_distance(a, b, log_ratio=log_ratio)
    assert distance == 0 if is_alike else distance > 0.38


def test_a_document_without_text_is_like_none() -> None:
    assert tolerant_distance((), ()) == 1


@settings(deadline=None)
@given(fingerprints.filter(bool))
def test_identical_fingerprints_have_no_distance(a: list[int]) -> None:
    assert tolerant_distance(a, a) == 0


@settings(deadline=None)
@given(fingerprints, fingerprints, st.sampled_from([0.0, 0.2, -0.5]))
@example([100], [0], 0.0)
@example([-2, -2], [-3], 0.0)
def test_a_distance_is_within_its_bounds_and_symmetric(
    a: list[int], b: list[int], log_ratio: float
) -> None:
    distance = tolerant_distance(a, b, log_ratio=log_ratio)
    assert 0 <= distance <= 1
    assert tolerant_distance(b, a, log_ratio=-log_ratio) == pytest.approx(distance)


@settings(deadline=None)
@given(
    fingerprints.filter(bool),
    fingerprints.filter(bool),
    st.sampled_from([0.0, 0.21, -0.47]),
)
def test_the_distance_is_that_of_the_textbook(
    a: list[int], b: list[int], log_ratio: float
) -> None:
    assert tolerant_distance(a, b, log_ratio=log_ratio) == pytest.approx(
        plain_distance(a, b, log_ratio)
    )


# -- pairs -------------------------------------------------------------------------------


def page(seed: int, *, stretch: float = 1.0) -> tuple[int, ...]:
    draw = random.Random(seed)
    codes = [-2, draw.randint(20, 60)]
    for _ in range(draw.randint(12, 18)):
        codes += draw.choice([[], [], [-3], [-4], [-4], [-5]])
        codes.append(draw.randint(30, 900))
    return tuple(code if code < 0 else round(code * stretch) for code in codes)


def find(
    sources: list[PairingDocument],
    targets: list[PairingDocument],
    log_ratio: float = 0.0,
) -> dict[tuple[str, str], float]:
    found = list(
        find_by_structure(by_id(*sources), by_id(*targets), log_ratio=log_ratio)
    )
    assert {pair.evidence for pair in found} <= {"structure"}
    return {(pair.source, pair.target): pair.probability for pair in found}


def test_a_stretched_copy_is_found_among_many_pages() -> None:
    sources = [german(f"g{n}", fingerprint=page(n)) for n in range(40)]
    targets = [italian(f"i{n}", fingerprint=page(n, stretch=1.15)) for n in range(40)]
    found = find(sources, targets)
    for number in range(40):
        assert found[f"g{number}", f"i{number}"] > 0.7


def test_the_ratio_of_the_languages_is_used() -> None:
    sources = [german("g", fingerprint=page(1))]
    targets = [italian("i", fingerprint=page(1, stretch=1.6))]
    assert find(sources, targets, math.log(1.6)).keys() == {("g", "i")}
    assert find(sources, targets) == {}


def test_the_probability_falls_with_the_distance() -> None:
    original = page(1)
    changed = (*original[:-2], 5)
    found = find(
        [german("g", fingerprint=original)], [italian("i", fingerprint=changed)]
    )
    distance = tolerant_distance(original, changed)
    same = find(
        [german("g", fingerprint=original)], [italian("i", fingerprint=original)]
    )
    assert distance > 0
    assert 0.5 < found["g", "i"] < same["g", "i"] < 1


@pytest.mark.parametrize(
    ("features", "is_pair"),
    [
        ({}, True),
        ({"paragraphs": 9}, True),
        ({"paragraphs": 6}, False),
        ({"fingerprint": page(1)[:-2]}, True),
        ({"fingerprint": page(1)[: len(page(1)) // 2], "paragraphs": 6}, False),
        ({"fingerprint": page(1)[: len(page(1)) // 3]}, False),
        ({"fingerprint": page(2)}, False),
        ({"fingerprint": ()}, False),
    ],
)
def test_pages_have_to_be_alike(features: dict[str, object], is_pair: bool) -> None:
    source = german("g", fingerprint=page(1), paragraphs=10)
    target = italian("i", **{"fingerprint": page(1), "paragraphs": 10, **features})
    assert bool(find([source], [target])) == is_pair


def test_empty_paragraphs_are_no_obstacle() -> None:
    fingerprint = (0, 1, -4, 0, 300, 1)
    found = find(
        [german("g", fingerprint=fingerprint)], [italian("i", fingerprint=fingerprint)]
    )
    assert found.keys() == {("g", "i")}


def test_pages_without_text_are_no_pair() -> None:
    assert find([german("g")], [italian("i")]) == {}
    assert find([], [italian("i")]) == {}
