"""cesDoc files: what stands where, and that it can be read back."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from ilspfc.corpus.xml import format_document, read_document
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

C = "{http://www.xces.org/schema/2003}"
COMMONS = "https://creativecommons.org/licenses/by/4.0/"

LICENSES = (
    License("CC-BY-4.0", COMMONS, LicensePlace.A_REL),
    License("", "https://example.org/l", LicensePlace.JSON_LD),
)
OPTOUTS = ("tdmrep_meta=1; policy=https://example.org/p", "rsl_robots=/l.xml")


def make_document(**values: object) -> Document:
    document = Document(
        id="0123456789ab",
        url="https://example.org/de/a?b=1&c=2",
        paragraphs=[
            Paragraph("Menü", ParagraphType.LISTITEM, CrawlInfo.BOILERPLATE),
            Paragraph("Lärm & Staub <am Bau>", ParagraphType.TITLE, level=1),
            Paragraph("Der Lärm ist laut.", topic=("Lärm", "laut sein")),
            Paragraph("Noise", ParagraphType.HEADING, CrawlInfo.OOI_LANG, "eng"),
            Paragraph("ja", None, CrawlInfo.OOI_LENGTH),
            Paragraph("Ein Punkt", ParagraphType.LISTITEM, None, "deu", ("Punkt",)),
            Paragraph("return laut", ParagraphType.CODE, indent=4, gap=1),
        ],
        metadata=Metadata(
            title="Lärm am Bau",
            keywords="Lärm, Bau ,, Gehör",
            author="A. Muster",
            date="2025-12-31",
            publisher="Fachstelle",
            license=COMMONS,
        ),
        lang="deu",
        genre="article",
        genre_probability=0.875,
        sources=("deu-0123456789ab.html", "sha1:ABC"),
        relevance=30.0,
        terms=3,
        subdomains=("noise", "construction"),
        tokens=60,
        fetched_at="2026-03-01T10:00:00+00:00",
        mime="application/xhtml+xml",
    )
    return replace(document, **values)  # type: ignore[arg-type]


def parse(document: Document, *, domain: str = "") -> etree._Element:
    return etree.fromstring(format_document(document, domain=domain))


def text_at(root: etree._Element, path: str) -> str | None:
    found = root.find("/".join(f"{C}{tag}" for tag in path.split("/")))
    assert found is not None
    return found.text


def write(folder: Path, document: Document, *, domain: str = "") -> Path:
    path = folder / f"{document.lang}-{document.id}.xml"
    path.write_bytes(format_document(document, domain=domain))
    return path


def test_a_document_is_read_as_it_was_written(tmp_path: Path) -> None:
    metadata = replace(
        make_document().metadata,
        description="Was gegen Lärm hilft",
        canonical="https://example.org/de/a",
        declared_lang="de-CH",
        modified="2026-01-02",
        type="article",
    )
    document = make_document(metadata=metadata)
    found = read_document(write(tmp_path, document, domain="noise"))
    foreign = CrawlInfo.OOI_LANG
    assert found.paragraphs == [
        replace(p, lang=p.lang if p.crawlinfo is foreign else None)
        for p in document.paragraphs
    ]
    assert (found.id, found.url) == (document.id, document.url)
    assert (found.lang, found.mime) == ("deu", "application/xhtml+xml")
    assert found.metadata == replace(metadata, keywords="Lärm, Bau, Gehör")


def test_licenses_optouts_and_scores_are_read_as_they_were_written(
    tmp_path: Path,
) -> None:
    document = make_document(
        licenses=LICENSES, optouts=OPTOUTS, is_reserved=True, cleaning_score=0.875
    )
    found = read_document(write(tmp_path, document))
    assert found.cleaning_score == 0.875
    assert found.licenses == LICENSES
    assert (found.optouts, found.is_reserved) == (OPTOUTS, True)


def test_a_silent_page_is_read_as_it_was_written(tmp_path: Path) -> None:
    document = Document("0123456789ab", "http://example.org/", [], lang="ita")
    found = read_document(write(tmp_path, document))
    assert found == replace(document, lang="ita")


def test_attributes_stand_in_the_order_that_readers_know() -> None:
    """By regular expressions, as many readers of ILSP-FC's files do."""
    xml = format_document(make_document()).decode()
    lines = re.findall(r"^ *(<p .*</p>)$", xml, re.MULTILINE)
    assert lines == [
        '<p id="p1" crawlinfo="boilerplate" type="listitem">Menü</p>',
        '<p id="p2" type="title" level="1">Lärm &amp; Staub &lt;am Bau&gt;</p>',
        '<p id="p3" topic="Lärm;laut sein">Der Lärm ist laut.</p>',
        '<p id="p4" crawlinfo="ooi-lang" type="heading" lang="eng">Noise</p>',
        '<p id="p5" crawlinfo="ooi-length">ja</p>',
        '<p id="p6" type="listitem" topic="Punkt">Ein Punkt</p>',
        '<p id="p7" type="code" indent="4" gap="1">return laut</p>',
    ]


