"""TMX 1.1 to 1.4, read unit by unit, and checked against the DTD.

Files may come from anywhere: no network, no DTD is loaded, no entity is expanded.
"""

from __future__ import annotations

import gzip
import math
import zlib
from contextlib import contextmanager
from copy import deepcopy
from importlib import resources
from typing import IO, TYPE_CHECKING, Any, cast

from lxml import etree

from ilspfc.exceptions import CorpusError
from ilspfc.exports.tmx_properties import SEPARATOR
from ilspfc.exports.units import ExportUnit, PageOrigin, UnitOrigin
from ilspfc.exports.xml_text import XML_LANG

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DTD_NAME = "tmx14.dtd"

BATCH_UNITS = 1_000
"""Units that are checked, and held in memory, together."""

# Inline elements that hold the codes of the original format instead of text.
_CODE_TAGS = frozenset({"bpt", "ept", "it", "ph", "ut"})


def read_tmx(path: Path) -> Iterator[ExportUnit]:
    """Yield the translation units of a TMX 1.1 to 1.4 file, in bounded memory.

    The source is the variant in the language of the unit's or the file's ``srclang``,
    or the first; every other variant makes a unit with it, so a unit with one variant
    makes none. Codes inside segments are left out, their text stays. Properties that
    ``write_tmx`` does not know are passed over. Raises CorpusError, with the line, for a
    file that is missing, damaged or not TMX.
    """
    source_lang = ""
    for element in _iter_elements(path):
        if element.tag == "header":
            source_lang = element.get("srclang", "")
        else:
            yield from _read_units(path, element, source_lang)
            _forget_before(element)


def validate_tmx(path: Path) -> None:
    """Raise CorpusError with the first error of a file against the TMX 1.4 DTD.

    Checks some units at a time, in a frame of their own, so size does not matter.
    """
    with resources.files("ilspfc.exports").joinpath(DTD_NAME).open("rb") as file:
        dtd = etree.DTD(file)
    root = None
    for number, element in enumerate(_iter_elements(path), 1):
        root = element.getroottree().getroot()
        if number % BATCH_UNITS == 0 and element.tag == "tu":
            _check(path, _take_before(element, root), dtd)
    if root is None:
        raise CorpusError(f"{path}: line 1: there is no header; this is no TMX file")
    _check(path, root, dtd)


def _check(path: Path, root: etree._Element, dtd: etree.DTD) -> None:
    """Raise CorpusError with the first error of a tree against a DTD."""
    if not dtd.validate(root):
        error = cast("Any", dtd.error_log)[0]
        raise CorpusError(f"{path}: line {error.line}: not TMX 1.4: {error.message}")


def _iter_elements(path: Path) -> Iterator[etree._Element]:
    """Yield the header and the tu elements of a file, in order."""
    with _report_errors(path), _open(path) as file:
        context = etree.iterparse(
            file,
            events=("start", "end"),
            load_dtd=False,
            no_network=True,
            resolve_entities=False,
        )
        for number, (event, element) in enumerate(context):
            if number == 0 and element.tag != "tmx":
                raise CorpusError(
                    f"{path}: line {element.sourceline}: the root element is "
                    f"{element.tag!r}, not 'tmx'; this is no TMX file"
                )
            if event == "end" and element.tag in {"header", "tu"}:
                yield element


def _forget_before(element: etree._Element) -> None:
    """Take the units before a unit, which have been read, out of the tree."""
    parent = element.getparent()
    if element.tag == "tu" and parent is not None:
        while parent[0] is not element:
            del parent[0]


def _take_before(element: etree._Element, root: etree._Element) -> etree._Element:
    """Move the units before a unit into a tmx element like the one that is being read.

    The one being read cannot be checked: the parser is ahead, inside a later unit.
    """
    frame = etree.Element(
        root.tag, {str(key): str(root.attrib[key]) for key in root.attrib}
    )
    frame.sourceline = root.sourceline
    frame.extend(deepcopy(header) for header in root.findall("header"))
    body = etree.SubElement(frame, "body")
    parent = element.getparent()
    while parent is not None and parent[0] is not element:
        body.append(parent[0])
    return frame


