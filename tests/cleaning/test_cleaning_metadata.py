"""What a page says of itself, wherever it says it."""

from __future__ import annotations

import pytest
from lxml import etree

from ilspfc.cleaning.metadata.fields import read_metadata, robots_directives
from ilspfc.documents import Metadata
from ilspfc.web.address import Addresses

PAGE = "https://example.org/de/seite.html"


def parse(html: str) -> etree._Element:
    return etree.fromstring(html, etree.HTMLParser())


def metadata(html: str) -> Metadata:
    return read_metadata(parse(html), Addresses(PAGE))


def test_a_silent_page_has_empty_metadata() -> None:
    assert metadata("<p>x") == Metadata()


@pytest.mark.parametrize(
    ("html", "field", "value"),
    [
        ("<title> Lärm \n am Bau </title>", "title", "Lärm am Bau"),
        ("<title>Lärm&shy;schutz &amp; mehr</title>", "title", "Lärmschutz & mehr"),
        ('<meta property="og:title" content="Lärm">', "title", "Lärm"),
        ('<meta name="DC.title" content="Lärm">', "title", "Lärm"),
        ('<meta name="Description" content=" a \n b ">', "description", "a b"),
        ('<meta property="og:description" content="a">', "description", "a"),
        ('<meta name="keywords" content="a, b">', "keywords", "a, b"),
        ('<meta name="author" content="A. Muster">', "author", "A. Muster"),
        ('<meta name="dcterms.creator" content="A">', "author", "A"),
        ('<meta name="date" content="2026-01-02">', "date", "2026-01-02"),
        ('<meta property="article:published_time" content="2026">', "date", "2026"),
        ('<meta property="og:site_name" content="Suva">', "publisher", "Suva"),
        ('<html lang="de-CH"><p>x', "declared_lang", "de-CH"),
        ('<html><body lang="it"><p>x', "declared_lang", "it"),
        ('<html lang="de"><body lang="it"><p>x', "declared_lang", "it"),
        # DocBook, after its banner
        ('<p>x<div xml:lang="el" lang="el-GR"><h2>x', "declared_lang", "el-GR"),
        ('<html lang="en"><div lang="it"><h1>x', "declared_lang", "it"),
        ('<html lang="en"><h3>x</h3><div lang="it"><h1>x', "declared_lang", "it"),
        # a foreign title, a switcher
        ('<html lang="de"><h1 lang="en">x', "declared_lang", "de"),
        ('<html lang="de"><div lang="en">English</div><h1>x', "declared_lang", "de"),
        ('<div lang="en">English</div><h1>x', "declared_lang", ""),
        (
            '<meta http-equiv="content-language" content="it">',
            "declared_lang",
            "it",
        ),
        ('<link rel="canonical" href="/x">', "canonical", "https://example.org/x"),
        ('<link rel="canonical" href="http://[x">', "canonical", ""),
    ],
)
def test_each_field_is_found(html: str, field: str, value: str) -> None:
    assert getattr(metadata(html), field) == value


def test_the_first_of_its_name_counts_and_empty_ones_do_not() -> None:
    html = (
        '<meta name="description" content=" "><meta name="description" content="a">'
        '<meta name="description" content="b">'
    )
    assert metadata(html).description == "a"


def test_the_title_element_goes_before_what_networks_are_told() -> None:
    html = '<meta property="og:title" content="b"><title>a</title>'
    assert metadata(html).title == "a"


def test_the_title_of_a_drawing_is_not_that_of_the_page() -> None:
    html = "<body><svg><title>Menü</title></svg><p>x"
    assert metadata(html).title == ""


@pytest.mark.parametrize(
    ("html", "header", "directives"),
    [
        ("", "", set()),
        (
            '<meta name="robots" content="NoIndex, nofollow">',
            "",
            {"noindex", "nofollow"},
        ),
        ('<meta name="ROBOTS" content="none">', "", {"none"}),
        ("", "noindex , nofollow", {"noindex", "nofollow"}),
        ('<meta name="robots" content="nofollow">', "noindex", {"noindex", "nofollow"}),
        ('<meta name="description" content="noindex">', "", set()),
    ],
)
def test_robots_directives_come_from_page_and_header(
    html: str, header: str, directives: set[str]
) -> None:
    assert robots_directives(parse(f"<p>{html}x"), header) == directives


@pytest.mark.parametrize(
    ("header", "directives"),
    [
        ("otherbot: noindex, nofollow", set()),
        ("otherbot: noindex\nnofollow", {"nofollow"}),
        ("noindex\notherbot: nofollow", {"noindex"}),
        (
            "unavailable_after: 1 Jan 2030 00:00:00 GMT",
            {"unavailable_after: 1 jan 2030 00:00:00 gmt"},
        ),
        ("max-snippet: 20, noindex", {"max-snippet: 20", "noindex"}),
        ("noindex, max-snippet: 20", {"noindex", "max-snippet: 20"}),
    ],
)
def test_a_line_of_the_header_may_be_for_another_crawler(
    header: str, directives: set[str]
) -> None:
    assert robots_directives(parse("<p>x"), header) == directives


def test_every_robots_element_counts() -> None:
    html = '<meta name="robots" content="all"><meta name="robots" content="noindex">'
    assert "noindex" in robots_directives(parse(html))
