"""Exports of documents: plain, vertical and TEI, by languages, without what is stale."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree
from small_corpus import SmallCorpus

from ilspfc.corpus.index import CorpusIndex
from ilspfc.exports.corpus_files import run_exports


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    corpus = SmallCorpus(tmp_path)
    corpus.add("d1", "deu", ["Das  Feuer\n brennt.", "Der Helm <schützt>."])
    corpus.add("d2", "deu", ["Die Leiter."])
    corpus.add("i1", "ita", ["L'ape."])
    return corpus


def write(corpus: SmallCorpus, *formats: str) -> dict[str, int]:
    with corpus.open(EXPORTS_FORMATS=formats) as opened:
        run_exports(opened)
        return {
            name: number
            for name, number in opened.run["stats"].items()
            if name.startswith("exports/")
        }


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*"))


def test_plain_text_has_a_line_a_paragraph(corpus: SmallCorpus) -> None:
    counts = write(corpus, "texts")
    folder = corpus.files.root / "plain"
    assert names(folder) == ["deu-d1.txt", "deu-d2.txt", "ita-i1.txt"]
    text = (folder / "deu-d1.txt").read_text("utf-8")
    assert text == "Das Feuer brennt.\nDer Helm <schützt>.\n"
    assert counts == {"exports/documents": 3}
    assert not (corpus.files.root / "vertical").exists()


def test_pages_are_fetched_on_a_day(corpus: SmallCorpus) -> None:
    corpus.add("i1", "ita", ["L'ape."], fetched_at="2026-03-02T10:00:00+00:00")
    write(corpus, "vertical", "tei")
    root = corpus.files.root
    assert 'fetched="2026-03-02"' in (root / "vertical" / "it.vert").read_text("utf-8")
    text = (root / "tei" / "ita-i1.xml").read_text("utf-8")
    assert '<date type="fetched" when="2026-03-02">2026-03-02</date>' in text


def test_vertical_text_is_a_file_a_language(corpus: SmallCorpus) -> None:
    counts = write(corpus, "vertical")
    folder = corpus.files.root / "vertical"
    assert names(folder) == ["de.vert", "it.vert"]
    lines = (folder / "de.vert").read_text("utf-8").splitlines()
    assert [line for line in lines if line.startswith("<doc")] == lines[:1] + [
        line for line in lines if 'id="d2"' in line
    ]
    assert "&lt;" in lines
    # Four tokens, six with brackets and stop, three; and L'ape. has four.
    tokens = sum(not line.startswith("<") for line in lines)
    assert tokens == 4 + 6 + 3
    assert counts["exports/vertical_tokens"] == tokens + 4


def test_tei_is_a_file_a_document(corpus: SmallCorpus) -> None:
    write(corpus, "tei")
    folder = corpus.files.root / "tei"
    assert names(folder) == ["deu-d1.xml", "deu-d2.xml", "ita-i1.xml"]
    texts = etree.parse(folder / "ita-i1.xml").xpath("string(/)")
    assert "L'ape." in str(texts)


def test_a_document_is_counted_once_for_all_formats(corpus: SmallCorpus) -> None:
    counts = write(corpus, "texts", "tei", "vertical")
    assert counts["exports/documents"] == 3
    assert names(corpus.files.root / "plain") == [
        "deu-d1.txt",
        "deu-d2.txt",
        "ita-i1.txt",
    ]
    assert len(names(corpus.files.root / "tei")) == 3


def test_files_of_documents_that_are_gone_are_removed(corpus: SmallCorpus) -> None:
    write(corpus, "texts", "tei", "vertical")
    with CorpusIndex(corpus.files.index) as index, index.transaction() as connection:
        connection.execute("DELETE FROM documents WHERE id = 'i1'")
    write(corpus, "texts", "vertical")
    root = corpus.files.root
    assert names(root / "plain") == ["deu-d1.txt", "deu-d2.txt"]
    assert names(root / "vertical") == ["de.vert"]
    # A format that is not asked for is not touched.
    assert "ita-i1.xml" in names(root / "tei")
