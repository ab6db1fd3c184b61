"""Licenses that a page names: their places and the order of trust."""

from __future__ import annotations

import json

import pytest
from costs import assert_cheap
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from ilspfc.cleaning.metadata.licenses import (
    MAX_LICENSES,
    choose_license,
    find_licenses,
    find_licenses_in_text,
)
from ilspfc.documents import License, LicensePlace

PAGE = "https://example.org/de/seite.html"
BY = "https://creativecommons.org/licenses/by/4.0/"
ND = "https://creativecommons.org/licenses/by-nd/4.0/"
SA = "https://creativecommons.org/licenses/by-sa/3.0/de/"
MIT = "https://opensource.org/licenses/MIT"


def parse(html: str) -> etree._Element:
    return etree.fromstring(html, etree.HTMLParser())


def find(html: str, **options: object) -> tuple[License, ...]:
    return find_licenses(parse(html), PAGE, html=html.encode(), **options)  # type: ignore[arg-type]


def short(licenses: tuple[License, ...]) -> list[str]:
    """Return each license as identifier (or URL) and place."""
    return [f"{one.id or one.url} {one.place}" for one in licenses]


def chosen_url(html: str) -> str:
    chosen = choose_license(find(html))
    return chosen.url if chosen else ""


def ld(content: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(content)}</script><p>x'


def test_a_silent_page_names_none() -> None:
    assert find("<p>x") == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("CC&nbsp;BY-SA&#160;4.0", ["CC-BY-SA-4.0 footer"]),
        ("CC-BY 4.0", ["CC-BY-4.0 footer"]),
        ("CC0 und <b style='color: #CC0'>rot</b>", ["CC0-1.0 footer"]),
        ("<b style='color: #CC0033'>rot</b>", []),
        ("siehe creativecommons.org/licenses/by/4.0/", ["CC-BY-4.0 footer"]),
    ],
)
def test_a_name_is_found_however_its_blanks_are_written(
    text: str, found: list[str]
) -> None:
    assert short(find(f"<p>x</p><footer>{text}</footer>")) == found


# -- the one that the page is taken to be under ------------------------------------------


@pytest.mark.parametrize(
    ("html", "url"),
    [
        (f'<a href="{BY}">CC</a>', BY),
        (f'<a rel="license" href="{BY}">CC</a>', BY),
        (
            '<a href="http://creativecommons.org/publicdomain/zero/1.0/">0</a>',
            "http://creativecommons.org/publicdomain/zero/1.0/",
        ),
        (f'<a href="{BY}">CC</a><link rel="license" href="/l">', f"{PAGE[:20]}l"),
        ('<a href="https://creativecommons.org/about/">CC</a>', ""),
        ('<a href="https://notcreativecommons.org/licenses/by/">CC</a>', ""),
        ('<a rel="license">CC</a>', ""),
        ('<a rel="license" href="#">CC</a>', ""),
        ('<a rel="license" href="mailto:a@example.org">CC</a>', ""),
        ('<a rel="license" href="http://[x">CC</a>', ""),
        (f"<figure><img src=a.png><a href='{BY}'>CC</a></figure>", ""),
        ("<p>Foto: A. Muster, CC BY 4.0", ""),
        ("<footer>CC BY 4.0</footer>", BY),
        (f'<p><a href="{SA}">CC</a></p><footer><a href="{BY}">CC</a></footer>', BY),
    ],
)
def test_the_license_is_a_declared_one_or_one_of_creative_commons(
    html: str, url: str
) -> None:
    assert chosen_url(html) == url


# -- places ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (f'<head><link rel="license" href="{BY}"></head>', "link-rel"),
        (f'<head><link rel="License stylesheet" href="{BY}"></head>', "link-rel"),
        (f'<head><link rel="copyright" href="{BY}"></head>', "link-rel"),
        (f'<head><link rel="DCTERMS.license" href="{BY}"></head>', "link-rel"),
        (f'<head><link rel="dct:license" href="{BY}"></head>', "link-rel"),
        (f'<p><a rel="nofollow license" href="{BY}">x</a>', "a-rel"),
        (f'<p><a rel="licence" href="{BY}">x</a>', "a-rel"),
        (f'<p><a rel="cc:license" href="{BY}">x</a>', "a-rel"),
        (f'<p><a rel="license" href="//{BY[8:]}">x</a>', "a-rel"),
        (f'<main><a href="{BY}">x</a></main>', "a-href"),
        (f'<main><p>x</main><footer><a href="{BY}">x</a></footer>', "footer"),
        (f'<div role="contentinfo"><a href="{BY}">x</a></div>', "footer"),
        (f'<div class="a site-footer"><nav><a href="{BY}">x</a></nav></div>', "footer"),
        (f'<body class="footer"><a href="{BY}">x</a>', "a-href"),
        (f'<div id="has-footer-menu"><a href="{BY}">x</a></div>', "a-href"),
        (f'<map><area href="{BY}"></map>', "a-href"),
        (f'<head><meta name="DC.rights" content="{BY}"></head>', "meta"),
        (f'<head><meta name="dcterms.license" content="{BY}"></head>', "meta"),
        (f'<head><meta property="og:license" content="{BY}"></head>', "meta"),
        ('<head><meta name="license" content="CC BY 4.0"></head>', "meta"),
        (f'<head><meta name="copyright" content="x, {BY}"></head>', "meta"),
        (f'<a property="http://creativecommons.org/ns#license" href="{BY}">x', "a-href"),
        ('<head><meta itemprop="license" content="CC BY 4.0"></head>', "meta"),
        (
            f'<p itemscope itemtype="https://schema.org/Article"><a itemprop="license" href="{BY}">x</a>',
            "a-href",
        ),
        ("<footer>x<br>CC BY 4.0</footer>", "footer"),
        ("<footer>x<!-- y -->: CC BY 4.0</footer>", "footer"),
        (f'<p>x<footer><a href="{BY}">CC BY</a></footer>', "footer"),
        (ld({"@type": "WebPage", "license": BY}), "json-ld"),
    ],
)  # fmt: skip
def test_each_place_is_told(html: str, found: str) -> None:
    assert short(find(html)) == [f"CC-BY-4.0 {found}"]


