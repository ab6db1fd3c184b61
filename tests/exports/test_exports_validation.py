"""Files of a corpus against their schemas."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from ilspfc.commands.exports.validate import Command
from ilspfc.corpus.xml import format_document
from ilspfc.documents import (
    CrawlInfo,
    Document,
    License,
    LicensePlace,
    Link,
    Metadata,
    Paragraph,
    ParagraphType,
)
from ilspfc.exceptions import CorpusError
from ilspfc.exports.validation import UnknownKindError, find_problems, iter_files

PARAGRAPHS = [
    Paragraph("Titel", ParagraphType.TITLE, topic=("Feuer",), level=1, score=0.9),
    Paragraph("Menü", None, CrawlInfo.BOILERPLATE, score=0.1, cleaning="text"),
    *(Paragraph("Text.", kind) for kind in ParagraphType),
]
FULL = Document(
    "d1",
    "http://a.org/",
    PARAGRAPHS,
    Metadata("Titel", "Über", "eins, zwei", "A. Muster", license="http://l.org/"),
    [Link("http://a.org/it", "Italiano", title="it", hreflang="it")],
    ["bild.png"],
    lang="deu",
    licenses=(License("CC-BY-4.0", "http://l.org/", LicensePlace.JSON_LD),),
    optouts=("tdmrep_header=1",),
    is_reserved=True,
    relevance=3.0,
    probability=0.9,
    perplexity=120.0,
    bucket="high",
    tokens=10,
    subdomains=("fire",),
    genre="article",
    genre_probability=0.8,
    sources=("sha1:ABC",),
)


def write(folder: Path, document: Document = FULL) -> Path:
    path = folder / f"deu-{document.id}.xml"
    path.write_bytes(format_document(document, domain="demo", links=True))
    return path


@pytest.mark.parametrize(
    "document", [FULL, Document("d2", "http://a.org/", [], lang="deu")]
)
def test_documents_are_valid_with_all_there_is_and_with_nothing(
    document: Document, tmp_path: Path
) -> None:
    assert list(find_problems(write(tmp_path, document))) == []


def test_problems_have_a_line(tmp_path: Path) -> None:
    path = write(tmp_path)
    text = path.read_text("utf-8").replace('type="title"', 'type="titel"')
    path.write_text(text.replace("<subject/>", ""), encoding="utf-8")
    header, title, _ = find_problems(path)
    lines = ["", *path.read_text("utf-8").splitlines()]
    assert "<textClass>" in lines[header.line]
    assert "subject" in header.text
    assert "titel" in lines[title.line]


def test_an_alignment_must_name_files_that_are_there(tmp_path: Path) -> None:
    source = write(tmp_path)
    path = tmp_path / "a.xml"
    sides = (
        f'<translation trans.loc="{name}" xml:lang="{lang}" wsd="UTF-8" n="{n}"/>'
        for n, name, lang in ((1, source.name, "deu"), (2, "ita-i1.xml", "ita"))
    )
    path.write_text(
        '<cesAlign xmlns="http://www.xces.org/schema/2003" version="1.0">'
        '<cesHeader version="1.0"><profileDesc><translations confidence="0.9">'
        f"{''.join(sides)}</translations></profileDesc></cesHeader></cesAlign>",
        encoding="utf-8",
    )
    (problem,) = find_problems(path)
    assert problem.text == "ita-i1.xml is not there"


def test_collections_and_compressed_files_are_read(tmp_path: Path) -> None:
    head, _, body = write(tmp_path).read_bytes().partition(b"?>")
    path = tmp_path / "all.xml.gz"
    with gzip.open(path, "wb") as file:
        file.write(head + b"?><cesCorpus>" + body * 2 + b"</cesCorpus>")
    assert list(find_problems(path)) == []


def test_other_kinds_are_refused_alone_and_passed_over_in_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "tei.xml"
    other.write_text("<TEI/>", encoding="utf-8")
    with pytest.raises(UnknownKindError, match="its root is TEI"):
        list(find_problems(other))
    document = write(tmp_path)
    (tmp_path / "broken.tmx").write_text("<tmx", encoding="utf-8")
    assert len(list(iter_files(tmp_path))) == 3
    with pytest.raises(CorpusError, match="broken XML"):
        list(find_problems(tmp_path / "broken.tmx"))
    command = Command()
    command.work([str(tmp_path)], None)  # type: ignore[arg-type]
    assert "2 files checked: 1 with problems" in capsys.readouterr().out
    assert command.exitcode == 1
    command.work([str(document)], None)  # type: ignore[arg-type]
    assert command.exitcode == 0