def test_the_file_is_a_cesdoc_in_utf_8() -> None:
    xml = format_document(make_document())
    assert xml.startswith(b"<?xml version='1.0' encoding='UTF-8'?>\n<cesDoc ")
    root = etree.fromstring(xml)
    assert root.tag == f"{C}cesDoc"
    assert root.get("version") == "0.4"
    assert [child.tag for child in root] == [f"{C}cesHeader", f"{C}text"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("fileDesc/titleStmt/title", "Lärm am Bau"),
        ("fileDesc/titleStmt/respStmt/resp/name", "ilspfc"),
        ("fileDesc/publicationStmt/distributor", "ilspfc"),
        ("fileDesc/publicationStmt/pubDate", "2026"),
        ("fileDesc/sourceDesc/biblStruct/monogr/title", "Lärm am Bau"),
        ("fileDesc/sourceDesc/biblStruct/monogr/author", "A. Muster"),
        (
            "fileDesc/sourceDesc/biblStruct/monogr/imprint/format",
            "application/xhtml+xml",
        ),
        ("fileDesc/sourceDesc/biblStruct/monogr/imprint/publisher", "Fachstelle"),
        ("fileDesc/sourceDesc/biblStruct/monogr/imprint/pubDate", "2025-12-31"),
        (
            "fileDesc/sourceDesc/biblStruct/monogr/imprint/eAddress",
            "https://example.org/de/a?b=1&c=2",
        ),
        ("profileDesc/textClass/domain", "health-safety"),
        ("profileDesc/textClass/subdomain", "noise;construction"),
        ("profileDesc/annotations/annotation", "deu-0123456789ab.html"),
        ("profileDesc/textClass/genre", "article"),
    ],
)
def test_the_header_says_where_the_document_is_from(path: str, text: str) -> None:
    root = parse(make_document(), domain="health-safety")
    assert text_at(root, f"cesHeader/{path}") == text


def test_language_license_and_keywords_stand_in_the_header() -> None:
    root = parse(make_document())
    assert [e.get("iso639") for e in root.iter(f"{C}language")] == ["deu"]
    assert [e.get("target") for e in root.iter(f"{C}license")] == [COMMONS] * 2
    assert [e.text for e in root.iter(f"{C}keyTerm")] == ["Lärm", "Bau", "Gehör"]


def test_the_header_keeps_the_license_where_readers_look_for_it() -> None:
    root = parse(make_document(licenses=LICENSES, optouts=OPTOUTS))
    names = [(e.text, e.get("target")) for e in root.iter(f"{C}license")]
    assert names == [("CC-BY-4.0", COMMONS)] * 2
    (notes,) = root.iter(f"{C}notesStmt")
    assert [(note.text, dict(note.attrib)) for note in notes][:2] == [
        (
            "CC-BY-4.0",
            {
                "type": "license",
                "target": COMMONS,
                "place": "a-rel",
            },
        ),
        (
            None,
            {
                "type": "license",
                "target": "https://example.org/l",
                "place": "json-ld",
            },
        ),
    ]
    assert [note.get("type") for note in notes][2:] == ["optout", "optout"]
    description = root.find(f"{C}cesHeader/{C}fileDesc")
    assert description is not None
    assert [etree.QName(part).localname for part in description] == [
        "titleStmt",
        "publicationStmt",
        "notesStmt",
        "sourceDesc",
    ]


def test_without_licenses_and_optouts_the_header_has_no_notes() -> None:
    assert not list(parse(make_document()).iter(f"{C}notesStmt"))


def test_a_crawl_without_a_domain_leaves_it_empty() -> None:
    root = parse(make_document())
    (domain,) = root.iter(f"{C}domain")
    assert (domain.text, domain.items()) == (None, [])
    assert [e.text for e in root.iter(f"{C}subdomain")] == [None]


@pytest.mark.parametrize(
    ("relevance", "tokens", "confidence"),
    [(30, 60, "0.250"), (0, 60, "0.000"), (999, 60, "1.000"), (3, 0, "1.000")],
)
def test_the_confidence_is_half_the_relevance_a_token_and_at_most_1(
    relevance: float, tokens: int, confidence: str
) -> None:
    root = parse(make_document(relevance=relevance, tokens=tokens), domain="x")
    (domain,) = root.iter(f"{C}domain")
    assert domain.get("confidence") == confidence


