"""Documents as cesDoc XML files, written and read: the layout of ILSP-FC 2.2.4, ``id`` first.

What that layout has no place for stands in ``notesStmt``, which its readers pass over.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import starmap
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from lxml import etree

from ilspfc.atomic import write_bytes
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
from ilspfc.text.xml_text import make_parser

NAMESPACE = "http://www.xces.org/schema/2003"
# The stubs of lxml know no default namespace.
NAMESPACES: Any = {
    None: NAMESPACE,
    "xlink": "http://www.w3.org/1999/xlink",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
}
DOCUMENT = f"{{{NAMESPACE}}}cesDoc"
COLLECTION = "cesCorpus"
"""Root of a file with several documents, of ``scrapy clean --format xml``."""

# Name of who crawls and distributes.
CREATOR = "ilspfc"
# Fields of Metadata that are written as notes of that type.
NOTED = ("description", "canonical", "modified", "declared_lang", "type")

# What XML 1.0 does not allow (section 2.2); normalization has removed it from text, but
# attributes and headers of a page pass here too.
_NOT_XML_RE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


_SOURCES_RE = re.compile(rb"<annotations/>|<annotations>.*?</annotations>", re.DOTALL)

BODY_START, BODY_END = b"<body>\n", b"    </body>\n"
"""What stands around the paragraphs of a file."""

# What lxml escapes beside &, < and >.
_TEXT_ENTITIES = {"\r": "&#13;"}
_ATTRIBUTE_ENTITIES = {'"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}


def xml_text(text: str) -> str:
    """Return a text without the characters that XML 1.0 forbids."""
    return _NOT_XML_RE.sub("", text)


def _add(
    parent: etree._Element, path: str, text: str = "", **attributes: str
) -> etree._Element:
    """Append the elements of a slash-separated path; the last gets text and attributes."""
    for tag in path.split("/"):
        parent = etree.SubElement(parent, f"{{{NAMESPACE}}}{tag}")
    for name, value in attributes.items():
        parent.set(name, xml_text(value))
    if text:
        parent.text = xml_text(text)
    return parent


def _add_file_description(
    header: etree._Element, document: Document, *, links: bool
) -> None:
    metadata = document.metadata
    description = _add(header, "fileDesc")
    title = _add(description, "titleStmt")
    _add(title, "title", metadata.title)
    responsibility = _add(title, "respStmt/resp")
    _add(responsibility, "type", "Crawling and normalization")
    _add(responsibility, "name", CREATOR)
    publication = _add(description, "publicationStmt")
    _add(publication, "distributor", CREATOR)
    _add(publication, "eAddress", type="web")
    availability = _add(publication, "availability", status="Under review")
    _add_license(availability, document)
    _add(publication, "pubDate", document.fetched_at[:4])
    _add_notes(description, document, links=links)
    source = _add(description, "sourceDesc/biblStruct/monogr")
    _add(source, "title", metadata.title)
    _add(source, "author", metadata.author)
    imprint = _add(source, "imprint")
    _add(imprint, "format", document.mime)
    _add(imprint, "publisher", metadata.publisher)
    _add(imprint, "pubDate", metadata.date)
    _add(imprint, "eAddress", document.url)
    _add_license(_add(imprint, "availability", status="unknown"), document)


def _add_license(availability: etree._Element, document: Document) -> None:
    """Add the license of the page: its URL, and its identifier where it is known."""
    url = document.metadata.license
    name = next((one.id for one in document.licenses if url and one.url == url), "")
    _add(availability, "license", name, **({"target": url} if url else {}))


def _add_notes(description: etree._Element, document: Document, *, links: bool) -> None:
    """Add what the page says of itself and ILSP-FC has no element for."""
    notes = _add(description, "notesStmt")
    for name in NOTED:
        if text := getattr(document.metadata, name):
            _add(notes, "note", text, type=name)
    for one in document.licenses:
        note = _add(notes, "note", one.id, type="license", target=one.url)
        note.set("place", one.place)
    for signal in document.optouts:
        _add(notes, "note", signal, type="optout")
    if document.is_reserved:
        _add(notes, "note", "true", type="reserved")
    _add_scores(notes, document)
    if links:
        _add_links(notes, document)
    if not len(notes):
        description.remove(notes)


def _add_scores(notes: etree._Element, document: Document) -> None:
    """Add what models say of the document."""
    for name, score in (
        ("relevance", document.probability),
        ("cleaning", document.cleaning_score),
    ):
        if score is not None:
            _add(notes, "note", f"{score:.3f}", type=name)
    if document.bucket and document.perplexity < math.inf:
        value = f"{document.perplexity:.1f}"
        _add(notes, "note", value, type="perplexity", bucket=document.bucket)


def _add_links(notes: etree._Element, document: Document) -> None:
    """Add where the page leads to and the names of its images."""
    for link in document.links:
        note = _add(notes, "note", link.anchor, type="link", target=link.url)
        for name in ("title", "hreflang"):
            if getattr(link, name):
                note.set(name, xml_text(getattr(link, name)))
    for name in document.images:
        _add(notes, "note", name, type="image")


def _add_profile(header: etree._Element, document: Document, domain: str) -> None:
    profile = _add(header, "profileDesc")
    _add(profile, "langUsage/language", iso639=document.lang)
    text_class = _add(profile, "textClass")
    keywords = _add(text_class, "keywords")
    for keyword in document.metadata.keywords.split(","):
        if keyword.strip():
            _add(keywords, "keyTerm", keyword.strip())
    # Half the relevance per token, at most 1, as ILSP-FC has it.
    confidence = min(1.0, document.relevance / (2 * max(document.tokens, 1)))
    attributes = {"confidence": f"{confidence:.3f}"} if domain else {}
    _add(text_class, "domain", domain, **attributes)
    subdomains = document.subdomains if domain else ()
    _add(text_class, "subdomain", ";".join(subdomains))
    genre = _add(text_class, "genre", document.genre)
    if document.genre_probability is not None:
        genre.set("confidence", f"{document.genre_probability:.3f}")
    _add(text_class, "subject")
    annotations = _add(profile, "annotations")
    for source in document.sources:
        _add(annotations, "annotation", source)


def replace_sources(data: bytes, sources: Iterable[str]) -> bytes:
    """Return a file whose header names other sources of the page."""
    lines = "".join(
        f"        <annotation>{escape(xml_text(source))}</annotation>\n"
        for source in sources
    )
    named = f"<annotations>\n{lines}      </annotations>".encode()
    return _SOURCES_RE.sub(lambda _: named, data, count=1)


def _format_paragraph(number: int, paragraph: Paragraph) -> str:
    """Return a line of the body, as lxml would write it at a fraction of the cost."""
    attributes = ""
    if paragraph.crawlinfo is not None:
        attributes += f' crawlinfo="{paragraph.crawlinfo}"'
    if paragraph.type is not None:
        attributes += f' type="{paragraph.type}"'
    if paragraph.topic:
        topic = xml_text(";".join(paragraph.topic))
        attributes += f' topic="{escape(topic, _ATTRIBUTE_ENTITIES)}"'
    if paragraph.level:
        attributes += f' level="{paragraph.level}"'
    if paragraph.indent:
        attributes += f' indent="{paragraph.indent}"'
    if paragraph.gap:
        attributes += f' gap="{paragraph.gap}"'
    if paragraph.score is not None:
        attributes += f' content="{paragraph.score:.2f}"'
    if paragraph.lang and paragraph.crawlinfo is CrawlInfo.OOI_LANG:
        attributes += f' lang="{paragraph.lang}"'
    if paragraph.cleaning:
        attributes += f' cleaning="{paragraph.cleaning}"'
    text = escape(xml_text(paragraph.text), _TEXT_ENTITIES)
    end = f">{text}</p>" if text else "/>"
    return f'      <p id="p{number}"{attributes}{end}\n'


def format_paragraphs(paragraphs: Iterable[Paragraph]) -> bytes:
    """Return the lines of the body of a file, for :func:`format_document`."""
    return "".join(starmap(_format_paragraph, enumerate(paragraphs, 1))).encode()


def format_document(
    document: Document,
    *,
    domain: str = "",
    body: bytes | None = None,
    links: bool = False,
) -> bytes:
    """Return a document as a cesDoc 0.4 file.

    ``domain`` is the name of the domain definition, empty for a crawl without one; ``body``
    are the paragraphs from :func:`format_paragraphs`, if they have been formatted before.
    With ``links`` the links and images of the page are among the notes.
    Attributes of a paragraph stand in the order id, crawlinfo, type, topic, by which
    readers of ILSP-FC's files know them; what those do not know comes after.
    """
    root = etree.Element(DOCUMENT, nsmap=NAMESPACES, version="0.4")
    header = _add(root, "cesHeader", version="0.4")
    _add_file_description(header, document, links=links)
    _add_profile(header, document, domain)
    _add(root, "text/body")
    frame = etree.tostring(
        root, encoding="UTF-8", xml_declaration=True, pretty_print=True
    )
    lines = format_paragraphs(document.paragraphs) if body is None else body
    if not lines:
        return frame
    head, _, tail = frame.rpartition(b"<body/>\n")
    return head + BODY_START + lines + BODY_END + tail


# -- verdicts in a file that is there ----------------------------------------------------


def write_verdicts(path: Path, paragraphs: Iterable[Paragraph]) -> None:
    """Write the paragraphs of a file with the decisions on them; the header stays.

    CorpusError where the file cannot be read, or has no body.
    """
    try:
        head, start, rest = path.read_bytes().partition(BODY_START)
    except OSError as error:
        raise CorpusError(
            f"{path}: cannot be read ({error.strerror}); crawl again"
        ) from error
    _, end, tail = rest.partition(BODY_END)
    if not end:
        raise CorpusError(f"{path}: has no text; crawl or export it again")
    write_bytes(path, head + start + format_paragraphs(paragraphs) + end + tail)


# -- documents read back -----------------------------------------------------------------


def _find_text(root: etree._Element, path: str) -> str:
    qualified = "/".join(f"{{{NAMESPACE}}}{tag}" for tag in path.split("/"))
    return root.findtext(qualified) or ""


def _find_value(root: etree._Element, tag: str, attribute: str) -> str:
    """Return an attribute of the first element of a tag, empty if it is missing."""
    element = next(root.iter(f"{{{NAMESPACE}}}{tag}"), None)
    return "" if element is None else element.get(attribute) or ""


def _read_paragraph(element: etree._Element) -> Paragraph:
    paragraph_type, crawlinfo = element.get("type"), element.get("crawlinfo")
    score = element.get("content")
    return Paragraph(
        text=element.text or "",
        type=ParagraphType(paragraph_type) if paragraph_type else None,
        crawlinfo=CrawlInfo(crawlinfo) if crawlinfo else None,
        lang=element.get("lang"),
        topic=tuple(filter(None, (element.get("topic") or "").split(";"))),
        level=int(element.get("level") or 0),
        score=float(score) if score else None,
        cleaning=element.get("cleaning") or "",
        indent=int(element.get("indent") or 0),
        gap=int(element.get("gap") or 0),
    )


def read_document(path: Path) -> Document:
    """Return the document in a cesDoc file; its id is the file name after the hyphen.

    Links and images are read where the file has them; of scores it has the learned
    probability of relevance, the expected F1 of cleaning, the perplexity with its bucket, and
    the probability of each paragraph to be content. Raises CorpusError where it is unreadable, or is another kind of file.
    """
    return _read_root(_parse(path, DOCUMENT), path)


def read_documents(path: Path) -> list[Document]:
    """Return the documents in a file: one cesDoc, or several in a cesCorpus.

    CorpusError as for :func:`read_document`.
    """
    root = _parse(path, DOCUMENT, COLLECTION)
    if root.tag == DOCUMENT:
        return [_read_root(root, path)]
    return [_read_root(one, path) for one in root.iterchildren(DOCUMENT)]


def _parse(path: Path, *tags: str) -> etree._Element:
    """Return the root of a file, which must be one of some elements."""
    parser = make_parser()
    try:
        root = etree.parse(str(path), parser).getroot()
    except (OSError, etree.XMLSyntaxError) as error:
        raise _unreadable(path, error) from error
    if root.tag not in tags:
        raise _unreadable(path, f"its root is {root.tag}")
    return root


def _unreadable(path: Path, problem: object) -> CorpusError:
    return CorpusError(
        f"{path}: no readable cesDoc file ({problem}); crawl or export it again"
    )


def _read_root(root: etree._Element, path: Path) -> Document:
    """Return the document of a cesDoc element in a file."""
    try:
        paragraphs = [_read_paragraph(p) for p in root.iter(f"{{{NAMESPACE}}}p")]
        notes: dict[str, list[etree._Element]] = defaultdict(list)
        for note in root.iter(f"{{{NAMESPACE}}}note"):
            notes[note.get("type") or ""].append(note)
        licenses = tuple(map(_read_license, notes["license"]))
    except ValueError as error:
        raise _unreadable(path, error) from error
    monograph = "cesHeader/fileDesc/sourceDesc/biblStruct/monogr"
    confidence = _find_value(root, "genre", "confidence")
    return Document(
        id=path.stem.rsplit("-", 1)[-1],
        url=_find_text(root, f"{monograph}/imprint/eAddress"),
        paragraphs=paragraphs,
        metadata=Metadata(
            title=_find_text(root, f"{monograph}/title"),
            author=_find_text(root, f"{monograph}/author"),
            date=_find_text(root, f"{monograph}/imprint/pubDate"),
            publisher=_find_text(root, f"{monograph}/imprint/publisher"),
            keywords=", ".join(
                element.text or "" for element in root.iter(f"{{{NAMESPACE}}}keyTerm")
            ),
            license=_find_value(root, "license", "target"),
            **{name: notes[name][-1].text or "" for name in NOTED if notes[name]},
        ),
        links=[_read_link(note) for note in notes["link"]],
        images=[note.text or "" for note in notes["image"]],
        licenses=licenses,
        probability=_read_number(notes["relevance"]),
        cleaning_score=_read_number(notes["cleaning"]),
        perplexity=_read_number(notes["perplexity"]) or math.inf,
        bucket=next((note.get("bucket") or "" for note in notes["perplexity"]), ""),
        optouts=tuple(note.text or "" for note in notes["optout"]),
        is_reserved=bool(notes["reserved"]),
        lang=_find_value(root, "language", "iso639"),
        mime=_find_text(root, f"{monograph}/imprint/format") or "text/html",
        genre=_find_text(root, "cesHeader/profileDesc/textClass/genre"),
        genre_probability=float(confidence) if confidence else None,
        sources=tuple(
            element.text or "" for element in root.iter(f"{{{NAMESPACE}}}annotation")
        ),
    )


def _read_number(notes: list[etree._Element]) -> float | None:
    try:
        return float(notes[0].text or "")
    except (IndexError, ValueError):
        return None


def _read_license(note: etree._Element) -> License:
    return License(
        id=note.text or "",
        url=note.get("target") or "",
        place=LicensePlace(note.get("place") or ""),
    )


def _read_link(note: etree._Element) -> Link:
    return Link(
        note.get("target") or "",
        note.text or "",
        title=note.get("title") or "",
        hreflang=note.get("hreflang") or "",
    )
