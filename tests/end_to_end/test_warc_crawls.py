"""Crawls that write WARC files, and crawls over WARC files."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import Crawl, SiteHandler, crawl_command
from crawled_corpus import CrawledCorpus
from warcio.archiveiterator import ArchiveIterator

if TYPE_CHECKING:
    from conftest import Project, Result, Serve

DATA = ("xml", "duplicates", "pairs", "cesalign")
TEXT = (
    "Wer auf dem Dach arbeitet, sichert sich gegen den Absturz. Ein Gerüst oder ein"
    " Seitenschutz geht dabei vor, denn die persönliche Ausrüstung schützt nur den, der"
    " sie richtig anlegt und der ihre Verankerung vorher geprüft hat."
)
RESERVED_META = '<meta name="tdm-reservation" content="1">'
NO_INDEX = '<meta name="robots" content="noindex">'
REFRESH = '<meta http-equiv="refresh" content="0; url=/{}">'
HEADS = {
    "reserved": RESERVED_META,
    "secret/hidden": NO_INDEX,
    "secret/refresh": REFRESH.format("arrived"),
    "refresh": REFRESH.format("arrived"),
}
LINKS = (
    "packed chunked moved away refresh broken image reserved secret/page"
    " secret/hidden secret/refresh forbidden/page"
).split()
KEPT = {"", "packed", "chunked", "target", "arrived"}
# A settings module that notes, and refuses, whatever would touch a network.
OFFLINE = """
import socket
from ilspfc.settings import *

def _refuse(*args, **kwargs):
    with open("contacted.txt", "a") as file:
        print(args, file=file)
    raise OSError("no network")

