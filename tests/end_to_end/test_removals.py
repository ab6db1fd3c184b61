"""Pages that somebody wants forgotten: nothing of them stays, and they are not fetched again."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.removals import Removals, read_removals

if TYPE_CHECKING:
    from conftest import Crawl, Project, Site


@pytest.fixture
def project(make_project: Callable[[], Project], bilingual_crawl: Crawl) -> Project:
    project = make_project()
    shutil.copytree(bilingual_crawl.corpus, project.folder / "out")
    return project


def read(folder: Path, sql: str) -> list[tuple[str, ...]]:
    with CorpusIndex(folder / "corpus.db") as index:
        return list(index.rows(sql))


def files_with(folder: Path, text: str) -> list[str]:
    """Return the files that hold a text, plain, compressed, or in a database."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "removals.tsv":
            data = path.read_bytes()
            if path.suffix == ".gz":
                data = gzip.decompress(data)
            if text.encode() in data:
                found.append(path.name)
    return found


def test_nothing_of_a_page_stays(project: Project, workshop: Site) -> None:
    out = project.folder / "out"
    sql = (
        "SELECT s.url, u.source_text, d.url, u.target_text FROM units u JOIN documents s ON s.id = u.source"
        " JOIN documents d ON d.id = u.target WHERE length(u.source_text) > 60"
        " AND (SELECT count(*) FROM units o WHERE o.source_text = u.source_text) = 1"
        " ORDER BY s.url LIMIT 1"
    )
    ((url, text, partner, translation),) = read(out, sql)
    (out / "exclusions.tsv").write_text(f"unit\t{text}\t{translation}\n", "utf-8")
    assert {"corpus.db", "de-it.tmx"} <= set(files_with(out, text))
    pairs = read(out, "SELECT count(*) FROM pairs")

    done = project.run("forget", "out", "--url", url)
    assert done.status == 0, done.stderr
    assert f"url {url}: 1 documents, " in done.stdout
    assert files_with(out, text) == []
    assert int(read(out, "SELECT count(*) FROM pairs")[0][0]) == int(pairs[0][0]) - 1
    assert (partner,) in read(out, "SELECT url FROM documents")
    (entry,) = read_removals(out / "removals.tsv")
    assert (entry.kind, entry.value, entry.documents) == ("url", url, 1)
    assert entry.archived > 0

    # A crawl that goes on does not ask for it again.
    workshop.requests.clear()
    crawl = {"langs": "de,it", "domain": "demo", "seeds": workshop.url}
    assert project.crawl("bilingual", {"CORPUS_DIR": "out"}, **crawl).status == 0
    assert (url,) not in read(out, "SELECT url FROM documents")
    assert not any(url.endswith(path) for path in workshop.requests if path != "/")


def test_a_host_goes_whole(project: Project) -> None:
    done = project.run("forget", "out", "--host", "127.0.0.1")
    assert done.status == 0, done.stderr
    out = project.folder / "out"
    # What the docs name: addresses to keep away from, and counts by site.
    assert files_with(out, "127.0.0.1:") == ["frontier.db"]
    assert read(out, "SELECT url FROM pages") == []
    assert list((out / "xml").glob("*")) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["out"], "nothing to remove; give --url or --host"),
        (["out", "--url", "page"], "give --url https://www.example.org/page"),
        (["nowhere", "--host", "a.org"], "no corpus there"),
    ],
)
def test_what_cannot_be_removed_is_told(
    arguments: list[str], message: str, project: Project
) -> None:
    done = project.run("forget", *arguments)
    assert done.status == 2
    assert message in done.stderr


def test_an_address_that_is_not_there_is_told_and_costs_no_export(
    project: Project,
) -> None:
    out = project.folder / "out"
    written = sorted(out.glob("*.tmx"))
    done = project.run("forget", "out", "--url", "http://a.org/nowhere")
    assert done.status == 0
    assert written
    assert sorted(out.glob("*.tmx")) == written
    assert "http://a.org/nowhere: not in the corpus" in done.stderr


def test_reserved_pages_are_taken_out_afterwards(project: Project) -> None:
    out = project.folder / "out"
    ((url, name),) = read(out, "SELECT url, file FROM documents LIMIT 1")
    nothing = project.run("optout", "apply", "out")
    assert nothing.stdout == "no document is reserved\n"
    with CorpusIndex(out / "corpus.db") as index, index.transaction() as connection:
        connection.execute("UPDATE documents SET reserved = 1 WHERE url = ?", (url,))

    done = project.run("optout", "apply", "out")

    assert done.status == 0, done.stderr
    assert f"url {url}: 1 documents, " in done.stdout
    assert not (out / "xml" / name).exists()
    assert not read(out, f"SELECT 1 FROM documents WHERE url = '{url}'")
    assert Removals(read_removals(out / "removals.tsv")).covers(url)


def test_apply_is_asked_for_by_its_name(project: Project) -> None:
    assert project.run("optout", "out").status == 2
