"""PDF and Word files to documents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lxml import etree

from ilspfc.cleaning.annotation import count_tokens, title_variants
from ilspfc.cleaning.encoding.decoding import normalize
from ilspfc.cleaning.files.docx import read_docx
from ilspfc.cleaning.files.formats import FORMATS, NoReaderError, UnreadableFileError
from ilspfc.cleaning.files.pdf import read_pdf
from ilspfc.cleaning.files.pdf_paragraphs import TextBlock, make_blocks
from ilspfc.cleaning.metadata.fields import robots_directives
from ilspfc.cleaning.metadata.licenses import find_licenses_in_text
from ilspfc.cleaning.page import CleaningReason, add_licenses
from ilspfc.documents import CrawlInfo, Document, Metadata, Paragraph, ParagraphType

MAX_HEADING_CHARS = 200
HEADING_SIZE = 1.15
"""A heading is set this many times larger than most of the text."""

_BULLET_RE = re.compile(r"^[•▪■●◦‣·–—*-]\s+")
_Block = tuple[str, ParagraphType | None, bool]


def _body_size(blocks: list[TextBlock]) -> float:
    """Return the type size in which most of a PDF's text is set, in points."""
    sizes: Counter[float] = Counter()
    for block in blocks:
        if not block.is_frame:
            sizes[round(2 * block.size) / 2] += len(block.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _pdf_type(block: TextBlock, size: float) -> ParagraphType | None:
    is_short = len(block.text) <= MAX_HEADING_CHARS
    if is_short and block.size >= HEADING_SIZE * size:
        return ParagraphType.HEADING
    return ParagraphType.LISTITEM if block.is_item else None


def _title_index(blocks: list[TextBlock], title: str, size: float) -> int | None:
    """Return the place of the title: a block with its text, else the largest heading."""
    first = [
        (number, block)
        for number, block in enumerate(blocks)
        if block.page == 0 and not block.is_frame
    ]
    headings = [
        (number, block)
        for number, block in first
        if _pdf_type(block, size) is ParagraphType.HEADING
    ]
    variants = title_variants(title)
    for number, block in (*headings, *first):
        if block.text.casefold() in variants:
            return number
    if not headings:
        return None
    return max(headings, key=lambda entry: (entry[1].size, -entry[0]))[0]


def _read_pdf_blocks(body: bytes, max_pages: int) -> tuple[list[_Block], Metadata]:
    pdf = read_pdf(body, max_pages=max_pages)
    blocks = make_blocks(pdf)
    size = _body_size(blocks)
    shown = _title_index(blocks, pdf.metadata.title, size)
    typed: list[_Block] = []
    for number, block in enumerate(blocks):
        kind = ParagraphType.TITLE if number == shown else _pdf_type(block, size)
        typed.append((block.text, None if block.is_frame else kind, block.is_frame))
    return typed, pdf.metadata


def _read_docx_blocks(body: bytes) -> tuple[list[_Block], Metadata]:
    docx = read_docx(body)
    blocks: list[_Block] = [(text, kind, False) for text, kind in docx.paragraphs]
    return [*blocks, *((text, None, True) for text in docx.frames)], docx.metadata


def _is_contents_line(text: str) -> bool:
    """Test whether a paragraph is a table of contents, with dot leaders."""
    return "....." in text or ". . . ." in text or "……" in text


def _to_paragraphs(
    blocks: list[_Block], min_paragraph_tokens: int
) -> Iterator[Paragraph]:
    """Yield paragraphs; running heads, feet and tables of contents are boilerplate."""
    for raw, kind, is_frame in blocks:
        text = " ".join(normalize(raw).split())
        if kind is ParagraphType.LISTITEM:
            text = _BULLET_RE.sub("", text)
        crawlinfo = None
        if is_frame or _is_contents_line(text):
            crawlinfo = CrawlInfo.BOILERPLATE
        elif count_tokens(text) < min_paragraph_tokens:
            crawlinfo = CrawlInfo.OOI_LENGTH
        if text:
            yield Paragraph(text, kind, crawlinfo)


def clean_file(
    body: bytes,
    name: str,
    *,
    url: str,
    identity: str,
    robots_header: str = "",
    license_links: Sequence[str] = (),
    min_paragraph_tokens: int = 3,
    max_pages: int = 100,
) -> Document | CleaningReason:
    """Return the document of a file in the format ``name``, or the reason why there is none.

    The arguments are those of :func:`~ilspfc.cleaning.clean_page`; of a PDF ``max_pages``
    are read.
    """
    try:
        if name == "pdf":
            blocks, metadata = _read_pdf_blocks(body, max_pages)
        else:
            blocks, metadata = _read_docx_blocks(body)
    except NoReaderError:
        return CleaningReason.NO_READER
    except UnreadableFileError:
        return CleaningReason.UNREADABLE
    paragraphs = [*_to_paragraphs(blocks, min_paragraph_tokens)]
    if not metadata.title:
        titles = (p.text for p in paragraphs if p.type is ParagraphType.TITLE)
        metadata = replace(metadata, title=next(titles, ""))
    document = Document(identity, url, paragraphs, metadata)
    directives = robots_directives(etree.Element("html"), robots_header)
    document.index = directives.isdisjoint({"noindex", "none"})
    document.mime = FORMATS[name].media_types[0]
    text = "\n".join(paragraph.text for paragraph in document.paragraphs)
    add_licenses(document, find_licenses_in_text(text, linked=license_links))
    return document
