"""When a page was published."""

from __future__ import annotations

import pytest
from lxml import etree

from ilspfc.cleaning.metadata.fields import read_metadata
from ilspfc.web.address import Addresses


def date(html: str, url: str = "") -> str:
    root = etree.fromstring(f"<p>x{html}", etree.HTMLParser())
    return read_metadata(root, Addresses("https://example.org/"), url=url).date


JSON_LD = (
    '<script type="application/ld+json">'
    '{"@type": "Article", "datePublished": "2025-04-05T06:07:08"}</script>'
)


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ('<meta name="date" content="2026">', "2026"),
        ('<meta name="dc.date" content="2026-01-02T03:04Z">', "2026-01-02"),
        ('<meta itemprop="datePublished" content="2026-01-02">', "2026-01-02"),
        ('<meta name="date" content="January 2, 2024">', "2024-01-02"),
        # The clock of a template.
        ('<meta name="created" content="28th Nov 2025 01:02">', ""),
        ('<meta name="created" content="2025-11-28 01:02">', "2025-11-28"),
        ('<meta name="created" content="20030605">', "2003-06-05"),
        ('<meta name="created" content="28 November 2025">', "2025-11-28"),
        (JSON_LD, "2025-04-05"),
        (f'<meta name="date" content="2026-01-02">{JSON_LD}', "2026-01-02"),
        (f'{JSON_LD}<time datetime="2024-05-06">gestern</time>', "2025-04-05"),
        ('<time datetime="2024-05-06T07:08:09">gestern</time>', "2024-05-06"),
        ('<span class="entry-date">6 May 2024</span>', "2024-05-06"),
        ("<p>Am 6. Mai 2024 war es laut.</p>", ""),
        ('<time datetime="bald">bald</time>', ""),
        ('<abbr class="published" data-utime="1715000000">bald</abbr>', "2024-05-06"),
        ('<span class="date">\x01&#1;&#xffff;6.5.20240000</span>', ""),
    ],
)
def test_a_date_is_found_where_the_page_gives_it(html: str, found: str) -> None:
    assert date(html) == found


def test_the_url_counts_where_the_page_is_silent() -> None:
    url = "https://example.org/2023/04/05/laerm.html"
    assert date("", url) == "2023-04-05"
    assert date(JSON_LD, url) == "2025-04-05"


@pytest.mark.parametrize(
    ("html", "author"),
    [
        ('<meta name="author" content="A. Muster">', "A. Muster"),
        ('<meta property="article:author" content="https://example.org/a">', ""),
        ('<script type="application/ld+json">{"@type": "WebPage", "author": "B"}</script>', "B"),
        ("<div><p itemprop=author itemscope><b itemprop=name>\n A.\n Muster</b> 5 points", "A. Muster"),
        ("<p itemprop=author>A. Muster</p>", "A. Muster"),
        ("<p itemprop='x author'><meta itemprop=name content=A>by A", "A"),
        ("<div itemprop=comment><p itemprop=author>Leser</div><p itemprop=author>A", "A"),
        ("<div itemprop=suggestedAnswer><p itemprop=author>Leser</div>", ""),
    ],
)  # fmt: skip
def test_an_author_is_a_name(html: str, author: str) -> None:
    root = etree.fromstring(f"{html}<p>x", etree.HTMLParser())
    assert read_metadata(root, Addresses("https://example.org/")).author == author


def test_a_link_to_the_author_counts_last_and_only_if_it_is_short() -> None:
    root = etree.fromstring("<p>x", etree.HTMLParser())
    assert read_metadata(root, Addresses(""), authors=["x " * 20, "C"]).author == "C"
    root = etree.fromstring('<meta name="author" content="A"><p>x', etree.HTMLParser())
    assert read_metadata(root, Addresses(""), authors=["C"]).author == "A"
