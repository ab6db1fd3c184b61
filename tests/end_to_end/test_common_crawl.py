"""Crawls over Common Crawl: a small one on loopback, with pages of the workshop."""

from __future__ import annotations

import gzip
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from common_crawl_server import CRAWL, FILE, Records, make_handler, write_table
from conftest import SITES, Crawl
from crawled_corpus import CrawledCorpus

if TYPE_CHECKING:
    from conftest import Project, Result, Serve, Site

HOST = "https://www.werkstatt.example"
ARGUMENTS = {"langs": "de,it", "seeds": "http://werkstatt.example/", "cc": CRAWL}
LANGS = {"de": "deu", "it": "ita", "en": "eng"}
# In neither language, by the index; robots.txt refuses the second; no page.
LEFT_OUT = {"en/about.html", "intern/termine.html", "media/logo.png"}


@pytest.fixture(scope="module")
def records() -> Records:
    """The workshop as Common Crawl has it: without most pages that link others."""
    records, folder = Records(), SITES / "workshop"
    moved = "301 Moved Permanently"
    records.add(
        "http://werkstatt.example/",
        b"",
        f"Location: {HOST}/",
        status=moved,
        redirect="x",
    )
    for path in sorted(folder.rglob("*.html")):
        name = path.relative_to(folder).as_posix()
        url = f"{HOST}/{name.removesuffix('index.html')}"
        languages = LANGS.get(name.partition("/")[0], "")
        fields = {"languages": languages} if languages else {}
        if name == "it/polvere.html":
            fields = {"languages": "deu,ita", "truncated": "length"}
        if name == "de/staub.html":
            fields = {}  # its text was too short for Common Crawl to tell the language
        if name not in {"de/index.html", "it/index.html"}:
            records.add(url, path.read_bytes(), **fields)
    robots = (folder / "robots.txt").read_bytes()
    records.add(f"{HOST}/robots.txt", robots, mime="text/plain")
    reserved = (folder / "de" / "laerm.html").read_bytes()
    records.add(f"{HOST}/reserved", reserved, "tdm-reservation: 1", languages="deu")
    records.add(f"{HOST}/media/logo.png", b"png", mime="image/png")
    records.add(f"{HOST}/gone", b"", status="404 Not Found")
    records.add(
        "https://werkstatt.example.org/de/", b"<p>another site", languages="deu"
    )
    damaged = next(line for line in records.lines if line["url"].endswith("/gone"))
    damaged |= {"status": "200", "timestamp": "yesterday"}
    return records


@pytest.fixture(scope="module")
def server(records: Records, serve: Serve) -> Site:
    """The small Common Crawl."""
    return serve(make_handler(records))


@pytest.fixture(scope="module")
def crawl(make_project: Callable[[], Project], server: Site) -> Crawl:
    """A crawl of the site's pages in Common Crawl."""
    project = make_project()
    settings = {
        "CORPUS_DIR": "out",
        "FETCH_COMMON_CRAWL": f"{server.url},{server.url}",
        "EXPORTS_FORMATS": "tmx,html",
    }
    result = project.crawl("bilingual", settings, **ARGUMENTS)
    assert result.status == 0, result.stderr
    return Crawl(project, result, project.folder / "out")


def _html_pages() -> set[str]:
    folder = SITES / "workshop"
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*.html")}


def test_the_pages_of_the_site_in_its_languages_are_crawled(crawl: Crawl) -> None:
    """Though no page that links them is archived, and the site was crawled as www."""
    fates = CrawledCorpus(crawl.corpus).fates()
    starts = {"index.html", "de/index.html", "it/index.html"}
    kept = _html_pages() - LEFT_OUT - starts
    assert fates.keys() == kept | {"", "reserved"}
    assert fates["reserved"] == "optout/reserved"
    assert {fates[name] for name in kept} == {"kept"}
    assert CrawledCorpus(crawl.corpus).pairs()


def test_what_is_not_used_is_counted(crawl: Crawl) -> None:
    stats = CrawledCorpus(crawl.corpus).stats
    found = {
        name.removeprefix("archive/"): number
        for name, number in stats.items()
        if name.endswith("_records")
    }
    assert found == {
        "index_records": 18,
        "other_language_records": 1,
        "other_type_records": 1,
        "damaged_records": 1,
        "truncated_records": 1,
    }
    assert stats["frontier/links_not_archived"] > 0
    assert stats["fetch/dropped/robots"] == 1


def test_only_what_is_visited_is_fetched_once(crawl: Crawl, server: Site) -> None:
    stats = CrawledCorpus(crawl.corpus).stats
    ranges = server.requests.count(f"/{FILE}")
    # With the redirect and robots.txt; one request met a busy server.
    assert ranges == stats["fetch/pages"] + 2 + 1
    assert sum("-index" in path for path in server.requests) == 1 + 6


