"""TMX 1.4: translation memories, written unit by unit in bounded memory.

Plain segments without inline markup (level 1), one language pair a file, UTF-8 without a
byte order mark, for strict importers. The properties are those of ILSP-FC, and more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from lxml import etree

import ilspfc
from ilspfc.atomic import open_atomic
from ilspfc.exports.units import SCORE_DIGITS, ExportUnit, UnitOrigin, length_ratio
from ilspfc.exports.writers import TmxForm, UnitWriter, part_path
from ilspfc.text.xml_text import XML_LANG, clean_text, to_xml_lang

DOCTYPE = '<!DOCTYPE tmx SYSTEM "tmx14.dtd">'


class TmxWriter(UnitWriter):
    """Writes a translation memory; ``paths`` are the files written."""

    def __init__(
        self, path: Path, header: TmxHeader, form: TmxForm | None = None
    ) -> None:
        super().__init__()
        self.count = 0
        self._path, self._header, self._form = path, header, form or TmxForm()
        self._langs = tuple(
            to_xml_lang(lang, self._form.lang_map)
            for lang in (header.source_lang, header.target_lang)
        )
        self._template = TmxTemplate(self._langs, self._form.props)
        self._xml: Any = None
        self._file: Any = None
        self._part_units = 0

    def write(self, unit: ExportUnit) -> None:
        """Add a unit; they are numbered from 1 in each file."""
        if 0 < self._form.max_units <= self._part_units:
            self._open()
        self._part_units += 1
        self._file.write(self._template.fill(unit, self._part_units))
        self.count += 1

    def _open(self) -> None:
        """End the file that is being written and begin the next one."""
        self.close()
        is_split = self._form.max_units > 0
        number = len(self.paths) + 1
        path = part_path(self._path, number) if is_split else self._path
        file = self.enter_context(open_atomic(path))
        self._xml = self.enter_context(etree.xmlfile(file, encoding="UTF-8"))
        self._xml.write_declaration()
        self._xml.write_doctype(DOCTYPE)
        self.enter_context(self._xml.element("tmx", version=VERSION))
        header = _make_header(self._header, self._langs[0], number if is_split else 0)
        self._xml.write("\n", header, "\n")
        self.callback(self._xml.write, "\n")
        self.enter_context(self._xml.element("body"))
        self._xml.write("\n")
        # The units go to the file itself.
        self._xml.flush()
        self._file = file
        self._part_units = 0
        self.paths.append(path)


def write_tmx(
    path: Path,
    units: Iterable[ExportUnit],
    header: TmxHeader,
    form: TmxForm | None = None,
) -> int:
    """Write a TMX 1.4 file, atomically, and return the number of its units.

    The file depends only on the arguments; see :class:`TmxWriter`.
    """
    with TmxWriter(path, header, form) as writer:
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
            "segtype": "sentence",
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

SEPARATOR = " | "
"""Separator of the remarks of a unit, and of opt-outs, as in ILSP-FC."""


@dataclass(frozen=True, slots=True)
class TmxHeader:
    """Header of a TMX file.

    Languages are ISO 639-3 codes; ``created`` is an aware time. The caller gives the counts of
    all units, because the header precedes them; fields that are
    None or empty are not written. ``source_file`` and ``target_file`` name the documents
    of a memory of one pair.
    """

    source_lang: str
    target_lang: str
    created: datetime
    description: str = ""
    availability: str = ""
    domain: str = ""
    preset: str = ""
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
        if self.created.tzinfo is None:
            raise ValueError(f"created is {self.created}, without a zone; give UTC")


def header_props(header: TmxHeader) -> Iterator[tuple[str, object]]:
    """Yield types and values of the header's properties, in ILSP-FC's order."""
    yield "sourceFile", header.source_file
    yield "targetFile", header.target_file
    yield "description", header.description
    yield "availability", header.availability
    yield "domain", header.domain
    yield "l1", header.source_lang
    yield "l2", header.target_lang
    yield "preset", header.preset
    yield "lengthInTUs", header.units
    yield "# of words in l1", header.source_words
    yield "# of words in l2", header.target_words
    yield "# of unique words in l1", header.source_unique_words
    yield "# of unique words in l2", header.target_unique_words
    yield "mean aligner's score", header.mean_score
    yield "std aligner's score", header.std_score


def origin_props(origin: UnitOrigin) -> Iterator[tuple[str, object]]:
    """Yield types and values of the properties that the units of a pair of pages share.

    A license that both pages state is ILSP-FC's ``license``; one of a single page belongs to
    its side.
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


