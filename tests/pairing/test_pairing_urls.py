"""URL patterns: pages whose URLs differ in nothing but the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pairing_examples import MARKS, by_id, german, italian

from ilspfc.documents import DocumentPair
from ilspfc.pairing.evidence.claims import find_by_urls, iter_keys

if TYPE_CHECKING:
    from ilspfc.pairing.page_content import PairingDocument


def find(
    sources: list[PairingDocument], targets: list[PairingDocument]
) -> set[DocumentPair]:
    return set(find_by_urls(by_id(*sources), by_id(*targets), MARKS))


def best(source_url: str, target_url: str) -> float:
    found = find([german("g", url=source_url)], [italian("i", url=target_url)])
    return max((pair.probability for pair in found), default=0.0)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("http://a.org/de/x.html", "http://a.org/it/x.html"),
        ("http://a.org/de-ch/x.html", "http://a.org/it-ch/x.html"),
        ("http://a.org/de_CH/x.html", "http://a.org/it_IT/x.html"),
        ("http://a.org/de-ch/x.html", "http://a.org/it/x.html"),
        ("http://a.org/deutsch/x.html", "http://a.org/italiano/x.html"),
        ("http://a.org/ger/x", "http://a.org/ita/x"),
        ("http://a.org/x_de.html", "http://a.org/x_it.html"),
        ("http://a.org/x.de.html", "http://a.org/x.it.html"),
        ("http://a.org/x-de", "http://a.org/x-it"),
        ("http://a.org/x?lang=de", "http://a.org/x?lang=it"),
        ("http://a.org/x?id=5&l=DE", "http://a.org/x?id=5&l=IT"),
        ("http://de.a.org/x", "http://it.a.org/x"),
        ("http://A.org/DE/x", "http://a.org/it/x"),
        ("https://a.org/de/x", "http://a.org/it/x"),
        ("http://a.org/de/x_de.html", "http://a.org/it/x_it.html"),
        ("http://a.org/de/de/x.html", "http://a.org/it/it/x.html"),
    ],
)
def test_marks_in_both_urls_make_a_sure_pair(source: str, target: str) -> None:
    assert best(source, target) == 0.95


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("http://a.org/x.html", "http://a.org/it/x.html"),
        ("http://a.org/de/x.html", "http://a.org/x.html"),
        ("http://a.org/x.html", "http://a.org/x_it.html"),
        ("http://a.org/x.html", "http://a.org/x.it.html"),
        ("http://a.org/", "http://a.org/it/"),
        ("http://a.org/x", "http://a.org/it-ch/x"),
    ],
)
def test_a_mark_in_one_url_makes_a_probable_pair(source: str, target: str) -> None:
    assert best(source, target) == 0.85


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("http://a.org/de/x.html", "http://a.org/it/y.html"),
        ("http://a.org/de/x.html", "http://b.org/it/x.html"),
        ("http://a.org/x", "http://a.org/y"),
        ("http://a.org/mode/x", "http://a.org/moit/x"),
        ("http://a.org/it/x.html", "http://a.org/de/x.html"),
        ("http://a.org/x?id=5&l=de", "http://a.org/x?id=6&l=it"),
        ("http://a.org/fr/x", "http://a.org/it/x"),
    ],
)
def test_other_differences_make_no_pair(source: str, target: str) -> None:
    """A German page below /it/ is none that the URL tells anything of."""
    assert best(source, target) == 0


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("http://a.org/x", "http://it.a.org/x"),
        ("http://a.org/x", "http://a.org/x?lang=it"),
        ("http://a.org/x?id=1", "http://a.org/x?id=1&lang=it"),
    ],
)
def test_a_mark_may_be_missing_in_host_and_query_too(source: str, target: str) -> None:
    assert best(source, target) == 0.85


def test_a_key_that_many_pages_share_is_none() -> None:
    """Pages that differ in the mark alone, five times, are no translations."""
    marks = ["it", "ita", "italiano", "italian"]
    targets = [italian(mark, url=f"http://a.org/{mark}/x") for mark in marks]
    source = german("g", url="http://a.org/de/x")
    assert len({pair.target for pair in find([source], targets)}) == 4
    more = italian("it-ch", url="http://a.org/it-ch/x")
    assert find([source], [*targets, more]) == set()


def test_a_language_without_marks_is_known_by_the_other_s() -> None:
    marks = {"ita": MARKS["ita"]}
    source = german("g", url="http://a.org/x")
    target = italian("i", url="http://a.org/it/x")
    assert set(find_by_urls(by_id(source), by_id(target), marks)) == {
        DocumentPair("g", "i", 0.85, "url")
    }


def test_each_mark_is_masked_alone_and_all_together() -> None:
    keys = dict(iter_keys("http://a.org/de/a-de.html?x=1", MARKS["deu"]))
    assert keys == {
        "//a.org/de/a-de.html?x=1": 0.85,
        "//a.org/*/a-de.html?x=1": 0.95,
        "//a.org/de/a-*.html?x=1": 0.95,
        "//a.org/*/a-*.html?x=1": 0.95,
        "//a.org/a-de.html?x=1": 0.85,
        "//a.org/de/a.html?x=1": 0.85,
    }
