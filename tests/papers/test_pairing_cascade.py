"""The cascade: one kind of evidence after the other, each document in one pair."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pairing_examples import MARKS, declared, german, italian, switcher

from ilspfc.documents import DocumentPair
from ilspfc.papers.ilsp_fc import (
    PairingBounds,
    assign,
    language_log_ratio,
    pair_documents,
)

if TYPE_CHECKING:
    from ilspfc.pairing.page_content import PairingDocument

FINGERPRINT = (-2, 30, 200, -3, 40, 310, 150, -4, 60, -4, 80, -5, 420)


def pairs(
    sources: list[PairingDocument],
    targets: list[PairingDocument],
    bounds: PairingBounds | None = None,
) -> list[tuple[str, str, str]]:
    found = pair_documents(
        sources, targets, marks=MARKS, bounds=bounds or PairingBounds()
    )
    return [(pair.source, pair.target, pair.evidence) for pair in found]


def mixed_site() -> tuple[list[PairingDocument], list[PairingDocument]]:
    """Return a site with a pair for each kind of evidence, and pages of their own."""
    sources = [
        german("g1", url="http://a.org/1", versions=declared("i1")),
        german("g2", url="http://a.org/2", versions=switcher("i2")),
        german("g3", url="http://a.org/de/3"),
        german("g4", url="http://a.org/4", images=frozenset({"x.jpg", "y.jpg"})),
        german("g5", url="http://a.org/5", fingerprint=FINGERPRINT),
        german("g6", url="http://a.org/6", fingerprint=(10, 20)),
    ]
    targets = [
        italian("i1", url="http://a.org/uno"),
        italian("i2", url="http://a.org/due"),
        italian("i3", url="http://a.org/it/3"),
        italian("i4", url="http://a.org/quattro", images=frozenset({"x.jpg", "y.jpg"})),
        italian("i5", url="http://a.org/cinque", fingerprint=FINGERPRINT),
        italian("i6", url="http://a.org/sei", fingerprint=(-3, 900, -3, 900)),
    ]
    return sources, targets


EXPECTED = [
    ("g4", "i4", "images"),
    ("g1", "i1", "hreflang"),
    ("g3", "i3", "url"),
    ("g5", "i5", "structure"),
    ("g2", "i2", "switcher"),
]


def test_each_kind_of_evidence_finds_its_pair_the_surest_first() -> None:
    assert pairs(*mixed_site()) == EXPECTED


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_documents_plays_no_part(seed: int) -> None:
    sources, targets = mixed_site()
    random.Random(seed).shuffle(sources)
    random.Random(seed + 1).shuffle(targets)
    assert pairs(sources, targets) == EXPECTED


def test_documents_that_are_paired_are_not_seen_by_later_evidence() -> None:
    """The images of g are those of other, but its link has settled it."""
    images = frozenset({"x.jpg"})
    source = german("g", versions=switcher("i"), images=images)
    targets = [italian("i"), italian("other", images=images)]
    assert pairs([source], targets) == [("g", "i", "switcher")]


def test_a_pair_needs_two_languages_with_documents() -> None:
    assert pairs([], []) == []
    assert pairs([german("g")], []) == []


# -- how much longer one language is ------------------------------------------------------


def sure_pairs(*ratios: float) -> tuple[list[DocumentPair], list[PairingDocument]]:
    """Return pairs whose targets are so much longer than their sources."""
    documents, found = [], []
    for number, ratio in enumerate(ratios):
        source = german(f"g{number}", fingerprint=(-2, 400, 600))
        target = italian(f"i{number}", fingerprint=(-2, round(1000 * ratio)))
        documents += [source, target]
        found.append(DocumentPair(source.id, target.id, 0.9, "url"))
    return found, documents


@pytest.mark.parametrize(
    ("ratios", "expected"),
    [
        ((), 1),
        ((1.2,) * 4, 1),
        ((1.2,) * 5, 1.2),
        ((1.1, 1.2, 1.3, 1.3, 40.0), 1.3),
        ((0.8, 0.8, 0.8, 0.9, 0.9, 0.0), 0.8),
        ((9.0,) * 5, math.exp(0.5)),
        ((0.1,) * 5, math.exp(-0.5)),
    ],
)
def test_the_ratio_is_the_median_over_enough_pairs_and_bounded(
    ratios: tuple[float, ...], expected: float
) -> None:
    """Without five pairs that have text on both sides nothing is known."""
    log_ratio = language_log_ratio(*sure_pairs(*ratios))
    assert math.exp(log_ratio) == pytest.approx(expected)


def test_structure_is_compared_with_the_ratio_of_the_surer_pairs() -> None:
    sources = [
        german(f"g{n}", fingerprint=(100,), versions=declared(f"i{n}"))
        for n in range(5)
    ]
    targets = [italian(f"i{n}", fingerprint=(160,)) for n in range(5)]
    stretched = tuple(n if n < 0 else round(n * 1.6) for n in FINGERPRINT)
    sources.append(german("g9", fingerprint=FINGERPRINT))
    targets.append(italian("i9", fingerprint=stretched))
    assert ("g9", "i9", "structure") in pairs(sources, targets)
    assert ("g9", "i9", "structure") not in pairs(sources[5:], targets[5:])


# -- bounds ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("features", "is_accepted"),
    [
        ({}, True),
        ({"depth": 4}, True),
        ({"depth": 2}, True),
        ({"depth": 5}, False),
        ({"depth": 1}, False),
        ({"tokens": 40}, True),
        ({"tokens": 39}, False),
        ({"tokens": 250}, True),
        ({"tokens": 251}, False),
        ({"tokens": 0}, False),
        ({"paragraphs": 6}, True),
        ({"paragraphs": 5}, False),
        ({"paragraphs": 17}, False),
    ],
)
def test_bounds_on_depth_and_lengths(
    features: dict[str, object], is_accepted: bool
) -> None:
    source = german("g", depth=3, tokens=100, paragraphs=10)
    target = italian("i", **{"depth": 3, "tokens": 100, "paragraphs": 10, **features})
    assert PairingBounds().accept(source, target) == is_accepted
    assert PairingBounds().accept(target, source) == is_accepted


@pytest.mark.parametrize(
    ("features", "is_pair"),
    [
        ({"versions": declared("i")}, True),
        ({"url": "http://a.org/de/x"}, False),
        ({"images": frozenset({"x.jpg"})}, False),
        ({"fingerprint": FINGERPRINT}, False),
    ],
)
def test_links_between_versions_need_no_likeness_the_other_evidence_does(
    features: dict[str, object], is_pair: bool
) -> None:
    source = german("g", **{"url": "http://a.org/x", "depth": 1, **features})
    target = italian(
        "i",
        url="http://a.org/it/x",
        images=frozenset({"x.jpg"}),
        fingerprint=FINGERPRINT,
        depth=3,
    )
    assert bool(pairs([source], [target])) == is_pair
    near = PairingBounds(max_depth_difference=2)
    assert pairs([source], [target], near)


def test_pairs_below_the_threshold_are_not_kept() -> None:
    source = german("g", url="http://a.org/g", versions=switcher("i"))
    target = italian("i", url="http://a.org/i")
    assert pairs([source], [target], PairingBounds(threshold=0.85))
    assert not pairs([source], [target], PairingBounds(threshold=0.86))


# -- one to one --------------------------------------------------------------------------


def test_the_surest_claim_wins_and_the_others_take_what_is_left() -> None:
    claims = [
        DocumentPair("a", "x", 0.7, "url"),
        DocumentPair("a", "y", 0.9, "url"),
        DocumentPair("b", "y", 0.8, "url"),
        DocumentPair("b", "x", 0.6, "url"),
        DocumentPair("c", "x", 0.5, "url"),
    ]
    assert [(p.source, p.target) for p in assign(claims)] == [("a", "y"), ("b", "x")]


def test_among_equal_claims_the_ids_decide() -> None:
    claims = [DocumentPair(s, t, 0.5, "url") for s in "ba" for t in "yx"]
    assert [(p.source, p.target) for p in assign(claims)] == [("a", "x"), ("b", "y")]


_claims = st.lists(
    st.builds(
        DocumentPair,
        st.sampled_from("abcd"),
        st.sampled_from("wxyz"),
        st.sampled_from([0.5, 0.7, 0.9]),
        st.just("url"),
    ),
    max_size=16,
)


@settings(deadline=None)
@given(_claims, st.integers(0, 99))
def test_an_assignment_is_one_to_one_complete_and_stable(
    claims: list[DocumentPair], seed: int
) -> None:
    assigned = assign(claims)
    sources = [pair.source for pair in assigned]
    targets = [pair.target for pair in assigned]
    assert len(set(sources)) == len(sources)
    assert len(set(targets)) == len(targets)
    assert set(assigned) <= set(claims)
    for claim in claims:
        rivals = [
            pair.probability
            for pair in assigned
            if pair.source == claim.source or pair.target == claim.target
        ]
        assert max(rivals, default=0) >= claim.probability, "nothing better was passed"
    shuffled = random.Random(seed).sample(claims, len(claims))
    assert assign(shuffled) == assigned
