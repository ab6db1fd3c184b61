"""TMX 1.1 to 1.4, read unit by unit.

Files may be hostile: no network is used, no DTD loaded, no entity expanded.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from lxml import etree

from ilspfc.exceptions import CorpusError
from ilspfc.exports.interchange.tmx_writer import KNOWN_TYPES, SCORE_PREFIX, SEPARATOR
from ilspfc.exports.units import ExportUnit, PageOrigin, UnitOrigin
from ilspfc.text.packed import TooLargeError, open_packed
from ilspfc.text.xml_text import XML_LANG

MAX_UNIT_BYTES = 1 << 20
"""Bytes of a unit, with everything since the unit before it, when decompressed."""
# Inline elements that hold the codes of the original format instead of text.
_CODE_TAGS = frozenset({"bpt", "ept", "it", "ph", "ut"})
# Codes that separate words, by their type (TMX 1.4b, "type": line, page and column break) or by
# their content: tags that begin or end a line, a tab or a line end, also as an escape.
_BREAK_TYPES = frozenset({"br", "break", "cb", "lb", "linebreak", "pb", "tab"})
_BREAK_RE = re.compile(
    r"\s+|.*(?:</?(?:\w+:)?(?:br|cr|dd|div|dt|h[1-6]|hr|lb|li|line-?break|p|t[dhr]|tab)\b"
    r"|\\(?:line|linebreak|n|newline|par|r|t|tab)(?![a-z])).*",
    re.IGNORECASE | re.DOTALL,
)
# No XML file can hold it.
_BREAK = "\0"
_BREAKS_RE = re.compile(rf"\s*{_BREAK}[\s{_BREAK}]*")


@dataclass(frozen=True, slots=True)
class TmxEntry:
    """A tu element: its variants, language tag and text each, and its properties.

    ``source`` is the number of the variant in the language of the unit's or the file's
    ``srclang``, or 0.
    """

    variants: tuple[tuple[str, str], ...]
    source: int
    props: tuple[tuple[str, str], ...]

    def make_unit(self, target: int) -> ExportUnit:
        """Return the unit of the source with one of the other variants."""
        props = dict(self.props)
        return ExportUnit(
            source=self.variants[self.source][1],
            target=self.variants[target][1],
            kind=props.get("type", ""),
            score=_read_number(props.get("score")),
            info=tuple(props.get("info", "").split(SEPARATOR)),
            origin=_read_origin(props),
            props=tuple(prop for prop in self.props if not _is_own(prop)),
            scores=tuple(
                (kind.removeprefix(SCORE_PREFIX), score)
                for kind, text in self.props
                if kind.startswith(SCORE_PREFIX)
                and (score := _read_number(text)) is not None
            ),
        )


def _is_own(prop: tuple[str, str]) -> bool:
    """Test whether a property is one that our writer writes by itself."""
    kind, text = prop
    is_score = kind.startswith(SCORE_PREFIX) and _read_number(text) is not None
    return kind in KNOWN_TYPES or is_score


def read_tmx(path: Path) -> Iterator[ExportUnit]:
    """Yield the translation units of a TMX 1.1 to 1.4 file, in bounded memory.

    The source is the variant in the language of the unit's or the file's ``srclang``,
    or the first; every other variant makes a unit with it, so a unit with one variant
    makes none. Codes inside segments are left out; a line break or a tab
    among them is a space. Raises CorpusError,
    with the line, for a file that is missing, damaged or not TMX.
    """
    for entry in read_entries(path):
        for number in range(len(entry.variants)):
            if number != entry.source:
                yield entry.make_unit(number)


def read_entries(path: Path) -> Iterator[TmxEntry]:
    """Yield the tu elements of a file as :func:`read_tmx` reads them."""
    source_lang = ""
    for element in iter_elements(path):
        if element.tag == "header":
            source_lang = element.get("srclang", "")
        else:
            yield _read_entry(path, element, source_lang)
            # Units that have been read go from the tree.
            parent = element.getparent()
            while parent is not None and parent[0] is not element:
                del parent[0]


def read_header(path: Path) -> dict[str, str]:
    """Return the attributes of a file's header, empty if it has none."""
    for element in iter_elements(path):
        if element.tag == "header":
            return {str(name): str(element.attrib[name]) for name in element.attrib}
        break
    return {}


