"""Documents as vertical text and as TEI P5."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from lxml import etree
from pyarrow import parquet
from trafilatura.xml import validate_tei

from ilspfc.documents import CrawlInfo, Document, Metadata, Paragraph, ParagraphType
from ilspfc.exports.formats.plain_text import DocumentLinesWriter, MarkdownWriter
from ilspfc.exports.formats.tables import DocumentTableWriter
from ilspfc.exports.formats.tei import NAMESPACE, write_tei
from ilspfc.exports.formats.vertical import VerticalWriter, split_tokens
from ilspfc.exports.writers import Target


def make_document(*paragraphs: Paragraph) -> Document:
    metadata = Metadata(
        title='Bees & "honey"', author="A. B.", date="2026-03-01", license="http://l/"
    )
    document = Document("a1", "http://example.org/?a=1&b=2", list(paragraphs), metadata)
    document.lang, document.fetched_at = "eng", "2026-03-02T10:00:00+00:00"
    document.genre, document.subdomains = "article", ("hives", "honey")
    return document


DOCUMENT = make_document(
    Paragraph("Before all."),
    Paragraph("Menu", crawlinfo=CrawlInfo.BOILERPLATE),
    Paragraph("Bees", ParagraphType.TITLE, level=1),
    Paragraph("Bees don't sleep. They fly 3.5 km <far>.", topic=("bee",)),
    Paragraph("One", ParagraphType.LISTITEM),
    Paragraph("Two", ParagraphType.LISTITEM),
    Paragraph("Honey", ParagraphType.HEADING, level=2),
    Paragraph("a | b", ParagraphType.ROW),
    Paragraph("x = 1", ParagraphType.CODE, indent=2, gap=1),
    Paragraph("Said \x0bone.", ParagraphType.QUOTE),
)


def test_vertical_text_has_structures_and_a_token_a_line(tmp_path: Path) -> None:
    path = tmp_path / "en.vert"
    with VerticalWriter(path) as writer:
        writer.write(DOCUMENT)
    tokens = writer.counts["exports/vertical_tokens"]
    lines = path.read_text("utf-8").splitlines()
    head = lines[0]
    assert head.startswith('<doc id="a1" url="http://example.org/?a=1&amp;b=2" ')
    assert "title='Bees &amp; \"honey\"'" in head
    assert 'genre="article" subdomains="hives|honey"' in head
    assert lines[-1] == "</doc>"
    assert '<p type="text" topic="bee">' in lines
    assert "Menu" not in lines
    assert lines.count("<s>") == lines.count("</s>") == 10
    assert tokens == sum(not line.startswith("<") for line in lines)
    # A tag of the text is none of the file.
    assert "&lt;" in lines
    assert "<far>" not in lines


def test_documents_are_records_in_json_and_in_a_table(tmp_path: Path) -> None:
    lines, table = tmp_path / "en.jsonl", tmp_path / "en.parquet"
    with DocumentLinesWriter(lines) as first, DocumentTableWriter(table) as second:
        for writer in (first, second):
            writer.write(DOCUMENT)
    record = json.loads(lines.read_text("utf-8"))
    assert (record["lang"], record["title"]) == ("en", 'Bees & "honey"')
    assert (record["genre"], record["subdomains"]) == ("article", "hives|honey")
    text = record["text"].split("\n")
    assert text[:2] == ["Before all.", "Bees"]
    assert text[-3:-1] == ["", "  x = 1"]  # the empty line of the program
    assert len(text) == len(DOCUMENT.clean_paragraphs) + 1
    (row,) = parquet.read_table(table).to_pylist()
    assert row == record


def test_markdown_has_what_is_known_of_a_document_above_it(tmp_path: Path) -> None:
    unused: Any = None
    target = Target([], tmp_path, ("eng",), unused, unused)
    with MarkdownWriter(target) as writer:
        writer.write(DOCUMENT)
    text = (tmp_path / "eng-a1.md").read_text("utf-8")
    _, head, body = text.split("---\n", 2)
    assert yaml.safe_load(head) == {
        "url": "http://example.org/?a=1&b=2",
        "language": "en",
        "title": 'Bees & "honey"',
        "author": "A. B.",
        "date": "2026-03-01",
        "license": "http://l/",
        "fetched": "2026-03-02T10:00:00+00:00",
    }
    assert body.startswith("\nBefore all.\n\n# Bees\n\n")
    assert "\n```\n  x = 1\n```\n" in body


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        ("It's 1,250.", ["It", "<g/>", "'", "<g/>", "s", "1,250", "<g/>", "."]),
        ("蜜蜂飞", ["蜜", "<g/>", "蜂", "<g/>", "飞"]),
        ("", []),
    ],
)
def test_glue_stands_where_no_blank_is(sentence: str, tokens: list[str]) -> None:
    assert list(split_tokens(sentence)) == tokens


@pytest.mark.parametrize("document", [DOCUMENT, make_document()])
def test_tei_is_valid(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    write_tei(path, document)
    assert validate_tei(etree.parse(path).getroot())


def test_tei_has_the_structure_of_the_page(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    write_tei(path, DOCUMENT)
    root = etree.parse(path).getroot()
    names = {"t": NAMESPACE}
    divisions = root.findall(".//t:body/t:div", names)
    shapes = [[etree.QName(e).localname for e in division] for division in divisions]
    assert shapes == [["p"], ["head", "p", "list"], ["head", "ab", "ab", "ab"]]
    assert [e.text for e in root.findall(".//t:item", names)] == ["One", "Two"]
    assert [e.get("type") for e in root.findall(".//t:ab", names)] == [
        "row",
        "code",
        "quote",
    ]
    (pointer,) = root.findall(".//t:ptr", names)
    assert pointer.get("target") == "http://example.org/?a=1&b=2"
