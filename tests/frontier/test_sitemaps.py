"""Sitemaps and feeds: the forms they take, the damage they arrive with, and attacks."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from costs import assert_cheap
from hypothesis import given
from hypothesis import strategies as st

from ilspfc.exceptions import WorkerTimeoutError
from ilspfc.frontier.sitemaps import reader
from ilspfc.frontier.sitemaps.feeds import SitemapKind
from ilspfc.frontier.sitemaps.reader import (
    Sitemap,
    SitemapEntry,
    SitemapSession,
    iter_parts,
    parse_sitemap,
)
from ilspfc.workers import WorkerPool

URL = "https://example.org/sitemap.xml"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

DATA = Path(
    os.environ.get(
        "ILSPFC_EVALUATION_DATA", Path(__file__).resolve().parents[3] / "shared"
    )
)
SITEMAPS = DATA / "conformance" / "sitemaps"
COMPRESSED = DATA / "conformance" / "compressed"

needs_sitemaps = pytest.mark.skipif(
    not SITEMAPS.is_dir(),
    reason="The conformance sitemaps are not there; set ILSPFC_EVALUATION_DATA.",
)
needs_compressed = pytest.mark.skipif(
    not COMPRESSED.is_dir(),
    reason="The conformance archives are not there; set ILSPFC_EVALUATION_DATA.",
)


def read(body: str | bytes, **limits: int) -> Sitemap:
    data = body.encode() if isinstance(body, str) else body
    constants = {name.upper(): limit for name, limit in limits.items()}
    with patch.dict(vars(reader), constants):
        return parse_sitemap(data, URL)


def urls(sitemap: Sitemap) -> list[str]:
    return [entry.url for entry in sitemap.entries]


def urlset(*locs: str) -> str:
    records = "".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
    return f"<?xml version='1.0'?><urlset {NS}>{records}</urlset>"


# -- forms -------------------------------------------------------------------------------


def test_a_group_of_versions_stays_together() -> None:
    links = (
        '<xhtml:link rel="alternate" hreflang="de-CH" href="https://example.org/de/"/>'
        '<xhtml:link rel="alternate" hreflang="IT" href="/it/"/>'
        '<xhtml:link hreflang="x-default" href="https://example.org/"/>'
        '<xhtml:link rel="alternate" hreflang="IT" href="/it/"/>'
        '<xhtml:link rel="stylesheet" hreflang="de" href="/x.css"/>'
        '<xhtml:link rel="alternate" media="handheld" href="/m/"/>'
    )
    sitemap = read(
        f'<urlset {NS} xmlns:xhtml="http://www.w3.org/1999/xhtml">'
        f"<url><loc>https://example.org/de/</loc><lastmod> 2026-01-02 </lastmod>{links}</url>"
        f"<url><loc>https://example.org/it/</loc>{links}</url></urlset>"
    )
    group = (
        ("de-CH", "https://example.org/de/"),
        ("IT", "https://example.org/it/"),
        ("x-default", "https://example.org/"),
    )
    assert sitemap == Sitemap(
        SitemapKind.URLSET,
        (
            SitemapEntry("https://example.org/de/", group),
            SitemapEntry("https://example.org/it/", group),
        ),
    )


def test_an_index_lists_sitemaps() -> None:
    sitemap = read(
        f"<sitemapindex {NS}><sitemap><loc>https://example.org/a.xml.gz</loc>"
        "<lastmod>2026-01-02T03:04:05+01:00</lastmod></sitemap>"
        "<sitemap>https://example.org/b.xml</sitemap></sitemapindex>"
    )
    assert sitemap == Sitemap(
        SitemapKind.INDEX,
        (
            SitemapEntry("https://example.org/a.xml.gz"),
            SitemapEntry("https://example.org/b.xml"),
        ),
    )


def test_a_text_has_a_url_a_line() -> None:
    sitemap = read(
        "\ufeffhttps://example.org/a\r\n\r\n  https://example.org/b?x=1#y \rabout us\n"
        "/relative\nhttps://example.org/c d\nHTTPS://example.org/e"
    )
    assert sitemap.kind is SitemapKind.TEXT
    assert urls(sitemap) == [
        "https://example.org/a",
        "https://example.org/b?x=1",
        "https://example.org/e",
    ]


def test_rss_items_are_known_by_link_or_permanent_guid() -> None:
    sitemap = read(
        """<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
        <link>https://example.org/</link>
        <image><url>https://example.org/i.png</url><link>https://example.org/</link></image>
        <item><link> /a </link><pubDate>Sun, 06 Sep 2009 16:20:00 +0000</pubDate></item>
        <item><title>&nbsp;A &amp; B</title><guid>https://example.org/b</guid></item>
        <item><link>https://example.org/c<![CDATA[?x=1&y=2]]></link><guid>17</guid></item>
        <item><atom:link rel="self" href="/self"/><atom:link href="/d"/></item>
        <item><title>None</title><guid isPermaLink="false">17</guid></item>
        </channel></rss>"""
    )
    assert sitemap.kind is SitemapKind.FEED
    assert urls(sitemap) == [
        "https://example.org/a",
        "https://example.org/b",
        "https://example.org/c?x=1&y=2",
        "https://example.org/d",
    ]


def test_rss_1_items_stand_beside_their_channel() -> None:
    sitemap = read(
        """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
        <channel rdf:about="https://example.org/"><link>https://example.org/</link></channel>
        <item rdf:about="https://example.org/a"><dc:date>2026-01-02</dc:date></item>
        <item rdf:about="x"><link>https://example.org/b</link></item></rdf:RDF>"""
    )
    assert urls(sitemap) == ["https://example.org/a", "https://example.org/b"]


