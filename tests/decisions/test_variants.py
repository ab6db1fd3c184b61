"""Pages in two variants of a language: one of them is paired throughout."""

from __future__ import annotations

import pytest

from ilspfc.decisions.pairs import decide_pairs
from ilspfc.decisions.variants import keep_variants
from ilspfc.documents import DocumentPair, PairState


def pair(source: str, target: str, probability: float) -> DocumentPair:
    return DocumentPair(source, target, probability, "url")


# English pages, and those in simplified and traditional characters; chance chooses.
CANDIDATES = [
    pair("e1", "s1", 0.95),
    pair("e1", "t1", 0.94),
    pair("e2", "s2", 0.93),
    pair("e2", "t2", 0.92),
    pair("e3", "s3", 0.90),
    pair("e3", "t3", 0.91),
]
TAGS = {"s": "zh-Hans", "t": "zh-Hant"}


def paired(
    candidates: list[DocumentPair], tags: dict[str, str]
) -> set[tuple[str, str]]:
    states = decide_pairs(candidates, threshold=0.5)
    kept = keep_variants(states, lambda identity: tags.get(identity[0], ""))
    assert list(kept) == list(states)
    return {
        (one.source, one.target)
        for one, state in kept.items()
        if state is PairState.PAIR
    }


@pytest.mark.parametrize("swapped", [False, True])
def test_the_variant_that_won_most_is_paired(swapped: bool) -> None:
    some = [
        pair(one.target, one.source, one.probability) if swapped else one
        for one in CANDIDATES
    ]
    found = {pair[::-1] if swapped else pair for pair in paired(some, TAGS)}
    assert found == {("e1", "s1"), ("e2", "s2"), ("e3", "s3")}


@pytest.mark.parametrize("tags", [{}, {"s": "zh", "t": "zh"}, {"s": "zh", "t": "ja"}])
def test_without_two_variants_the_most_probable_is_paired(tags: dict[str, str]) -> None:
    assert ("e3", "t3") in paired(CANDIDATES, tags)


def test_a_page_in_one_variant_alone_is_paired() -> None:
    assert ("e4", "t4") in paired([*CANDIDATES, pair("e4", "t4", 0.8)], TAGS)


def test_a_page_that_another_page_suits_better_takes_no_place() -> None:
    # The page in simplified characters translates another one, which has lost it.
    others = [pair("e3", "s4", 0.6), pair("e5", "s4", 0.7), pair("e5", "s5", 0.9)]
    some = [one for one in CANDIDATES if one.target != "s3"]
    assert ("e3", "t3") in paired([*some, *others], TAGS)


def test_no_page_is_in_two_pairs() -> None:
    assert ("e3", "t3") in paired([*CANDIDATES, pair("e6", "s3", 0.8)], TAGS)


def test_of_two_pages_in_the_variant_one_is_paired() -> None:
    found = paired([*CANDIDATES, pair("e3", "s6", 0.85)], TAGS)
    assert [pair for pair in found if pair[0] == "e3"] == [("e3", "s3")]
