"""Addresses of every kind of brokenness, wherever they may stand."""

from __future__ import annotations

import pytest
from broken_addresses import KINDS, PLACES, make_page
from costs import assert_cheap
from hypothesis import example, given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from ilspfc.cleaning.blocks.links import find_redirect
from ilspfc.cleaning.page import CleaningReason, clean_page
from ilspfc.crawl.arguments import parse_seeds
from ilspfc.documents import Document
from ilspfc.exceptions import ArgumentError
from ilspfc.frontier.scope import Scope, ScopeFilter
from ilspfc.frontier.sitemaps.reader import parse_sitemap
from ilspfc.middlewares.redirect import LocationMiddleware
from ilspfc.web.address import AddressError, Addresses, AddressReason, resolve
from ilspfc.web.link_header import alternates, licenses
from ilspfc.web.urls import canonicalize, host_of, site_of

PAGE = "http://example.org/de/"


@pytest.mark.parametrize(("address", "reason"), KINDS.values(), ids=[*KINDS])
def test_an_unusable_address_is_refused_for_its_reason(
    address: str, reason: AddressReason
) -> None:
    with pytest.raises(AddressError) as caught:
        resolve(PAGE, address)
    assert caught.value.reason is reason
    with pytest.raises(ArgumentError, match="is no http"):
        parse_seeds(address if "://" in address else f"http://{address}")


@pytest.mark.parametrize(
    "reference", ["None", " undefined\n", "null#a", "NaN", "[object Object]"]
)
def test_what_is_printed_for_no_value_leads_nowhere(reference: str) -> None:
    found = Addresses(PAGE)
    assert found.read(reference) == ""
    assert found.unusable == {"address_no_value": 1}
    html = f"<link rel=canonical href='{reference}'><a href='{reference}'>a</a><p>b"
    document = clean_page(
        html.encode(), url=PAGE, identity="x", content_type="text/html"
    )
    assert isinstance(document, Document)
    assert (document.links, document.metadata.canonical) == ([], "")
    assert document.unusable == found.unusable


@pytest.mark.parametrize(
    "reference", ["none", "None.html", "null/", "/null", "nullable", "./None", "?NaN"]
)
def test_other_names_are_addresses(reference: str) -> None:
    assert Addresses(PAGE).read(reference) == resolve(PAGE, reference)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_whole_whatever_it_leads_to(kind: str, place: str) -> None:
    address = KINDS[kind][0]
    body, header = make_page(place, address)
    document = clean_page(body, url=PAGE, identity="x", content_type="text/html")
    assert isinstance(document, Document)
    found = Addresses(PAGE)
    urls = [link.url for link in document.links]
    urls += [url for _, url in alternates(header, found)]
    licenses(header, found)
    for scope in Scope:
        accept = ScopeFilter(scope, [PAGE]).accept
        assert [url for url in urls if accept(url)] == ["http://example.org/de/next"]
        accept(address)  # raises for none
    for url in urls:
        assert Request(url).url
        assert canonicalize(url)
    assert any("bleibt" in p.text for p in document.paragraphs)
    if place != "iframe":  # which is not followed
        assert (document.unusable + found.unusable).total() == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_sitemap_loses_only_the_entry(kind: str) -> None:
    address, reason = KINDS[kind]
    escaped = address.replace("&", "&amp;").replace("<", "&lt;")
    body = (
        f"<urlset><url><loc>{escaped}</loc></url><url><loc>{PAGE}</loc></url></urlset>"
    )
    sitemap = parse_sitemap(body.encode("utf-8", "replace"), "http://example.org/s.xml")
    assert [entry.url for entry in sitemap.entries] == [PAGE]
    if address.startswith("http"):
        assert sitemap.unusable == {reason: 1}


@pytest.mark.parametrize("kind", KINDS)
def test_a_redirect_to_nowhere_is_an_answer(kind: str) -> None:
    address = KINDS[kind][0].encode("utf-8", "replace")
    crawler = get_crawler()
    middleware = LocationMiddleware.from_crawler(crawler)
    response = Response(PAGE, status=301, headers={"Location": address})
    assert middleware.process_response(Request(PAGE), response) is response
    assert sum(crawler.stats.get_stats().values()) == 1


def test_a_redirect_asks_the_host_that_browsers_ask() -> None:
    middleware = LocationMiddleware.from_crawler(get_crawler())
    response = Response(PAGE, status=301, headers={"Location": "//straße.de/ä"})
    target = middleware.process_response(Request(PAGE), response)
    assert isinstance(target, Request)
    assert target.url == "http://xn--strae-oqa.de/%C3%A4"


