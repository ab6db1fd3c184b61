"""Nothing of a page stays that somebody wants forgotten: words and address, in any file."""

from __future__ import annotations

import gzip
import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, get_args, get_type_hints

import psycopg
import pytest
from conftest import SiteHandler
from crawled_corpus import CrawledCorpus

import ilspfc.settings

if TYPE_CHECKING:
    from conftest import Project, Serve, Site

    from benchmarks.postgresql import PostgreSQLServer

FORMATS = [
    name
    for one in get_args(get_type_hints(ilspfc.settings)["EXPORTS_FORMATS"])
    for name in get_args(one)
]
PAGES = 6
SENTENCES = {
    "de": "Wer auf dem Dach Nummer {n} arbeitet, sichert sich am {w} gegen den Absturz. Das"
    " Gerüst mit dem {w} steht fest, und niemand betritt es ohne den Helm {n}.",
    "it": "Chi lavora sul tetto numero {n} si assicura al {w} contro la caduta. Il ponteggio"
    " con il {w} è stabile, e nessuno ci sale senza il casco {n}.",
}


def word(number: int) -> str:
    """Return a word of a page that no other page has."""
    return "".join(chr(ord("k") + int(digit)) for digit in f"{number * 7919:06}") + "ax"


class PagesHandler(SiteHandler):
    """Pages in two languages; all are linked from the first."""

    def respond(self) -> None:
        """Answer a page, or the list of them."""
        found = re.fullmatch(r"/(de|it)/blatt-(\d)\.html", self.path)
        if found:
            lang, number = found[1], int(found[2])
            text = SENTENCES[lang].format(n=number, w=word(number))
            other = "it" if lang == "de" else "de"
            self.answer(
                f"<html lang={lang}><title>{word(number)}</title><a hreflang={other}"
                f" href=/{other}/blatt-{number}.html>{other}</a><p>{text}</p>"
                f"<p>{text.replace(word(number), word(number) + 'ol')}</p>"
            )
        elif self.path == "/":
            links = "".join(
                f"<li><a href={self.site_url}{lang}/blatt-{number}.html>{lang} {number}</a>"
                for number in range(PAGES)
                for lang in SENTENCES
            )
            self.answer(
                f"<html lang=de><title>Alle Blätter</title><p>Hier stehen alle Blätter der Reihe, eins nach dem anderen.</p><ul>{links}</ul>"
            )
        else:
            self.answer("<p>not here", status=404)

    @property
    def site_url(self) -> str:
        """Address of the site."""
        return f"http://127.0.0.1:{self.server.server_port}/"


def contents(path: Path) -> Iterator[bytes]:
    """Yield what a file has, and what comes out of it when it is unpacked."""
    data = path.read_bytes()
    yield data
    if data[:2] == b"\x1f\x8b":
        yield gzip.decompress(data)
    elif data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield from map(archive.read, archive.namelist())
    elif path.suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        yield repr(parquet.read_table(path).to_pylist()).encode()


def places_of(folder: Path, *needles: str) -> set[str]:
    """Return the files, and what in databases, that have one of some words."""
    return {
        f"{path.relative_to(folder)}: {needle}"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "removals.tsv"
        for needle in needles
        if any(needle.encode() in data for data in contents(path))
    }


def crawl(project: Project, site: Site, *seeds: str, **settings: str) -> None:
    done = project.crawl(
        "bilingual",
        {
            "CORPUS_DIR": "out",
            "EXPORTS_FORMATS": "tmx,links",
            "WORKERS": "1",
            **settings,
        },
        langs="de,it",
        seeds=",".join([site.url, *seeds]),
    )
    assert done.status == 0, done.stderr


def test_a_page_is_in_no_file(project: Project, serve: Serve) -> None:
    site = serve(PagesHandler)
    url, translation = site.at("de/blatt-3.html"), site.at("it/blatt-3.html")
    for _ in range(2):
        crawl(project, site, url, translation)
    out = project.folder / "out"
    formats = ("-s", f"EXPORTS_FORMATS={','.join(FORMATS)}")
    parts = ("-s", "EXPORTS_COMPRESS=True", "-s", "EXPORTS_MAX_UNITS=2")
    for command in (("export", "out", *formats, *parts), ("sample", "out")):
        assert project.run(*command).status == 0
    assert project.run("export", "out", *formats).status == 0
    assert len(places_of(out, word(3))) > 25

    done = project.run("forget", "out", "--url", url, "--url", translation)

    assert done.status == 0, done.stderr
    assert places_of(out, word(3)) == set()
    # The list of all pages is not removed, and it links there.
    (listing,) = (
        path.stem
        for path in (out / "xml").glob("*.xml")
        if "Alle" in path.read_text("utf-8")
    )
    (archive,) = (out / "warc").iterdir()
    assert places_of(out, url) == {
        f"{name}: {url}"
        for name in (
            "frontier.db",
            f"warc/{archive.name}",
            f"xml/{listing}.html",
            f"xml/{listing}.xml",
        )
    }
    assert CrawledCorpus(out).check_archive() == (0, "", "")
    assert places_of(out, word(4))
    again = project.run("export", "out", *formats)
    assert again.status == 0, again.stderr
    assert places_of(out, word(3)) == set()


def test_a_page_is_in_no_part_and_in_no_row_of_the_shared_frontier(
    project: Project, serve: Serve, postgresql: PostgreSQLServer
) -> None:
    site = serve(PagesHandler)
    url, translation = site.at("de/blatt-3.html"), site.at("it/blatt-3.html")
    shared = {"CORPUS_DIR": "forgotten", "FRONTIER_STORE": postgresql.url}
    crawl(project, site, url, FRONTIER_CRAWLER="one", **shared)
    assert project.run("build", "forgotten").status == 0
    command = ("forget", "forgotten", "--url", url, "--url", translation)
    unshared = project.run(*command)
    assert "FRONTIER_STORE is empty" in unshared.stderr
    done = project.run(*command, "-s", f"FRONTIER_STORE={postgresql.url}")
    assert done.status == 0, done.stderr

    out = project.folder / "forgotten"
    assert places_of(out, word(3)) == set()
    left = {place.split("/")[0] for place in places_of(out, url)}
    assert left == {"parts", "warc", "xml"}
    assert not [one for one in places_of(out, url) if ".db" in one or ".json" in one]
    with psycopg.connect(postgresql.url) as connection:
        connection.execute("SET search_path = ilspfc_forgotten")
        tables = ("urls", "visits", "gains", "hosts", "crawlers")
        rows = [
            row
            for table in tables
            for row in connection.execute(f"SELECT t::text FROM {table} t".encode())
        ]
        assert not any(word(3) in text for (text,) in rows)
        states = connection.execute(
            "SELECT state, reason, anchor, referrer FROM urls WHERE url IN (%s, %s)",
            (url, translation),
        ).fetchall()
        assert states == [("refused", "removed", "", "")] * 2
        (cited,) = connection.execute(
            "SELECT count(*) FROM urls WHERE referrer = %s", (url,)
        ).fetchone() or (1,)
        assert cited == 0
    site.requests.clear()
    crawl(project, site, FRONTIER_CRAWLER="other", **shared)
    assert not [path for path in site.requests if "blatt-3" in path]
