"""``scrapy pair``: methods, languages, explanations, folders of cesDoc files."""

from __future__ import annotations

import json
import random
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ilspfc.corpus.xml import format_document, read_document
from ilspfc.documents import Document, Link, Paragraph, ParagraphType

if TYPE_CHECKING:
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


@pytest.fixture(scope="module")
def paired(make_project: Callable[[], Project]) -> Project:
    """A project with a folder of documents and the corpus that is made of it."""
    project = make_project()
    folder = write_folder(project.folder / "files")
    done = project.run("pair", "out", "--import", str(folder))
    assert done.status == 0, done.stderr
    assert "Next       scrapy build out aligns" in done.stdout
    return project


@pytest.fixture
def corpus(paired: Project, project: Project) -> Path:
    """A copy of the corpus."""
    for name in ("files", "out"):
        shutil.copytree(paired.folder / name, project.folder / name)
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
        (("out", "--langs", "de"), "--langs=de: give at least two"),
        (("out", "--langs", "de,xx-"), "--langs=de,xx-: 'xx-' is no known"),
        (("out", "--langs", "de,fr"), "no documents in fr; out has de, it"),
        (("out", "--explain", "http://a.example/none"), "no such document"),
        (("out", "--import", "files"), "out: holds a corpus already"),
        (("other", "--import", "out"), "out: no *.xml there"),
        (("other",), "other: no corpus there"),
        (("out", "--explain", "http://a.example/dex3", "--method", "urls"), "leave"),
        # Nothing is written where the command cannot go on.
        (("new", "--import", "files", "--method", "magic"), "PAIRING_METHOD=magic"),
        (("new", "--import", "files", "--langs", "de,fr"), "files has de, it"),
        (
            ("out", "--dictionary", "fr.tsv", "--method", "urls"),
            "fr.tsv: urls compares no words; leave it out",
        ),
        (("out", "--dictionary", "none.tsv"), "none.tsv: cannot be read (No such file"),
        (("out", "--dictionary", "empty.dic"), "empty.dic: no entries; give lines of"),
        (("out", "--dictionary", "fr.tsv"), "fr.tsv: names deu-fra; give a dictionary"),
        (("new", "--import", "files", "--dictionary", "none.tsv"), "none.tsv: cannot"),
    ],
)
def test_bad_input_is_one_line(
    project: Project, corpus: Path, arguments: tuple[str, ...], said: str
) -> None:
    (project.folder / "empty.dic").write_text("")
    (project.folder / "fr.tsv").write_text(
        "de\tfr\tscore\tsegments\tdocuments\tsites\nja\toui\t1\n"
    )
    before = read_pairs(corpus)
    done = project.run("pair", *arguments)
    assert done.status == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert read_pairs(corpus) == before
    assert not (project.folder / "new").exists()


def write_words(folder: Path, pages: int = 8) -> dict[str, str]:
    """Write pages that have no word in common; return the translations of their words."""
    folder.mkdir()
    codes = ["".join(code) for code in product("abcdef", "abcde", "abcd")]
    words = {f"d{code}e": f"i{code}o" for code in codes}
    chance = random.Random(1)
    for page in range(pages):
        sentences = [chance.choices(list(words), k=8) for _ in range(8)]
        said = {"deu": sentences, "ita": [[words[w] for w in s] for s in sentences]}
        for lang, texts in said.items():
            paragraphs = [Paragraph(" ".join(text)) for text in texts]
            name = f"{page}" if lang == "deu" else f"x{pages - 1 - page}"
            url = f"http://a.example/{name}"
            document = Document("x", url, paragraphs, lang=lang)
            (folder / f"{lang}-{page}.xml").write_bytes(format_document(document))
    return words