SCORE_PREFIX = "score-"
"""Prefix of the types of properties with scores of the user's scorers."""

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
"""Types of the properties of units that this writer writes."""


def add_props(element: etree._Element, props: Iterable[tuple[str, object]]) -> None:
    """Append a prop element for each property that has a value."""
    for kind, value in props:
        if value is not None and value != "":
            _add_props(element, [(kind, clean_text(_format(value)))])


def _add_props(element: etree._Element, props: Iterable[tuple[str, str]]) -> None:
    for kind, value in props:
        etree.SubElement(element, "prop", type=kind).text = value


def _format(value: object) -> str:
    """Return a value as text."""
    return f"{value:.{SCORE_DIGITS}f}" if isinstance(value, float) else str(value)


class TmxTemplate:
    """The tu element as a text template, filled with the values of each unit.

    lxml writes the template once for all units of a pair of pages. That takes a tenth of the
    time of an element for each unit.
    """

    def __init__(self, langs: tuple[str, ...], props: str = "all") -> None:
        self._langs = langs
        self._kinds = {"none": (), "score": ("score",)}.get(props)
        self._origin: UnitOrigin | None = None
        self._props: tuple[tuple[str, str], ...] = ()
        self._forms: dict[tuple[str, ...], str] = {}

    def fill(self, unit: ExportUnit, number: int) -> bytes:
        """Return the element of a unit as UTF-8, with a line end."""
        if unit.origin is not self._origin or unit.props != self._props:
            self._origin, self._props = unit.origin, unit.props
            self._forms.clear()
        own = {}
        if unit.score is not None:
            own["score"] = _format(unit.score)
        if unit.kind:
            own["type"] = _escape(unit.kind)
        if unit.target:
            own["lengthRatio"] = f"{length_ratio(unit.source, unit.target):.2f}"
        for name, score in unit.scores:
            own[f"{SCORE_PREFIX}{name}"] = _format(score)
        if unit.info:
            own["info"] = _escape(SEPARATOR.join(unit.info))
        if self._kinds is not None:
            own = {kind: own[kind] for kind in self._kinds if kind in own}
        kinds = tuple(own)
        if kinds not in self._forms:
            self._forms[kinds] = self._make_form(unit, kinds)
        texts = _escape(unit.source), _escape(unit.target)
        return (self._forms[kinds] % (number, *own.values(), *texts)).encode()

    def _make_form(self, unit: ExportUnit, kinds: tuple[str, ...]) -> str:
        """Return the template of units with the same properties, with a %s for each value."""
        element = etree.Element("tu", tuid=_MARK)
        _add_props(element, ((kind, _MARK) for kind in kinds if kind != "info"))
        if self._kinds is None:
            add_props(element, origin_props(unit.origin))
        _add_props(element, ((kind, _MARK) for kind in kinds if kind == "info"))
        if self._kinds is None:
            _add_props(element, unit.props)
        for lang in self._langs:
            variant = etree.SubElement(element, "tuv", {XML_LANG: lang})
            etree.SubElement(variant, "seg").text = _MARK
        etree.indent(element)
        form = etree.tostring(element, encoding="unicode")
        return form.replace("%", "%%").replace(_MARK, "%s") + "\n"


# A character that XML allows and clean_text removes from all texts.
_MARK = "\ufdd0"


def _escape(text: str) -> str:
    """Return a text as lxml writes it."""
    return escape(text).replace("\r", "&#13;")
