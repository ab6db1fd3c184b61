"""PDF: reading order, paragraphs, headings, and what is no text of the document."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import pytest
from file_examples import column, make_pdf

from ilspfc.cleaning.files.office import clean_file
from ilspfc.cleaning.page import CleaningReason
from ilspfc.documents import CrawlInfo, Document, ParagraphType
from ilspfc.optout.policy import decide_page

if TYPE_CHECKING:
    from file_examples import Text

pytest.importorskip("pypdfium2", reason="The extra [pdf] is not installed.")

INFO = (
    "/Title (Sicher auf dem Dach) /Author (Fachstelle) /Subject (Absturz)"
    " /CreationDate (D:20240131120000Z)"
)
LEFT = [
    "Wer auf dem Dach arbeitet, braucht eine",
    "Gefährdungsbeurteilung. Der Arbeitgeber",
    "sieht sich die Stelle an und überlegt, wo",
    "ein Absturz droht und wie man ihn ver-",
    "hindert.",
]
RIGHT = [
    "Wer ohne Geländer arbeitet, trägt einen",
    "Gurt. Auch der wird vor jedem Einsatz",
    "geprüft, und zwar von dem, der ihn trägt,",
    "und einmal im Jahr von einem, der das",
    "gelernt hat.",
]
FIRST = (
    "Wer auf dem Dach arbeitet, braucht eine Gefährdungsbeurteilung. Der Arbeitgeber sieht"
    " sich die Stelle an und überlegt, wo ein Absturz droht und wie man ihn verhindert."
)
SECOND = (
    "Wer ohne Geländer arbeitet, trägt einen Gurt. Auch der wird vor jedem Einsatz geprüft,"
    " und zwar von dem, der ihn trägt, und einmal im Jahr von einem, der das gelernt hat."
)


def clean(pages: list[list[Text]], info: str = "", **arguments: object) -> Document:
    document = clean_file(
        make_pdf(pages, info, "/Lang (de-DE)"),
        "pdf",
        url="https://example.org/a.pdf",
        identity="0" * 12,
        **arguments,  # type: ignore[arg-type]
    )
    assert isinstance(document, Document)
    return document


XMP = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">{}</rdf:RDF></x:xmpmeta>
          <?xpacket end="w"?>"""
TDM = 'xmlns:tdm="http://www.w3.org/ns/tdmrep/"'
POLICY = "https://example.org/p.json"


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize(
    ("description", "found"),
    [
        (
            (
                f"<rdf:Description {TDM}><tdm:reservation>1</tdm:reservation>"
                f"<tdm:policy>{POLICY}</tdm:policy></rdf:Description>"
            ),
            {"tdm-reservation": "1", "tdm-policy": POLICY},
        ),
        (
            f'<rdf:Description {TDM} tdm:reservation="0"/>',
            {"tdm-reservation": "0"},
        ),
        (
            (
                '<rdf:Description xmlns:t="http://www.w3.org/ns/tdmrep#"><t:reservation> 1'
                f'</t:reservation><t:policy rdf:resource="{POLICY}"/></rdf:Description>'
            ),
            {"tdm-reservation": "1", "tdm-policy": POLICY},
        ),
        ("<rdf:Description><reservation>1</reservation></rdf:Description>", {}),
        # A schema for PDF/A names the properties and states none.
        (
            (
                "<rdf:Description><namespaceURI>http://www.w3.org/ns/tdmrep/</namespaceURI>"
                "<name>reservation</name></rdf:Description>"
            ),
            {},
        ),
        (f"<rdf:Description {TDM}><tdm:reservation>1", {}),
        (f"<!DOCTYPE a [<!ENTITY a '1'>]><rdf:Description {TDM}>", {}),
    ],
)
def test_declarations_on_mining_are_read(
    description: str, found: dict[str, str], is_packed: bool
) -> None:
    xmp = XMP.format(description).encode()
    body = make_pdf(
        [column(70, 760, LEFT)],
        xmp=zlib.compress(xmp) if is_packed else xmp,
        coding=b"/Filter /FlateDecode" if is_packed else b"",
    )
    document = clean_file(body, "pdf", url="https://a.org/a.pdf", identity="0" * 12)
    assert isinstance(document, Document)
    assert document.meta == found
    reserved = decide_page([], document, "ilspfc").reserved
    assert reserved is (found.get("tdm-reservation") == "1")


def test_what_is_no_metadata_stream_is_passed_over() -> None:
    pages = [column(70, 760, LEFT)]
    for catalog in ("/A << /Type /Metadata >>", "/Type /Metadata"):
        body = make_pdf(pages, catalog=catalog)
        document = clean_file(body, "pdf", url="https://a.org/a.pdf", identity="0" * 12)
        assert isinstance(document, Document)
        assert document.meta == {}
    body = make_pdf(pages, xmp=b"x", coding=b"/Filter /FlateDecode")
    assert isinstance(
        clean_file(body, "pdf", url="https://a.org/a.pdf", identity="0" * 12), Document
    )


def texts(document: Document) -> list[str]:
    return [paragraph.text for paragraph in document.clean_paragraphs]