@pytest.mark.parametrize(
    "html",
    [
        f'<link rel="stylesheet" href="{BY}">',
        f'<link rel="alternate" href="{BY}">',
        '<link rel="license" type="application/rsl+xml" href="/license.xml">',
        '<meta name="dc.rights" content="https://example.org/terms">',
        '<meta name="license" content="All rights reserved">',
        '<meta name="description" content="CC BY 4.0">',
        f'<p><a href="{MIT}">the license of a program</a>',
        f"<script>var x = 'CC BY 4.0', y = '{BY}'</script>",
        "<style>a { color: CC0 }</style><title>CC BY 4.0</title>",
        f"<!-- <a rel=license href={BY}>x</a> CC BY 4.0 -->",
        f'<p rel="license" href="{BY}">no link',
        "<p>This work is licensed under CC BY 4.0.",
        "<footer><style>a { color: CC0 }</style></footer>",
    ],
)
def test_what_says_nothing_of_the_page_is_no_candidate(html: str) -> None:
    assert find(f"{html}<p>x") == ()


def test_an_unknown_license_counts_where_it_is_declared() -> None:
    own = "https://example.org/de/nutzung"
    html = '<meta name="dcterms.license" content="/de/nutzung"><a rel=license href=nutzung>x'
    assert short(find(html)) == [f"{own} a-rel"]


def test_a_license_of_programs_counts_in_a_footer() -> None:
    html = f'<p><a href="{MIT}">x</a></p><footer><a href="{MIT}">x</a></footer>'
    assert short(find(html)) == ["MIT footer"]


def test_the_header_is_trusted_first() -> None:
    found = find(f'<link rel="license" href="{BY}">', linked=(SA, "ftp://x.org/l"))
    assert short(found) == [
        "CC-BY-SA-3.0-DE link-header",
        "CC-BY-4.0 link-rel",
    ]


def test_what_stands_behind_the_end_of_the_page_is_read() -> None:
    html = f"<html><body><p>x</body></html><footer><a href='{BY}'>x</a></footer>"
    assert short(find(html)) == ["CC-BY-4.0 footer"]


# -- parts -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "html",
    [
        f'<figure><a rel="license" href="{BY}">x</a></figure>',
        f'<blockquote><a href="{BY}">x</a></blockquote>',
        "<figcaption>Foto: A, CC BY 4.0</figcaption>",
        f'<p about="/bild.png"><a rel="license" href="{BY}">x</a>',
        f'<p about="#bild"><a rel="license" href="{BY}">x</a>',
        f'<p about="http://[x"><a rel="license" href="{BY}">x</a>',
        f'<div itemscope itemtype="http://schema.org/ImageObject"><a rel="license" href="{BY}">x</a></div>',
        f'<div typeof="Dataset"><a property="license" href="{BY}">x</a></div>',
        ld({"@type": "ImageObject", "license": BY}),
        ld({"@type": "WebPage", "primaryImageOfPage": {"license": BY}}),
        ld({"@type": "Article", "citation": [{"@type": "Article", "license": BY}]}),
        ld({"@graph": [{"@type": ["Thing", "VideoObject"], "license": BY}]}),
    ],
)
def test_the_license_of_a_part_is_not_that_of_the_page(html: str) -> None:
    assert find(html) == ()


@pytest.mark.parametrize("about", ["", PAGE, "seite.html"])
def test_rdfa_may_speak_of_the_page_itself(about: str) -> None:
    html = f'<p about="{about}"><a rel="license" href="{BY}">x</a></p>'
    assert short(find(html)) == ["CC-BY-4.0 a-rel"]


