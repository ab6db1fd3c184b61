"""Forms of a site with pages that have no translation."""

from __future__ import annotations

import pytest

from evaluation.article_forms import FORMS, halve, report_on
from ilspfc.documents import Document, Paragraph

GERMAN = "In Rom traf Anna Weber am 12. Mai die neue Gruppe {n}."
ITALIAN = "A Roma Anna Weber ha incontrato il 12 maggio il nuovo gruppo {n}."


def make(lang: str, text: str, number: int) -> Document:
    paragraphs = [Paragraph(text.format(n=number), lang=lang) for _ in range(5)]
    url = f"http://example.org/{lang}/{number}"
    return Document(url, url, paragraphs, images=["a.png"], lang=lang)


SITE = {
    lang: [make(lang, text, number) for number in range(60)]
    for lang, text in (("deu", GERMAN), ("ita", ITALIAN))
}


def key_of(url: str) -> str:
    return number if (number := url.rpartition("/")[2]).isdigit() else ""


def count_pairs(form: str) -> int:
    made = FORMS[form](SITE, key_of)
    first, second = ({key_of(one.url) for one in made[lang]} for lang in made)
    return len(first & second - {""})


def test_whole_pages_are_as_they_are() -> None:
    assert FORMS["whole"](SITE, key_of) == SITE


def test_short_pages_have_no_images() -> None:
    made = FORMS["short"](SITE, key_of)
    assert {len(one.paragraphs) for some in made.values() for one in some} == {3}
    assert not any(one.images for some in made.values() for one in some)


def test_some_pages_have_no_translation_or_a_part_of_one() -> None:
    assert 25 < count_pairs("missing") < 50
    assert count_pairs("partial") == count_pairs("missing")
    made = FORMS["partial"](SITE, key_of)["deu"]
    assert {len(one.paragraphs) for one in made} > {5}


@pytest.mark.parametrize("form", ["news", "brief"])
def test_reports_have_the_names_of_an_article_and_no_key(form: str) -> None:
    made = FORMS[form](SITE, key_of)["deu"]
    reports = [one for one in made if not key_of(one.url)]
    assert len(reports) > 10
    originals = {one.url: one for one in SITE["deu"]}
    for one in reports:
        assert one.url.removesuffix("-report") in originals
        text = " ".join(paragraph.text for paragraph in one.paragraphs)
        assert "Anna" in text or "Weber" in text or "12" in text


def test_pages_whose_paragraphs_reports_have_are_left_out() -> None:
    made = report_on(SITE, key_of, donors_apart=0.5)["deu"]
    articles = {one.paragraphs[0].text for one in made if key_of(one.url)}
    reports = [one for one in made if not key_of(one.url)]
    assert 5 < len(reports) < len(articles) < 45
    own = {one.paragraphs[0].text.split()[-1] for one in reports}
    assert own.isdisjoint(text.split()[-1] for text in articles)


def test_languages_have_different_halves_of_a_page() -> None:
    made = halve(SITE, key_of)
    halves = [[one for one in some if not key_of(one.url)] for some in made.values()]
    assert 10 < len(halves[0]) == len(halves[1]) < 35
    assert [{len(one.paragraphs) for one in some} for some in halves] == [{2}, {3}]
