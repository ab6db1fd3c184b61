"""Links between versions: which announcements are believed, and how much."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pairing_examples import by_id, declared, german, italian, switcher

from ilspfc.documents import DocumentPair
from ilspfc.pairing.evidence.claims import find_by_versions

if TYPE_CHECKING:
    from ilspfc.pairing.page_content import PairingDocument, VersionLink


def find(
    sources: list[PairingDocument], targets: list[PairingDocument]
) -> list[DocumentPair]:
    return list(find_by_versions(by_id(*sources), by_id(*targets)))


@pytest.mark.parametrize(
    ("forward", "backward", "probability", "evidence"),
    [
        (declared("i"), declared("g"), 0.99, "hreflang"),
        (declared("i"), switcher("g"), 0.99, "hreflang"),
        (declared("i"), (), 0.95, "hreflang"),
        ((), declared("g"), 0.95, "hreflang"),
        (switcher("i"), switcher("g"), 0.97, "switcher"),
        (switcher("i"), (), 0.85, "switcher"),
        ((), switcher("g"), 0.85, "switcher"),
        (switcher("i", "i") + declared("i"), (), 0.95, "hreflang"),
    ],
)
def test_what_is_declared_or_mutual_is_believed_more(
    forward: tuple[VersionLink, ...],
    backward: tuple[VersionLink, ...],
    probability: float,
    evidence: str,
) -> None:
    found = find([german("g", versions=forward)], [italian("i", versions=backward)])
    assert found == [DocumentPair("g", "i", probability, evidence)]


def test_without_links_there_are_no_pairs() -> None:
    assert find([german("g")], [italian("i")]) == []
    assert find([], []) == []


def test_links_to_pages_that_are_not_in_the_corpus_say_nothing() -> None:
    assert find([german("g", versions=declared("x", "g"))], [italian("i")]) == []


def test_a_switcher_that_many_pages_share_leads_to_a_home_page() -> None:
    sources = [german(f"g{n}", versions=switcher("home-i")) for n in range(3)]
    assert find(sources, [italian("home-i")]) == []


def test_a_shared_switcher_is_believed_where_the_other_side_answers() -> None:
    pages = [german(f"g{n}", versions=switcher("home-i")) for n in range(3)]
    home = german("home-g", versions=switcher("home-i"))
    target = italian("home-i", versions=switcher("home-g"))
    assert find([*pages, home], [target]) == [
        DocumentPair("home-g", "home-i", 0.97, "switcher")
    ]


def test_switchers_shared_on_the_other_side_are_not_believed_either() -> None:
    targets = [italian(f"i{n}", versions=switcher("home-g")) for n in range(3)]
    assert find([german("home-g")], targets) == []


def test_a_shared_declaration_is_no_version_either() -> None:
    """A template that declares the home page on every page declares nothing."""
    sources = [german(f"g{n}", versions=declared("home-i")) for n in range(2)]
    assert find(sources, [italian("home-i")]) == []


def test_pages_with_versions_of_their_own_are_all_paired() -> None:
    sources = [german(f"g{n}", versions=switcher(f"i{n}")) for n in range(3)]
    targets = [italian(f"i{n}") for n in range(3)]
    found = find(sources, targets)
    assert [(pair.source, pair.target) for pair in found] == [
        ("g0", "i0"),
        ("g1", "i1"),
        ("g2", "i2"),
    ]
