"""The Link header: what RFC 8288 allows, and what servers send."""

from __future__ import annotations

import pytest
from costs import assert_cheap
from hypothesis import given
from hypothesis import strategies as st

from ilspfc.web.address import Addresses
from ilspfc.web.link_header import (
    HeaderLink,
    alternates,
    iter_links,
    licenses,
)

BASE = "https://example.org/de/seite.html"


def link(
    url: str,
    rel: str,
    hreflang: tuple[str, ...] = (),
    anchor: str = BASE,
) -> HeaderLink:
    return HeaderLink(url, tuple(rel.split()), hreflang, anchor)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # RFC 8288, section 3.5 (the third example has no http(s) relation type).
        (
            '<http://example.com/TheBook/chapter2>; rel="previous"; title="previous chapter"',
            [link("http://example.com/TheBook/chapter2", "previous")],
        ),
        (
            '</>; rel="http://example.net/foo"',
            [link("https://example.org/", "http://example.net/foo")],
        ),
        (
            '</terms>; rel="copyright"; anchor="#foo"',
            [link("https://example.org/terms", "copyright")],
        ),
        (
            "</TheBook/chapter2>; rel=previous; title*=UTF-8'de'letztes%20Kapitel, </TheBook/chapter4>; rel=\"next\"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel",
            [
                link("https://example.org/TheBook/chapter2", "previous"),
                link("https://example.org/TheBook/chapter4", "next"),
            ],
        ),
        (
            '<http://example.org/>; rel="start http://example.net/relation/other"',
            [link("http://example.org/", "start http://example.net/relation/other")],
        ),
        (
            '<https://example.org/>; rel="start", <https://example.org/index>; rel="index"',
            [
                link("https://example.org/", "start"),
                link("https://example.org/index", "index"),
            ],
        ),
        # Separators inside targets and quoted strings.
        ("</a,b;c=d>; rel=next", [link("https://example.org/a,b;c=d", "next")]),
        (
            r'</a>; title="x, <y>; rel=\"no\""; rel=next, </b>; rel=prev',
            [
                link("https://example.org/a", "next"),
                link("https://example.org/b", "prev"),
            ],
        ),
        # Spaces, letter case, empty parts, flags without a value.
        (
            ' ,, <  ../it/ > ;REL = "Alternate" ; ;crossorigin; HrefLang= it ,',
            [link("https://example.org/it/", "alternate", ("it",))],
        ),
        ("<>; rel=canonical", [link(BASE, "canonical")]),
        ("</a>;rel=next;", [link("https://example.org/a", "next")]),
        # The first rel and anchor count, all hreflang do.
        (
            '</a>; rel=alternate; rel=next; hreflang=de; hreflang="de-CH"; hreflang=de',
            [link("https://example.org/a", "alternate", ("de", "de-CH"))],
        ),
        (
            "</a>; rel=alternate; anchor=/x; anchor=/y",
            [link("https://example.org/a", "alternate", (), "https://example.org/x")],
        ),
        # Malformed parts end with their comma.
        ("nonsense, </a>; rel=next", [link("https://example.org/a", "next")]),
        ("<a, </b>; rel=next", [link("https://example.org/b", "next")]),
        ("</a>; rel=next garbage=, </b>; rel=prev", "ab"),
        ('</a>; rel=next "junk, </x>", </b>; rel=prev', "b"),
        ("</a>; rel=next; =x, </b>; rel=prev", "b"),
        ("</a>, </b>; rel=prev", "b"),
        ("</a>; rel, </b>; rel=prev", "b"),
        ("</a>; rev=next, </b>; rel=prev", "b"),
        ("<http://[bad>; rel=next, </b>; rel=prev", "b"),
        ("<http:///a>; rel=next, </b>; rel=prev", "b"),
        ("<https:a>; rel=next, </b>; rel=prev", "b"),
        ("</a>; rel=next; anchor=http://[bad, </b>; rel=prev", "b"),
        ('</a>; rel="next', "a"),
        ('</a>; rel="next\\', "a"),
        ("", []),
        (", ;", []),
        ("<", []),
    ],
)
def test_links_are_read(value: str, expected: list[HeaderLink] | str) -> None:
    links = list(iter_links(value, Addresses(BASE)))
    if isinstance(expected, str):
        assert [link.url[-1] for link in links] == list(expected)
    else:
        assert links == expected


def test_versions_keep_languages_as_written() -> None:
    value = (
        '<https://example.org/it/pagina.html>; rel="alternate"; hreflang="it-IT", '
        "</de/seite.html>; rel=alternate; hreflang=de; hreflang=de-CH,"
        '</>; rel="alternate"; hreflang="x-default", '
        '</feed>; rel=alternate; type="application/rss+xml", '
        "</fr/>; rel=next; hreflang=fr"
    )
    assert alternates(value, Addresses(BASE)) == (
        ("it-IT", "https://example.org/it/pagina.html"),
        ("de", "https://example.org/de/seite.html"),
        ("de-CH", "https://example.org/de/seite.html"),
        ("x-default", "https://example.org/"),
    )


def test_what_is_said_of_another_page_is_not_said_of_this_one() -> None:
    value = (
        '</it>; rel=alternate; hreflang=it; anchor="/x", </c>; rel=canonical; anchor=/x'
    )
    assert alternates(value, Addresses(BASE)) == ()
    own = f'</it>; rel=alternate; hreflang=it; anchor="{BASE}#part"'
    assert alternates(own, Addresses(f"{BASE}#top")) == (
        ("it", "https://example.org/it"),
    )


def test_only_web_addresses_are_versions() -> None:
    value = (
        "<mailto:a@example.org>; rel=alternate; hreflang=it, <ftp://a/>; rel=canonical"
    )
    assert alternates(value, Addresses(BASE)) == ()


def test_licences_are_those_of_the_page_but_for_rsl() -> None:
    value = (
        '</by>; rel="license", <//a.org/l>; rel="nofollow License"; type="text/html",'
        " </by>; rel=license, <mailto:a@a.org>; rel=license, </de>; rel=alternate,"
        " </x>; rel=license; anchor=/other,"
        ' </rsl.xml>; rel=license; type="Application/rsl+xml; charset=utf-8"'
    )
    assert licenses(value, Addresses(BASE)) == (
        "https://example.org/by",
        "https://a.org/l",
    )


@given(st.text(alphabet='<>;,="\\ \tarelhng/:[]#', max_size=80) | st.text())
def test_any_header_can_be_read(value: str) -> None:
    for found in list(iter_links(value, Addresses(BASE))):
        assert found.url
        assert found.rel
    alternates(value, Addresses(BASE))


@pytest.mark.parametrize(
    "value",
    [
        *(char * 65_536 for char in ',<>";\\ '),
        "<a," * 20_000,
        "</a>;rel=" * 7_000,
        'a"' * 30_000,
        '</a>;rel="' + "\\" * 60_000,
        "</a>;rel=x" + ";a" * 30_000,
    ],
)
@pytest.mark.costs
def test_hostile_headers_are_read_in_no_time(value: str) -> None:
    assert_cheap(
        lambda: list(iter_links(value, Addresses(BASE))), steps=2_000_000, units=30.0
    )
