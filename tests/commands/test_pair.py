"""``scrapy pair``: methods, languages, explanations, folders of cesDoc files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ilspfc.corpus.xml import format_document
from ilspfc.documents import Document, Paragraph, ParagraphType

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Project

WORDS = {
    "deu": "Helm Lärm Staub Leiter Gerüst Brand Gas Strom Kran Lager".split(),
    "ita": "casco rumore polvere scala ponteggio incendio gas corrente gru deposito".split(),
}


def write_folder(folder: Path, *, pages: int = 10) -> Path:
    """Write pages of two languages that say the same about numbered rules."""
    folder.mkdir()
    for lang, words in WORDS.items():
        for page in range(pages):
            texts = [f"{words[page]} {page + 100}"]
            texts += [
                f"{words[page]} {words[(page + n) % 10]} 20{page}{n} {words[(page * n) % 10]}"
                for n in range(5)
            ]
            paragraphs = [Paragraph(text) for text in texts]
            paragraphs[0].type = ParagraphType.TITLE
            url = f"http://a.example/{lang[:2]}x{page}"
            document = Document(f"{page:012x}", url, paragraphs, lang=lang)
            (folder / f"{lang}-{page}.xml").write_bytes(format_document(document))
    return folder


@pytest.fixture
def corpus(project: Project) -> Path:
    folder = write_folder(project.folder / "files")
    done = project.run("pair", "out", "--import", str(folder))
    assert done.status == 0, done.stderr
    return project.folder / "out"


def read_pairs(corpus: Path) -> list[list[str]]:
    lines = (corpus / "pairs" / "de-it.tsv").read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]


def test_a_folder_of_documents_is_paired_and_explained(
    project: Project, corpus: Path
) -> None:
    pairs = read_pairs(corpus)
    assert len(pairs) == 10
    assert all(row[0][-1] == row[1][-1] for row in pairs)

    done = project.run("pair", "out", "--explain", "http://a.example/dex3")
    assert done.status == 0
    first = done.stdout.splitlines()[1]
    assert "http://a.example/itx3 p=" in first
    assert first.endswith("the pair")
    assert "identical" in done.stdout

    done = project.run("pair", "out", "--method", "declared")
    assert done.status == 0
    assert read_pairs(corpus) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("out", "--method", "magic"), "PAIRING_METHOD=magic"),
        (("out", "--langs", "de"), "--langs de: give at least two"),
        (("out", "--explain", "http://a.example/none"), "no such document"),
        (("out", "--import", "files"), "out: holds a corpus already"),
        (("other", "--import", "out"), "out: no *.xml there"),
        (("other",), "other: no corpus there"),
    ],
)
def test_bad_input_is_one_line(
    project: Project, corpus: Path, arguments: tuple[str, ...], said: str
) -> None:
    before = read_pairs(corpus)
    done = project.run("pair", *arguments)
    assert done.status == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert read_pairs(corpus) == before
