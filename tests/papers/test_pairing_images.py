"""Images of the same name: which ones tell a page's translation, and how well."""

from __future__ import annotations

import math
from statistics import pstdev
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pairing_examples import by_id, german, italian

from ilspfc.pairing.evidence.images import common_threshold
from ilspfc.papers.ilsp_fc import critical_images, find_by_images

if TYPE_CHECKING:
    from ilspfc.documents import DocumentPair
    from ilspfc.pairing.page_content import PairingDocument


@pytest.mark.parametrize(
    ("frequencies", "low", "high"),
    [
        ([2] * 90 + [1] * 40 + [3] * 20 + [60] * 8, 3, 60),
        ([2] * 50 + [40, 41, 42], 2, 40),
        ([1, 1, 2, 2, 2, 3, 100, 101, 102], 3, 100),
        ([1] * 300 + [2] * 300 + [300] * 4 + [600] * 2, 2, 300),
    ],
)
def test_the_threshold_is_the_minimum_after_the_main_lobe(
    frequencies: list[int], low: float, high: float
) -> None:
    """Figure 4: rare images on the left, those of the template on the right."""
    assert low < common_threshold(frequencies) < high


def kernel_density(x: float, frequencies: list[int], bandwidth: float) -> float:
    """Return the paper's estimate of the density at x, times a constant."""
    return sum(math.exp(-(((x - f) / bandwidth) ** 2) / 2) for f in frequencies)


@pytest.mark.parametrize(
    ("frequencies", "scale"),
    [
        ([1] * 9 + [2] * 9 + [3] * 9 + [4] * 9 + [30, 31, 40], 1 / 0.6745),
        ([1] * 5 + [4] * 9 + [8] * 3 + [25, 28], 3 / 0.6745),
        ([2] * 50 + [40, 41, 42], None),
    ],
)
def test_the_bandwidth_is_the_normal_optimal_one(
    frequencies: list[int], scale: float | None
) -> None:
    """The scale is the median absolute deviation, the deviation where that is nought."""
    bandwidth = (scale or pstdev(frequencies)) * (4 / (3 * len(frequencies))) ** 0.2
    low, high = min(frequencies), max(frequencies)
    step = (high - low) / 511
    density = [
        kernel_density(low + n * step, frequencies, bandwidth) for n in range(512)
    ]
    place = 0
    while density[place + 1] >= density[place]:
        place += 1
    while density[place + 1] <= density[place]:
        place += 1
    assert common_threshold(frequencies) == pytest.approx(low + place * step)


@pytest.mark.parametrize("frequencies", [[], [5], [5, 5, 5], [1, 1, 1, 1]])
def test_without_a_second_lobe_no_image_is_common(frequencies: list[int]) -> None:
    assert common_threshold(frequencies) == math.inf


@settings(deadline=None)
@given(st.lists(st.integers(1, 10_000), max_size=60))
def test_the_threshold_is_within_the_frequencies_or_none(
    frequencies: list[int],
) -> None:
    threshold = common_threshold(frequencies)
    if threshold != math.inf:
        assert min(frequencies) <= threshold <= max(frequencies)
    assert common_threshold(sorted(frequencies)) == pytest.approx(threshold)


def site(number: int, *, icon_every: int) -> list[PairingDocument]:
    """Return pages with a logo each, an icon on some and two pictures of their own."""
    return [
        german(
            f"g{place:03}",
            images=frozenset(
                {"logo.png", f"a{place}.jpg", f"b{place // 2}.jpg"}
                | ({"icon.png"} if place % icon_every == 0 else set())
            ),
        )
        for place in range(number)
    ]


@pytest.mark.parametrize(("number", "icon_every"), [(100, 5), (1000, 16)])
def test_images_of_the_template_are_not_critical(number: int, icon_every: int) -> None:
    """Also an icon on 6 percent of the pages: the density tells it."""
    images = critical_images(site(number, icon_every=icon_every))
    assert images["g000"] == {"a0.jpg", "b0.jpg"}
    assert images["g001"] == {"a1.jpg", "b0.jpg"}


def test_an_image_on_more_than_a_tenth_of_the_pages_is_common() -> None:
    """Whatever the density says: here it sees a single lobe."""
    pages = [german(f"g{n}", images=frozenset({"x.png"})) for n in range(5)]
    pages += [german(f"h{n}") for n in range(45)]
    assert critical_images(pages)["g0"] == {"x.png"}
    assert critical_images(pages[:-1])["g0"] == frozenset()


def test_two_pages_may_always_share_an_image() -> None:
    pages = [
        german("g", images=frozenset({"x"})),
        italian("i", images=frozenset({"x"})),
    ]
    assert critical_images(pages) == {"g": {"x"}, "i": {"x"}}


def test_three_pages_may_not_where_they_are_few() -> None:
    pages = [german(f"g{n}", images=frozenset({"x"})) for n in range(3)]
    assert critical_images(pages) == dict.fromkeys(("g0", "g1", "g2"), frozenset())


def test_pages_without_images_have_none() -> None:
    assert critical_images([]) == {}
    assert critical_images([german("g")]) == {"g": frozenset()}


def pair(
    source: PairingDocument, target: PairingDocument, min_jaccard: float = 0.6
) -> list[DocumentPair]:
    return list(find_by_images(by_id(source), by_id(target), min_jaccard))


def test_the_score_weighs_images_paragraphs_and_tokens() -> None:
    source = german("g", images=frozenset("abcd"), paragraphs=8, tokens=90)
    target = italian("i", images=frozenset("bcde"), paragraphs=10, tokens=100)
    (found,) = pair(source, target)
    assert (found.source, found.target, found.evidence) == ("g", "i", "images")
    assert found.probability == pytest.approx(0.6 * 3 / 5 + 0.2 * 0.8 + 0.2 * 0.9)


@pytest.mark.parametrize(
    ("own", "other", "is_pair"),
    [
        ("abc", "abc", True),
        ("abcd", "abc", True),
        ("abcd", "bcde", True),  # 3 of 5 is just enough
        ("abc", "bcd", False),  # 2 of 4
        ("ab", "cd", False),
        ("", "", False),
        ("a", "", False),
    ],
)
def test_images_have_to_agree(own: str, other: str, is_pair: bool) -> None:
    source = german("g", images=frozenset(own))
    target = italian("i", images=frozenset(other))
    assert bool(pair(source, target)) == is_pair
    assert bool(pair(source, target, 0.5)) == (
        is_pair or (own, other) == ("abc", "bcd")
    )


def test_common_images_make_no_pairs() -> None:
    sources = [german(f"g{n}", images=frozenset({"logo.png"})) for n in range(20)]
    targets = [italian(f"i{n}", images=frozenset({"logo.png"})) for n in range(20)]
    assert list(find_by_images(by_id(*sources), by_id(*targets), 0.6)) == []