@pytest.mark.parametrize("method", ["pwcc", "ets", "combined"])
@pytest.mark.parametrize("turned", [False, True])
def test_a_dictionary_finds_what_nothing_else_tells(
    project: Project, method: str, turned: bool
) -> None:
    words = write_words(project.folder / "files")
    head = ("it", "de") if turned else ("de", "it")
    lines = [pair[::-1] if turned else pair for pair in [*words.items()]]
    text = "\n".join("\t".join(line) for line in [head, *lines, ("bad",)])
    (project.folder / "words.dic").write_text(text)
    found = []
    for extra in ((), ("--dictionary", "words.dic")):
        shutil.rmtree(project.folder / "out", ignore_errors=True)
        arguments = ("--import", "files", "--method", method, *extra)
        done = project.run("pair", "out", *arguments)
        assert done.status == 0, done.stderr
        rows = read_pairs(project.folder / "out")
        found.append(sum(int(row[0][-1]) + int(row[1][-1]) == 7 for row in rows))
    assert "words.dic: 1 line left out; line 122: neither" in done.stderr
    assert found[0] < found[1] == 8


def test_an_unknown_option_is_told(project: Project, corpus: Path) -> None:
    done = project.run("dedup", corpus.name, "--treshold")
    assert done.status == 2
    assert "--treshold: no such option" in done.stdout + done.stderr


def test_languages_keep_the_order_of_the_corpus(project: Project, corpus: Path) -> None:
    assert project.run("pair", "out", "--langs", "it,de").status == 0
    assert [path.name for path in (corpus / "pairs").iterdir()] == ["de-it.tsv"]
    arguments = ("pair", "new", "--import", "files", "--langs", "it,de")
    assert project.run(*arguments).status == 0
    new = project.folder / "new"
    manifest = json.loads((new / "manifest.json").read_text("utf-8"))
    assert manifest["arguments"] == {"langs": "ita, deu"}
    assert [path.name for path in (new / "pairs").iterdir()] == ["it-de.tsv"]
    assert project.run("export", "new").status == 0
    assert (new / "it-de.tmx").exists()


def test_files_that_cannot_be_used_are_named_and_counted(project: Project) -> None:
    folder = write_folder(project.folder / "files")
    (folder / "broken.xml").write_text("<cesDoc><text>")
    (folder / "other.xml").write_text("<cesAlign/>")
    (folder / "twice.xml").write_bytes((folder / "deu-3.xml").read_bytes())
    strange = (folder / "deu-4.xml").read_text("utf-8").replace('"deu"', '"xyzzy"')
    (folder / "strange.xml").write_text(strange, "utf-8")

    done = project.run("pair", "out", "--import", "files")

    assert done.status == 0
    lines = done.stderr.splitlines()
    assert len(lines) == 4
    for line, said in zip(
        lines,
        (
            "files/broken.xml: no readable cesDoc file",
            "files/other.xml: no readable cesDoc file (its root is cesAlign)",
            "files/strange.xml: names no language that is known ('xyzzy')",
            "files/twice.xml: has the URL of deu-3.xml, which is kept",
        ),
        strict=True,
    ):
        assert said in line
    stats = json.loads((project.folder / "out" / "stats.json").read_text("utf-8"))
    assert stats["import/dropped/unreadable"] == 2
    assert stats["import/dropped/no_language"] == 1
    assert stats["import/dropped/same_url"] == 1
    assert len(read_pairs(project.folder / "out")) == 10


def test_a_folder_in_one_language_or_without_good_files_is_refused(
    project: Project,
) -> None:
    folder = write_folder(project.folder / "files")
    for path in folder.glob("ita-*"):
        path.unlink()
    done = project.run("pair", "out", "--import", "files")
    assert (done.status, done.stdout) == (2, "")
    assert done.stderr == (
        "ilspfc: files: one language only (de); pairing needs documents in two\n"
    )
    assert not (project.folder / "out").exists()
    for path in folder.iterdir():
        path.write_text("<html/>")
    done = project.run("pair", "other", "--import", "files")
    assert done.status == 2
    assert "files: no file can be used" in done.stderr
    assert not (project.folder / "other").exists()


