"""XLIFF 2.0 (OASIS, 2014): units for translation tools that edit bilingual files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from lxml import etree

from ilspfc.exports.units import SCORE_DIGITS, ExportUnit, UnitOrigin
from ilspfc.exports.writers import Target, UnitWriter
from ilspfc.text.xml_text import to_xml_lang

NAMESPACE = "urn:oasis:names:tc:xliff:document:2.0"


class XliffWriter(UnitWriter):
    """Writes a ``file`` for each pair of pages, and a ``unit`` of one segment for each unit.

    The segments have the state ``translated``: tools offer them for review. URLs of the pages
    are notes of their ``file``, score, type and remarks notes of a unit. ``langs`` are the BCP 47
    tags of source and target.
    """

    def __init__(self, path: Path, langs: Sequence[str]) -> None:
        super().__init__(path)
        self._langs = langs
        self._origin: UnitOrigin | None = None
        self._pairs = self._units = 0

    @classmethod
    def open(cls, to: Target) -> XliffWriter:
        """Return the writer of the units of two languages."""
        tags = [to_xml_lang(lang, to.options.tmx.lang_map) for lang in to.langs]
        return cls(to.paths[0], tags)

    def write(self, unit: ExportUnit) -> None:
        """Add a unit; the units of a pair of pages come together."""
        if unit.origin is not self._origin:
            self._open_file(unit.origin)
        self._units += 1
        element = etree.Element("unit", id=f"u{self._units}")
        score = "" if unit.score is None else f"{unit.score:.{SCORE_DIGITS}f}"
        notes = [("score", score), ("type", unit.kind)]
        notes += [(f"score-{name}", f"{value:.4f}") for name, value in unit.scores]
        _add_notes(element, [*notes, *(("remark", text) for text in unit.info)])
        segment = _add(element, "segment", state="translated")
        _add(segment, "source", unit.source)
        _add(segment, "target", unit.target)
        self._xml.write(element, "\n")

    def _open(self) -> None:
        super()._open()
        xml: Any = etree.xmlfile(self._files[0], encoding="UTF-8")
        self._xml = self.enter_context(xml)
        self._xml.write_declaration()
        source, target = self._langs
        # All names are in the default namespace, declared on the root only.
        attributes = {"version": "2.0", "srcLang": source, "trgLang": target}
        root = self._xml.element("xliff", {"xmlns": NAMESPACE, **attributes})
        self.enter_context(root)
        self._group = self.enter_context(ExitStack())

    def _open_file(self, origin: UnitOrigin) -> None:
        """End the element of the previous pair, and begin that of the next one."""
        self._group.close()
        self._origin = origin
        self._pairs += 1
        self._units = 0
        attributes = {"id": f"f{self._pairs}"}
        if origin.source.url:
            attributes["original"] = origin.source.url
        self._group.enter_context(self._xml.element("file", attributes))
        holder = etree.Element("file")
        urls = ("source-url", origin.source.url), ("target-url", origin.target.url)
        _add_notes(holder, urls)
        for notes in holder:
            self._xml.write(notes)
        self._xml.write("\n")


def _add(
    parent: etree._Element, tag: str, text: str = "", **attributes: str
) -> etree._Element:
    element = etree.SubElement(parent, tag, attributes)
    element.text = text or None
    return element


def _add_notes(parent: etree._Element, notes: Iterable[tuple[str, str]]) -> None:
    """Add the notes that are not empty, by category, in an element if there are any."""
    found = [(category, text) for category, text in notes if text]
    if found:
        frame = _add(parent, "notes")
        for category, text in found:
            _add(frame, "note", text, category=category)
