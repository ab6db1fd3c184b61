"""Lines of a PDF, page by page, by pypdfium2."""

from __future__ import annotations

import ctypes
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from math import isfinite
from typing import Any

from lxml import etree

from ilspfc.cleaning.files.formats import NoReaderError, UnreadableFileError
from ilspfc.documents import Metadata
from ilspfc.text.xml_text import make_parser

MAX_LINES = 20_000
"""Lines of a PDF; 100 pages of a dense journal have 12,000."""
MAX_PAGE_CHARS = 50_000
"""Characters of a page beyond which it is passed over: no page of text has as many."""

# Words of a line that stand apart by more than this many times the type size are in two
# columns or cells.
_COLUMN_GAP = 1.5
# No letter is larger, in points.
_MAX_SIZE = 1000.0
# PDFium's code of a hyphen at the end of a line.
_HYPHEN = 0x02
_LINE_ENDS = frozenset({0x0A, 0x0D})
_BLANKS = frozenset({0x09, 0x20, 0xA0})
# Begin of a stream of metadata; its entries are never compressed.
_METADATA_RE = re.compile(rb"/Type\s{0,3}/Metadata\b.{0,300}?stream", re.DOTALL)
_MAX_XMP_BYTES = 1024 * 1024
# TDMRep, final report, section on PDF; "/" and "#" are both in use behind it.
_TDMREP = "http://www.w3.org/ns/tdmrep"
_DATE_RE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?")


@dataclass(slots=True)
class Line:
    """A line of a page, or of one of its columns, in points from the lower left corner."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    size: float
    page: int
    is_hyphenated: bool = False
    is_table_row: bool = False


@dataclass(slots=True)
class PdfText:
    """Contents of a PDF: lines in the order of the file, heights of pages, TDMRep by name."""

    lines: list[Line] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)
    metadata: Metadata = field(default_factory=Metadata)
    tdm: dict[str, str] = field(default_factory=dict)


class _TextPage:
    """The characters of a page."""

    def __init__(self, raw: Any, page: Any, number: int) -> None:
        self._raw = raw
        self._page = page
        self._number = number
        self._box = raw.FS_RECTF()

    def lines(self) -> Iterator[Line]:
        """Yield the lines, cut where words stand far apart."""
        raw, page = self._raw, self._page
        count = raw.FPDFText_CountChars(page)
        start = 0
        if count > MAX_PAGE_CHARS:
            return
        codes = [raw.FPDFText_GetUnicode(page, index) for index in range(count)]
        for index, code in enumerate(codes):
            if code in _LINE_ENDS or code == _HYPHEN:
                yield from self._make(codes, start, index, code == _HYPHEN)
                start = index + 1
            elif code in _BLANKS and self._is_gap(codes, start, index):
                yield from self._make(codes, start, index)
                start = index + 1
        yield from self._make(codes, start, count)

    def _rectangle(self, index: int) -> Any:
        self._raw.FPDFText_GetLooseCharBox(self._page, index, ctypes.byref(self._box))
        return self._box

    def _is_gap(self, codes: list[int], start: int, blank: int) -> bool:
        """Test whether a blank parts two columns."""
        after = blank + 1
        if blank == start or after >= len(codes):
            return False
        if codes[after] in _LINE_ENDS | _BLANKS:
            return False
        box = self._rectangle(blank - 1)
        right, size = box.right, box.top - box.bottom
        return bool(self._rectangle(after).left - right > _COLUMN_GAP * size)

    def _make(
        self, codes: list[int], start: int, end: int, is_hyphenated: bool = False
    ) -> Iterator[Line]:
        while start < end and codes[start] in _BLANKS:
            start += 1
        while end > start and codes[end - 1] in _BLANKS:
            end -= 1
        if start == end:
            return
        box = self._rectangle(start)
        left, bottom, top = box.left, box.bottom, box.top
        right = self._rectangle(end - 1).right
        if not isfinite(left + bottom + right + top):
            return
        # Surrogates come one by one.
        chars = b"".join(
            (code & 0xFFFF).to_bytes(2, "little") for code in codes[start:end]
        )
        text = chars.decode("utf-16-le", "replace")
        size = self._raw.FPDFText_GetFontSize(self._page, (start + end) // 2)
        # The size is scaled by the page's matrix; the box knows what is seen.
        size = min(size, _MAX_SIZE) if size > 1 else min(top - bottom, _MAX_SIZE)
        yield Line(text, left, bottom, right, top, size, self._number, is_hyphenated)


def _language(raw: Any, document: Any) -> str:
    size = raw.FPDFCatalog_GetLanguage(document, None, 0)
    if not 2 < size <= 64:
        return ""
    buffer = (ctypes.c_ushort * size)()
    raw.FPDFCatalog_GetLanguage(document, buffer, size)
    return bytes(buffer).decode("utf-16-le", "replace").split("\0", 1)[0].strip()


def _read_tdm(body: bytes) -> dict[str, str]:
    """Return the declaration on text and data mining in the XMP metadata of a PDF.

    Of several metadata the last counts: a file is changed by what is appended to it. Those
    of an encrypted file cannot be read.
    """
    found: dict[str, str] = {}
    for match in _METADATA_RE.finditer(body):
        start = match.end()
        data = body[start : start + _MAX_XMP_BYTES].lstrip(b"\r\n")
        try:
            if data.startswith(b"x"):  # of zlib; XML begins with another byte
                data = zlib.decompressobj().decompress(data, _MAX_XMP_BYTES)
            data = data.partition(b"endstream")[0].strip()
            if _TDMREP.encode() not in data:
                continue
            root = etree.fromstring(data, make_parser())
        except (etree.XMLSyntaxError, zlib.error):
            continue
        for element in root.iter("*"):
            # A property is an attribute, or an element with its text or an address.
            values = dict(element.items())
            values[element.tag] = element.text or next(iter(element.values()), "")
            for name, value in values.items():
                if name.startswith(f"{{{_TDMREP}"):
                    found[f"tdm-{etree.QName(name).localname}"] = value.strip()
    return found


def read_pdf(body: bytes, *, max_pages: int) -> PdfText:
    """Return the lines of the first ``max_pages`` pages and the metadata of a PDF.

    Raises NoReaderError without pypdfium2, UnreadableFileError for what it cannot open.
    """
    try:
        # Not at the top: it is optional, and a crawl without PDFs needs no PDF reader.
        pypdfium2: Any = import_module("pypdfium2")
        raw: Any = import_module("pypdfium2.raw")
    except ImportError as error:
        raise NoReaderError from error
    result = PdfText(tdm=_read_tdm(body))
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        raise UnreadableFileError(str(error)) from error
    with document:
        given = document.get_metadata_dict()
        facts = {key: " ".join(text.split()) for key, text in given.items()}
        created = _DATE_RE.match(facts.get("CreationDate", ""))
        result.metadata = Metadata(
            title=facts.get("Title", ""),
            description=facts.get("Subject", ""),
            keywords=facts.get("Keywords", ""),
            author=facts.get("Author", ""),
            date="-".join(filter(None, created.groups())) if created else "",
            declared_lang=_language(raw, document.raw),
        )
        for number in range(min(len(document), max_pages)):
            try:
                page = document[number]
                text_page = page.get_textpage()
            except pypdfium2.PdfiumError:
                # One page may be broken and the others not.
                result.heights.append(0.0)
                continue
            result.heights.append(page.get_height())
            result.lines += _TextPage(raw, text_page.raw, number).lines()
            text_page.close()
            page.close()
            if len(result.lines) > MAX_LINES:
                del result.lines[MAX_LINES:]
                break
    return result
