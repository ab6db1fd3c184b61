"""Attacks in XML on every reader of it: files of others, of users, of archives.

Each attack stands in a file that the reader would take without it. Nothing of a file outside
may come out, no server may be asked, no text may grow, and the time may not.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import openpyxl
import pytest
from conftest import SiteHandler
from costs import assert_cheap
from file_examples import WORD, make_docx

from ilspfc.bootstrap.concepts import BootstrapLog, Subject
from ilspfc.bootstrap.skos import iter_skos
from ilspfc.bootstrap.term_files import iter_tbx
from ilspfc.cleaning.page import clean_page
from ilspfc.corpus.xml import read_document, read_documents
from ilspfc.exceptions import IlspfcError
from ilspfc.exports import read_tmx, validate_tmx
from ilspfc.exports.formats.xces import read_links, read_sentences
from ilspfc.exports.interchange.bitext_reader import read_sheets
from ilspfc.exports.validation import find_problems
from ilspfc.frontier.sitemaps.reader import parse_sitemap
from ilspfc.optout.rsl import RslFile

if TYPE_CHECKING:
    from conftest import Serve

SECRET = "a-secret-of-the-machine"
LAUGH = "ha-ha-ha"
URL = "http://example.org/a"
QUOTED = '"c"'
CES = 'xmlns="http://www.xces.org/schema/2003"'
TBX = 'xmlns="urn:iso:std:iso:30042:ed-2"'
SKOS = (
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
    ' xmlns:s="http://www.w3.org/2004/02/skos/core#"'
)
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def read_skos(path: Path) -> list[object]:
    subject = Subject("bees", ("eng",), 2, 100)
    return [*iter_skos(path, subject, BootstrapLog())]


def read_word(path: Path) -> object:
    part = path.read_bytes()
    return clean_page(
        make_docx("", {"word/document.xml": part}), url=URL, identity="0" * 12
    )


def read_workbook(path: Path) -> list[object]:
    book, buffer = openpyxl.Workbook(), io.BytesIO()
    book.active.title = "en-de"
    book.save(buffer)
    with (
        zipfile.ZipFile(buffer) as archive,
        zipfile.ZipFile(path.with_suffix(".xlsx"), "w") as changed,
    ):
        for name in archive.namelist():
            is_sheet = name == "xl/worksheets/sheet1.xml"
            changed.writestr(
                name, path.read_bytes() if is_sheet else archive.read(name)
            )
    return [*read_sheets(path.with_suffix(".xlsx"))]


# Readers, and a file of each with a place for a declaration and one for a text.
READERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "cesDoc": (
        read_document,
        f"{{}}<cesDoc {CES} version='0.4'><text><body><p id='p1'>{{}}</p></body></text></cesDoc>",
    ),
    "cesCorpus": (
        read_documents,
        f"{{}}<cesCorpus><cesDoc {CES} version='0.4'><text><body><p id='p1'>{{}}</p></body></text></cesDoc></cesCorpus>",
    ),
    "schema": (
        lambda path: [*find_problems(path)],
        f"{{}}<cesDoc {CES} version='0.4'><text><body><p id='p1'>{{}}</p></body></text></cesDoc>",
    ),
    "sentences": (
        read_sentences,
        "{}<cesDoc><text><body><p><s id='1'>{}</s></p></body></text></cesDoc>",
    ),
    "links": (
        lambda path: [*read_links(path)],
        "{}<cesAlign>{}</cesAlign>",
    ),
    "TMX": (
        lambda path: [*read_tmx(path)],
        "{}<tmx version='1.4'><header srclang='en'/><body><tu><tuv xml:lang='en'><seg>{}</seg></tuv><tuv xml:lang='de'><seg>b</seg></tuv></tu></body></tmx>",
    ),
    "TMX check": (
        validate_tmx,
        "{}<tmx version='1.4'><header creationtool='a' creationtoolversion='1' segtype='sentence' o-tmf='a' adminlang='en' datatype='plaintext' srclang='en'/><body><tu><tuv xml:lang='en'><seg>{}</seg></tuv></tu></body></tmx>",
    ),
    "TBX": (
        lambda path: [*iter_tbx(path, ["eng"])],
        f"{{}}<tbx {TBX}><text><body><conceptEntry id='1'><langSec xml:lang='en'><termSec><term>{{}}</term></termSec></langSec></conceptEntry></body></text></tbx>",
    ),
    "SKOS": (
        read_skos,
        f"{{}}<rdf:RDF {SKOS}><s:Concept rdf:about='http://e.org/b'><s:prefLabel xml:lang='en'>bees</s:prefLabel><s:altLabel xml:lang='en'>{{}}</s:altLabel></s:Concept></rdf:RDF>",
    ),
    "Word": (
        read_word,
        f"{{}}<w:document {WORD}><w:body><w:p><w:r><w:t>Some words {{}} here.</w:t></w:r></w:p></w:body></w:document>",
    ),
    "workbook": (
        read_workbook,
        f"{{}}<worksheet xmlns='{SHEET}'><sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>{{}}</t></is></c></row></sheetData></worksheet>",
    ),
    "sitemap": (
        lambda path: parse_sitemap(path.read_bytes(), URL),
        "{}<urlset><url><loc>http://example.org/{}</loc></url></urlset>",
    ),
    "RSL": (
        lambda path: RslFile.from_response(200, path.read_bytes()),
        "{}<rsl><content url='/'><license><payment type='use'><custom>{}</custom></payment></license></content></rsl>",
    ),
    "XHTML page": (
        lambda path: clean_page(path.read_bytes(), url=URL, identity="0" * 12),
        "<?xml version='1.0'?>{}<html xmlns='http://www.w3.org/1999/xhtml'><body><p>Some words {} here.</p></body></html>",
    ),
}  # fmt: skip


# Readers that return nothing of the text.
SILENT = {"schema", "links", "TMX check", "workbook"}


def laughs(sign: str) -> str:
    """Return declarations of entities of entities, ten to the thirtieth in the last."""
    names = [f"<!ENTITY {sign} a0 '{LAUGH}'>"]
    for level in range(1, 30):
        inside = f"{sign or '&'}a{level - 1};" * 10
        names.append(f"<!ENTITY {sign} a{level} '{inside}'>")
    return "".join(names)


def attacks(outside: str, server: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, declaration and text of attacks that would load a file or ask a server."""
    yield "bomb", f"<!DOCTYPE x [{laughs('')}]>", "&a29;"
    yield "small bomb", f"<!DOCTYPE x [{laughs('')}]>", "&a6;"
    yield "parameters", f"<!DOCTYPE x [{laughs('%')} %a29;]>", "a"
    yield "long entity", f"<!DOCTYPE x [<!ENTITY a '{LAUGH * 9999}'>]>", "&a;" * 999
    for place in (outside, server):
        yield "entity", f"<!DOCTYPE x [<!ENTITY a SYSTEM '{place}'>]>", "&a;"
        yield "doctype", f"<!DOCTYPE x SYSTEM '{place}'>", "&a;"
        yield "public", f"<!DOCTYPE x PUBLIC '-//a//b' '{place}'>", "&a;"
        parameter = f"<!ENTITY % a SYSTEM '{place}'> %a;"
        yield "parameter", f"<!DOCTYPE x [{parameter}]>", "a"
        include = f"<x:include xmlns:x='http://www.w3.org/2001/XInclude' href='{place}'"
        yield "include", "", f"{include} parse='text'/>"
        yield "sheet", f"<?xml-stylesheet type='text/xsl' href='{place}'?>", "a"
    yield "deep", "", "<a>" * 200_000
    for name, prefix in (("wide", ""), ("spaces", "xmlns:")):
        yield (
            name,
            "",
            f"<a {' '.join(f'{prefix}b{n}={QUOTED}' for n in range(20_000))}/>",
        )
    yield "declarations", f"<!DOCTYPE x [{f'<!ENTITY a {QUOTED}>' * 50_000}]>", "a"
    yield "cut", "<!DOCTYPE x [<!ENTITY a '", ""


