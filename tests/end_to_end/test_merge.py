"""Corpora that were crawled apart become one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from ilspfc.corpus.index import CorpusIndex
from ilspfc.exports import read_tmx

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Crawl, Project, Result, Site


def read(root: Path, sql: str) -> list[tuple[object, ...]]:
    with CorpusIndex(root / "corpus.db") as index:
        return list(index.rows(sql))


@pytest.fixture(scope="module")
def project(
    make_project: Callable[[], Project],
    workshop: Site,
    together: Callable[[list[Callable[[], Result]]], list[Result]],
) -> Project:
    """A folder with a German and an Italian corpus of the same site, and both merged."""
    project = make_project()

    def crawl(lang: str) -> Result:
        settings = {"CORPUS_DIR": lang}
        found = {"lang": lang, "domain": "demo", "seeds": workshop.url}
        return project.crawl("monolingual", settings, scope="site", **found)

    for done in together([lambda: crawl("de"), lambda: crawl("it")]):
        assert done.status == 0, done.stderr
    merged = project.run("merge", "both", "de", "it")
    assert merged.status == 0, merged.stderr
    assert "Now run: scrapy build both" in merged.stdout
    assert project.run("build", "both").status == 0
    return project


def test_documents_of_both_are_there_under_their_ids(project: Project) -> None:
    sql = "SELECT id, lang, url FROM documents ORDER BY id"
    parts = [read(project.folder / name, sql) for name in ("de", "it")]
    assert read(project.folder / "both", sql) == sorted([*parts[0], *parts[1]])
    sources = json.loads((project.folder / "both" / "sources.json").read_text("utf-8"))
    assert [source["taken"] for source in sources] == list(map(len, parts))
    assert all(source["runs"] for source in sources)


def test_pairs_are_those_of_one_crawl(project: Project, bilingual_crawl: Crawl) -> None:
    sql = (
        "SELECT s.url, t.url FROM pairs p JOIN documents s ON s.id = p.source"
        " JOIN documents t ON t.id = p.target"
    )
    found = set(read(project.folder / "both", sql))
    assert found == set(read(bilingual_crawl.corpus, sql))
    assert found
    assert list(read_tmx(project.folder / "both" / "de-it.tmx"))


def test_the_newest_visit_of_an_address_counts(project: Project) -> None:
    first = project.folder / "both" / "xml"
    (name, *_) = sorted(path.name for path in first.glob("deu-*.xml"))
    old = project.folder / "de"
    with CorpusIndex(old / "corpus.db") as index, index.transaction() as connection:
        connection.execute("UPDATE documents SET fetched_at = '2001-01-01T00:00:00'")
    text = (old / "xml" / name).read_text("utf-8")
    (old / "xml" / name).write_text(text.replace("<p ", "<p old='1' ", 1), "utf-8")
    done = project.run("merge", "again", "de", "both")
    number = len(read(old, "SELECT id FROM documents"))
    line = f"de: {number} documents, {number} older than another's"
    assert done.stdout.splitlines()[0] == line
    merged = (project.folder / "again" / "xml" / name).read_text("utf-8")
    assert "old='1'" not in merged


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["out", "de"], "give a new folder, and two corpora or more"),
        (["both", "de", "it"], "both: is not empty; give a new folder"),
        (["out", "de", "de"], "given twice; give each corpus once"),
        (["out", "de", "nowhere"], "nowhere: no corpus there"),
    ],
)
def test_what_cannot_be_merged_is_told(
    arguments: list[str], message: str, project: Project
) -> None:
    done = project.run("merge", *arguments)
    assert done.status == 2
    assert message in done.stdout + done.stderr
    assert not (project.folder / "out").exists()


def test_without_code_the_text_is_decided_anew(project: Project) -> None:
    done = project.run("build", "both")
    assert "all is up to date" in done.stderr
    done = project.run("build", "both", "--no-code")
    assert "run again: content" in done.stderr
