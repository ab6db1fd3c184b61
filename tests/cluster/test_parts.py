"""Parts of a corpus, joined."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from scrapy.settings import BaseSettings
from small_corpus import SmallCorpus

from ilspfc import settings as defaults
from ilspfc.cluster.parts import join_parts
from ilspfc.corpus.corpus import open_corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.removals import Removal
from ilspfc.exceptions import CorpusError
from ilspfc.upkeep.removal import remove_pages


def make_part(root: Path, name: str) -> SmallCorpus:
    part = SmallCorpus(root / "parts" / name)
    (part.files.archive).mkdir()
    (part.files.archive / "pages.warc.gz").write_bytes(name.encode())
    return part


def visited(part: SmallCorpus, identity: str, time: str, title: str = "") -> None:
    with closing(sqlite3.connect(part.files.index)) as connection, connection:
        connection.execute(
            "UPDATE documents SET fetched_at = ?, title = ? WHERE id = ?",
            (time, title, identity),
        )


def documents(root: Path) -> list[tuple[str, str]]:
    with CorpusIndex(root / "corpus.db") as index:
        return [(entry.id, entry.title) for entry in index.documents()]


def test_parts_become_one_corpus_of_the_newest_visits(tmp_path: Path) -> None:
    one, other = make_part(tmp_path, "one"), make_part(tmp_path, "other")
    one.add("d1", "deu", ["Die Bienen fliegen."])
    one.add("d2", "deu", ["Alter Text."])
    other.add("d2", "deu", ["Neuer Text."])
    visited(one, "d1", "2026-01-01T00:00:00")
    visited(one, "d2", "2026-01-01T00:00:00", "old")
    visited(other, "d2", "2026-02-01T00:00:00", "new")
    assert CorpusFiles(tmp_path).has_parts

    assert join_parts(tmp_path) == 3

    assert documents(tmp_path) == [("d1", ""), ("d2", "new")]
    text = next((tmp_path / "xml").glob("*d2.xml")).read_text("utf-8")
    assert "Neuer Text." in text
    assert sorted(path.name for path in (tmp_path / "warc").iterdir()) == [
        "one-pages.warc.gz",
        "other-pages.warc.gz",
    ]
    assert join_parts(tmp_path) == 0
    visited(one, "d2", "2026-03-01T00:00:00", "newest")
    assert join_parts(tmp_path) == 1
    assert documents(tmp_path)[1] == ("d2", "newest")


def test_parts_in_different_languages_are_refused(tmp_path: Path) -> None:
    for name, langs in (("one", ["deu"]), ("other", ["ita"])):
        part = make_part(tmp_path, name)
        with CorpusIndex(part.files.index) as index:
            index.add_run({"langs": langs})
    with pytest.raises(CorpusError, match="different languages"):
        join_parts(tmp_path)


def test_a_removed_page_does_not_come_back_from_a_part(tmp_path: Path) -> None:
    part = make_part(tmp_path, "one")
    (part.files.archive / "pages.warc.gz").unlink()
    part.add("d1", "deu", ["Die Bienen fliegen."])
    part.add("d2", "deu", ["Der Honig ist süß."])
    assert join_parts(tmp_path) == 2
    values = {k: v for k, v in vars(defaults).items() if k.isupper()}
    with open_corpus(tmp_path, BaseSettings(values)) as corpus:
        (done,) = remove_pages(corpus, [Removal.of("url", "http://a.org/d1")])
    assert done.documents == 1
    assert documents(part.files.root) == [("d2", "")]
    assert not list(part.files.documents.glob("*d1.xml"))
    part.add("d1", "deu", ["Die Bienen fliegen."])  # visited again meanwhile
    assert join_parts(tmp_path) == 0
    assert documents(tmp_path) == [("d2", "")]
