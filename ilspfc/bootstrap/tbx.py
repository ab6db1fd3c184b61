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
from lxml.builder import ElementMaker

from ilspfc.atomic import open_atomic
from ilspfc.bootstrap.concepts import Concept
from ilspfc.exceptions import BootstrapError
from ilspfc.text.codes import find_iso639_3, to_bcp47

if TYPE_CHECKING:
    from ilspfc.bootstrap.definition_terms import Definition

NAMESPACE = "urn:iso:std:iso:30042:ed-2"
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_ENTRIES = ("{*}conceptEntry", "{*}termEntry")
_SUBJECT = "subjectField"
_TBX = ElementMaker(namespace=NAMESPACE, nsmap={None: NAMESPACE})


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
        lang = find_iso639_3(section.get(_XML_LANG) or section.get("lang") or "")
        for node in section.iter("{*}term"):
            text = " ".join("".join(map(str, node.itertext())).split())
            if lang in langs and text and concept.names.setdefault(lang, text) != text:
                concept.variants.setdefault(lang, []).append(text)
    return concept


def write_tbx(path: Path, definition: Definition, subject: str) -> None:
    """Write the entries of a definition as TBX-Basic."""
    langs = definition.langs
    entries = (
        _make_entry(f"c{n}", e, langs) for n, e in enumerate(definition.entries, 1)
    )
    source = _TBX.sourceDesc(_TBX.p("collected by ilspfc for review"))
    root = _TBX.tbx(
        {"type": "TBX-Basic", "style": "dca", _XML_LANG: to_bcp47(langs[0])},
        _TBX.tbxHeader(_TBX.fileDesc(_TBX.titleStmt(_TBX.title(subject)), source)),
        _TBX.text(_TBX.body(*entries)),
    )
    with open_atomic(path) as file:
        etree.ElementTree(root).write(
            file, encoding="UTF-8", xml_declaration=True, pretty_print=True
        )


def _make_entry(
    identity: str, concept: Concept, langs: Sequence[str]
) -> etree._Element:
    """Return the entry of a concept; variants are admitted terms."""
    entry: etree._Element = _TBX.conceptEntry(id=identity)
    if concept.subdomain:
        entry.append(_TBX.descrip(concept.subdomain, type=_SUBJECT))
    for lang in langs:
        section = _TBX.langSec({_XML_LANG: to_bcp47(lang)})
        if name := concept.names.get(lang):
            section.append(_TBX.termSec(_TBX.term(name)))
        for variant in concept.variants.get(lang, ()):
            note = _TBX.termNote("admittedTerm-admn-sts", type="administrativeStatus")
            section.append(_TBX.termSec(_TBX.term(variant), note))
        if len(section):
            entry.append(section)
    return entry