# -- JSON-LD -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        {"license": BY},
        {"@type": "NewsArticle", "license": [BY]},
        {"@type": ["CreativeWork"], "license": {"@type": "CreativeWork", "url": BY}},
        {"@type": "https://schema.org/BlogPosting", "license": {"@id": BY}},
        {"@type": "WebSite", "http://schema.org/license": "CC BY 4.0"},
        [{"@type": "Person"}, {"@type": "Article", "license": BY, "sdLicense": SA}],
        {"@graph": [{"@type": "Person"}, {"@type": "Article", "license": BY}]},
        {"@type": "WebPage", "mainEntity": {"@type": "Recipe", "license": BY}},
    ],
)
def test_structured_data_tell_the_license_of_the_page(content: object) -> None:
    assert short(find(ld(content))) == ["CC-BY-4.0 json-ld"]


@pytest.mark.parametrize(
    "script",
    [
        f'<!-- {{"license": "{BY}"}} -->',
        f'//<![CDATA[\n{{"license": "{BY}"}};\n//]]>',
        f'{{"license": "{BY}",}}',
        f'{{"a": "x\ty\nz", "license": "{BY}"}}',
    ],
)
def test_malformed_structured_data_are_read_where_they_can_be(script: str) -> None:
    html = f'<script type="Application/LD+JSON; charset=utf-8">{script}</script>'
    assert short(find(html)) == ["CC-BY-4.0 json-ld"]


@pytest.mark.parametrize(
    "script",
    [
        '{"license": ',
        '"license"',
        '{"license": 4}',
        '{"license": null, "a": "license"}',
        '{"license": [[["x"]]]}',
        '{"license": "' + "x" * 3000 + '"}',
        '{"license": ' + "[" * 100_000,
        '{"a":' * 5000 + '{"license": "CC0"}' + "}" * 5000,
        '{"a":' * 40 + '{"license": "CC0"}' + "}" * 40,
        '{"license": "CC0", "a": "' + "x" * 1_000_000 + '"}',
        '{"license": ' + "9" * 5000 + "}",
    ],
)
def test_structured_data_cannot_do_harm(script: str) -> None:
    assert find(f'<script type="application/ld+json">{script}</script>') == ()


# -- order and bounds --------------------------------------------------------------------


def test_licenses_are_ordered_by_trust_each_once() -> None:
    html = (
        f'<head><meta name="license" content="{SA}"></head><main>CC BY-NC 2.0'
        f'<a href="{ND}deed.de">1</a><a href="{ND}">2</a><figure><a href="{SA}">x</a>'
        f'</figure></main><a rel="license" href="{BY}">x</a><footer>CC BY-SA, CC0</footer>'
    )
    found = find(html)
    assert short(found) == [
        "CC-BY-4.0 a-rel",
        "CC-BY-SA-3.0-DE meta",
        "CC0-1.0 footer",
        "CC-BY-ND-4.0 a-href",
    ]
    assert found[3].url == f"{ND}deed.de"


def test_not_more_than_a_few_are_kept() -> None:
    links = "".join(f'<a rel="license" href="/{n}">x</a>' for n in range(5000))
    names = "".join(f"<p>CC BY-3.0-{a}{b}" for a in "ABCDEF" for b in "ABCDEF")
    found = find(f'{links}{names}<link rel="license" href="{BY}">')
    assert len(found) == MAX_LICENSES
    assert found[0].place is LicensePlace.LINK_REL


@pytest.mark.costs
def test_a_deep_page_of_links_is_read_at_bounded_cost() -> None:
    links = "".join(f'<a href="{BY}?{n}">x</a>' for n in range(5_000))
    html = "<div>" * 1000 + links
    root = etree.fromstring(html, etree.HTMLParser(huge_tree=True))

    def read() -> list[str]:
        return short(find_licenses(root, PAGE, html=html.encode()))

    assert read() == ["CC-BY-4.0 a-href"]
    assert_cheap(read, steps=5_000_000, units=20.0)


def test_a_plain_text_names_its_license() -> None:
    found = find_licenses_in_text(f"Licensed under {BY}.", linked=(SA,))
    assert short(found) == [
        "CC-BY-SA-3.0-DE link-header",
        "CC-BY-4.0 text",
    ]


def test_a_page_is_not_taken_to_be_under_a_name_in_a_plain_text() -> None:
    assert choose_license(find_licenses_in_text("Foto: A. Muster, CC BY 4.0")) is None


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "link", "meta", "p", "figure", "footer", "script"]),
            st.sampled_from(["rel", "property", "itemprop", "name", "about", "itemtype"]),
            st.sampled_from(["license", "cc:license", "", "//[", "dc.rights"]),
            st.sampled_from(["href", "content", "resource"]),
            st.one_of(st.just(BY), st.text(st.characters(codec="utf-8", exclude_characters='"<>&\0'))),
        ),
        max_size=8,
    )
)  # fmt: skip
def test_any_page_gives_writable_candidates(
    tags: list[tuple[str, str, str, str, str]],
) -> None:
    html = "".join(f'<{t} {a}="{v}" {b}="{w}">x' for t, a, v, b, w in tags)
    found = find(f"<p>x{html}")
    assert len(set(found)) == len(found)
    assert all(one.url.startswith(("http://", "https://")) for one in found)
