"""Word files: paragraphs by style, and archives that are no Word files."""

from __future__ import annotations

import pytest
from file_examples import WORD, make_docx, word_paragraph

from ilspfc.cleaning.files import office
from ilspfc.cleaning.files.formats import FORMATS
from ilspfc.cleaning.files.office import clean_file
from ilspfc.cleaning.page import CleaningReason
from ilspfc.documents import CrawlInfo, Document, ParagraphType

TYPE = FORMATS["docx"].media_types[0]
LIST = '<w:numPr><w:numId w:val="1"/></w:numPr>'


def clean(body: bytes) -> Document | CleaningReason:
    return clean_file(body, "docx", url="u", identity="0")


def paragraphs(body: bytes) -> list[tuple[str, ParagraphType | None]]:
    document = clean(body)
    assert isinstance(document, Document)
    return [(p.text, p.type) for p in document.paragraphs]


def test_paragraphs_have_the_types_of_their_styles() -> None:
    body = (
        word_paragraph("Leitern prüfen vor Gebrauch", "Titel")
        + word_paragraph("Was zu prüfen ist", "berschrift1")
        + word_paragraph("Die Leiter steht   fest und gerade.")
        + word_paragraph("Die Sprossen sind ganz.", extra=LIST)
        + word_paragraph("")
    )
    assert paragraphs(make_docx(body)) == [
        ("Leitern prüfen vor Gebrauch", ParagraphType.TITLE),
        ("Was zu prüfen ist", ParagraphType.HEADING),
        ("Die Leiter steht fest und gerade.", None),
        ("Die Sprossen sind ganz.", ParagraphType.LISTITEM),
    ]


def test_cells_come_row_by_row_and_text_boxes_once() -> None:
    cells = "".join(
        f"<w:tc>{word_paragraph(text)}</w:tc>"
        for text in ("Leiter aus Holz", "geprüft am Montag")
    )
    compatible = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    box = f"<w:txbxContent>{word_paragraph('Ein Kasten im Text')}</w:txbxContent>"
    body = (
        f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"
        f'<w:p xmlns:mc="{compatible}"><w:r><w:t>Neben dem Kasten</w:t></w:r><w:r><mc:AlternateContent>'
        f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert [text for text, _ in paragraphs(make_docx(body))] == [
        "Leiter aus Holz",
        "geprüft am Montag",
        "Neben dem Kasten",
        "Ein Kasten im Text",
    ]


def test_deleted_text_is_gone_and_breaks_are_blanks() -> None:
    body = (
        "<w:p><w:r><w:t>Die Leiter</w:t><w:br/><w:t>steht</w:t></w:r>"
        "<w:del><w:r><w:delText> nicht</w:delText></w:r></w:del><w:r><w:tab/><w:t>fest.</w:t></w:r></w:p>"
    )
    assert paragraphs(make_docx(body)) == [("Die Leiter steht fest.", None)]


def test_headers_and_footers_are_boilerplate() -> None:
    header = (
        f"<w:hdr {WORD}>{word_paragraph('Fachstelle für Arbeitssicherheit')}</w:hdr>"
    )
    document = clean(
        make_docx(
            word_paragraph("Die Leiter steht fest."), {"word/header1.xml": header}
        )
    )
    assert isinstance(document, Document)
    assert [p.crawlinfo for p in document.paragraphs] == [None, CrawlInfo.BOILERPLATE]


def test_the_metadata_are_those_of_the_file() -> None:
    document = clean(make_docx(word_paragraph("Die Leiter steht fest.")))
    assert isinstance(document, Document)
    metadata = document.metadata
    assert (metadata.title, metadata.author, metadata.date) == (
        "Leitern prüfen",
        "Fachstelle",
        "2024-02-29",
    )
    assert document.mime == TYPE


def test_an_entity_is_not_expanded() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY a "Lärm"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'
    text = "<w:p><w:r><w:t>Die Leiter &b; steht fest.</w:t></w:r></w:p>"
    part = f"{bomb}<w:document {WORD}><w:body>{text}</w:body></w:document>"
    assert "Lärm" not in str(paragraphs(make_docx("", {"word/document.xml": part})))


def test_a_part_that_unpacks_to_too_much_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    body = make_docx(word_paragraph("Leiter " * 1000))
    assert isinstance(clean(body), Document)
    monkeypatch.setattr(office, "MAX_UNPACKED_BYTES", 5000)
    assert clean(body) is CleaningReason.UNREADABLE


def test_an_archive_of_too_many_parts_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(office, "MAX_PARTS", 2)
    assert clean(make_docx(word_paragraph("Leiter"))) is CleaningReason.UNREADABLE


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"PK\x03\x04 no archive",
        make_docx("")[:-40],
        make_docx("", {"word/document.xml": "<w:document>"}),
        make_docx("", {"word/document.xml": b"\0"}),
    ],
)
def test_a_broken_file_has_a_reason(body: bytes) -> None:
    assert clean(body) is CleaningReason.UNREADABLE
