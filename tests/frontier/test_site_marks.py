"""Language marks of a site that are no codes, learned from its pages."""

from __future__ import annotations

from collections import Counter

import pytest

from ilspfc.frontier.scoring.site_marks import SiteMarks, find_marks

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