def test_atom_entries_may_have_versions() -> None:
    sitemap = read(
        """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.org/x/">
        <link href="/feed" rel="self"/><id>https://example.org/feed</id>
        <entry><link rel="alternate" type="application/json" href="a.json"/>
          <link rel="alternate" type="text/html" hreflang="de" href="a"/>
          <link rel="alternate" hreflang="it" href="a.it"/>
          <link rel="edit" href="edit"/><published>2026-01-01</published>
          <updated>2026-01-02</updated><source><link href="/source"/></source>
          <content type="xhtml"><div><link href="/in-text" hreflang="fr"/></div></content>
        </entry>
        <entry><id>https://example.org/b</id></entry>
        <entry><id>urn:uuid:1</id></entry></feed>"""
    )
    alternates = (
        ("de", "https://example.org/x/a"),
        ("it", "https://example.org/x/a.it"),
    )
    assert sitemap == Sitemap(
        SitemapKind.FEED,
        (
            SitemapEntry("https://example.org/x/a", alternates),
            SitemapEntry("https://example.org/b"),
        ),
    )


@pytest.mark.parametrize(
    "body",
    [
        "",
        "   ",
        "404 not found",
        "<!DOCTYPE html><html><body><rss/><urlset/></body></html>",
        "<html><loc>https://example.org/</loc></html>",
        '<?xml version="1.0"?><html><head><x><rss><item/></rss></x></head></html>',
        '<?xml version="1.0"?><products><url><loc>https://a.org/</loc></url></products>',
        '{"urls": ["https://example.org/"]}',
        b"\x89PNG\r\n\x1a\n\0\0",
    ],
)
def test_what_is_no_sitemap_has_no_entries(body: str | bytes) -> None:
    sitemap = read(body)
    assert sitemap.kind is SitemapKind.UNKNOWN
    assert sitemap.entries == ()


def test_an_empty_sitemap_is_one() -> None:
    assert read(f"<urlset {NS}/>") == Sitemap(SitemapKind.URLSET)


