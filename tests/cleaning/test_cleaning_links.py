"""Links of a page: absolute, bounded in number, declared versions first."""

from __future__ import annotations

import pytest
from lxml import etree

from ilspfc.cleaning.blocks.links import (
    find_menus,
    make_links,
    number_places,
    read_base,
)
from ilspfc.cleaning.blocks.parsed import Anchor
from ilspfc.cleaning.blocks.walk import read_blocks
from ilspfc.documents import Link
from ilspfc.web.address import Addresses, resolve

PAGE = "http://example.org/de/seite.html"


def links(html: str, **options: int) -> list[Link]:
    root = etree.fromstring(html, etree.HTMLParser())
    addresses = Addresses(PAGE)
    read_base(root, addresses)
    page = read_blocks(root, keep_hidden=True)
    places = number_places(page.distinct_paths)
    anchors = [*page.anchors, *find_menus(page.hidden_anchors)]
    return make_links(root, anchors, addresses, places, **options)


def urls(html: str, **options: int) -> list[str]:
    return [link.url for link in links(html, **options)]


@pytest.mark.parametrize(
    ("menu", "names"),
    [
        ("<ul hidden><li><a href=b>B</a><li><a href=c>C</a></ul>", ["a", "b", "c"]),
        (
            "<div aria-hidden=true><a href=b>B</a> <a href=c>C</a></div>",
            ["a", "b", "c"],
        ),
        ("<div style='display:none'><a href=b>B</a></div>", ["a"]),
        ("<div hidden><a href=b>B</a><a href=c></a></div>", ["a"]),
        ("<div hidden><a href=b>B</a></div><p hidden><a href=c>C</a></p>", ["a"]),
        ("<a hidden href=b>B</a><a hidden href=c>C</a>", ["a"]),
    ],
)
def test_links_of_hidden_menus_come_last_and_single_ones_not_at_all(
    menu: str, names: list[str]
) -> None:
    found = urls(f"<body>{menu}<p>Text <a href=a>A</a>")
    assert [url.rpartition("/")[2] for url in found] == names


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("a.html", "http://example.org/de/a.html"),
        ("/a.html", "http://example.org/a.html"),
        ("../it/", "http://example.org/it/"),
        ("?lang=it", "http://example.org/de/seite.html?lang=it"),
        ("//other.org/x", "http://other.org/x"),
        ("https://other.org/x#teil", "https://other.org/x"),
        ("HTTPS://other.org/x", "https://other.org/x"),
        ("  a.html\n", "http://example.org/de/a.html"),
        ("#teil", PAGE),
    ],
)
def test_links_are_absolute_and_without_fragment(href: str, url: str) -> None:
    assert urls(f'<a href="{href}">x</a>') == [url]


@pytest.mark.parametrize(
    "href",
    [
        *("mailto:info@example.org", "javascript:void(0)", "JavaScript:go()"),
        *("tel:+41", "ftp://example.org/x", "file:///etc/passwd", "data:text/html,x"),
        *("http://[::1", "whatsapp://send?text=x"),
    ],
)
def test_links_to_other_schemes_and_nowhere_are_left_out(href: str) -> None:
    assert urls(f'<a href="{href}">x</a>') == []


@pytest.mark.parametrize(
    ("rel", "is_kept"),
    [
        ("nofollow", False),
        ("NoFollow", False),
        ("external nofollow noopener", False),
        ("noopener", True),
        ("nofollower", True),
        ("", True),
    ],
)
def test_nofollow_is_obeyed(rel: str, is_kept: bool) -> None:
    assert len(urls(f'<a href=a rel="{rel}">x</a>')) == is_kept


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("/it/", "http://example.org/it/a"),
        ("http://other.org/x/y", "http://other.org/x/a"),
        (" http://other.org/ ", "http://other.org/a"),
        ("http://[broken", "http://example.org/de/a"),
        ("", "http://example.org/de/a"),
    ],
)
def test_the_base_element_is_what_links_refer_to(base: str, url: str) -> None:
    assert urls(f'<head><base href="{base}"></head><a href=a>x</a>') == [url]


