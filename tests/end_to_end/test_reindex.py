"""A corpus whose index or frontier is lost: nothing is overwritten, all comes back."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from conftest import CRAWL_SETTINGS
from crawled_corpus import CrawledCorpus

from ilspfc.corpus.reading import decode_reading

if TYPE_CHECKING:
    from conftest import Crawl, Project, Site

RESULTS = ("pairs", "cesalign", "de-it.tmx")
STAGES = ("pair", "align", "export")
ALONE = ("-s", "WORKERS=0")


@pytest.fixture
def corpus(bilingual_crawl: Crawl, project: Project) -> Path:
    """A corpus of one's own."""
    root = project.folder / "out"
    shutil.copytree(bilingual_crawl.corpus, root)
    return root


def table(path: Path, sql: str) -> list[Any]:
    """Return the rows of a query."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def places(path: Path) -> dict[str, list[int]]:
    """Return the places of the paragraphs of each document on its page."""
    return {
        document: [one.place for one in decode_reading(document, data).paragraphs]
        for document, data in table(path, "SELECT document, data FROM readings")
    }


def crawl_again(project: Project, site: Site) -> Any:
    """Run the crawl of the corpus again."""
    settings = {**CRAWL_SETTINGS, "CORPUS_DIR": "out", "WORKERS": "0"}
    return project.crawl(
        "bilingual", settings, langs="de,it", domain="demo", seeds=site.url
    )


LOSSES = {
    "missing": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "damaged": lambda path: path.write_bytes(b"no database " * 999),
}


@pytest.mark.parametrize("command", ["crawl", "dedup", *STAGES, "report"])
@pytest.mark.parametrize("loss", LOSSES)
def test_without_its_index_no_file_of_a_corpus_is_touched(
    corpus: Path, project: Project, workshop: Site, command: str, loss: str
) -> None:
    LOSSES[loss](corpus / "corpus.db")
    names = sorted({path.name for path in corpus.iterdir()} - {"corpus.db", ".lock"})
    before = CrawledCorpus(corpus).contents(*names)
    if command == "crawl":
        result = crawl_again(project, workshop)
    else:
        result = project.run(command, "out")
    assert result.status == 2
    assert f"{loss}" in result.error
    assert "`scrapy reindex out`" in result.error
    assert CrawledCorpus(corpus).contents(*names) == before


@pytest.mark.parametrize("loss", LOSSES)
def test_a_lost_index_and_frontier_are_rebuilt(
    corpus: Path, project: Project, workshop: Site, loss: str
) -> None:
    before = CrawledCorpus(corpus).contents(*RESULTS, "xml", "duplicates")
    intact = project.folder / "intact.db"
    shutil.copy(corpus / "corpus.db", intact)
    for name in ("corpus.db", "frontier.db"):
        LOSSES[loss](corpus / name)
    # One of them with workers, which is the default.
    workers = () if loss == "missing" else ALONE
    result = project.run("reindex", "out", *workers)
    assert (result.status, result.stderr) == (0, ""), result.stderr
    kept = corpus / "corpus.db.damaged"
    assert kept.exists() == (loss != "missing")
    for query in (
        "SELECT * FROM documents ORDER BY id",
        "SELECT * FROM texts ORDER BY document",
        "SELECT * FROM links ORDER BY source, position",
        "SELECT * FROM images ORDER BY document, name",
        "SELECT * FROM licenses ORDER BY document, position",
        "SELECT * FROM versions ORDER BY source, target",
        "SELECT * FROM markup ORDER BY document",
        "SELECT * FROM duplicates ORDER BY document",
        "SELECT * FROM pages ORDER BY url",
    ):
        assert table(corpus / "corpus.db", query) == table(intact, query)
    assert places(corpus / "corpus.db") == places(intact)
    if loss != "damaged":  # the same index gives the same files
        return
    for name in RESULTS:
        path = corpus / name
        path.unlink() if path.is_file() else shutil.rmtree(path)
    for stage in STAGES:
        assert project.run(stage, "out").status == 0
    assert CrawledCorpus(corpus).contents(*before.keys()) == before
    # The same crawl goes on: what is done stays done. Refusals by robots.txt are found anew.
    requests = len(workshop.requests)
    assert crawl_again(project, workshop).status == 0
    asked = {path for path in workshop.requests[requests:] if path.endswith(".html")}
    done = set(CrawledCorpus(corpus).fates())
    assert {path.removeprefix("/") for path in asked} & done == set()


def test_a_damaged_frontier_is_named_and_rebuilt(
    corpus: Path, project: Project, workshop: Site
) -> None:
    pages = "SELECT * FROM pages ORDER BY url"
    units = "SELECT * FROM units ORDER BY source, target, number"
    known = [table(corpus / "corpus.db", query) for query in (pages, units)]
    states = "SELECT url, state, depth FROM urls WHERE state = 'done' ORDER BY url"
    done = table(corpus / "frontier.db", states)
    data = bytearray((corpus / "frontier.db").read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    (corpus / "frontier.db").write_bytes(data)
    refused = crawl_again(project, workshop)
    assert (refused.status, project.run("url", "out", "x:y").status) == (2, 2)
    assert "damaged" in refused.error
    assert "`scrapy reindex out`" in refused.error
    assert project.run("reindex", "out", *ALONE).status == 0
    assert (corpus / "frontier.db.damaged").read_bytes() == bytes(data)
    # The index was opened, but nothing in it was made again.
    assert [table(corpus / "corpus.db", query) for query in (pages, units)] == known
    assert table(corpus / "frontier.db", states) == done
    before = len(workshop.requests)
    assert crawl_again(project, workshop).status == 0
    assert [path for path in workshop.requests[before:] if "html" in path] == []


@pytest.mark.parametrize("state", ["missing", "empty"])
def test_a_lost_frontier_is_named_and_rebuilt(
    corpus: Path, project: Project, workshop: Site, state: str
) -> None:
    (corpus / "frontier.db").unlink()
    if state == "empty":
        (corpus / "frontier.db").touch()
    refused = crawl_again(project, workshop)
    assert refused.status == 2
    assert f"the frontier is {state}; `scrapy reindex out`" in refused.error
    assert project.run("reindex", "out", *ALONE).status == 0
    before = len(workshop.requests)
    assert crawl_again(project, workshop).status == 0
    assert [path for path in workshop.requests[before:] if "html" in path] == []


def test_what_can_be_read_is_left_alone(corpus: Path, project: Project) -> None:
    result = project.run("reindex", "out")
    assert result.status == 2
    assert "can be read" in result.error
    (corpus / "corpus.db").unlink()
    (corpus / "manifest.json").unlink()
    assert "-a langs=" in project.run("reindex", "out").error
    assert not (corpus / "corpus.db").exists()