# -- damage ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (urlset("https://a.org/?a=1&b=2"), ["https://a.org/?a=1&b=2"]),
        (urlset("https://a.org/?a=1&amp;b=2"), ["https://a.org/?a=1&b=2"]),
        (urlset("https://a.org/?a=1&lang=it&copy=1"), ["https://a.org/?a=1&lang=it&copy=1"]),
        (urlset("https://a.org/&#x41;&#66;"), ["https://a.org/AB"]),
        (urlset("<![CDATA[https://a.org/?a=1&b=2]]>"), ["https://a.org/?a=1&b=2"]),
        (urlset("\n  https://a.org/\n"), ["https://a.org/"]),
        (urlset("https://a.org/ä ö"), ["https://a.org/ä ö"]),
        (urlset("https://a.org/\x00\x0ba"), ["https://a.org/a"]),
        (urlset("https://a.org/#top", "//b.org/", "/c"), ["https://a.org/", "https://b.org/", "https://example.org/c"]),
        (urlset("www.a.org/x", "ftp://a.org/", "", "https://"), []),
        (urlset("https://[a", "https://a.org:x/", "https://a.org:99999/"), []),
        (urlset("https://a.org/" + "a" * 2_048), []),
        ("\n\n " + urlset("https://a.org/"), ["https://a.org/"]),
        ("<b>Warning</b>: in x.php\n" + urlset("https://a.org/"), ["https://a.org/"]),
        ("\ufeff" + urlset("https://a.org/"), ["https://a.org/"]),
        ("<URLSET><URL><LOC>https://a.org/</LOC></URL></URLSET>", ["https://a.org/"]),
        ("<x:urlset><x:url><x:loc>https://a.org/</x:loc></x:url>", ["https://a.org/"]),
        ("<root><urlset><url><loc>https://a.org/</loc></url></urlset></root>", ["https://a.org/"]),
        ('<urlset xmlns="urn:x"><url xmlns="urn:y"><loc>https://a.org/</loc></url>', ["https://a.org/"]),
        # Not closed, closed wrongly, cut off.
        ("<urlset><url><loc>https://a.org/</loc><url><loc>https://b.org/</loc>", ["https://a.org/", "https://b.org/"]),
        ("<urlset><url><loc>https://a.org/</loc><x></url><url><loc>https://b.org/</loc></url>", ["https://a.org/", "https://b.org/"]),
        ("<urlset><url><loc>https://a.org/</loc></url><url><loc>https://b.org/hal", ["https://a.org/"]),
        ("<urlset><url><loc>https://a.org/</loc></url><url><loc>https://b.org/</lo", ["https://a.org/"]),
        ("<sitemapindex><sitemap>https://a.org/</sitemap><sitemap>https://b.org/h", ["https://a.org/"]),
        ("<urlset><url a='b' c><loc>https://a.org/</loc><l a=b /></url><url><loc>https://b.org/</loc></url>", ["https://a.org/", "https://b.org/"]),
        (urlset("https://a.org/") + urlset("https://b.org/"), ["https://a.org/"]),
        # Other names for other things.
        ("<urlset><url><loc>https://a.org/</loc><image:image><image:loc>https://a.org/i.png</image:loc></image:image></url>", ["https://a.org/"]),
        ("<urlset><url><video:video><loc>https://a.org/v</loc></video:video><loc>https://a.org/</loc><loc>https://b.org/</loc></url>", ["https://a.org/"]),
        ("<urlset><sitemap><loc>https://a.org/</loc></sitemap></urlset>", []),
    ],
)  # fmt: skip
def test_what_can_be_read_is_read(body: str, expected: list[str]) -> None:
    assert urls(read(body)) == expected
    assert urls(read(gzip.compress(body.encode()))) == expected


@pytest.mark.parametrize(
    ("codec", "declaration"),
    [
        ("utf-8", ""),
        ("utf-8", "<?xml version='1.0' encoding='utf-16'?>"),
        ("utf-8", "<?xml version='1.0' encoding='idna'?>"),
        ("utf-16", "<?xml version='1.0' encoding='UTF-16'?>"),
        ("utf-16-le", "<?xml version='1.0' encoding='UTF-16'?>"),
        ("utf-16-be", ""),
        ("utf-32", ""),
        ("iso-8859-1", "<?xml version='1.0' encoding='ISO-8859-1'?>"),
        ("cp1251", '<?xml version="1.0" encoding="windows-1251" ?>'),
    ],
)
def test_encodings_are_known_by_mark_and_declaration(
    codec: str, declaration: str
) -> None:
    letter = "ж" if codec == "cp1251" else "é"
    body = f"{declaration}<urlset><url><loc>https://a.org/{letter}</loc></url></urlset>"
    assert urls(read(body.encode(codec))) == [f"https://a.org/{letter}"]


