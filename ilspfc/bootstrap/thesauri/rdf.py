"""RDF in the two forms that thesauri are handed out in: RDF/XML, and Turtle elsewhere.

A reader of our own: what thesauri need is little, and a graph library keeps everything
that is in a file in memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

from lxml import etree

from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_SYNTAX = frozenset(
    _RDF + name
    for name in ("about", "ID", "nodeID", "resource", "parseType", "datatype")
)
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


class Triple(NamedTuple):
    """A statement.

    ``lang`` is None where the object is a resource, empty for text without a language.
    """

    subject: str
    predicate: str
    object: str
    lang: str | None = None


def iter_rdf_xml(path: Path) -> Iterator[Triple]:
    """Yield the statements of a file in RDF/XML (W3C, 2014), node by node.

    Of collections each member is one; reification is passed over. BootstrapError: the file
    cannot be read, or is no RDF/XML; what stands before the error has been yielded.
    """
    reader = _Reader()
    depth = 0
    try:
        # Namespaces are often written as entities of the file's own, in attributes, where
        # they are read all the same; others, from elsewhere, never are.
        events = etree.iterparse(
            str(path),
            events=("start", "end"),
            resolve_entities=False,
            no_network=True,
        )
        for event, node in events:
            if event == "start":
                if depth == 0:
                    reader.begin(node)
                depth += 1
                continue
            depth -= 1
            if depth == 1 and reader.is_list:
                yield from reader.read_node(node)[1]
                node.clear()
                while node.getprevious() is not None:
                    del node.getparent()[0]
            elif depth == 0 and not reader.is_list:
                yield from reader.read_node(node)[1]
    except (OSError, etree.XMLSyntaxError) as error:
        raise BootstrapError(
            f"{path}: cannot be read as RDF/XML ({error}); give a whole file, in Turtle"
            " one that is named .ttl or .nt"
        ) from error


class _Reader:
    """Turns elements into statements."""

    def __init__(self) -> None:
        self.is_list = False
        self._base = ""
        self._blank = 0

    def begin(self, root: etree._Element) -> None:
        """Take down what holds for the whole file."""
        self.is_list = root.tag == f"{_RDF}RDF"
        self._base = root.get(_XML_BASE) or ""

    def read_node(self, node: etree._Element) -> tuple[str, list[Triple]]:
        """Return the resource that an element describes, and what it says of it."""
        subject = self._subject_of(node)
        triples: list[Triple] = []
        if node.tag != f"{_RDF}Description":
            triples.append(Triple(subject, RDF_TYPE, _iri(str(node.tag))))
        for name, value in node.attrib.items():
            if str(name) not in _SYNTAX and not str(name).startswith(
                "{http://www.w3.org/XML"
            ):
                triples.append(Triple(subject, _iri(str(name)), str(value), ""))
        for child in node.iterchildren("*"):
            triples += self._read_property(subject, child)
        return subject, triples

    def _read_property(self, subject: str, node: etree._Element) -> list[Triple]:
        predicate = _iri(str(node.tag))
        target = node.get(f"{_RDF}resource")
        if target is not None:
            return [Triple(subject, predicate, urljoin(self._base, target))]
        if (label := node.get(f"{_RDF}nodeID")) is not None:
            return [Triple(subject, predicate, f"_:{label}")]
        children = list(node.iterchildren("*"))
        if node.get(f"{_RDF}parseType") == "Resource":
            inner, triples = self.read_node(node)
            return [Triple(subject, predicate, inner), *triples[1:]]
        if not children:
            text = " ".join((node.text or "").split())
            return [Triple(subject, predicate, text, _language_of(node))]
        triples = []
        for child in children:
            inner, said = self.read_node(child)
            triples += [Triple(subject, predicate, inner), *said]
        return triples

    def _subject_of(self, node: etree._Element) -> str:
        if (about := node.get(f"{_RDF}about")) is not None:
            return urljoin(self._base, about)
        if (identity := node.get(f"{_RDF}ID")) is not None:
            return urljoin(self._base, f"#{identity}")
        if (label := node.get(f"{_RDF}nodeID")) is not None:
            return f"_:{label}"
        self._blank += 1
        return f"_:b{self._blank}"


def _language_of(node: etree._Element) -> str:
    """Return the language that an element is in, by itself or those around it."""
    current: etree._Element | None = node
    while current is not None:
        if (lang := current.get(_XML_LANG)) is not None:
            return str(lang)
        current = current.getparent()
    return ""


def _iri(tag: str) -> str:
    return tag[1:].replace("}", "", 1) if tag.startswith("{") else tag
