"""Language marks of a site that are no codes, learned from its pages."""

from __future__ import annotations

from collections import Counter

import pytest

from ilspfc.frontier.scoring import site_marks
from ilspfc.frontier.scoring.site_marks import SiteMarks, find_marks, read_places

SITE = "http://example.org"


def taught(*pages: tuple[str, str]) -> SiteMarks:
    marks = SiteMarks()
    for path, lang in pages:
        for number in range(3):
            marks.learn(f"{SITE}{path.format(number)}", lang)
    return marks


@pytest.mark.parametrize(
    ("german", "italian", "place"),
    [
        ("/x{}?lang=0", "/x{}?lang=1", ("query", "lang")),
        ("/v1/x{}", "/v2/x{}", ("folder", "0")),
        ("/site/1033/x{}?a=b", "/site/1040/x{}?a=b", ("folder", "1")),
    ],
)
def test_a_place_whose_values_go_with_languages_is_learned(
    german: str, italian: str, place: tuple[str, str]
) -> None:
    marks = taught((german, "deu"), (italian, "ita"))
    own, other = (marks.read(SITE + path.format(9)) for path in (german, italian))
    assert own is not None
    assert other is not None
    assert (own.lang, other.lang) == ("deu", "ita")
    assert own.place == other.place == place
    assert own.rest == other.rest
    assert marks.read(f"http://other.org{german.format(9)}") is None


def test_a_value_that_no_page_had_says_nothing() -> None:
    marks = taught(("/x{}?lang=0", "deu"), ("/x{}?lang=1", "ita"))
    assert marks.read(f"{SITE}/x9?lang=2") is None
    assert marks.read(f"{SITE}/x9") is None
    assert marks.read("http://[") is None


@pytest.mark.parametrize(
    "counts",
    [
        {},
        {"0": Counter(deu=9)},  # one language alone
        {"0": Counter(deu=2), "1": Counter(ita=2)},  # too few pages
        {"0": Counter(deu=3, ita=1), "1": Counter(ita=9)},  # one value, two languages
        # Pages have values of their own: content, not marks.
        {
            "0": Counter(deu=3),
            "1": Counter(ita=3),
            **{f"n{i}": Counter(deu=1) for i in range(9)},
        },
    ],
)
def test_other_places_hold_no_marks(counts: dict[str, Counter[str]]) -> None:
    assert find_marks(counts) == {}


def test_later_pages_correct_what_was_learned() -> None:
    marks = taught(("/x{}?p=0", "deu"), ("/x{}?p=1", "ita"))
    assert marks.read(f"{SITE}/x9?p=0") is not None
    for number in range(3):
        marks.learn(f"{SITE}/y{number}?p=0", "ita")
    assert marks.read(f"{SITE}/x9?p=0") is None


def test_hosts_that_were_not_seen_for_long_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(site_marks, "_MAX_HOSTS", 2)
    marks = SiteMarks()
    for host in ("a", "b", "a", "c"):
        for lang, value in (("deu", 0), ("ita", 1)):
            for number in range(3):
                marks.learn(f"http://{host}.org/{number}?l={value}", lang)
    known = [marks.read(f"http://{host}.org/9?l=1") is not None for host in "abc"]
    assert known == [True, False, True]


def test_values_beyond_a_number_are_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(site_marks, "_MAX_VALUES", 2)
    marks = taught(("/x{}?p=0", "deu"), ("/x{}?p=1", "ita"), ("/x{}?p=2", "fra"))
    langs = [marks.read(f"{SITE}/x9?p={value}") for value in range(3)]
    assert [mark and mark.lang for mark in langs] == ["deu", "ita", None]


@pytest.mark.parametrize(
    ("url", "places"),
    [
        ("http://[", {}),
        ("http://a.org", {}),
        ("http://a.org/file.html", {}),
        ("http://a.org/d/", {("folder", "0"): "d"}),
        ("http://a.org/?q=&p=1", {("query", "p"): "1"}),
        (
            "http://a.org/1/2/3/4/x",
            {("folder", "0"): "1", ("folder", "1"): "2", ("folder", "2"): "3"},
        ),
    ],
)
def test_places_are_parameters_and_the_first_folders(
    url: str, places: dict[tuple[str, str], str]
) -> None:
    assert read_places(url)[1] == places


def test_the_rest_of_a_url_keeps_its_other_parameters() -> None:
    marks = taught(("/x{}?l=0&id=7", "deu"), ("/x{}?l=1&id=7", "ita"))
    mark = marks.read(f"{SITE}/a/x9?id=8&l=1")
    assert mark is not None
    assert mark.rest == "example.org/a/x9?id=8"