socket.socket.connect = socket.socket.connect_ex = _refuse
socket.getaddrinfo = socket.gethostbyname = _refuse
"""


class OddHandler(SiteHandler):
    """A site with an answer of every kind."""

    protocol_version = "HTTP/1.1"

    def respond(self) -> None:
        name = self.path.strip("/")
        html = f"<title>{name}</title>{HEADS.get(name, '')}<p>{name}: {TEXT}"
        if name == "robots.txt":
            self.answer(
                "User-agent: *\nDisallow: /forbidden/", content_type="text/plain"
            )
        elif name == ".well-known/tdmrep.json":
            rule = '[{"location": "/secret/*", "tdm-reservation": 1}]'
            self.answer(rule, content_type="application/json")
        elif name == "sitemap.xml":
            self.answer(f"<p>no sitemap, {TEXT}")  # with status 200
        elif not name:
            links = "".join(f'<p><a href="/{link}">{link}</a>' for link in LINKS)
            self.answer(f"<title>Start</title><p>{TEXT}{links}")
        elif name == "packed":
            self.answer(
                gzip.compress(html.encode()), headers={"Content-Encoding": "gzip"}
            )
        elif name == "chunked":
            self._answer_in_chunks(html.encode())
        elif name in {"moved", "away"}:
            self.answer(status=301, headers={"Location": "/target"})
        elif name == "broken":
            self.answer("later", status=503)
        elif name == "image":
            self.answer(b"x" * 1000, content_type="image/png")
        else:
            self.answer(html)

    def _answer_in_chunks(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in (body[:50], body[50:], b""):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))


@pytest.fixture(scope="module")
def odd(make_project: Callable[[], Project], serve: Serve) -> Crawl:
    """A crawl of the odd site, which is gone afterwards."""
    site = serve(OddHandler)
    project = make_project()
    settings = {
        "CORPUS_DIR": "out",
        "RETRY_TIMES": "1",
        "WORKERS": "1",
    }
    result = project.crawl("monolingual", settings, lang="de", seeds=site.url)
    assert result.status == 0, result.stderr
    (project.folder / "seeds.txt").write_text(site.url)
    site.close()
    return Crawl(project, result, project.folder / "out")


def _responses(folder: Path) -> dict[str, tuple[str, bytes]]:
    """Return status and decoded payload of the last response for each path."""
    found = {}
    for path in sorted((folder / "warc").iterdir()):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream):
                if record.rec_type == "response":
                    url = record.rec_headers.get_header("WARC-Target-URI")
                    status = record.http_headers.get_statuscode()
                    payload = record.content_stream().read()
                    found[url.split("/", 3)[3]] = status, payload
    return found


def test_every_answer_is_archived(odd: Crawl) -> None:
    assert CrawledCorpus(odd.corpus).check_archive() == (0, "", "")
    responses = _responses(odd.corpus)
    assert {path: status for path, (status, _) in responses.items()} == {
        **dict.fromkeys(KEPT, "200"),
        **dict.fromkeys(("robots.txt", ".well-known/tdmrep.json"), "200"),
        **dict.fromkeys(("sitemap.xml", "refresh", "image"), "200"),
        **dict.fromkeys(("moved", "away"), "301"),
        "broken": "503",
    }
    for path in ("packed", "chunked"):
        assert responses[path][1].decode().endswith(TEXT)
    assert responses["image"][1] == b""  # it was cut off at its header
    stats = CrawledCorpus(odd.corpus).stats
    assert stats["archive/responses"] == len(responses) + 1  # the retry


def test_a_reserved_page_is_not_in_the_archive(odd: Crawl) -> None:
    corpus = CrawledCorpus(odd.corpus)
    fates = corpus.fates()
    assert fates["reserved"] == fates["secret/page"] == "optout/reserved"
    # Dropped before the opt-outs were looked at, or never a page: reserved all the same.
    assert fates["secret/hidden"] == "cleaning/no_index"
    assert "secret/refresh" not in fates
    reserved = {"reserved", "secret/page", "secret/hidden", "secret/refresh"}
    assert not reserved & _responses(odd.corpus).keys()
    assert corpus.stats["archive/reserved_pages"] == len(reserved)


def _watch(project: Project) -> None:
    """Have the crawls of a project write down what they contact."""
    (project.folder / "offline.py").write_text(OFFLINE)
    (project.folder / "scrapy.cfg").write_text("[settings]\ndefault = offline\n")


def _replay(
    crawl: Crawl, folder: str, **arguments: str
) -> tuple[Result, CrawledCorpus]:
    project = crawl.project
    _watch(project)
    settings = {"CORPUS_DIR": folder, "GUARD_ALLOW": None, "DOWNLOAD_DELAY": None}
    result = project.crawl(
        "monolingual", settings, lang="de", warc="out/warc/*.warc.gz", **arguments
    )
    return result, CrawledCorpus(project.folder / folder)


def test_a_crawl_over_the_archive_makes_the_same_corpus(odd: Crawl) -> None:
    result, again = _replay(odd, "again", seeds="seeds.txt")
    assert (result.status, result.stderr.count("WARNING")) == (0, 0), result.stderr
    corpus = CrawledCorpus(odd.corpus)
    assert set(corpus.documents()) == KEPT
    assert again.contents("xml") == corpus.contents("xml")
    assert _fetched_at(again) == _fetched_at(corpus)
    drops = again.drops()
    assert drops["fetch/robots"] == corpus.drops()["fetch/robots"] == 1
    assert drops["fetch/throttled"] == 1
    assert drops["cleaning/not_html"] == 1
    # What was reserved is not there.
    assert drops["fetch/not_archived"] == 4
    assert not (again.root / "warc").exists()
    assert not (odd.project.folder / "contacted.txt").exists()


def _fetched_at(corpus: CrawledCorpus) -> dict[str, str]:
    with closing(sqlite3.connect(corpus.root / "corpus.db")) as connection, connection:
        rows = connection.execute("SELECT url, fetched_at FROM documents").fetchall()
    connection.close()
    return dict(rows)


def test_the_network_is_watched_in_earnest(odd: Crawl) -> None:
    """Without WARC files the same project would contact the site."""
    _watch(odd.project)
    command = crawl_command(
        "monolingual", {"CORPUS_DIR": "live"}, lang="de", seeds="seeds.txt"
    )
    assert odd.project.run(*command).status == 1
    contacted = odd.project.folder / "contacted.txt"
    assert "127.0.0.1" in contacted.read_text()
    contacted.unlink()


def test_without_seeds_every_archived_page_is_one(odd: Crawl) -> None:
    result, again = _replay(odd, "pages")
    assert result.status == 0
    corpus = CrawledCorpus(odd.corpus)
    assert again.contents("xml") == corpus.contents("xml")
    assert again.stats["frontier/links_not_archived"] == 5
    assert again.stats["archive/response_records"] == len(_responses(odd.corpus)) + 1
    assert "fetch/not_archived" not in again.drops()
    assert "out/warc/ilspfc-" in again.manifest["arguments"]["warc"]
    assert " object at 0x" not in str(again.manifest)
    # What a replay sets itself is no wish of the user, whom a later run would obey.
    assert (
        not {"DOWNLOAD_HANDLERS", "RETRY_ENABLED"} & again.manifest["settings"].keys()
    )


def test_pairs_come_out_the_same(bilingual_crawl: Crawl, project: Project) -> None:
    warc = f"{bilingual_crawl.corpus}/warc/*"
    arguments = {"langs": "de,it", "domain": "demo", "warc": warc}
    done = project.crawl("bilingual", {"CORPUS_DIR": "again"}, **arguments)
    assert done.status == 0
    again = CrawledCorpus(project.folder / "again").contents(*DATA)
    assert again == CrawledCorpus(bilingual_crawl.corpus).contents(*DATA)


class PageHandler(SiteHandler):
    """A site of one page."""

    def respond(self) -> None:
        self.answer(f"<p>{TEXT}")


def test_no_archive_is_written_where_none_is_wanted(
    project: Project, serve: Serve
) -> None:
    settings = {"CORPUS_DIR": "out", "ARCHIVE_WARC": "0"}
    site = serve(PageHandler)
    result = project.crawl("monolingual", settings, lang="de", seeds=site.url)
    warnings = [line for line in result.stderr.splitlines() if "WARNING" in line]
    assert result.status == 0
    assert [line for line in warnings if "GUARD_ALLOW" not in line] == []
    assert not (project.folder / "out" / "warc").exists()


def test_what_is_no_warc_file_is_one_line(project: Project) -> None:
    result = project.crawl("monolingual", {}, lang="de", warc="scrapy.cfg")
    assert result.status == 2
    assert "scrapy.cfg: it does not begin with a WARC record; give" in result.error
    assert project.written == set()


def test_an_archive_without_pages_is_told(project: Project) -> None:
    (project.folder / "a.warc").write_bytes(
        b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
    )
    settings = {"CORPUS_DIR": "out", "LOGSTATS_INTERVAL": "60"}
    result = project.crawl("monolingual", settings, lang="de", warc="a.warc")
    assert result.status == 1
    assert "no page could be read from a.warc" in result.stderr
