"""TMX 1.4: translation memories, written unit by unit in bounded memory.

Plain segments without inline markup (level 1), one language pair a file, UTF-8 without a
byte order mark: what importers take. The properties are those of ILSP-FC.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from datetime import UTC
from typing import TYPE_CHECKING

from lxml import etree

import ilspfc
from ilspfc.atomic import open_atomic
from ilspfc.exports.filters import length_ratio
from ilspfc.exports.xml_text import NO_MAPPING, XML_LANG, clean_text, to_xml_lang

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

VERSION = "1.4"
DOCTYPE = '<!DOCTYPE tmx SYSTEM "tmx14.dtd">'
SEGTYPES = ("block", "paragraph", "sentence", "phrase")

INFO_SEPARATOR = " | "
"""Between the remarks of a unit's info property, as in ILSP-FC."""

SCORE_DIGITS = 4
"""Decimal places of scores and probabilities."""


@dataclass(frozen=True, slots=True)
class TmxUnit:
    """A translation unit as a TMX file can hold it.

    Characters that XML cannot hold are taken out and numbers are rounded when a unit is
    made, so that a unit read back equals the one written. ``kind`` is the alignment type
    (``1:1``), ``score`` and ``pair_probability`` are None where unknown, empty strings
    are not written; ``info`` are the remarks of :func:`ilspfc.exports.annotate`.
    Raises ValueError for a number that is not finite.
    """

    source: str
    target: str
    kind: str = ""
    score: float | None = None
    source_url: str = ""
    target_url: str = ""
    pair_probability: float | None = None
    pair_evidence: str = ""
    license: str = ""
    info: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, str):
                value = clean_text(value)
            elif isinstance(value, tuple):
                # The separator cannot be part of what it separates.
                remarks = (clean_text(text).replace("|", "/") for text in value)
                value = tuple(text.strip() for text in remarks if text.strip())
            elif value is not None:
                if not math.isfinite(value):
                    raise ValueError(f"{field.name} is {value!r}; give a finite number")
                value = round(float(value), SCORE_DIGITS)
            object.__setattr__(self, field.name, value)


@dataclass(frozen=True, slots=True)
class TmxHeader:
    """What is said once in a TMX file.

    Languages are ISO 639-3 codes; ``created`` is an aware time. The counts are those of
    the whole file, reckoned by the caller because they stand before the first unit; what
    is None or empty is not written.
    """

    source_lang: str
    target_lang: str
    created: datetime
    segtype: str = "sentence"
    distributor: str = ""
    description: str = ""
    availability: str = ""
    domain: str = ""
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


def write_tmx(
    path: Path,
    units: Iterable[TmxUnit],
    header: TmxHeader,
    *,
    doctype: bool = True,
    lang_map: Mapping[str, str] = NO_MAPPING,
) -> int:
    """Write a TMX 1.4 file, atomically, and return the number of its units.

    Compressed where the name ends in ``.gz``. The file depends on nothing but the
    arguments. Without ``doctype`` there is no document type declaration, for importers
    that refuse any; ``lang_map`` sets xml:lang for ISO 639-3 codes (deu: de-CH).
    """
    langs = tuple(
        to_xml_lang(lang, lang_map) for lang in (header.source_lang, header.target_lang)
    )
    count = 0
    with open_atomic(path) as file, etree.xmlfile(file, encoding="UTF-8") as xml:
        xml.write_declaration()
        if doctype:
            xml.write_doctype(DOCTYPE)
        with xml.element("tmx", version=VERSION):
            xml.write("\n", _make_header(header, langs[0]), "\n")
            with xml.element("body"):
                xml.write("\n")
                for count, unit in enumerate(units, 1):
                    xml.write(_make_unit(unit, count, langs), "\n")
            xml.write("\n")
    return count


def _make_header(header: TmxHeader, source_lang: str) -> etree._Element:
    """Return the header element."""
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
    _add_props(element, _header_props(header))
    etree.indent(element)
    return element


def _header_props(header: TmxHeader) -> Iterator[tuple[str, object]]:
    """Yield types and values of the header's properties, in ILSP-FC's order."""
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


def _make_unit(unit: TmxUnit, number: int, langs: tuple[str, ...]) -> etree._Element:
    """Return the tu element of a unit."""
    element = etree.Element("tu", tuid=str(number))
    _add_props(element, _unit_props(unit))
    for lang, text in zip(langs, (unit.source, unit.target), strict=True):
        variant = etree.SubElement(element, "tuv", {XML_LANG: lang})
        etree.SubElement(variant, "seg").text = text
    etree.indent(element)
    return element


def _unit_props(unit: TmxUnit) -> Iterator[tuple[str, object]]:
    """Yield types and values of a unit's properties, in ILSP-FC's order."""
    yield "score", unit.score
    yield "type", unit.kind
    if unit.target:
        yield "lengthRatio", f"{length_ratio(unit.source, unit.target):.2f}"
    yield "l1-url", unit.source_url
    yield "l2-url", unit.target_url
    yield "pair-probability", unit.pair_probability
    yield "pair-evidence", unit.pair_evidence
    yield "license", unit.license
    yield "info", INFO_SEPARATOR.join(unit.info)


def _add_props(element: etree._Element, props: Iterable[tuple[str, object]]) -> None:
    """Append a prop element for each property that has a value."""
    for kind, value in props:
        if value is not None and value != "":
            text = (
                f"{value:.{SCORE_DIGITS}f}" if isinstance(value, float) else str(value)
            )
            etree.SubElement(element, "prop", type=kind).text = clean_text(text)
