"""Exports of documents: plain, vertical and TEI, by languages, without what is stale."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from lxml import etree
from small_corpus import SmallCorpus

from ilspfc.exports.document_exports import folder_of, write_documents
from ilspfc.exports.privacy import Privacy


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    corpus = SmallCorpus(tmp_path)
    corpus.add("d1", "deu", ["Das  Feuer\n brennt.", "Der Helm <schützt>."])
    corpus.add("d2", "deu", ["Die Leiter."])
    corpus.add("i1", "ita", ["L'ape."])
    return corpus


def write(corpus: SmallCorpus, *formats: str, without: str = "") -> Counter[str]:
    with corpus.open() as opened:
        entries = [one for one in opened.index.documents() if one.id != without]
        return write_documents(opened, formats, entries, Privacy(opened.settings), {})


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
    write(corpus, "texts", "vertical", without="i1")
    root = corpus.files.root
    assert names(root / "plain") == ["deu-d1.txt", "deu-d2.txt"]
    assert names(root / "vertical") == ["de.vert"]
    # A format that is not asked for is not touched.
    assert "ita-i1.xml" in names(root / "tei")


def test_names_that_are_no_document_formats_write_nothing(corpus: SmallCorpus) -> None:
    counts = write(corpus, "tmx", "jsonl")
    assert counts == {"exports/documents": 3}
    assert {path.name for path in corpus.files.root.iterdir() if path.is_dir()} == {
        corpus.files.documents.name
    }


def test_only_the_plain_texts_have_a_folder_of_another_name(
    corpus: SmallCorpus,
) -> None:
    with corpus.open() as opened:
        assert folder_of(opened, "texts") == corpus.files.root / "plain"
        assert folder_of(opened, "tei") == corpus.files.root / "tei"