def test_columns_are_read_one_after_the_other() -> None:
    page = [(50.0, 790.0, 18.0, "Sicher auf dem Dach und sicher auf der Leiter")]
    page += column(50, 750, LEFT) + column(310, 750, RIGHT)
    page += [
        (
            50.0,
            640.0,
            14.0,
            "Eine Überschrift über beide Spalten der ganzen Seite hinweg",
        )
    ]
    page += column(50, 610, RIGHT) + column(310, 610, LEFT)
    # A file may draw its rows in any order.
    page.sort(key=lambda text: text[3])
    document = clean([page])
    assert texts(document) == [
        "Sicher auf dem Dach und sicher auf der Leiter",
        FIRST,
        SECOND,
        "Eine Überschrift über beide Spalten der ganzen Seite hinweg",
        SECOND,
        FIRST,
    ]
    kinds = [paragraph.type for paragraph in document.paragraphs]
    assert kinds[0] is ParagraphType.TITLE
    assert kinds[3] is ParagraphType.HEADING
    assert {kinds[n] for n in (1, 2, 4, 5)} == {None}


def test_the_rows_of_a_table_stay_together() -> None:
    rows = [
        ("Leiter", "geprüft am Montag"),
        ("Gurt", "geprüft am Dienstag"),
        ("Helm", "fehlt noch immer"),
    ]
    page: list[Text] = []
    for number, (name, state) in enumerate(rows):
        page += [(50, 700 - 30 * number, 11, name), (300, 700 - 30 * number, 11, state)]
    assert texts(clean([page])) == [f"{name} {state}" for name, state in rows]


def test_a_paragraph_goes_on_over_a_page_break() -> None:
    assert texts(clean([column(50, 700, LEFT[:3]), column(50, 750, LEFT[3:])])) == [
        FIRST
    ]


def test_running_heads_and_feet_are_boilerplate() -> None:
    pages = [
        [
            (50.0, 815.0, 9.0, "Fachstelle für Arbeitssicherheit"),
            *column(50, 750, LEFT if number % 2 else RIGHT),
            (280.0, 25.0, 9.0, f"Seite {number} von 4"),
        ]
        for number in range(1, 5)
    ]
    document = clean(pages)
    assert texts(document) == [FIRST, SECOND, FIRST, SECOND]
    marked = {
        p.text for p in document.paragraphs if p.crawlinfo is CrawlInfo.BOILERPLATE
    }
    assert "Fachstelle für Arbeitssicherheit" in marked
    assert "Seite 3 von 4" in marked


def test_a_table_of_contents_is_boilerplate() -> None:
    document = clean(
        [[(50, 700, 11, "Leitern und Tritte im Betrieb . . . . . . . . 12")]]
    )
    assert [p.crawlinfo for p in document.paragraphs] == [CrawlInfo.BOILERPLATE]


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (
            ["Der Arbeit-", "geber prüft die Leiter."],
            "Der Arbeitgeber prüft die Leiter.",
        ),
        (
            ["Die Leiter aus Nord-", "Italien ist geprüft."],
            "Die Leiter aus Nord-Italien ist geprüft.",
        ),
        (
            ["Ein E-mail-Konto und ein zweites E-", "mail-Konto für die Leiter."],
            "Ein E-mail-Konto und ein zweites E-mail-Konto für die Leiter.",
        ),
    ],
)
def test_a_hyphen_at_the_end_of_a_line(lines: list[str], text: str) -> None:
    assert texts(clean([column(50, 700, lines)])) == [text]


def test_list_items_lose_their_bullets() -> None:
    lines = [
        "Zu prüfen sind vor jeder Arbeit:",
        "• die Sprossen der Leiter",
        "• die Füße der Leiter",
    ]
    document = clean([column(50, 700, lines)])
    assert [(p.text, p.type) for p in document.paragraphs] == [
        ("Zu prüfen sind vor jeder Arbeit:", None),
        ("die Sprossen der Leiter", ParagraphType.LISTITEM),
        ("die Füße der Leiter", ParagraphType.LISTITEM),
    ]


def test_the_metadata_are_those_of_the_file() -> None:
    metadata = clean([column(50, 700, LEFT)], INFO).metadata
    assert metadata.title == "Sicher auf dem Dach"
    assert metadata.author == "Fachstelle"
    assert metadata.description == "Absturz"
    assert metadata.date == "2024-01-31"
    assert metadata.declared_lang == "de-DE"


def test_without_a_title_the_largest_heading_is_it() -> None:
    page: list[Text] = [
        (50, 780, 14, "Merkblatt der Fachstelle"),
        (50, 740, 20, "Sicher auf dem Dach"),
    ]
    document = clean([page + column(50, 700, LEFT)])
    assert document.metadata.title == "Sicher auf dem Dach"


def test_pages_beyond_the_limit_are_not_read() -> None:
    assert texts(
        clean([column(50, 700, LEFT), column(50, 700, RIGHT)], max_pages=1)
    ) == [FIRST]


def test_a_header_can_ask_not_to_be_indexed() -> None:
    assert not clean([column(50, 700, LEFT)], robots_header="noindex").index


@pytest.mark.parametrize(
    "body", [b"", b"%PDF-1.4\n\0\1", make_pdf([])[:100], b"<html>"]
)
def test_a_broken_file_has_a_reason(body: bytes) -> None:
    result = clean_file(body, "pdf", url="u", identity="0")
    assert result is CleaningReason.UNREADABLE


def test_a_file_without_text_is_a_document_without_paragraphs() -> None:
    """So are scans; the pipeline counts them as empty."""
    assert clean([[]]).paragraphs == []
