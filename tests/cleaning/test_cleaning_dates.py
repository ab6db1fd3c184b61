"""When a page was published."""

from __future__ import annotations

import pytest
from lxml import etree

from ilspfc.cleaning.metadata.fields import read_metadata
from ilspfc.web.address import Addresses


def date(html: str, url: str = "") -> str:
    root = etree.fromstring(f"{html}<p>x", etree.HTMLParser())
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
        ('<ul class="date"><li>6 May 2024</ul>', "2024-05-06"),
        (
            '<ul class="date"><li title="May 6, 2024, 9:30 a.m.">6 May \'24</ul>',
            "2024-05-06",
        ),
        ('<ul class="by-date"><li>6 May 2024<li>5 May 2024</ul>', ""),
        ("<span itemprop=datePublished>2024-05-06T07:08:09+02:00</span>", "2024-05-06"),
        ("<div itemprop=review><p itemprop=datePublished>6.5.2024</div>", ""),
        ("<span itemprop=dateModified>2024-05-06T07:08:09+02:00</span>", ""),
        ("<p>Am 6. Mai 2024 war es laut.</p>", ""),
        ('<time datetime="bald">bald</time>', ""),
        ('<abbr class="published" data-utime="1715000000">bald</abbr>', "2024-05-06"),
        ('<span class="date">\x01&#1;&#xffff;6.5.20240000</span>', ""),
    ],
)
def test_a_date_is_found_where_the_page_gives_it(html: str, found: str) -> None:
    assert date(html) == found


@pytest.mark.parametrize(
    ("lang", "text", "found"),
    [
        ("es", "Publicado el 3 de octubre de 2019, 12:30", "2019-10-03"),
        ("es-MX", "Octubre 3, 2019", "2019-10-03"),
        ("fr", "par A. Dupont, 11 août 2009", "2009-08-11"),
        ("cs", "15. března 2014", "2014-03-15"),
        ("cs", "15. 3. 2014", "2014-03-15"),
        ("lv", "2019. gada 3. oktobris", "2019-10-03"),
        ("eu", "2014(e)ko martxoaren 15(a)", "2014-03-15"),
        ("ru", "28 января 2021 г.", "2021-01-28"),
        ("he", "15 במרץ 2014", "2014-03-15"),
        ("hi", "१५ मार्च २०१४", "2014-03-15"),
        ("th", "15 มี.ค. 2557", "2014-03-15"),
        ("vi", "15 tháng 12, 2014", "2014-12-15"),
        ("ja", "2014年3月15日", "2014-03-15"),
        ("ko", "2021년 11월 28일", "2021-11-28"),
        # No date: a month alone, a day that no calendar knows, a name that begins as one.
        ("es", "Archivo: marzo 2014", ""),
        ("es", "31 de febrero de 2014", ""),
        ("es", "Mariana 15 2014", ""),
        ("it", "3 commenti, marzo, stanza 2014", ""),
        ("x-none", "15 marzo 2014", ""),
        ("es", f"3 de marzo de {'9' * 30}", ""),
    ],
)
def test_months_have_the_names_of_the_page_s_language(
    lang: str, text: str, found: str
) -> None:
    assert date(f'<html lang="{lang}"><p class="date">{text}') == found
    assert date(f'<html lang="{lang}"><meta name="date" content="{text}">') == found


def test_the_url_counts_where_the_page_is_silent() -> None:
    url = "https://example.org/2023/04/05/laerm.html"
    assert date("", url) == "2023-04-05"
    assert date(JSON_LD, url) == "2025-04-05"


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("2023/04/10-fragen-zum-laerm/", "2023-04-22"),
        ("2023/04/10_Fragen", "2023-04-22"),
        ("2023/4/5-2-laerm", "2023-04-22"),
        ("2023/04/10%20Fragen", "2023-04-22"),
        ("2023/04/05/10-fragen/", "2023-04-05"),
        ("2023/04/05.html", "2023-04-05"),
        ("2023/04/05?page=2", "2023-04-05"),
        ("2023/04/05", "2023-04-05"),
        ("2023-04-05-laerm.html", "2023-04-05"),
    ],
)
def test_a_title_in_the_url_may_begin_with_a_number(path: str, found: str) -> None:
    html = '<span class="entry-date">22 April 2023</span>'
    assert date(html, f"https://example.org/{path}") == found


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
