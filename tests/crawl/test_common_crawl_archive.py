"""The pages of Common Crawl: look-ups, languages, and records that are not what was asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from common_crawl_server import CRAWL, CommonCrawlHandler, Records, make_handler
from scrapy.settings import Settings

from ilspfc.corpus.warc.reader import DamagedError
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