def _open(path: Path) -> IO[bytes]:
    """Open a file for reading, unpacking what ends in .gz."""
    if path.suffix == ".gz":
        return cast("IO[bytes]", gzip.open(path, "rb"))
    return path.open("rb")


@contextmanager
def _report_errors(path: Path) -> Iterator[None]:
    """Turn what a damaged file raises into CorpusError."""
    try:
        yield
    except etree.XMLSyntaxError as error:
        line = error.lineno or 1
        raise CorpusError(f"{path}: line {line}: broken XML: {error.msg}") from error
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(f"{path}: cannot be read: {error}") from error


def _read_units(
    path: Path, element: etree._Element, source_lang: str
) -> Iterator[ExportUnit]:
    """Yield the units of a tu element: its source with each of its other variants."""
    source_lang = element.get("srclang", source_lang)
    variants = element.findall("tuv")
    source = _find_source(variants, source_lang)
    props = {
        prop.get("type", ""): "".join(_iter_text(path, prop))
        for prop in element.findall("prop")
    }
    origin = _read_origin(props)
    for variant in variants:
        if variant is not source and source is not None:
            yield ExportUnit(
                source=_read_segment(path, source),
                target=_read_segment(path, variant),
                kind=props.get("type", ""),
                score=_read_number(props.get("score")),
                info=tuple(props.get("info", "").split(SEPARATOR)),
                origin=origin,
            )


def _read_origin(props: dict[str, str]) -> UnitOrigin:
    """Return what the properties of a unit tell of its pages."""
    source, target = (
        PageOrigin(
            url=props.get(f"{side}-url", ""),
            file=props.get(f"{side}-file", ""),
            subdomains=props.get(f"{side}-subdomains", ""),
            license=props.get(f"{side}-license", props.get("license", "")),
            optouts=tuple(props.get(f"{side}-optouts", "").split(SEPARATOR)),
            fetched_at=props.get(f"{side}-fetched", ""),
        )
        for side in ("l1", "l2")
    )
    return UnitOrigin(
        source,
        target,
        probability=_read_number(props.get("pair-probability")),
        evidence=props.get("pair-evidence", ""),
        domain=props.get("domain", ""),
    )


def _find_source(
    variants: list[etree._Element], source_lang: str
) -> etree._Element | None:
    """Return the variant in the source language, by its tag or its language alone."""
    wanted = source_lang.lower()
    langs = [variant.get(XML_LANG, variant.get("lang", "")) for variant in variants]
    for matches in (str.lower, lambda tag: tag.lower().split("-")[0]):
        for variant, lang in zip(variants, langs, strict=True):
            if lang and matches(lang) == matches(wanted):
                return variant
    return variants[0] if variants else None


def _read_segment(path: Path, variant: etree._Element) -> str:
    """Return the text of a variant's segment."""
    segment = variant.find("seg")
    return "" if segment is None else "".join(_iter_text(path, segment))


def _iter_text(path: Path, element: etree._Element) -> Iterator[str]:
    """Yield the pieces of text in an element, without the codes of inline elements."""
    yield element.text or ""
    for child in element:
        tag: object = child.tag
        if tag is etree.Entity:
            raise CorpusError(
                f"{path}: line {element.sourceline}: entity {child.text} is not "
                "expanded; write its characters instead"
            )
        # Comments and processing instructions have a function for a tag.
        if isinstance(tag, str) and tag not in _CODE_TAGS:
            yield from _iter_text(path, child)
        yield child.tail or ""


def _read_number(text: str | None) -> float | None:
    """Return the number that a property holds, None where it holds none."""
    try:
        number = float(text or "nan")
    except ValueError:
        return None
    return number if math.isfinite(number) else None