# As ILSP-FC writes it, with the site of the distributor before the page's.
ILSPFC = """<?xml version='1.0' encoding='UTF-8'?>
<cesDoc version="0.4" xmlns="http://www.xces.org/schema/2003">
  <cesHeader version="0.4">
    <fileDesc>
      <titleStmt><title>Lärm</title></titleStmt>
      <publicationStmt>
        <distributor>ILSP</distributor>
        <eAddress type="web">http://www.ilsp.gr/</eAddress>
      </publicationStmt>
      <sourceDesc><biblStruct><monogr>
        <title>Lärm</title>
        <imprint>
          <format>text/html; charset=utf-8</format>
          <eAddress{attribute}>http://a.example/{name}?x=1#top</eAddress>
        </imprint>
      </monogr></biblStruct></sourceDesc>
    </fileDesc>
    <profileDesc><langUsage><language iso639="{lang}"/></langUsage></profileDesc>
  </cesHeader>
  <text><body>
    <p id="p1" crawlinfo="boilerplate" type="listitem">Menu</p>
    <p id="p2" crawlinfo="ooi-neg">Casino 7</p>
    <p id="p3" type="title" topic="x;y">Konrad 4711</p>
    <p id="p4">Konrad 1998 Adenauer 2004 {lang} 33</p>
  </body></text>
</cesDoc>
"""


@pytest.mark.parametrize("attribute", ["", ' type="web"'])
def test_files_of_ilspfc_are_read(project: Project, attribute: str) -> None:
    folder = project.folder / "files"
    folder.mkdir()
    for lang in ("de", "it"):
        text = ILSPFC.format(lang=lang, name=lang, attribute=attribute)
        (folder / f"{lang}-1.xml").write_text(text, "utf-8")
    done = project.run("pair", "out", "--import", "files")
    assert (done.status, done.stderr) == (0, "")
    with (
        closing(sqlite3.connect(project.folder / "out" / "corpus.db")) as connection,
        connection,
    ):
        rows = connection.execute(
            "SELECT lang, url, clean_paragraphs FROM documents ORDER BY lang"
        ).fetchall()
    connection.close()
    assert rows == [
        ("deu", "http://a.example/de?x=1", 2),
        ("ita", "http://a.example/it?x=1", 2),
    ]


def test_links_in_the_files_are_used(project: Project) -> None:
    folder = write_folder(project.folder / "files")
    for page in range(10):
        for lang, other in (("deu", "it"), ("ita", "de")):
            path = folder / f"{lang}-{page}.xml"
            document = read_document(path)
            url = f"http://a.example/{other}x{page}"
            document.links = [Link(url, other, hreflang=other)]
            document.images = [f"{page}.png"]
            path.write_bytes(format_document(document, links=True))
    done = project.run("pair", "out", "--import", "files", "--method", "declared")
    assert done.status == 0
    assert len(read_pairs(project.folder / "out")) == 10
    done = project.run("pair", "out", "--explain", "http://a.example/dex3")
    assert "versions" in done.stdout
    assert "images" in done.stdout


def test_pairs_are_scored_by_a_gold_list(project: Project, corpus: Path) -> None:
    right = [f"http://a.example/dex{n}\thttp://a.example/itx{n}" for n in range(8)]
    wrong = "http://a.example/dex9\thttp://a.example/itx8"
    gold = project.folder / "gold.tsv"
    gold.write_text("\n".join([*right, wrong]))
    done = project.run("pair", "out", "--gold", "gold.tsv")
    assert done.status == 0, done.stderr
    # Of the ten pairs found, two share a page with the pair of the list that is none.
    assert "Gold       8 right, 2 wrong, 1 missed, 0 not in the list" in done.stdout
    lines = done.stdout.splitlines()
    named = [line for line in lines if line.startswith("Wrong ")]
    assert len(named) == 2
    assert "http://a.example/dex9  http://a.example/itx9" in named[0] + named[1]
    (missed,) = (line for line in lines if line.startswith("Missed "))
    assert missed.endswith("http://a.example/dex9  http://a.example/itx8")
    places = [line for line in lines if line.startswith("Document ")]
    assert sorted(places) == [
        f"Document   2 of 3 errors  http://a.example/{name}"
        for name in ("dex9", "itx8")
    ]
    assert any(re.fullmatch(r"By \w+, +2 of 10 wrong", line) for line in lines)
    gold.write_text("one\n")
    refused = project.run("pair", "out", "--gold", "gold.tsv")
    assert refused.status == 2
    assert "--gold=gold.tsv, line 1: 1 columns" in refused.error
