"""Validation of XML files by their schemas: cesDoc, cesAlign, XCES of OPUS, TMX."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

from lxml import etree

from ilspfc.corpus.xml import COLLECTION, DOCUMENT, NAMESPACE
from ilspfc.exceptions import CorpusError
from ilspfc.exports.formats.xces import read_links, read_xml
from ilspfc.exports.interchange.tmx_check import TmxCheck, TmxProblem, line_of

SUFFIXES = (".xml", ".tmx", ".tmx.gz", ".xml.gz")
"""Ends of the names of files that are checked in a folder."""

_ALIGNMENT = f"{{{NAMESPACE}}}cesAlign"
_LINKS = "cesAlign"  # of OPUS, in no namespace


class UnknownKindError(CorpusError):
    """File of a kind without a schema."""


def find_problems(path: Path) -> Iterator[TmxProblem]:
    """Yield the problems of a file against the schema of its kind, by line.

    Files and sentences that cesAlign and XCES files name must exist. Raises CorpusError for a file that cannot be read, UnknownKindError for one
    of another kind.
    """
    if ".tmx" in path.suffixes:
        yield from TmxCheck(path).problems()
        return
    root = read_xml(path)
    if root.tag in {DOCUMENT, _ALIGNMENT}:
        yield from _check(root)
        for element in root.iter(f"{{{NAMESPACE}}}translation"):
            name = element.get("trans.loc", "")
            if not (path.parent / name).is_file():
                yield TmxProblem(line_of(element), f"{name} is not there")
    elif root.tag == COLLECTION:
        for document in root:
            yield from _check(document)
    elif root.tag == _LINKS:
        for _ in read_links(path):
            pass
    else:
        raise UnknownKindError(
            f"{path}: its root is {root.tag}; cesDoc, cesAlign, XCES and TMX can be checked"
        )


def _check(root: etree._Element) -> Iterator[TmxProblem]:
    schema = _read_schema()
    if not schema.validate(root):
        for error in list(schema.error_log):  # type: ignore[call-overload]
            yield TmxProblem(error.line, error.message.replace(f"{{{NAMESPACE}}}", ""))


def iter_files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and its folders that may be of a kind with a schema."""
    for path in sorted(folder.rglob("*")):
        if path.name.endswith(SUFFIXES) and path.is_file():
            yield path


@cache
def _read_schema() -> etree.XMLSchema:
    source = files("ilspfc.corpus").joinpath("ces.xsd").read_bytes()
    return etree.XMLSchema(etree.fromstring(source))
