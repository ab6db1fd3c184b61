"""The pages of Common Crawl: look-ups, languages, and records that are not what was asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from common_crawl_server import (
    CRAWL,
    CommonCrawlHandler,
    Records,
    make_handler,
    write_table,
)
from scrapy.settings import Settings

from ilspfc.corpus.warc.reader import DamagedError
from ilspfc.crawl.archives.columnar_index import find_tables, iter_entries
from ilspfc.crawl.archives.common_crawl import (
    CommonCrawlArchive,
    make_queries,
    twin_of,
    wanted_codes,
)
from ilspfc.crawl.arguments import CrawlArguments
from ilspfc.exceptions import ArgumentError
from ilspfc.frontier.scope import Scope

if TYPE_CHECKING:
    from conftest import Serve

    Open = Callable[[Records], CommonCrawlArchive]

URL = "https://www.example.org/de/"
LARGE = 1 << 20


@pytest.fixture
def look_up(serve: Serve) -> Open:
    """Makes the archive of the records of example.org, indexed."""

    def look_up(
        records: Records, handler: type[CommonCrawlHandler] | None = None
    ) -> CommonCrawlArchive:
        server = serve(handler or make_handler(records))
        settings = Settings({"FETCH_COMMON_CRAWL": [server.url] * 2, "USER_AGENT": "x"})
        arguments = CrawlArguments(
            ("deu", "ita"), None, (URL,), Scope.SITE, cc=(CRAWL,)
        )
        archive = CommonCrawlArchive(arguments, settings, ["text/html"])
        archive.index()
        return archive

    return look_up


def test_look_ups_fit_the_scope() -> None:
    seeds = [URL, "https://www.example.org/de/b.html", "https://it.example.org/"]
    site = {"url": "example.org", "matchType": "domain"}
    assert make_queries(Scope.SITE, seeds) == make_queries(Scope.ANY, seeds) == [site]
    assert make_queries(Scope.HOST, seeds) == [
        {"url": "www.example.org", "matchType": "host"},
        {"url": "it.example.org", "matchType": "host"},
    ]
    assert make_queries(Scope.PATH, seeds[:2]) == [
        {"url": "www.example.org/de/", "matchType": "prefix"},
        {"url": "www.example.org/robots.txt", "matchType": "exact"},
    ]


def test_a_host_has_one_other_spelling() -> None:
    assert twin_of("https://www.example.org/a") == "https://example.org/a"
    assert twin_of("https://example.org/a") == "https://www.example.org/a"
    assert twin_of("http://127.0.0.1:8000/a") == "http://127.0.0.1:8000/a"


def test_languages_are_those_that_common_crawl_tells_apart() -> None:
    assert wanted_codes(["deu"]) == {"deu"}
    assert wanted_codes(["nob"]) >= {"nor", "nob"}
    assert wanted_codes(["hrv"]) >= {"hrv", "srp"}
    # Aragonese and Upper Sorbian have other languages in the index.
    assert wanted_codes(["arg"]) == wanted_codes(["deu", "hsb"]) == frozenset()


def test_an_answer_is_the_record_of_its_url(look_up: Open) -> None:
    records = Records()
    records.add(f"{URL}?b=1&a=2#top", b"<p>eins", "X-One: 1", languages="deu,eng")
    records.add("http://other.example.org/", b"<p>zwei", mime="unk")
    records.add(
        f"{URL}c", b"<p>drei", mime="text/plain", **{"mime-detected": "text/html"}
    )
    records.add("https://example.org.uk/", b"<p>vier")
    archive = look_up(records)
    assert sorted(archive.pages()) == [
        "http://other.example.org/",
        f"{URL}?b=1&a=2",
        f"{URL}c",
    ]
    answer = archive.read(f"{URL}?a=2&b=1", LARGE)
    assert answer is not None
    assert (answer.status, answer.body, answer.is_cut) == (200, b"<p>eins", False)
    assert (b"X-One", b"1") in answer.headers
    assert answer.date.isoformat() == "2026-07-12T10:15:30+00:00"
    assert archive.read(f"{URL}none", LARGE) is None


def test_records_that_are_not_what_was_asked_for_are_refused(look_up: Open) -> None:
    records = Records()
    for name in "abcd":
        records.add(URL + name, b"<p>Text")
    first, second, third, fourth = records.lines
    second["offset"], second["length"] = first["offset"], first["length"]
    third["filename"] = "gone.warc.gz"
    fourth["length"] = str(10**9)
    archive = look_up(records)
    assert archive.read(f"{URL}a", LARGE) is not None
    with pytest.raises(DamagedError, match=r"the record is of .*/de/a"):
        archive.read(f"{URL}b", LARGE)
    with pytest.raises(OSError, match="answers with HTTP 404"):
        archive.read(f"{URL}c", LARGE)
    with pytest.raises(DamagedError, match="1000000000 bytes"):
        archive.read(f"{URL}d", LARGE)


def test_a_server_that_asks_for_too_much_patience_is_left(look_up: Open) -> None:
    class Busy(CommonCrawlHandler):
        def respond(self) -> None:
            self.answer("Slow down", status=429, headers={"Retry-After": "86400"})

    with pytest.raises(ArgumentError, match=r"cc=.*HTTP 429; try again later"):
        look_up(Records(), Busy)  # type: ignore[call-arg]


def test_an_index_that_is_none_is_refused(look_up: Open) -> None:
    class Other(CommonCrawlHandler):
        def respond(self) -> None:
            self.answer('{"id": 1}' if self.path.endswith("json") else "<p>Hello")

    with pytest.raises(ArgumentError, match=r"collinfo\.json is no list of crawls"):
        look_up(Records(), Other)  # type: ignore[call-arg]


# -- columnar index ----------------------------------------------------------------------


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """A file of the columnar index with three hosts of two sites, a row a group."""
    records = Records()
    for url in (
        URL,
        "https://example.org/it/b",
        "https://it.example.org/",
        "http://a.io/",
    ):
        records.add(url, b"<p>Text", languages="deu")
    records.add(f"{URL}robots.txt", b"", mime="text/plain")
    records.add("https://www.example.org/robots.txt", b"", mime="text/plain")
    records.add(f"{URL}moved", b"", status="301 Moved")
    records.add(f"{URL}gone", b"", status="404 Not Found")
    records.add(f"{URL}bad", b"", status="200 OK", timestamp="yesterday")
    write_table(tmp_path / "rows.parquet", records, row_group_size=1)
    return tmp_path / "rows.parquet"


@pytest.mark.parametrize(
    ("scope", "found"),
    [
        (Scope.SITE, ["/", "/de/", "/de/moved", "/it/b", "/robots.txt"]),
        (Scope.HOST, ["/de/", "/de/moved", "/it/b", "/robots.txt"]),
        (Scope.PATH, ["/de/", "/de/moved", "/robots.txt"]),
    ],
)
def test_rows_are_those_that_the_server_would_find(
    rows: Path, scope: Scope, found: list[str], look_up: Open
) -> None:
    settings = Settings({"FETCH_COMMON_CRAWL": ["http://a.io"] * 2, "USER_AGENT": "x"})
    given = CrawlArguments(
        ("deu", "ita"), None, (URL,), scope, cc=("x",), cc_tables=(rows,)
    )
    archive = CommonCrawlArchive(given, settings, ["text/html"])
    archive.index()
    urls = [url for url, _ in archive.answers()]
    assert sorted(url.partition(".org")[2] for url in urls) == found
    assert archive.counts == {"index": len(found), "other_type": 1, "damaged": 1}


def test_groups_of_rows_without_the_sites_are_not_read(rows: Path) -> None:
    entries = list(iter_entries(rows, {"a.io"}))
    assert [one["url"] for one in entries] == ["http://a.io/"]
    assert entries[0]["timestamp"] == "20260712101530"
    assert len(list(iter_entries(rows, ()))) == 9
    assert list(iter_entries(rows, {"none.org"})) == []


def test_one_line_tells_what_is_wrong_with_a_table(
    tmp_path: Path, rows: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    (tmp_path / "text.parquet").write_text("no table")
    (tmp_path / "empty").mkdir()
    parquet.write_table(pa.table({"url": ["x"]}), tmp_path / "short.parquet")
    for names, said in (
        (["none.parquet"], "cannot be read as Parquet"),
        ([f"{tmp_path}/empty"], "cannot be read as Parquet"),
        ([f"{tmp_path}/text.parquet"], "cannot be read as Parquet"),
        ([f"{tmp_path}/short.parquet"], "columns are missing .fetch_time, .*length"),
        ([str(rows), CRAWL], "files and names of crawls; give one of the two"),
    ):
        with pytest.raises(ArgumentError, match=f"cc=.*{said}") as caught:
            find_tables(names)
        assert "\n" not in str(caught.value)
    assert find_tables([CRAWL]) == ()
    data = rows.read_bytes()
    rows.write_bytes(data[:4] + bytes(300) + data[304:])
    with pytest.raises(ArgumentError, match=r"is damaged .*; get it again"):
        list(iter_entries(rows, ()))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ArgumentError, match="pyarrow is not installed; pip install"):
        find_tables([str(rows)])
