"""Breadcrumbs, lists of languages and permanent links are no text."""

from __future__ import annotations

import pytest

from evaluation.cleaning_pages import parse_page
from ilspfc.cleaning.content.choice import find_frame


def is_frame(html: str) -> list[bool]:
    parsed = parse_page(html.encode())
    assert parsed is not None
    page = parsed[0]
    found = set(find_frame(page))
    return [place in found for place in range(len(page.blocks))]


@pytest.mark.parametrize(
    "html",
    [
        "<p>Sie sind hier: <a href=/>Startseite</a> &gt; Aktuelles und Broschüren</p>",
        "<p><a href=/>Apache</a> > <a href=/s>HTTP Server</a> > <a href=/d>Docs</a></p>",
        "<p><a href=/>Home</a> » <a href=/n>News</a> » Der neue Chor singt im Herbst</p>",
        "<ul class='breadcrumb'><li><a href=/>Startseite des Amtes</a></ul>",
        "<div class='page-breadcrumbs'><span>Aktuelles</span></div>",
    ],
)
def test_breadcrumbs(html: str) -> None:
    assert is_frame(html) == [True]


@pytest.mark.parametrize(
    "html",
    [
        "<p>Available Languages: <a href=e>en</a> | <a href=f>fr</a> | <a href=t>tr</a></p>",
        "<p>Andere Sprachen: <a href=c>Català</a>, <a href=j>日本語</a>, English.</p>",
        "<p><a href=e>pt-br</a> | Deutsch</p>",
        "<p><small>Translation(s): <a href=e>English</a> - <a href=p>Português</a></small></p>",
    ],
)
def test_lists_of_languages(html: str) -> None:
    assert is_frame(html) == [True]


@pytest.mark.parametrize(
    "html",
    [
        "<p>Wählen Sie Bild > Modus > Graustufen.</p>",  # a menu, no links
        "<p>Bei a > b hilft <a href=x>diese Regel</a> weiter.</p>",
        "<p>Er spricht Deutsch, English und français.</p>",
        "<p>Sprachen: <a href=d>Deutsch</a>, <a href=k>Klingonisch</a></p>",
        "<p><a href=d>Deutsch</a></p>",
        "<h2><a href=/>Server</a> > Module</h2>",
        "<body class='has breadcrumb'><p>Ein Absatz der Seite.</p>",
    ],
)
def test_text_is_no_frame(html: str) -> None:
    assert is_frame(html) == [False]


@pytest.mark.parametrize(
    "html",
    [
        '<p>[ <a href="a">&lt; Scope</a> ] [ <a href="/">Up: Language</a> ]</p>',
        '<p>[<a href="a">Top</a>][<a href="b">Contents</a>][<a href="c">Index</a>]</p>',
    ],
)
def test_links_to_neighboring_pages(html: str) -> None:
    assert is_frame(html) == [True]


@pytest.mark.parametrize(
    "html",
    [
        "<p>[ this is said in brackets, without a link ]</p>",
        '<p>[1] <a href="a">A footnote that says something</a></p>',
        '<p>[ a long remark in brackets with <a href="a">one</a> link ]</p>',
    ],
)
def test_brackets_that_are_text(html: str) -> None:
    assert is_frame(html) == [False]


@pytest.mark.parametrize("sign", ["¶", "#", "§", "🔗", "<b>¶</b>"])
def test_permanent_links_are_no_text(sign: str) -> None:
    html = f"<h2>Ein Beispiel <a href='#ex' title='Permalink'>{sign}</a></h2>"
    parsed = parse_page(html.encode())
    assert parsed is not None
    (block,) = parsed[0].blocks
    assert (block.text, block.words, block.link_words) == ("Ein Beispiel", 2, 0)


@pytest.mark.parametrize(
    "link", ["<a href='#n1'>§ 5</a>", "<a href='/law'>§</a>", "<a href='#x'>C#</a>"]
)
def test_signs_that_are_text_stay(link: str) -> None:
    parsed = parse_page(f"<p>Siehe {link}</p>".encode())
    assert parsed is not None
    assert parsed[0].blocks[0].link_words
