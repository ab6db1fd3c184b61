"""Views: XML files and units as pages for a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import html

from ilspfc.corpus.xml import format_document
from ilspfc.documents import CrawlInfo, Document, Metadata, Paragraph, ParagraphType
from ilspfc.exceptions import CorpusError
from ilspfc.exports.formats.cesalign import write_cesalign
from ilspfc.exports.formats.views import ViewWriter, write_view
from ilspfc.exports.units import ExportUnit, PageOrigin, UnitOrigin

EVIL = "<script>alert(1)</script>"


def test_a_document_is_readable_in_a_browser(tmp_path: Path) -> None:
    paragraphs = [
        Paragraph("Menü", crawlinfo=CrawlInfo.BOILERPLATE),
        Paragraph("Lärm & Staub", ParagraphType.TITLE, topic=("Lärm",)),
        Paragraph(EVIL),
    ]
    url = "http://a.org/?a=1&b=2"
    document = Document("1", url, paragraphs, Metadata(title="Titel"), lang="deu")
    path = tmp_path / "deu-1.xml"
    path.write_bytes(format_document(document))
    view = write_view(path)
    assert view == tmp_path / "deu-1.xml.html"
    page = html.parse(str(view)).getroot()
    assert page.findtext(".//title") == "Titel"
    assert page.findtext(".//h1") == "Lärm & Staub"
    assert (
        page.xpath("//h1/span/text()") == [" [", "Lärm", "]"]
        or page.xpath("string(//h1/span)") == " [Lärm]"
    )
    assert page.xpath("string(//p[@class='out']/@data-why)") == "boilerplate"
    assert page.xpath("//script") == []
    assert EVIL in page.xpath("//body//p/text()")
    assert page.xpath("//a/@href") == [url]


def test_two_documents_stand_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "1_2_urls.xml"
    sides = ("../xml/deu-1.xml", "deu"), ("../xml/ita-2.xml", "ita")
    write_cesalign(path, *sides, confidence=0.9, method="urls")
    page = html.parse(str(write_view(path))).getroot()
    frames = page.xpath("//iframe/@src")
    assert frames == ["../xml/deu-1.xml.html", "../xml/ita-2.xml.html"]


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "deu-1.xml"
    path.write_text("<cesDoc")
    with pytest.raises(CorpusError, match=r"deu-1\.xml: cannot be read"):
        write_view(path)


def test_units_are_rows_below_the_addresses_of_their_pages(tmp_path: Path) -> None:
    path = tmp_path / "de-it.html"
    pages = PageOrigin("http://a.org/de"), PageOrigin("javascript:alert(1)")
    origin = UnitOrigin(*pages)
    with ViewWriter(path) as writer:
        writer.write(ExportUnit(EVIL, "uno", "1:1", 0.9, ("short",), origin))
        writer.write(ExportUnit("zwei", "due", "1:2", 0.8, (), origin))
    page = html.parse(str(path)).getroot()
    rows = [[cell.text_content() for cell in row] for row in page.iter("tr")]
    assert rows == [
        ["", "http://a.org/de", "javascript:alert(1)", ""],
        ["1", EVIL, "uno", "short"],
        ["2", "zwei", "due", ""],
    ]
    assert page.xpath("//a/@href") == ["http://a.org/de"]
    assert page.xpath("//tr[@title]/@title")[1] == "score 0.8000, type 1:2"
    assert path.read_bytes().endswith(b"</html>\n")