def test_bytes_that_are_no_text_cost_their_entry_alone() -> None:
    body = urlset("https://a.org/\udcff", "https://a.org/b")
    sitemap = read(body.encode("utf-8", "surrogateescape"))
    assert urls(sitemap) == ["https://a.org/\ufffd", "https://a.org/b"]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1_000])
def test_tokens_are_mended_wherever_a_piece_ends(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ilspfc.frontier.sitemaps.reader._PIECE_BYTES", size)
    body = "https://a.org/?a&b=&amp;&#x41;<![CDATA[&amp;&c]]>&d;]]>"
    records = f"<url><loc>{body}</loc></url>" * 3
    sitemap = read(f"<urlset>{records}</urlset>")
    assert urls(sitemap) == ["https://a.org/?a&b=&A&amp;&c&d;]]>"] * 3
    assert urls(read("https://b.org/b\n" * 3)) == ["https://b.org/b"] * 3


@pytest.mark.parametrize("length", range(1, 60))
def test_a_damaged_archive_gives_what_it_has(length: int) -> None:
    body = gzip.compress(urlset(*(f"https://a.org/{n}" for n in range(9))).encode())
    sitemap = read(body[:-length])
    assert sitemap.is_truncated
    assert urls(sitemap) == [f"https://a.org/{n}" for n in range(len(sitemap.entries))]


def test_an_archive_may_have_several_members() -> None:
    text = urlset("https://a.org/a", "https://a.org/b").encode()
    body = gzip.compress(text[:90]) + gzip.compress(text[90:]) + b"\0" * 9
    assert read(body) == read(text)


# -- limits and attacks ------------------------------------------------------------------


def test_no_more_urls_than_allowed() -> None:
    body = urlset(*(f"https://a.org/{number}" for number in range(10)))
    assert len(read(body, max_urls=10).entries) == 10
    assert not read(body, max_urls=10).is_truncated
    assert len(read(body, max_urls=9).entries) == 9
    assert read(body, max_urls=9).is_truncated


def test_no_more_bytes_than_allowed() -> None:
    body = urlset(*(f"https://a.org/{number}" for number in range(1_000)))
    for data in (body.encode(), gzip.compress(body.encode())):
        sitemap = read(data, max_bytes=2_000)
        assert sitemap.is_truncated
        assert 20 < len(sitemap.entries) < 100
        assert not read(data, max_bytes=len(body)).is_truncated


def test_a_bomb_stops_at_the_limit_and_keeps_what_was_read() -> None:
    start = urlset("https://a.org/").removesuffix("</urlset>").encode()
    bomb = gzip.compress(start + b" " * 100_000_000)
    tracemalloc.start()
    sitemap = read(bomb, max_bytes=10_000_000)
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert urls(sitemap) == ["https://a.org/"]
    assert sitemap.is_truncated
    assert peak_bytes < 5_000_000


def test_entities_are_neither_expanded_nor_loaded(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("https://secret.org/")
    body = f"""<?xml version="1.0"?><!DOCTYPE urlset SYSTEM "{secret.as_uri()}" [
    <!ENTITY a "https://evil.org/"><!ENTITY b SYSTEM "{secret.as_uri()}">
    <!ENTITY % c SYSTEM "{secret.as_uri()}"> %c;
    ]><urlset><url><loc>&a;</loc></url><url><loc>&b;</loc></url>
    <url><loc>https://a.org/</loc><xhtml:link hreflang="de" href="&a;"/></url></urlset>"""
    sitemap = read(body)
    (entry,) = sitemap.entries
    assert entry.url == "https://a.org/"
    assert "evil" not in repr(sitemap)
    assert "secret" not in repr(sitemap)


def _laughs(sign: str) -> str:
    names = [f"<!ENTITY {sign} a0 'ha'>"]
    for level in range(1, 30):
        reference = f"{sign or '&'}a{level - 1};" * 10
        names.append(f"<!ENTITY {sign} a{level} '{reference}'>")
    return (
        f"<!DOCTYPE urlset [{''.join(names)} {'%a29;' if sign else ''}]><urlset><url>"
        '<loc>https://a.org/&a29;</loc><x y="&a29;"/></url></urlset>'
    )


MEGABYTES = 4_000_000
URL_RECORD = "<url><loc>https://a.org/</loc></url>"
ATTACKS = {
    "entities": _laughs(""),
    "parameter entities": _laughs("%"),
    "attributes": "<urlset><url "
    + " ".join(f'a{n}="x"' for n in range(200_000))
    + f">{URL_RECORD}",
    "namespaces": "<urlset "
    + " ".join(f'xmlns:a{n}="x"' for n in range(200_000))
    + f">{URL_RECORD}",
    "long name": f"<urlset><{'a' * MEGABYTES}>",
    "long value": f'<urlset><url a="{"a" * MEGABYTES}">',
    "long comment": f"<urlset><!--{'-' * MEGABYTES}",
    "long text": f"<urlset><url><loc>https://a.org/{'a' * MEGABYTES}</loc></url>",
    "long guid": f"<rss><item><guid>{'a' * MEGABYTES}</guid></item></rss>",
    "deep": "<urlset>" + "<a>" * (MEGABYTES // 3),
    "deep records": "<urlset>" + "<url>" * (MEGABYTES // 5),
    "brackets": "<urlset>" + "<" * MEGABYTES,
    "ampersands": "<urlset>" + "&" * (MEGABYTES // 4),
    "cdata": "<urlset>" + "<![CDATA[" * (MEGABYTES // 9),
    "closing tags": "<urlset>" + "</a>" * (MEGABYTES // 4),
    "versions": "<urlset><url><loc>https://a.org/</loc>"
    + '<link rel="alternate" hreflang="de" href="/d"/>' * (MEGABYTES // 50),
    "lines": "a\n" * (MEGABYTES // 2),
    "long line": "https://a.org/" + "a" * MEGABYTES,
    "spaces": " " * MEGABYTES,
    "declaration": "<?xml " + "x" * MEGABYTES,
    "doctype": "<!DOCTYPE urlset ["
    + "<!ENTITY a 'b'>" * (MEGABYTES // 15)
    + f"]><urlset>{URL_RECORD}",
}


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.costs
def test_attacks_take_neither_time_nor_memory(name: str) -> None:
    body = ATTACKS[name].encode()
    assert len(repr(read(body))) < 50_000
    assert_cheap(lambda: read(body), steps=30_000_000, units=150.0)


LARGE = urlset(*(f"https://example.org/page/{n:07}" for n in range(10_000)))


def test_a_large_sitemap_is_read_in_little_memory() -> None:
    body = urlset(
        *(f"https://example.org/page/{n:07}" for n in range(150_000))
    ).encode()
    tracemalloc.start()
    sitemap = read(body)
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(sitemap.entries) == 50_000
    assert sitemap.is_truncated
    assert peak_bytes < 25_000_000


def test_repeated_versions_are_read_in_little_memory() -> None:
    link = (
        '<xhtml:link rel="alternate" hreflang="l{}" href="https://example.org/same"/>'
    )
    links = "".join(link.format(number) for number in range(50))
    record = f"<url><loc>https://example.org/same</loc>{links}</url>"
    body = f"<urlset>{record * 2_000}</urlset>".encode()
    tracemalloc.start()
    number = sum(
        len(entry.alternates)
        for part in iter_parts(body, URL)
        for entry in part.entries
    )
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert number == 100_000
    assert peak_bytes < 5_000_000


# Elements without a meaning cost seconds of CPU.
COSTLY = urlset(*(f"https://a.org/{n}</loc>{'<x/>' * 2_000}<loc>" for n in range(500)))


def test_a_session_reads_what_takes_longer_than_a_worker_may() -> None:
    async def read_parts(pool: WorkerPool) -> int:
        await pool.measure_prepared(SitemapSession.open, COSTLY.encode(), URL)
        number, seconds = 0, 0.0
        run = pool.measure_prepared
        while (answer := await run(SitemapSession.next))[0]:
            number += len(answer[0].entries)
            seconds += answer[1]
        assert seconds > pool.cpu_seconds
        return number

    pool = WorkerPool(1, 0.4, SitemapSession)
    try:
        assert asyncio.run(read_parts(pool)) == 500
        with pytest.raises(WorkerTimeoutError):
            asyncio.run(pool.run(parse_sitemap, COSTLY.encode(), URL))
    finally:
        pool.close()


XML_WORDS = st.sampled_from(
    "<urlset> <url> <loc> </loc> </url> <rss> <item> <link> <feed> <entry> <sitemap> "
    "<link/> &amp; &x; <![CDATA[ ]]> <!-- --> <!DOCTYPE https://a.org/ xml:base='//[' "
    "<x:link\thref='//[' <?xml \x00 \ufeff \ud7ff '".split(" ")
)


@given(st.lists(XML_WORDS | st.text(max_size=9), max_size=40), st.integers(0, 40))
def test_any_markup_can_be_read(words: list[str], max_urls: int) -> None:
    for head in ("", "<urlset>", "<sitemapindex>", "<rss>", "<feed xml:base='//['>"):
        body = head + "".join(words)
        sitemap = read(body.encode("utf-8", "replace"), max_urls=max_urls)
        assert len(sitemap.entries) <= max_urls
        for entry in sitemap.entries:
            assert entry.url.lower().startswith(("http://", "https://"))


@given(st.binary(), st.sampled_from([b"", b"\x1f\x8b\x08", b"\xff\xfe", b"\0<"]))
def test_any_bytes_can_be_read(body: bytes, head: bytes) -> None:
    read(head + body)


# -- conformance -------------------------------------------------------------------------

ROOTS = {
    "urlset": SitemapKind.URLSET,
    "sitemapindex": SitemapKind.INDEX,
    "rss": SitemapKind.FEED,
    "feed": SitemapKind.FEED,
    "text": SitemapKind.TEXT,
}


def _cases() -> list[tuple[str, dict[str, Any]]]:
    file = SITEMAPS / "expected.json"
    if not file.is_file():
        return []
    expected = json.loads(file.read_text(encoding="utf-8"))
    return [(name, case) for name, case in expected.items() if name != "_note"]


@needs_sitemaps
def test_the_conformance_files_are_all_there(
    count_cases: Callable[[str, int, int], None],
) -> None:
    files = {
        path.relative_to(SITEMAPS).as_posix()
        for path in SITEMAPS.rglob("*")
        if path.is_file() and path.name not in {"SOURCE.txt", "expected.json"}
    }
    cases = _cases()
    whole = sum(
        not read((SITEMAPS / name).read_bytes()).is_truncated for name, _ in cases
    )
    count_cases("sitemaps and feeds: crawler-commons", whole, len(cases))
    assert {name for name, _ in cases} == files


@needs_sitemaps
@pytest.mark.parametrize(("name", "case"), _cases())
def test_conformance_sitemaps_are_read_whole(name: str, case: dict[str, Any]) -> None:
    sitemap = read((SITEMAPS / name).read_bytes())
    counts = (
        case.get(key, 0) for key in ("loc", "items", "lines", "bare_text_entries")
    )
    assert sitemap.kind is ROOTS[case["root"]]
    assert len(sitemap.entries) == sum(counts)
    alternates = [entry.alternates for entry in sitemap.entries]
    assert sum(map(len, alternates)) == case.get("alternate", 0)
    assert not sitemap.is_truncated


@needs_sitemaps
def test_the_conformance_group_has_its_three_languages() -> None:
    file = SITEMAPS / "sitemaps" / "extension" / "sitemap-links.xml"
    group = (
        ("de", "http://www.example.com/deutsch/"),
        ("de-ch", "http://www.example.com/schweiz-deutsch/"),
        ("en", "http://www.example.com/english/"),
    )
    assert {entry.alternates for entry in read(file.read_bytes()).entries} == {group}


@needs_compressed
@pytest.mark.costs
def test_conformance_archives_end_at_the_limit() -> None:
    for file in sorted(COMPRESSED.iterdir()):
        sitemap = read(file.read_bytes(), max_bytes=1_000_000)
        assert_cheap(
            partial(read, file.read_bytes(), max_bytes=1_000_000),
            steps=2_000_000,
            units=60.0,
        )
        assert sitemap.entries == ()
        assert sitemap.is_truncated == (
            file.name
            in {"bomb-gzip.bin", "unexpected-eof.gz", "truncated-crc-error-short.gz"}
        )
