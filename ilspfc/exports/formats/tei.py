"""TEI P5: a document as corpus linguists exchange it."""

from __future__ import annotations

from pathlib import Path

from lxml import etree

from ilspfc.atomic import write_bytes
from ilspfc.documents import Document, Paragraph, ParagraphType
from ilspfc.exports.writers import FolderWriter
from ilspfc.text.codes import to_bcp47
from ilspfc.text.xml_text import XML_LANG, clean_text

NAMESPACE = "http://www.tei-c.org/ns/1.0"
_HEADS = frozenset({ParagraphType.TITLE, ParagraphType.HEADING})


class TeiWriter(FolderWriter["Document"]):
    """Writes a file for each document into a folder."""

    def write(self, document: Document) -> None:
        """Write the file of a document."""
        path = self._folder / f"{document.lang}-{document.id}.xml"
        write_tei(path, document)
        self.paths.append(path)


def write_tei(path: Path, document: Document) -> None:
    """Write the clean text of a document: a division a heading, lists as lists.

    Types without an element of their own are ``ab`` with the type.
    """
    root = etree.Element(f"{{{NAMESPACE}}}TEI", nsmap={None: NAMESPACE})  # type: ignore[dict-item]
    _add_header(root, document)
    text = _add(root, "text", **{XML_LANG: to_bcp47(document.lang)})
    _add_body(_add(text, "body"), document.clean_paragraphs)
    etree.indent(root)
    write_bytes(path, etree.tostring(root, xml_declaration=True, encoding="UTF-8"))


def _add_header(root: etree._Element, document: Document) -> None:
    metadata = document.metadata
    header = _add(root, "teiHeader")
    description = _add(header, "fileDesc")
    title = _add(description, "titleStmt")
    _add(title, "title", metadata.title or document.url)
    if metadata.author:
        _add(title, "author", metadata.author)
    publication = _add(description, "publicationStmt")
    _add(publication, "publisher", metadata.publisher or "unknown")
    if metadata.license:
        availability, url = _add(publication, "availability"), metadata.license
        _add(availability, "licence", url, target=url)
    if metadata.date:
        _add(publication, "date", metadata.date, when=metadata.date)
    if document.scores:
        notes = _add(description, "notesStmt")
        for name, value in document.scores.items():
            _add(notes, "note", f"{value:.4f}", type="score", subtype=name)
    source = _add(_add(description, "sourceDesc"), "bibl")
    _add(source, "ptr", target=document.url)
    if document.fetched_at:
        time = document.fetched_at
        _add(source, "date", time, type="fetched", when=time)
    profile = _add(header, "profileDesc")
    _add(_add(profile, "langUsage"), "language", ident=to_bcp47(document.lang))
    keywords = [*document.subdomains, *filter(None, [document.genre])]
    if keywords:
        words = _add(_add(profile, "textClass"), "keywords")
        for word in keywords:
            _add(words, "term", word)


def _add_body(body: etree._Element, paragraphs: list[Paragraph]) -> None:
    """Add the paragraphs; those before the first heading are a division, too."""
    division = items = None
    for paragraph in paragraphs:
        kind = paragraph.type
        if kind in _HEADS or division is None:
            division, items = _add(body, "div"), None
        if kind in _HEADS:
            _add(division, "head", paragraph.text)
        elif kind is ParagraphType.LISTITEM:
            items = _add(division, "list") if items is None else items
            _add(items, "item", paragraph.text)
            continue
        elif kind is None:
            _add(division, "p", paragraph.text)
        else:
            _add(division, "ab", paragraph.text, type=kind)
        items = None
    if division is None:
        _add(_add(body, "div"), "p")


def _add(
    parent: etree._Element, name: str, text: str = "", **attributes: str
) -> etree._Element:
    element = etree.SubElement(parent, f"{{{NAMESPACE}}}{name}", attributes)
    element.text = clean_text(text) or None
    return element
