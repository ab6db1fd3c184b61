"""Exports of documents: plain, vertical and TEI, by languages, without what is stale."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import etree
from simplemma.strategies.dictionaries import dictionary_factory
from small_corpus import SmallCorpus

from ilspfc.corpus.index import CorpusIndex
from ilspfc.exports.corpus_files import run_exports
from ilspfc.exports.formats import words


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


def test_markdown_is_a_file_a_document(corpus: SmallCorpus) -> None:
    write(corpus, "markdown")
    folder = corpus.files.root / "markdown"
    assert names(folder) == ["deu-d1.md", "deu-d2.md", "ita-i1.md"]
    text = (folder / "ita-i1.md").read_text("utf-8")
    assert text == '---\nurl: "http://a.org/i1"\nlanguage: "it"\n---\n\nL\'ape.\n'


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
    assert names(folder) == [
        "de.vert",
        "de.vert.registry",
        "it.vert",
        "it.vert.registry",
    ]
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
    assert names(root / "vertical") == ["de.vert", "de.vert.registry"]
    # A format that is not asked for is not touched.
    assert "ita-i1.xml" in names(root / "tei")


def test_a_registry_names_the_attributes_of_vertical_text(corpus: SmallCorpus) -> None:
    write(corpus, "vertical", "lemmas")
    root = corpus.files.root
    registry = (root / "vertical" / "de.vert.registry").read_text("utf-8")
    assert 'VERTICAL "de.vert"' in registry
    assert "ATTRIBUTE lemma" not in registry
    head = (root / "vertical" / "de.vert").read_text("utf-8").splitlines()[0]
    named = {line.split()[1] for line in registry.splitlines() if line[:3] == "  A"}
    assert set(re.findall(r" (\w+)=", head)) <= named
    assert "ATTRIBUTE lemma" in (root / "lemmas" / "de.vert.registry").read_text(
        "utf-8"
    )


def test_lemmas_are_a_second_column(
    corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.add("d3", "deu", ["Helme & Häuser brennen."])
    write(corpus, "lemmas")
    path = corpus.files.root / "lemmas" / "de.vert"
    lines = path.read_text("utf-8").splitlines()
    assert "Häuser\tHaus" in lines
    assert "&amp;\t&amp;" in lines
    assert "<g/>" in lines
    monkeypatch.setattr(dictionary_factory, "SUPPORTED_LANGUAGES", frozenset())
    write(corpus, "lemmas")
    assert "Häuser\thäuser" in path.read_text("utf-8").splitlines()


def test_words_of_the_subject_come_first(corpus: SmallCorpus) -> None:
    texts = ["Der Brandschutz im Betrieb ist wichtig", "Im Betrieb brennt es, im Haus"]
    for number in range(3):
        corpus.add(f"w{number}", "deu", [f"{one}. {number}" for one in texts])
    write(corpus, "words")
    lines = (corpus.files.root / "words" / "de.tsv").read_text("utf-8").splitlines()
    rows = [
        dict(zip(lines[0].split("\t"), one.split("\t"), strict=True))
        for one in lines[1:]
    ]
    assert rows[0]["words"] == "brandschutz"
    found = {row["words"]: row for row in rows}
    assert found["betrieb"]["frequency"] == "6"
    assert found["betrieb"]["documents"] == "3"
    assert float(found["betrieb"]["keyness"]) > float(found["im"]["keyness"])
    # Of sequences those that neither begin nor end with a common word.
    assert [row["words"] for row in rows if row["length"] != "1"] == [
        "betrieb brennt",
        "betrieb ist wichtig",
        "brandschutz im betrieb",
    ]


def test_a_paragraph_of_many_documents_counts_once(corpus: SmallCorpus) -> None:
    for number in range(5):
        corpus.add(
            f"w{number}", "deu", ["Der Handschuh schützt Finger.", f"Finger {number}"]
        )
    counts = write(corpus, "words")
    text = (corpus.files.root / "words" / "de.tsv").read_text("utf-8")
    assert re.search(r"^handschuh\t1\t1\t", text, re.MULTILINE)
    assert re.search(r"^finger\t1\t6\t", text, re.MULTILINE)
    assert counts["exports/repeated_paragraphs"] == 4


def test_words_of_a_language_without_general_frequencies(
    corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wordfreq.available_languages", dict)
    write(corpus, "words")
    lines = (corpus.files.root / "words" / "it.tsv").read_text("utf-8").splitlines()
    assert lines[1:] == ["ape\t1\t1\t500000.0\t1\t", "l\t1\t1\t500000.0\t1\t"]


def test_rare_sequences_are_forgotten_beyond_the_bound(
    corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "MAX_NGRAMS", 3)
    corpus.add("w1", "deu", ["Leiter", "Leiter"])
    write(corpus, "words")
    text = (corpus.files.root / "words" / "de.tsv").read_text("utf-8")
    assert "leiter\t1\t" in text
    assert "helm" not in text
