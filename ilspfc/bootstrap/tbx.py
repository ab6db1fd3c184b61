"""TBX: terminology with an entry for each concept (ISO 30042).

TBX of 2019 (``conceptEntry``, ``langSec``, ``termSec``) and of 2008 (``termEntry``,
``langSet``, ``tig`` or ``ntig``) is read, as terminology servers export it; TBX-Basic of
2019 in the style DCA is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from ilspfc.atomic import open_atomic
from ilspfc.bootstrap.concepts import Concept
from ilspfc.exceptions import BootstrapError
from ilspfc.text.codes import to_bcp47, to_iso639_3

if TYPE_CHECKING:
    from ilspfc.bootstrap.definition_terms import Definition, TermEntry

NAMESPACE = "urn:iso:std:iso:30042:ed-2"
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_ENTRIES = ("{*}conceptEntry", "{*}termEntry")
_SUBJECT = "subjectField"


def iter_tbx(path: Path, langs: Sequence[str]) -> Iterator[Concept]:
    """Yield a concept for each entry of a file with a term in one of the languages."""
    number = 0
    try:
        # External entities and DTDs are never fetched.
        events = etree.iterparse(
            str(path), tag=_ENTRIES, resolve_entities=False, no_network=True
        )
        for number, (_, entry) in enumerate(events, 1):
            concept = _read_entry(entry, number, langs)
            entry.clear()
            if concept.names:
                yield concept
    except (OSError, etree.XMLSyntaxError) as error:
        rest = "what stands before is kept" if number else "give a TBX file"
        raise BootstrapError(
            f"{path}: cannot be read as TBX ({error}); {rest}"
        ) from error
    if not number:
        raise BootstrapError(
            f"{path}: no conceptEntry or termEntry in it; give a TBX file"
        )


def _read_entry(entry: etree._Element, number: int, langs: Sequence[str]) -> Concept:
    concept = Concept(entry.get("id") or str(number))
    for node in entry.iter("{*}descrip"):
        if node.get("type") == _SUBJECT:
            concept.subdomain = " ".join((node.text or "").split())
    for section in entry.iter("{*}langSec", "{*}langSet"):
        try:
            lang = to_iso639_3(section.get(_XML_LANG) or section.get("lang") or "")
        except ValueError:
            continue
        for node in section.iter("{*}term"):
            text = " ".join("".join(map(str, node.itertext())).split())
            if lang in langs and text and concept.names.setdefault(lang, text) != text:
                concept.variants.setdefault(lang, []).append(text)
    return concept


def write_tbx(path: Path, definition: Definition, subject: str) -> None:
    """Write the entries of a definition as TBX-Basic."""
    root = etree.fromstring(f'<tbx xmlns="{NAMESPACE}" type="TBX-Basic" style="dca"/>')
    root.set(_XML_LANG, to_bcp47(definition.langs[0]))
    description = _add(_add(root, "tbxHeader"), "fileDesc")
    _add(_add(description, "titleStmt"), "title", subject)
    _add(_add(description, "sourceDesc"), "p", "collected by ilspfc for review")
    body = _add(_add(root, "text"), "body")
    for number, entry in enumerate(definition.entries, 1):
        node = _add(body, "conceptEntry")
        node.set("id", f"c{number}")
        if entry.subdomain:
            _add(node, "descrip", entry.subdomain).set("type", _SUBJECT)
        for lang in definition.langs:
            _add_section(node, entry, lang)
    with open_atomic(path) as file:
        etree.ElementTree(root).write(
            file, encoding="UTF-8", xml_declaration=True, pretty_print=True
        )


def _add_section(node: etree._Element, entry: TermEntry, lang: str) -> None:
    """Add the terms of a language; variants are admitted terms."""
    name, variants = entry.names.get(lang), entry.variants.get(lang, ())
    if not name and not variants:
        return
    section = _add(node, "langSec")
    section.set(_XML_LANG, to_bcp47(lang))
    if name:
        _add(_add(section, "termSec"), "term", name)
    for variant in variants:
        part = _add(section, "termSec")
        _add(part, "term", variant)
        note = _add(part, "termNote", "admittedTerm-admn-sts")
        note.set("type", "administrativeStatus")


def _add(parent: etree._Element, name: str, text: str | None = None) -> etree._Element:
    node = etree.SubElement(parent, f"{{{NAMESPACE}}}{name}")
    node.text = text
    return node
