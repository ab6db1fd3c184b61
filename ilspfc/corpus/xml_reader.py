"""Documents read back from their cesDoc files."""

from __future__ import annotations

from collections import defaultdict
from math import inf
from pathlib import Path

from lxml import etree

from ilspfc.corpus.xml import NAMESPACE, NOTED
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

_DOCUMENT = f"{{{NAMESPACE}}}cesDoc"
_COLLECTION = "cesCorpus"


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
    )


def read_document(path: Path) -> Document:
    """Return the document in a cesDoc file; its id is the file name after the hyphen.

    Links and images are read where the file has them; of scores it has the learned
    probability of relevance, the expected F1 of cleaning, the perplexity with its bucket, and
    the probability of each paragraph to be content. Raises CorpusError where it is unreadable, or is another kind of file.
    """
    return _read_root(_parse(path, _DOCUMENT), path)


def read_documents(path: Path) -> list[Document]:
    """Return the documents in a file: one cesDoc, or several in a cesCorpus.

    CorpusError as for :func:`read_document`.
    """
    root = _parse(path, _DOCUMENT, _COLLECTION)
    if root.tag == _DOCUMENT:
        return [_read_root(root, path)]
    return [_read_root(one, path) for one in root.iterchildren(_DOCUMENT)]


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
        perplexity=_read_number(notes["perplexity"]) or inf,
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