def find_lang(variant: etree._Element) -> str:
    """Return the language tag of a variant, as TMX 1.4 or its first versions give it."""
    return str(variant.get(XML_LANG, variant.get("lang", "")))


def iter_elements(path: Path) -> Iterator[etree._Element]:
    """Yield the header and the tu elements of a file, in order."""
    with _report_errors(path), open_packed(path) as opened:
        file = _BoundedFile(opened)
        context = etree.iterparse(
            cast("IO[bytes]", file),
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
                file.left = MAX_UNIT_BYTES
                yield element


class _BoundedFile:
    """A file of which no more than ``left`` bytes are read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.left = MAX_UNIT_BYTES

    def read(self, size: int) -> bytes:
        """Return some bytes; TooLargeError for a unit that does not end."""
        data = self._file.read(size)
        self.left -= len(data)
        if self.left < 0:
            raise TooLargeError(f"a unit of more than {MAX_UNIT_BYTES >> 20} MiB")
        return data


@contextmanager
def _report_errors(path: Path) -> Iterator[None]:
    """Turn the errors of a damaged file into CorpusError."""
    try:
        yield
    except etree.XMLSyntaxError as error:
        line = error.lineno or 1
        raise CorpusError(f"{path}: line {line}: broken XML: {error.msg}") from error
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(f"{path}: cannot be read: {error}") from error


def _read_entry(path: Path, element: etree._Element, source_lang: str) -> TmxEntry:
    """Return the variants and properties of a tu element."""
    variants = element.findall("tuv")
    langs = [find_lang(variant) for variant in variants]
    texts = [_read_segment(path, variant) for variant in variants]
    return TmxEntry(
        tuple(zip(langs, texts, strict=True)),
        find_source(langs, element.get("srclang", source_lang)),
        tuple(
            (prop.get("type", ""), "".join(_iter_text(path, prop)))
            for prop in element.findall("prop")
        ),
    )


def _read_origin(props: dict[str, str]) -> UnitOrigin:
    """Return the origin of a unit from its properties."""
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


def find_source(langs: Sequence[str], source_lang: str) -> int:
    """Return the number of the source language, by its tag or primary subtag, or 0."""
    wanted = source_lang.lower()
    for matches in (str.lower, lambda tag: tag.lower().split("-")[0]):
        for number, lang in enumerate(langs):
            if lang and matches(lang) == matches(wanted):
                return number
    return 0


def _read_segment(path: Path, variant: etree._Element) -> str:
    """Return the text of a variant's segment."""
    segment = variant.find("seg")
    text = "" if segment is None else "".join(_iter_text(path, segment))
    return _BREAKS_RE.sub(" ", text).strip() if _BREAK in text else text


def _iter_text(path: Path, element: etree._Element) -> Iterator[str]:
    """Yield the pieces of text in an element; a code that separates words is a break."""
    yield element.text or ""
    for child in element:
        tag: object = child.tag
        if tag is etree.Entity:
            raise CorpusError(
                f"{path}: line {element.sourceline}: entity {child.text} is not "
                "expanded; write its characters instead"
            )
        # Comments and processing instructions have a function for a tag.
        if tag in _CODE_TAGS:
            if _is_break(child):
                yield _BREAK
        elif isinstance(tag, str):
            yield from _iter_text(path, child)
        yield child.tail or ""


def _is_break(code: etree._Element) -> bool:
    kind = str(code.get("type", "")).lower().removeprefix("x-")
    return kind in _BREAK_TYPES or bool(_BREAK_RE.fullmatch(code.text or ""))


def _read_number(text: str | None) -> float | None:
    """Return the value of a property as a number, None if it is no finite number."""
    try:
        number = float(text or "nan")
    except ValueError:
        return None
    return number if math.isfinite(number) else None