def test_the_corpus_has_the_pages_and_their_dates(crawl: Crawl) -> None:
    """The pages are archived with it: nothing of it needs Common Crawl again."""
    corpus = CrawledCorpus(crawl.corpus)
    assert corpus.check_archive() == (0, "", "")
    with gzip.open(next((crawl.corpus / "warc").iterdir())) as file:
        text = file.read().decode("utf-8", "replace")
    target = f"WARC-Target-URI: {HOST}/de/laerm.html\r\n"
    (record,) = (
        record
        for record in text.split("WARC/1.1\r\n")
        if target in record and "WARC-Type: response\r\n" in record
    )
    assert "WARC-Date: 2026-07-12T10:15:30Z\r\n" in record
    folder = crawl.corpus / "xml"
    pages = {path.stem for path in folder.glob("*.html")}
    assert pages == {path.stem for path in folder.glob("*.xml")}
    assert corpus.manifest["arguments"]["cc"] == CRAWL


def test_the_limits_of_the_crawl_hold(
    project: Project, records: Records, serve: Serve
) -> None:
    server = serve(make_handler(records))
    settings = {
        "FETCH_COMMON_CRAWL": f"{server.url},{server.url}",
        "FRONTIER_MAX_PAGES": "3",
        "CONCURRENT_REQUESTS": "1",
    }
    result = project.crawl("bilingual", {"CORPUS_DIR": "out", **settings}, **ARGUMENTS)
    assert result.status == 0, result.stderr
    assert server.requests.count(f"/{FILE}") <= 3 + 3


def test_rows_of_the_columnar_index_are_as_good_as_its_server(
    project: Project, records: Records, serve: Serve, crawl: Crawl
) -> None:
    server = serve(make_handler(records))
    # As Common Crawl's folders are, by crawl and subset.
    table = project.folder / "rows" / f"crawl={CRAWL}" / "subset=warc" / "1.parquet"
    write_table(table, records, row_group_size=3)
    settings = {
        "CORPUS_DIR": "out",
        "FETCH_COMMON_CRAWL": f"{server.url}none,{server.url}",
    }
    done = project.crawl("bilingual", settings, **{**ARGUMENTS, "cc": "rows"})
    assert done.status == 0, done.stderr
    corpus, other = CrawledCorpus(project.folder / "out"), CrawledCorpus(crawl.corpus)
    assert corpus.fates() == other.fates()
    assert len(corpus.pairs()) == len(other.pairs()) > 0
    counts, others = (
        {name: number for name, number in one.stats.items() if "archive/" in name}
        for one in (corpus, other)
    )
    assert counts == others
    assert {path for path in server.requests if path != f"/{FILE}"} == set()


def test_without_seeds_each_row_is_a_seed(
    project: Project, records: Records, serve: Serve
) -> None:
    server = serve(make_handler(records))
    write_table(project.folder / "rows.parquet", records)
    settings = {"CORPUS_DIR": "out", "FETCH_COMMON_CRAWL": f"{server.url},{server.url}"}
    done = project.crawl("bilingual", settings, langs="de,it", cc="rows.parquet")
    assert done.status == 0, done.stderr
    corpus = CrawledCorpus(project.folder / "out")
    with closing(sqlite3.connect(corpus.root / "corpus.db")) as connection:
        hosts = {host for (host,) in connection.execute("SELECT host FROM pages")}
    assert hosts == {"www.werkstatt.example", "werkstatt.example.org"}
    assert corpus.stats["archive/index_records"] == 19
    assert corpus.manifest["arguments"]["scope"] == "any"
    assert corpus.manifest["arguments"]["cc"] == "rows.parquet"
    assert set(server.requests) == {f"/{FILE}"}


@pytest.mark.parametrize(
    ("arguments", "status", "parts"),
    [
        ({"cc": "2026"}, 1, ["cc=2026", "no crawl 2026", "newest", CRAWL]),
        ({"warc": "x.warc"}, 2, ["warc"]),
        ({"cc": "CC-MAIN-2030-01"}, 1, ["no crawl CC-MAIN-2030-01", "newest", CRAWL]),
        ({"seeds": "http://none.example/"}, 1, ["no pages of none.example", "seeds"]),
        ({"cc": "none.parquet"}, 2, ["cc=none.parquet", "cannot be read", "folders"]),
    ],
)
def test_one_line_says_what_is_wrong(
    project: Project,
    server: Site,
    arguments: dict[str, str],
    status: int,
    parts: list[str],
) -> None:
    settings = {
        "CORPUS_DIR": "out",
        "FETCH_COMMON_CRAWL": f"{server.url},{server.url}",
    }
    result = project.crawl("bilingual", settings, **{**ARGUMENTS, **arguments})
    assert result.status == status
    for part in parts:
        assert part in last_line(result)


def last_line(result: Result) -> str:
    """Return the last line that a crawl says, behind those of its progress."""
    assert "Traceback" not in result.stderr
    return result.stderr.splitlines()[-1]


def test_a_server_that_is_none_is_named(project: Project, workshop: Site) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}"
    for address, cause in ((closed, "cannot be reached"), (workshop.url, "HTTP 404")):
        settings = {"CORPUS_DIR": "out", "FETCH_COMMON_CRAWL": f"{address},{address}"}
        result = project.crawl("bilingual", settings, **ARGUMENTS)
        assert result.status == 1
        for part in (f"cc={CRAWL}", address, cause, "FETCH_COMMON_CRAWL"):
            assert part in last_line(result)
