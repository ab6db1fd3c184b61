"""PDF and Word files to documents."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lxml import etree

from ilspfc.cleaning.annotation import count_tokens, title_variants
from ilspfc.cleaning.encoding.decoding import normalize
from ilspfc.cleaning.files.formats import FORMATS, NoReaderError, UnreadableFileError
from ilspfc.cleaning.files.pdf import PdfText, read_pdf
from ilspfc.cleaning.files.pdf_paragraphs import TextBlock, make_blocks
from ilspfc.cleaning.metadata.fields import robots_directives
from ilspfc.cleaning.metadata.licenses import find_licenses_in_text
from ilspfc.cleaning.page import CleaningReason, add_licenses
from ilspfc.documents import (
    CrawlInfo,
    Document,
    Metadata,
    Paragraph,
    ParagraphType,
    is_too_short,
)
from ilspfc.text.packed import iter_part
from ilspfc.text.xml_text import make_parser

# -- Word files (Office Open XML, ECMA-376, part 1, section 17)

MAX_UNPACKED_BYTES = 20 * 1024 * 1024
"""Bytes of all parts that are read, when unpacked; a novel has 2 MB."""
MAX_PARTS = 5000
_MAX_FRAMES = 20

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_HEADING_RE = re.compile(r"heading \d", re.IGNORECASE)
_FRAME_RE = re.compile(r"word/(?:header|footer)\d*\.xml")


# The text, its type, and whether it is a running head or foot.
_Block = tuple[str, ParagraphType | None, bool]


class _Parts:
    """The parts of a file; those that are read have ``MAX_UNPACKED_BYTES`` together."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._left = MAX_UNPACKED_BYTES

    def read(self, name: str) -> etree._Element | None:
        """Return a part by name, None without such a part."""
        try:
            data = b"".join(iter_part(self._archive, name, self._left))
        except KeyError:
            return None
        self._left -= len(data)
        return etree.fromstring(data, make_parser())


def _style_types(styles: etree._Element | None) -> dict[str, ParagraphType]:
    """Return paragraph types by style; built-in styles have English names everywhere."""
    types = {}
    for style in styles.iter(f"{_W}style") if styles is not None else ():
        name = style.find(f"{_W}name")
        text = (name.get(f"{_W}val") or "").lower() if name is not None else ""
        if text == "title":
            types[style.get(f"{_W}styleId") or ""] = ParagraphType.TITLE
        elif _HEADING_RE.match(text):
            types[style.get(f"{_W}styleId") or ""] = ParagraphType.HEADING
    return types


def _iter_text(element: etree._Element) -> Iterator[str]:
    """Yield the text of a paragraph; text boxes in it are paragraphs of their own."""
    for child in element:
        if child.tag == f"{_W}t":
            yield child.text or ""
        elif child.tag in {f"{_W}tab", f"{_W}br", f"{_W}cr"}:
            yield " "
        elif child.tag == f"{_W}noBreakHyphen":
            yield "-"
        elif child.tag not in {f"{_W}p", f"{_W}del", _FALLBACK}:
            yield from _iter_text(child)


def _iter_paragraphs(
    root: etree._Element, types: dict[str, ParagraphType]
) -> Iterator[tuple[str, ParagraphType | None]]:
    for element in root.iter(f"{_W}p"):
        if next(element.iterancestors(_FALLBACK), None) is not None:
            continue  # repeats the text before it
        text = " ".join("".join(_iter_text(element)).split())
        style = element.find(f"{_W}pPr/{_W}pStyle")
        kind = types.get(style.get(f"{_W}val") or "") if style is not None else None
        if kind is None and element.find(f"{_W}pPr/{_W}numPr") is not None:
            kind = ParagraphType.LISTITEM
        if text:
            yield text, kind


def _metadata(core: etree._Element | None) -> Metadata:
    values = {}
    for element in core if core is not None else ():
        if isinstance(element.tag, str):
            values[etree.QName(element).localname] = " ".join(
                (element.text or "").split()
            )
    return Metadata(
        title=values.get("title", ""),
        description=values.get("description", "") or values.get("subject", ""),
        keywords=values.get("keywords", ""),
        author=values.get("creator", ""),
        date=values.get("created", "")[:10],
        declared_lang=values.get("language", ""),
    )