class CountingHandler(SiteHandler):
    """Answers everything; a request is a failure."""

    def respond(self) -> None:
        """Answer with the text that must not come out."""
        self.answer(f"<!ENTITY a '{SECRET}'>", content_type="text/plain")


@pytest.mark.parametrize("name", READERS)
@pytest.mark.costs
def test_no_reader_loads_expands_or_stalls(
    name: str, tmp_path: Path, serve: Serve
) -> None:
    read, template = READERS[name]
    outside = tmp_path / "outside.txt"
    outside.write_text(SECRET)
    site = serve(CountingHandler)
    path = tmp_path / "file.xml"
    # Without an attack the file is one, or the test would try nothing.
    path.write_text(template.replace("{}", "", 1).replace("{}", "words", 1))
    if name not in SILENT:
        assert "words" in repr(read(path))

    for attack, declaration, text in attacks(outside.as_uri(), site.at("x")):
        path.write_text(template.replace("{}", declaration, 1).replace("{}", text, 1))
        said = ""

        def attempt() -> None:
            nonlocal said
            try:
                said = f"{read(path)!r}"
            except IlspfcError as error:
                said = str(error)

        assert_cheap(attempt, steps=10_000_000, units=60.0)
        assert SECRET not in said, attack
        assert said.count(LAUGH) <= 1, attack
    assert site.requests == []
