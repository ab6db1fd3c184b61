"""TMX 1.4: translation memories, written unit by unit in bounded memory.

Plain segments without inline markup (level 1), one language pair a file, UTF-8 without a
byte order mark: what importers take. The properties are those of ILSP-FC, and more.
"""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Any

from lxml import etree

import ilspfc
from ilspfc.atomic import open_atomic
from ilspfc.exports.parts import part_path
from ilspfc.exports.tmx_properties import (
    VERSION,
    TmxHeader,
    TmxTemplate,
    add_props,
    header_props,
)
from ilspfc.exports.writers import UnitWriter
from ilspfc.text.xml_text import NO_MAPPING, to_xml_lang

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from ilspfc.exports.units import ExportUnit

DOCTYPE = '<!DOCTYPE tmx SYSTEM "tmx14.dtd">'

# The end tags of a file, and a line end for each unit.
_END_BYTES = len("</body>\n</tmx>")


class TmxWriter(UnitWriter):
    """Writes a translation memory.

    With ``max_units`` or ``max_bytes`` (of the uncompressed file;
    0: no limit) the memory is split into ``NAME.001.tmx`` and so on, each with the header
    of the whole and a property that gives its number; ``paths`` are the files written. A
    unit that is larger than the limit gets a file of its own. Without ``doctype`` there is
    no document type declaration, for importers that refuse any; ``lang_map`` sets xml:lang
    for ISO 639-3 codes (deu: de-CH).
    """

    def __init__(
        self,
        path: Path,
        header: TmxHeader,
        *,
        doctype: bool = True,
        lang_map: Mapping[str, str] = NO_MAPPING,
        max_units: int = 0,
        max_bytes: int = 0,
    ) -> None:
        super().__init__()
        self.count = 0
        self._path, self._header, self._doctype = path, header, doctype
        self._langs = tuple(
            to_xml_lang(lang, lang_map)
            for lang in (header.source_lang, header.target_lang)
        )
        self._max_units, self._max_bytes = max_units, max_bytes
        self._template = TmxTemplate(self._langs)
        self._xml: Any = None
        self._file: Any = None
        self._part_units = self._part_bytes = 0

    def write(self, unit: ExportUnit) -> None:
        """Add a unit; they are numbered from 1 in each file."""
        element = self._template.fill(unit, self._part_units + 1)
        if self._part_units and self._is_full(len(element)):
            self._open()
            element = self._template.fill(unit, 1)
        self._file.write(element)
        self._part_bytes += len(element)
        self._part_units += 1
        self.count += 1

    def _is_full(self, size: int) -> bool:
        """Return whether a unit of so many bytes has no place in the part."""
        if self._max_units and self._part_units >= self._max_units:
            return True
        full = self._part_bytes + size + _END_BYTES
        return bool(self._max_bytes) and full > self._max_bytes

    def _open(self) -> None:
        """End the file that is being written and begin the next one."""
        self._stack.close()
        is_split = bool(self._max_units or self._max_bytes)
        number = len(self.paths) + 1
        path = part_path(self._path, number) if is_split else self._path
        file = self._stack.enter_context(open_atomic(path))
        self._xml = self._stack.enter_context(etree.xmlfile(file, encoding="UTF-8"))
        self._xml.write_declaration()
        if self._doctype:
            self._xml.write_doctype(DOCTYPE)
        self._stack.enter_context(self._xml.element("tmx", version=VERSION))
        header = _make_header(self._header, self._langs[0], number if is_split else 0)
        self._xml.write("\n", header, "\n")
        self._stack.callback(self._xml.write, "\n")
        self._stack.enter_context(self._xml.element("body"))
        self._xml.write("\n")
        # The units go to the file itself.
        self._xml.flush()
        self._file = file
        self._part_units, self._part_bytes = 0, file.tell()
        self.paths.append(path)


def write_tmx(
    path: Path,
    units: Iterable[ExportUnit],
    header: TmxHeader,
    *,
    doctype: bool = True,
    lang_map: Mapping[str, str] = NO_MAPPING,
) -> int:
    """Write a TMX 1.4 file, atomically, and return the number of its units.

    The file depends on nothing but the arguments; see :class:`TmxWriter`.
    """
    with TmxWriter(path, header, doctype=doctype, lang_map=lang_map) as writer:
        for unit in units:
            writer.write(unit)
    return writer.count


def _make_header(header: TmxHeader, source_lang: str, part: int) -> etree._Element:
    """Return the header element of a file; ``part`` is its number, 0 for the only one."""
    element = etree.Element(
        "header",
        {
            "creationtool": "ilspfc",
            "creationtoolversion": ilspfc.__version__,
            "segtype": header.segtype,
            "o-tmf": "ilspfc",
            "adminlang": "en",
            "srclang": source_lang,
            "datatype": "plaintext",
            "creationdate": f"{header.created.astimezone(UTC):%Y%m%dT%H%M%SZ}",
        },
    )
    add_props(element, [*header_props(header), ("part", part or None)])
    etree.indent(element)
    return element