def read_docx(body: bytes) -> tuple[list[_Block], Metadata]:
    """Return the text of a Word file, its headers and footers last, and its metadata.

    UnreadableFileError if it is none.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            names = archive.namelist()
            if len(names) > MAX_PARTS:
                raise UnreadableFileError(f"more than {MAX_PARTS} parts")
            parts = _Parts(archive)
            root = parts.read("word/document.xml")
            if root is None:
                raise UnreadableFileError("no word/document.xml")
            types = _style_types(parts.read("word/styles.xml"))
            blocks = [(*one, False) for one in _iter_paragraphs(root, types)]
            # A few of those that a long document has.
            framing = sorted(filter(_FRAME_RE.fullmatch, names))[:_MAX_FRAMES]
            frames = [parts.read(name) for name in framing]
            metadata = _metadata(parts.read("docProps/core.xml"))
    except (
        *(zipfile.BadZipFile, etree.XMLSyntaxError, EOFError, OSError, RuntimeError),
        *(NotImplementedError, ValueError, zlib.error),
    ) as error:
        raise UnreadableFileError(str(error)) from error
    texts = (
        text
        for frame in frames
        if frame is not None
        for text, _ in _iter_paragraphs(frame, {})
    )
    return blocks + [(text, None, True) for text in dict.fromkeys(texts)], metadata


# -- documents of both formats

MAX_HEADING_CHARS = 200
HEADING_SIZE = 1.15
"""A heading is set this many times larger than most of the text."""

_BULLET_RE = re.compile(r"^[•▪■●◦‣·–—*-]\s+")
# Of tables of contents.
_DOT_LEADERS = (".....", ". . . .", "……")


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
    first = [n for n, b in enumerate(blocks) if b.page == 0 and not b.is_frame]
    heading = ParagraphType.HEADING
    headings = [n for n in first if _pdf_type(blocks[n], size) is heading]
    variants = title_variants(title)
    for number in (*headings, *first):
        if blocks[number].text.casefold() in variants:
            return number
    return max(headings, key=lambda n: (blocks[n].size, -n), default=None)


def _type_blocks(pdf: PdfText) -> list[_Block]:
    blocks = make_blocks(pdf)
    size = _body_size(blocks)
    shown = _title_index(blocks, pdf.metadata.title, size)
    typed: list[_Block] = []
    for number, block in enumerate(blocks):
        kind = ParagraphType.TITLE if number == shown else _pdf_type(block, size)
        typed.append((block.text, None if block.is_frame else kind, block.is_frame))
    return typed


def _to_paragraphs(
    blocks: list[_Block], min_paragraph_tokens: int
) -> Iterator[Paragraph]:
    """Yield paragraphs; running heads, feet and tables of contents are boilerplate."""
    for raw, kind, is_frame in blocks:
        text = " ".join(normalize(raw).split())
        if kind is ParagraphType.LISTITEM:
            text = _BULLET_RE.sub("", text)
        crawlinfo = None
        if is_frame or any(leader in text for leader in _DOT_LEADERS):
            crawlinfo = CrawlInfo.BOILERPLATE
        elif is_too_short(count_tokens(text), kind, min_paragraph_tokens):
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
    tdm: dict[str, str] = {}
    try:
        if name == "pdf":
            pdf = read_pdf(body, max_pages=max_pages)
            blocks, metadata, tdm = _type_blocks(pdf), pdf.metadata, pdf.tdm
        else:
            blocks, metadata = read_docx(body)
    except NoReaderError:
        return CleaningReason.NO_READER
    except UnreadableFileError:
        return CleaningReason.UNREADABLE
    paragraphs = [*_to_paragraphs(blocks, min_paragraph_tokens)]
    if not metadata.title:
        titles = (p.text for p in paragraphs if p.type is ParagraphType.TITLE)
        metadata = replace(metadata, title=next(titles, ""))
    document = Document(identity, url, paragraphs, metadata, meta=tdm)
    directives = robots_directives(etree.Element("html"), robots_header)
    document.index = directives.isdisjoint({"noindex", "none"})
    document.mime = FORMATS[name].media_types[0]
    text = "\n".join(paragraph.text for paragraph in document.paragraphs)
    add_licenses(document, find_licenses_in_text(text, linked=license_links))
    return document