@pytest.mark.parametrize("base", ["www.other.org/x/", "WWW.other.org", "example.org/"])
def test_a_base_that_is_a_host_without_a_scheme_is_none(base: str) -> None:
    html = f'<head><base href="{base}"></head><a href=a>x</a>'
    assert urls(html) == ["http://example.org/de/a"]


def test_links_for_readers_without_frames_are_links() -> None:
    html = "<frameset><frame src=a><noframes><body><a href=b>Ohne <b>Rahmen</b></a>"
    assert [(link.url, link.anchor) for link in links(html)] == [
        ("http://example.org/de/a", ""),
        ("http://example.org/de/b", "Ohne Rahmen"),
    ]


def test_only_the_first_base_element_counts() -> None:
    html = '<base target=_top><base href="/1/"><base href="/2/"><a href=a>x</a>'
    assert urls(html) == ["http://example.org/1/a"]


def test_declared_versions_come_first_and_refer_to_the_base() -> None:
    html = """
        <head><base href="/x/">
        <link rel="alternate" hreflang="it" href="it.html" title="Italiano">
        <link rel="ALTERNATE home" hreflang="x-default" href="/">
        <link rel="alternate" type="application/rss+xml" href="feed.xml">
        <link rel="stylesheet" hreflang="it" href="style.css">
        <link rel="alternate" hreflang="fr" href="javascript:no">
        </head><a href="a" hreflang="en">English</a>"""
    assert [link._replace(place=0) for link in links(html)] == [
        Link(
            "http://example.org/x/it.html",
            title="Italiano",
            rel="alternate",
            hreflang="it",
        ),
        Link("http://example.org/", rel="alternate", hreflang="x-default"),
        Link(
            "http://example.org/x/a",
            anchor="English",
            context="English",
            hreflang="en",
        ),
    ]


def test_links_alike_have_one_place_on_all_pages() -> None:
    item = '<div class="post" id="p{}"><p><a class="{}" href="{}">x</a></p></div>'
    pages = [
        f'<body class="page-{name}"><nav><a href=/>x</a></nav>'
        f"{item.format(n, 'more', n)}{item.format(9, 'mine', n)}"
        for name, n in (("bees", 1), ("honey", 22))
    ]
    first, second = ([link.place for link in links(page)] for page in pages)
    assert first == second
    assert len({*first}) == 3
    assert min(first) > 0


def test_the_context_is_the_anchor_with_the_words_around_it() -> None:
    (link,) = links("<p>mehr zu <a href=a>Lärm und Staub</a> hier")
    assert link.context == "mehr zu Lärm und Staub hier"


@pytest.mark.parametrize("number", [0, 1, 5])
def test_the_number_of_links_is_bounded(number: int) -> None:
    html = "<link rel=alternate hreflang=it href=/it>" * 2 + "<a href=a>x</a>" * 9
    found = links(html, max_links=number)
    assert len(found) == number
    assert [link.rel for link in found] == ["alternate", "alternate", "", "", ""][
        :number
    ]


@pytest.mark.parametrize("base", ["http://A.example/b/c?d", "https://a.example:80"])
def test_links_that_are_not_parsed_are_what_parsing_makes_of_them(base: str) -> None:
    hrefs = (
        "/a/b.html /a//b/ /. /.. /../x /a/../b /a/.b /a?b=c/. /a? /a;b /a;?b /a#b //c.example/x"
        " http://b.example http://b.example/ http://b.example/a/../b http://b.example/a?b#c"
        " HTTP://B.example/a http://b.example/a? x ?y /%C3%A4 /ä /a /a"
    ).split()
    anchors = [Anchor(href) for href in hrefs]
    links = make_links(etree.fromstring("<html/>"), anchors, Addresses(base))
    assert [link.url for link in links] == [resolve(base, href) for href in hrefs]
