"""TMX 1.4: translation memories, written unit by unit in bounded memory.

Plain segments without inline markup (level 1), one language pair a file, UTF-8 without a
byte order mark: what importers take. The properties are those of ILSP-FC, and more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lxml import etree

import ilspfc
from ilspfc.atomic import open_atomic
from ilspfc.exports.units import SCORE_DIGITS, UnitOrigin, length_ratio
from ilspfc.exports.writers import UnitWriter, part_path
from ilspfc.text.xml_text import NO_MAPPING, XML_LANG, clean_text, to_xml_lang

if TYPE_CHECKING:
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
        """Test whether the part has no room for a unit of ``size`` bytes."""
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


VERSION = "1.4"
SEGTYPES = ("block", "paragraph", "sentence", "phrase")

SEPARATOR = " | "
"""Between the remarks of a unit, and between opt-outs, as in ILSP-FC."""


@dataclass(frozen=True, slots=True)
class TmxHeader:
    """Header of a TMX file.

    Languages are ISO 639-3 codes; ``created`` is an aware time. The counts are those of
    all units, reckoned by the caller because they stand before the first one; what is
    None or empty is not written. ``source_file`` and ``target_file`` name the documents
    of a memory of one pair.
    """

    source_lang: str
    target_lang: str
    created: datetime
    segtype: str = "sentence"
    distributor: str = ""
    description: str = ""
    availability: str = ""
    domain: str = ""
    source_file: str = ""
    target_file: str = ""
    units: int | None = None
    source_words: int | None = None
    target_words: int | None = None
    source_unique_words: int | None = None
    target_unique_words: int | None = None
    mean_score: float | None = None
    std_score: float | None = None

    def __post_init__(self) -> None:
        if self.segtype not in SEGTYPES:
            raise ValueError(f"segtype is {self.segtype!r}; choose from {SEGTYPES}")
        if self.created.tzinfo is None:
            raise ValueError(f"created is {self.created}, without a zone; give UTC")


def header_props(header: TmxHeader) -> Iterator[tuple[str, object]]:
    """Yield types and values of the header's properties, in ILSP-FC's order."""
    yield "sourceFile", header.source_file
    yield "targetFile", header.target_file
    yield "distributor", header.distributor
    yield "description", header.description
    yield "availability", header.availability
    yield "domain", header.domain
    yield "l1", header.source_lang
    yield "l2", header.target_lang
    yield "lengthInTUs", header.units
    yield "# of words in l1", header.source_words
    yield "# of words in l2", header.target_words
    yield "# of unique words in l1", header.source_unique_words
    yield "# of unique words in l2", header.target_unique_words
    yield "mean aligner's score", header.mean_score
    yield "std aligner's score", header.std_score


def origin_props(origin: UnitOrigin) -> Iterator[tuple[str, object]]:
    """Yield types and values of the properties that the units of a pair of pages share.

    A license that both pages state is ILSP-FC's ``license``; one that a single page states
    holds for its side alone.
    """
    source, target = origin.source, origin.target
    yield "l1-url", source.url
    yield "l2-url", target.url
    yield "pair-probability", origin.probability
    yield "pair-evidence", origin.evidence
    yield "domain", origin.domain
    yield "l1-subdomains", source.subdomains
    yield "l2-subdomains", target.subdomains
    if source.license == target.license:
        yield "license", source.license
    else:
        yield "l1-license", source.license
        yield "l2-license", target.license
    yield "l1-optouts", SEPARATOR.join(source.optouts)
    yield "l2-optouts", SEPARATOR.join(target.optouts)
    yield "l1-fetched", source.fetched_at
    yield "l2-fetched", target.fetched_at
    yield "l1-file", source.file
    yield "l2-file", target.file


KNOWN_TYPES = frozenset(
    {
        *("score", "type", "lengthRatio", "info", "license"),
        *("pair-probability", "pair-evidence", "domain"),
        *(
            f"{side}-{name}"
            for side in ("l1", "l2")
            for name in ("url", "file", "subdomains", "license", "optouts", "fetched")
        ),
    }
)
"""The types of the properties of units that are ours to write."""


def add_props(element: etree._Element, props: Iterable[tuple[str, object]]) -> None:
    """Append a prop element for each property that has a value."""
    for kind, value in props:
        if value is not None and value != "":
            _add_props(element, [(kind, clean_text(_format(value)))])


def _add_props(element: etree._Element, props: Iterable[tuple[str, str]]) -> None:
    for kind, value in props:
        etree.SubElement(element, "prop", type=kind).text = value


def _format(value: object) -> str:
    """Return a value as it is written."""
    return f"{value:.{SCORE_DIGITS}f}" if isinstance(value, float) else str(value)


class TmxTemplate:
    """The tu element as text, used again for each unit: only what differs is filled in.

    lxml writes it once for all units of a pair of pages, with a mark for each value. That
    takes a tenth of the time that an element for each unit does.
    """

    def __init__(self, langs: tuple[str, ...]) -> None:
        self._langs = langs
        self._origin: UnitOrigin | None = None
        self._forms: dict[tuple[bool, ...], str] = {}

    def fill(self, unit: ExportUnit, number: int) -> bytes:
        """Return the element of a unit as UTF-8, with a line end."""
        if unit.origin is not self._origin:
            self._origin = unit.origin
            self._forms.clear()
        values = [str(number)]
        if unit.score is not None:
            values.append(_format(unit.score))
        if unit.kind:
            values.append(_escape(unit.kind))
        if unit.target:
            values.append(f"{length_ratio(unit.source, unit.target):.2f}")
        if unit.info:
            values.append(_escape(SEPARATOR.join(unit.info)))
        values += [_escape(unit.source), _escape(unit.target)]
        return (self._form(unit) % tuple(values)).encode()

    def _form(self, unit: ExportUnit) -> str:
        """Return the element of units with the same properties, with a %s for each value."""
        has = (
            unit.score is not None,
            unit.kind != "",
            unit.target != "",
            bool(unit.info),
        )
        if unit.props:
            return self._make(unit, has)
        form = self._forms.get(has)
        if form is None:
            form = self._forms[has] = self._make(unit, has)
        return form

    def _make(self, unit: ExportUnit, has: tuple[bool, ...]) -> str:
        has_score, has_kind, has_ratio, has_info = has
        element = etree.Element("tu", tuid=_MARK)
        own = ["score"] * has_score + ["type"] * has_kind + ["lengthRatio"] * has_ratio
        _add_props(element, ((kind, _MARK) for kind in own))
        add_props(element, origin_props(unit.origin))
        _add_props(element, [("info", _MARK)] * has_info)
        _add_props(element, unit.props)
        for lang in self._langs:
            variant = etree.SubElement(element, "tuv", {XML_LANG: lang})
            etree.SubElement(variant, "seg").text = _MARK
        etree.indent(element)
        form = etree.tostring(element, encoding="unicode")
        return form.replace("%", "%%").replace(_MARK, "%s") + "\n"


# What clean_text takes out of all texts, and XML allows.
_MARK = "\ufdd0"


def _escape(text: str) -> str:
    """Return a text as lxml writes it."""
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text:
        text = text.replace("<", "&lt;")
    if ">" in text:
        text = text.replace(">", "&gt;")
    return text.replace("\r", "&#13;") if "\r" in text else text
