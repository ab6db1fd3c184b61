"""Decisions on paragraphs, written into the cesDoc file of a document."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from ilspfc.atomic import open_atomic
from ilspfc.corpus.xml import NAMESPACE
from ilspfc.documents import CrawlInfo
from ilspfc.text.xml_text import make_parser

if TYPE_CHECKING:
    from ilspfc.documents import Paragraph


def write_verdicts(path: Path, paragraphs: Sequence[Paragraph]) -> None:
    """Write crawlinfo, language and verdict of cleaning of all paragraphs of a file."""
    parser = make_parser()
    tree = etree.parse(str(path), parser)
    elements = tree.getroot().iter(f"{{{NAMESPACE}}}p")
    for element, paragraph in zip(elements, paragraphs, strict=True):
        _set_verdict(element, paragraph)
    data = etree.tostring(tree, encoding="UTF-8", xml_declaration=True)
    with open_atomic(path) as stream:
        stream.write(data.rstrip(b"\n") + b"\n")


def _set_verdict(element: etree._Element, paragraph: Paragraph) -> None:
    """Set both attributes where :func:`ilspfc.corpus.xml.format_paragraphs` has them."""
    values = {str(name): str(value) for name, value in element.attrib.items()}
    for name in ("lang", "cleaning"):
        values.pop(name, None)
    is_foreign = paragraph.crawlinfo is CrawlInfo.OOI_LANG
    ordered = {
        "id": values.pop("id", ""),
        "crawlinfo": paragraph.crawlinfo or "",
        **{name: value for name, value in values.items() if name != "crawlinfo"},
        "lang": (paragraph.lang or "") if is_foreign else "",
        "cleaning": paragraph.cleaning,
    }
    element.attrib.clear()
    element.attrib.update({name: value for name, value in ordered.items() if value})
