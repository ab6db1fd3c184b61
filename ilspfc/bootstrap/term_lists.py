"""Lists of terms as CSV or TSV: a column for each language, or a line for each term."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ilspfc.bootstrap.concepts import BootstrapLog, Concept, SourceReason
from ilspfc.exceptions import BootstrapError
from ilspfc.text.codes import find_iso639_3, to_iso639_3

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
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BootstrapError(
            f"{path}: cannot be read ({error}); give a CSV or TSV file in UTF-8"
        ) from error
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
