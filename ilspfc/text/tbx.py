"""Writing of terms as TBX-Basic (ISO 30042:2019), in the style DCA."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lxml import etree
from lxml.builder import ElementMaker

from ilspfc.text.codes import to_bcp47
from ilspfc.text.xml_text import XML_LANG, write_xml

NAMESPACE = "urn:iso:std:iso:30042:ed-2"
SUBJECT = "subjectField"
_TBX = ElementMaker(namespace=NAMESPACE, nsmap={None: NAMESPACE})


class TermEntry(NamedTuple):
    """Terms of a concept by language (ISO 639-3), the preferred one first, and its field."""

    terms: Mapping[str, Sequence[str]]
    subject: str = ""


def write_tbx(
    path: Path, entries: Iterable[TermEntry], langs: Sequence[str], title: str
) -> None:
    """Write entries with their terms in some languages (ISO 639-3), the first that of the file."""
    made = (_make_entry(f"c{n}", entry, langs) for n, entry in enumerate(entries, 1))
    source = _TBX.sourceDesc(_TBX.p("collected by ilspfc for review"))
    root = _TBX.tbx(
        {"type": "TBX-Basic", "style": "dca", XML_LANG: to_bcp47(langs[0])},
        _TBX.tbxHeader(_TBX.fileDesc(_TBX.titleStmt(_TBX.title(title)), source)),
        _TBX.text(_TBX.body(*made)),
    )
    write_xml(path, root)


def _make_entry(
    identity: str, entry: TermEntry, langs: Sequence[str]
) -> etree._Element:
    """Return the element of an entry; terms behind the first are admitted ones."""
    made: etree._Element = _TBX.conceptEntry(id=identity)
    if entry.subject:
        made.append(_TBX.descrip(entry.subject, type=SUBJECT))
    for lang in langs:
        section = _TBX.langSec({XML_LANG: to_bcp47(lang)})
        for number, term in enumerate(entry.terms.get(lang, ())):
            section.append(_TBX.termSec(_TBX.term(term)))
            if number:
                note = _TBX.termNote(
                    "admittedTerm-admn-sts", type="administrativeStatus"
                )
                section[-1].append(note)
        if len(section):
            made.append(section)
    return made