@pytest.mark.parametrize(
    ("head", "url"),
    [
        ('<meta http-equiv=refresh content="0;url=b">', f"{PAGE}b"),
        ('<meta http-equiv=Refresh content="0.5; URL = \'b\'">', f"{PAGE}b"),
        ('<base href="/x/"><meta http-equiv=refresh content="0 b">', "http://example.org/x/b"),
        ('<base href="http://[bad"><meta http-equiv=refresh content="0;b">', f"{PAGE}b"),
        ('<meta http-equiv=refresh content="0;url=b"><p>Go <a href=b#x>on</a>', f"{PAGE}b"),
        ('<meta http-equiv=refresh content="0;url=b"><a href=b>en</a> <a href=c>de</a>', ""),
        ('<meta http-equiv=refresh content="1;url=b">', ""),
        ('<meta http-equiv=refresh content="5;url=b">', ""),
        ('<meta http-equiv=refresh content="0">', ""),
        ('<meta http-equiv=refresh content="url=b">', ""),
        ("<noscript><meta http-equiv=refresh content='0;url=b'></noscript>", ""),
        ("<!-- <meta http-equiv=refresh content='0;url=b'> -->", ""),
    ],
)  # fmt: skip
def test_only_a_refresh_at_once_is_a_redirect(head: str, url: str) -> None:
    assert find_redirect(head, PAGE, 1) == url


@pytest.mark.parametrize(
    ("host", "ascii_host"),
    [
        ("straße.de", "xn--strae-oqa.de"),
        ("STRASSE.de", "strasse.de"),
        ("βόλος.com", "xn--nxasmm1c.com"),
        ("MÜNCHEN.de.", "xn--mnchen-3ya.de"),
        ("％６１.org", ""),
        ("a。b", "a.b"),
        ("☃.net", "xn--n3h.net"),
    ],
)
def test_hosts_are_those_of_uts_46(host: str, ascii_host: str) -> None:
    """The third case is of UTS 46, section 4.1.2, as the first."""
    if not ascii_host:
        with pytest.raises(ValueError, match="host"):
            host_of(f"http://{host}/")
        return
    assert host_of(f"http://{host}/") == ascii_host
    assert host_of(resolve(PAGE, f"http://{host}/")) == ascii_host


@pytest.mark.costs
def test_hosts_of_many_letters_cost_nothing() -> None:
    """Punycode takes the square of the length: 48 seconds, without a bound."""
    links = "".join(
        f"<a href='http://{chr(0x4E00 + i) * 100_000}.org/'>x</a>" for i in range(30)
    )

    def read() -> Document | CleaningReason:
        for i in range(30):
            assert not ScopeFilter(Scope.SITE, [PAGE]).accept(
                f"http://{chr(0x4E00 + i) * 100_000}.org/"
            )
        return clean_page(f"{links}<p>Text".encode(), url=PAGE, identity="x")

    assert_cheap(read, steps=200_000, units=300.0)
    document = read()
    assert isinstance(document, Document)
    assert document.unusable == {"address_length": 30}


_texts = st.text(max_size=30) | st.text("ab.:/@[]\\%?#&=;1 ß。\t_é", max_size=30)


@given(_texts | _texts.map("http://".__add__) | _texts.map("//".__add__))
@example("http://a.org\\@b.org/")
@example("http://us%20er@[::1]:80/")
@example("http://0? #")
def test_what_passes_the_door_raises_nowhere(text: str) -> None:
    try:
        url = resolve(PAGE, text)
    except AddressError:
        return
    key, request = canonicalize(url), Request(url)
    assert canonicalize(request.url) == key
    assert host_of(request.url) == host_of(url)
    assert site_of(url)


PIECES = (
    "None a / // .. . ? # %2e %2E %20 b.html x=1 & : _ - + , = % é \\ www.c.org mailto: http://d.org"
).split()


@given(
    st.sampled_from(
        [
            *(
                PAGE,
                "http://e.org",
                "http://127.0.0.1:80/x/y.html?z=/",
                "https://E.org/é/c",
            ),
            *("http://e.org/a/../b/c", "http://e.org/%2e/x/", "http://e.org//a/b", ""),
        ]
    ),
    st.lists(st.sampled_from([*PIECES, " "]), max_size=6).map("".join),
)
def test_short_ways_lead_to_the_same_address(base: str, reference: str) -> None:
    try:
        expected = resolve(base, reference)
    except AddressError:
        expected = ""
    assert Addresses(base).read(reference) == expected


@pytest.mark.parametrize("base", [PAGE, "https://Example.org:8080/a/b.html?c=1"])
@pytest.mark.parametrize(
    "reference",
    [
        *("#a", "/b#a", "//b.org/c", "//b.org/c?d=1#e f", "//b.org", "///c", "// b.org/"),
        *("http://b.org/c#d", "http://b.org#d", "b.html#c", "mailto:a@b.org#c", "//b.org/../c"),
    ],
)  # fmt: skip
def test_a_page_resolves_its_addresses_as_any_other(base: str, reference: str) -> None:
    try:
        expected = resolve(base, reference)
    except AddressError:
        expected = ""
    assert Addresses(base).read(reference) == expected