@pytest.mark.parametrize(
    "character", ["\x00", "\x0b", "\x1f", "\ud800", "\ufffe", "\uffff"]
)
def test_what_xml_cannot_hold_is_left_out_everywhere(
    character: str, tmp_path: Path
) -> None:
    word = f"a{character}b"
    count = len(fields(Metadata))
    metadata = Metadata(*[word] * count)
    document = make_document(
        url=f"http://example.org/{word}",
        paragraphs=[Paragraph(word, topic=(word,))],
        metadata=metadata,
        subdomains=(word,),
        mime=word,
    )
    found = read_document(write(tmp_path, document, domain=word))
    assert found.paragraphs == [Paragraph("ab", topic=("ab",))]
    assert found.metadata == Metadata(*["ab"] * count)
    assert found.url == "http://example.org/ab"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(
        st.builds(
            Paragraph,
            st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")),
            st.sampled_from([None, *ParagraphType]),
            st.sampled_from([None, *CrawlInfo]),
            st.none(),
            st.lists(st.from_regex(r"[^\W_;]{1,5}", fullmatch=True), max_size=3).map(tuple),
            st.integers(0, 6),
        ),
        max_size=5,
    )
)  # fmt: skip
def test_any_paragraphs_are_read_as_they_were_written(
    tmp_path: Path, paragraphs: list[Paragraph]
) -> None:
    document = make_document(paragraphs=paragraphs)
    assert read_document(write(tmp_path, document)).paragraphs == paragraphs


def test_the_same_document_is_the_same_file() -> None:
    assert format_document(make_document()) == format_document(make_document())


# -- files that are no cesDoc ------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no xml",
        b"<cesDoc",
        b'<?xml version="1.0" encoding="utf-8"?><a>\xff</a>',
        b'<cesDoc xmlns="http://www.xces.org/schema/2003"><p type="x">a</p></cesDoc>',
        b'<cesDoc xmlns="http://www.xces.org/schema/2003"><p crawlinfo="x"/></cesDoc>',
        b'<cesDoc xmlns="http://www.xces.org/schema/2003"><note type="license"/></cesDoc>',
    ],
)
def test_an_unreadable_file_is_named_in_one_line(
    content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "deu-x.xml"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match="no readable cesDoc file") as caught:
        read_document(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "deu-x.xml", tmp_path):
        with pytest.raises(CorpusError, match="no readable cesDoc file"):
            read_document(path)


def test_a_file_cannot_have_other_files_read(tmp_path: Path) -> None:
    """Corpora are passed on; an entity must not fetch the reader's secrets."""
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    path = tmp_path / "deu-x.xml"
    path.write_text(
        f'<!DOCTYPE x [<!ENTITY e SYSTEM "{secret.as_uri()}">]>'
        f'<cesDoc xmlns="http://www.xces.org/schema/2003"><p>a&e;</p></cesDoc>'
    )
    assert [p.text for p in read_document(path).paragraphs] == ["a"]


def test_paragraphs_are_written_as_lxml_writes_them() -> None:
    odd = "a & b < c > d \" e ' f \t g \r h \n i ]]> k \x01\ud800\ufffe 😀 ü"
    paragraphs = [
        Paragraph(odd, topic=(odd,)),
        Paragraph("", ParagraphType.TITLE, CrawlInfo.OOI_LENGTH),
        Paragraph("\x01"),
    ]
    data = format_document(make_document(paragraphs=paragraphs))
    again = etree.tostring(
        etree.fromstring(data), encoding="UTF-8", xml_declaration=True
    )
    assert data == again + b"\n"
    kept = odd.replace("\x01\ud800\ufffe", "")
    found = list(etree.fromstring(data).iter(f"{C}p"))
    assert [p.text or "" for p in found] == [kept, "", ""]
    assert found[0].get("topic") == kept


def test_links_and_images_are_written_where_they_are_asked_for(tmp_path: Path) -> None:
    links = [
        Link("https://example.org/it", "Italiano", "around", "Versione", "", "it"),
        Link("https://example.org/b?c&d", ""),
    ]
    document = make_document(links=links, images=["a b.png", "c.png"])
    path = tmp_path / "deu-0123456789ab.xml"
    path.write_bytes(format_document(document))
    assert (read_document(path).links, read_document(path).images) == ([], [])
    path.write_bytes(format_document(document, links=True))
    found = read_document(path)
    assert found.links == [links[0]._replace(context=""), links[1]]
    assert found.images == ["a b.png", "c.png"]
