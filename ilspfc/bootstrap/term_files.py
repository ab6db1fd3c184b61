"""Files of terms: TBX, and lists as CSV or TSV.

TBX (ISO 30042) is terminology with an entry for each concept. TBX of 2019 (``conceptEntry``, ``langSec``, ``termSec``) and of 2008 (``termEntry``,
``langSet``, ``tig`` or ``ntig``) is read, as terminology servers export it; TBX-Basic of
2019 in the style DCA is written.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from lxml import etree

from ilspfc.bootstrap.concepts import BootstrapLog, Concept, SourceReason, Subject
from ilspfc.bootstrap.definition_terms import Definition, define
from ilspfc.bootstrap.skos import SKOS, iter_skos
from ilspfc.classification.definition import Term
from ilspfc.exceptions import ArgumentError, BootstrapError
from ilspfc.text.codes import find_iso639_3, to_iso639_3
from ilspfc.text.tbx import SUBJECT, TermEntry, write_tbx
from ilspfc.text.text_files import read_text
from ilspfc.text.xml_text import XML_LANG

_ENTRIES = ("{*}conceptEntry", "{*}termEntry")


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
        if node.get("type") == SUBJECT:
            concept.subdomain = " ".join((node.text or "").split())
    for section in entry.iter("{*}langSec", "{*}langSet"):
        lang = find_iso639_3(section.get(XML_LANG) or section.get("lang") or "")
        for node in section.iter("{*}term"):
            text = " ".join("".join(map(str, node.itertext())).split())
            if lang in langs and text and concept.names.setdefault(lang, text) != text:
                concept.variants.setdefault(lang, []).append(text)
    return concept


def write_definition(path: Path, definition: Definition, subject: str) -> None:
    """Write the entries of a definition as TBX-Basic."""
    entries = []
    for one in definition.entries:
        terms = {lang: list(others) for lang, others in one.variants.items()}
        for lang, name in one.names.items():
            terms[lang] = [name, *terms.get(lang, ())]
        entries.append(TermEntry(terms, one.subdomain))
    write_tbx(path, entries, definition.langs, subject)


# -- lists: a column for each language, or a line for each term ---------------------------

_DELIMITERS = "\t;,"
# Of a cell with several terms the first is the preferred one.
_VARIANTS = "|"
_COLUMNS = frozenset({"term", "lang", "weight", "subdomain"})


def iter_term_list(
    path: Path, langs: Sequence[str], log: BootstrapLog
) -> Iterator[Concept]:
    """Yield a concept for each line of a list; broken lines are counted.

    The header names languages (``en``, ``deu`` …: a line is a concept), or ``term`` and
    ``lang``; ``weight`` and ``subdomain`` may stand beside both.
    """
    text = read_text(path, str(path), "a CSV or TSV file in UTF-8", BootstrapError)
    delimiter = max(_DELIMITERS, key=text.partition("\n")[0].count)
    rows = csv.reader(text.splitlines(), delimiter=delimiter)
    header = [name.strip().casefold() for name in next(rows, [])]
    columns = _read_header(header, path)
    for number, row in enumerate(rows, 2):
        if not any(map(str.strip, row)):
            continue
        cells = dict(zip(header, map(str.strip, row), strict=False))
        try:
            concept = _read_line(cells, columns, number, langs)
        except ValueError:
            concept = None
        if concept is None or len(row) > len(header):
            log.drop(SourceReason.BROKEN_ROW, f"line {number}")
            continue
        if concept.names:
            yield concept


def _read_header(header: Sequence[str], path: Path) -> dict[str, str]:
    """Return the language of each column; BootstrapError for a header without any."""
    languages = {n: find_iso639_3(n) for n in header if n not in _COLUMNS}
    columns = {name: lang for name, lang in languages.items() if lang}
    if not columns and not {"term", "lang"} <= {*header}:
        raise BootstrapError(
            f"{path}: the first line, {' '.join(header)!r}, names no columns; it must have"
            " languages, as in en,de,it, or term and lang"
        )
    return columns


def _read_line(
    cells: Mapping[str, str],
    columns: Mapping[str, str],
    number: int,
    langs: Sequence[str],
) -> Concept:
    """Return the concept of a line; ValueError for a broken weight or language."""
    concept = Concept(f"line {number}", subdomain=cells.get("subdomain", ""))
    if cells.get("weight"):
        concept.weight = float(cells["weight"])
        if not concept.weight or not math.isfinite(concept.weight):
            raise ValueError(cells["weight"])
    for name, lang in (columns or {"term": to_iso639_3(cells.get("lang", ""))}).items():
        terms = [" ".join(t.split()) for t in cells.get(name, "").split(_VARIANTS)]
        first, *more = list(filter(None, terms)) or [""]
        if first and lang in langs:
            concept.names[lang] = first
            concept.variants[lang] = more
    return concept


# -- the text of a file, in any of these formats, or a thesaurus in SKOS ------------------

_STEPS, _MAX_CONCEPTS = 5, 5000


def read_terms(text: str, langs: Collection[str], concept: str) -> tuple[Term, ...]:
    """Return the terms in some languages (ISO 639-3), with weights up to 100.

    Of a thesaurus those of a concept and of narrower ones are taken. ArgumentError for a text
    in no known format and for an unknown concept.
    """
    log, wanted = BootstrapLog(), tuple(langs)
    # Turtle ends with a full stop, a list with a term.
    is_xml = text.rstrip().endswith(">")
    with TemporaryDirectory() as folder:
        path = Path(folder) / ("import.xml" if is_xml else "import.ttl")
        path.write_text(text, encoding="utf-8")
        if SKOS in text:
            subject = Subject(concept, wanted, _STEPS, _MAX_CONCEPTS)
            concepts = iter_skos(path, subject, log)
        elif is_xml:
            concepts = iter_tbx(path, wanted)
        else:
            concepts = iter_term_list(path, wanted, log)
        try:
            definition = define(list(concepts), wanted, log, keeps_names=True)
        except BootstrapError as error:
            raise ArgumentError(str(error).replace(str(path), "import")) from error
    return definition.terms
