"""Validation of a TMX file by its DTD, and for further problems that importers refuse."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, cast

import langcodes
from lxml import etree

from ilspfc.exceptions import CorpusError
from ilspfc.exports.interchange.tmx_reader import find_lang, find_source, iter_elements
from ilspfc.exports.interchange.tmx_writer import VERSION
from ilspfc.text.xml_text import FORBIDDEN

DTD_NAME = "tmx14.dtd"

BATCH_UNITS = 100
"""Units that are checked, and kept in memory, together."""

OLD_VERSIONS = frozenset({"1.1", "1.2", "1.3"})
"""Versions with other DTDs, which are not checked."""

_ALL_LANGS = "*all*"
_FORBIDDEN_RE = re.compile(f"[{FORBIDDEN}]")


class TmxProblem(NamedTuple):
    """Problem in a line of a file."""

    line: int
    text: str


class TmxCheck:
    """Checks a file, a batch of units at a time.

    ``version``, the number of ``units`` and of variants in each of the ``langs``, by their
    tags, are known when :meth:`problems` has ended.
    """

    def __init__(self, path: Path) -> None:
        self.version = ""
        self.units = 0
        self.langs: Counter[str] = Counter()
        self._path = path
        self._source_lang = ""

    def problems(self) -> Iterator[TmxProblem]:
        """Yield the problems, batch by batch in the order of lines.

        Each unit has two variants or more, in languages with valid BCP 47 tags, all
        different, one of them the source language; each variant a segment with text in
        it and without control characters. A file of TMX 1.4 conforms to its DTD. Raises
        CorpusError for a file that cannot be read to its end.
        """
        for tree in _iter_trees(self._path):
            self.version = tree.get("version", "")
            found = chain.from_iterable(map(self._look_at, tree.iter("header", "tu")))
            is_old = self.version in OLD_VERSIONS
            yield from sorted([*found, *(() if is_old else _find_errors(tree))])

    def _look_at(self, element: etree._Element) -> Iterator[TmxProblem]:
        """Yield the problems of a unit that a DTD does not find, or remember a header."""
        line = line_of(element)
        if element.tag == "header":
            self._source_lang = element.get("srclang", "")
            return
        self.units += 1
        variants = element.findall("tuv")
        langs = [find_lang(variant) for variant in variants]
        self.langs.update(langs)
        source_lang = element.get("srclang", self._source_lang)
        if len(variants) < 2:
            yield TmxProblem(line, "the unit has no translation")
        elif source_lang.lower() != _ALL_LANGS and not _has_lang(langs, source_lang):
            given = ", ".join(langs)
            yield TmxProblem(
                line, f"no variant is in the source language {source_lang!r}: {given}"
            )
        for lang, number in Counter(filter(None, langs)).items():
            if number > 1:
                yield TmxProblem(line, f"{number} variants are in {lang!r}")
        for variant, lang in zip(variants, langs, strict=True):
            yield from _look_at_variant(variant, lang)
            if not lang and self.version in OLD_VERSIONS:
                yield TmxProblem(line_of(variant), "the variant has no language")


def validate_tmx(path: Path) -> None:
    """Raise CorpusError with the first error of a file against the TMX 1.4 DTD.

    Batches of units are checked, so size does not matter.
    """
    for tree in _iter_trees(path):
        for line, text in _find_errors(tree):
            raise CorpusError(f"{path}: line {line}: {text}")


def _iter_trees(path: Path) -> Iterator[etree._Element]:
    """Yield the file in parts of some units, each a tmx element with the header."""
    root = None
    for number, element in enumerate(iter_elements(path), 1):
        root = element.getroottree().getroot()
        if number % BATCH_UNITS == 0 and element.tag == "tu":
            yield _take_before(element, root)
    if root is None:
        raise CorpusError(f"{path}: line 1: there is no header; this is no TMX file")
    yield root


@cache
def _read_dtd() -> etree.DTD:
    folder = resources.files("ilspfc.exports.interchange")
    with folder.joinpath(DTD_NAME).open("rb") as file:
        return etree.DTD(file)


def _find_errors(root: etree._Element) -> Iterator[TmxProblem]:
    """Yield the errors of a tree against the DTD."""
    dtd = _read_dtd()
    if not dtd.validate(root):
        for error in cast("Any", dtd.error_log):
            yield TmxProblem(error.line, f"not TMX {VERSION}: {error.message}")


def line_of(element: etree._Element) -> int:
    """Return the line of an element in its file, 0 if unknown."""
    line: int | None = cast("Any", element).sourceline
    return line or 0


def _has_lang(langs: list[str], wanted: str) -> bool:
    found = langs[find_source(langs, wanted)].lower().split("-")[0]
    return found == wanted.lower().split("-")[0]


def _look_at_variant(variant: etree._Element, lang: str) -> Iterator[TmxProblem]:
    line = line_of(variant)
    if lang and not langcodes.tag_is_valid(lang):
        yield TmxProblem(line, f"{lang!r} is no language tag (BCP 47)")
    segment = variant.find("seg")
    text = "" if segment is None else "".join(map(str, segment.itertext()))
    line = line if segment is None else line_of(segment)
    if not text.strip():
        yield TmxProblem(line, "the segment is empty")
    if match := _FORBIDDEN_RE.search(text):
        code = f"U+{ord(match[0]):04X}"
        yield TmxProblem(line, f"the segment has the character {code}")


def _take_before(element: etree._Element, root: etree._Element) -> etree._Element:
    """Move the units before a unit into a tmx element like the one that is being read.

    The tree that is being read cannot be checked: the parser is inside a later unit.
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
