"""TBX: terminology with an entry for each concept (ISO 30042).

Read are TBX of 2019 (``conceptEntry``, ``langSec``, ``termSec``) and of 2008
(``termEntry``, ``langSet``, ``tig`` or ``ntig``), as terminology servers export it; written
is TBX-Basic of 2019 in the style DCA.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from ilspfc.atomic import open_atomic
from ilspfc.bootstrap.concepts import Concept
from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from ilspfc.bootstrap.terms.definition_terms import TermEntry

NAMESPACE = "urn:iso:std:iso:30042:ed-2"

_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_ENTRIES = ("conceptEntry", "termEntry")
_LANG_SECTIONS = frozenset({"langSec", "langSet"})
_TERM = "term"
_SUBJECT = "subjectField"


class TbxSource:
    """Takes concepts from a TBX file; every entry of it is one of the subject."""

    def __init__(self, path: Path, to_code: Callable[[str], str]) -> None:
        self._path = path
        self._to_code = to_code

    def iter_concepts(self, subject: str, langs: Sequence[str]) -> Iterator[Concept]:
        """Yield a concept for each entry with a term in one of the languages."""
        del subject  # the file is about it
        found = False
        try:
            tags = [f"{{*}}{name}" for name in _ENTRIES]
            # External entities and DTDs are never fetched.
            events = etree.iterparse(
                str(self._path), tag=tags, resolve_entities=False, no_network=True
            )
            for number, (_, entry) in enumerate(events, 1):
                found = True
                concept = self._read_entry(entry, number, frozenset(langs))
                entry.clear()
                if concept.names:
                    yield concept
        except (OSError, etree.XMLSyntaxError) as error:
            raise BootstrapError(
                f"{self._path}: cannot be read as TBX ({error}); what stands before is kept"
                if found
                else f"{self._path}: cannot be read as TBX ({error}); give a TBX file"
            ) from error
        if not found:
            raise BootstrapError(
                f"{self._path}: no conceptEntry or termEntry in it; give a TBX file"
            )

    def _read_entry(
        self, entry: etree._Element, number: int, langs: frozenset[str]
    ) -> Concept:
        concept = Concept(entry.get("id") or str(number))
        for node in entry.iter("*"):
            if _name(node) == "descrip" and node.get("type") == _SUBJECT:
                concept.subdomain = " ".join((node.text or "").split())
            if _name(node) not in _LANG_SECTIONS:
                continue
            try:
                lang = self._to_code(node.get(_XML_LANG) or node.get("lang") or "")
            except ValueError:
                continue
            if lang in langs:
                _add_terms(concept, lang, node)
        return concept


def _add_terms(concept: Concept, lang: str, section: etree._Element) -> None:
    for node in section.iter("*"):
        text = " ".join("".join(map(str, node.itertext())).split())
        if _name(node) != _TERM or not text:
            continue
        if concept.names.setdefault(lang, text) != text:
            concept.variants.setdefault(lang, []).append(text)


def _name(node: etree._Element) -> str:
    return str(node.tag).rpartition("}")[2]


def write_tbx(
    path: Path, entries: Iterable[TermEntry], langs: Sequence[str], subject: str
) -> None:
    """Write entries as TBX-Basic; ``langs`` are their codes, the tags being BCP 47.

    The names and variants of ``entries`` are by tag.
    """
    with open_atomic(path) as file:
        file.write(
            b'<?xml version="1.0" encoding="UTF-8"?>\n<tbx type="TBX-Basic" style="dca"'
        )
        file.write(f' xml:lang="{langs[0]}" xmlns="{NAMESPACE}">\n'.encode())
        file.write(_format(_make_header(subject)))
        file.write(b"<text><body>\n")
        for number, entry in enumerate(entries, 1):
            file.write(_format(_make_entry(entry, number, langs)))
        file.write(b"</body></text>\n</tbx>\n")


def _format(node: etree._Element) -> bytes:
    """Return an element as it stands within the namespace of the root."""
    return etree.tostring(node, pretty_print=True, encoding="unicode").encode()


def _add(parent: etree._Element, name: str, text: str = "") -> etree._Element:
    node = etree.SubElement(parent, name)
    if text:
        node.text = text
    return node


def _make_header(subject: str) -> etree._Element:
    header = etree.Element("tbxHeader")
    description = _add(header, "fileDesc")
    _add(_add(description, "titleStmt"), "title", subject)
    _add(_add(description, "sourceDesc"), "p", "collected by ilspfc for review")
    return header


def _make_entry(entry: TermEntry, number: int, langs: Sequence[str]) -> etree._Element:
    node = etree.Element("conceptEntry", id=f"c{number}")
    if entry.subdomain:
        _add(node, "descrip", entry.subdomain).set("type", _SUBJECT)
    for lang in langs:
        terms = [*filter(None, [entry.names.get(lang)]), *entry.variants.get(lang, ())]
        if not terms:
            continue
        section = _add(node, "langSec")
        section.set(_XML_LANG, lang)
        for term in terms:
            part = _add(section, "termSec")
            _add(part, "term", term)
            if term != entry.names.get(lang):
                status = _add(part, "termNote", "admittedTerm-admn-sts")
                status.set("type", "administrativeStatus")
    return node
