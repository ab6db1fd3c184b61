"""The paragraphs of a Word file (Office Open XML, ECMA-376, part 1, section 17)."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from lxml import etree

from ilspfc.cleaning.files.formats import UnreadableFileError
from ilspfc.documents import Metadata, ParagraphType
from ilspfc.text.packed import iter_part
from ilspfc.text.xml_text import make_parser

MAX_UNPACKED_BYTES = 20 * 1024 * 1024
"""Bytes of all parts that are read, when unpacked; a novel has 2 MB."""
MAX_PARTS = 5000
_MAX_FRAMES = 20

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_HEADING_RE = re.compile(r"heading \d", re.IGNORECASE)
_FRAME_RE = re.compile(r"word/(?:header|footer)\d*\.xml")
_TITLES = frozenset({"title"})


@dataclass(slots=True)
class DocxText:
    """Contents of a Word file; ``frames`` are the paragraphs of its headers and footers."""

    paragraphs: list[tuple[str, ParagraphType | None]] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)
    metadata: Metadata = field(default_factory=Metadata)


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
        if text in _TITLES:
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


def read_docx(body: bytes) -> DocxText:
    """Return the text of a Word file; UnreadableFileError if it is none."""
    result = DocxText()
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
            result.paragraphs = list(_iter_paragraphs(root, types))
            frames = [parts.read(name) for name in _frame_names(names)]
            result.metadata = _metadata(parts.read("docProps/core.xml"))
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
    result.frames = list(dict.fromkeys(texts))
    return result


def _frame_names(names: list[str]) -> list[str]:
    """Return the headers and footers, a few of those that a long document has."""
    return sorted(filter(_FRAME_RE.fullmatch, names))[:_MAX_FRAMES]
