"""Workbooks (XLSX) that a person has judged and corrected, read as entries of a memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

from ilspfc.exceptions import CorpusError
from ilspfc.exports.formats.lines import COLUMNS
from ilspfc.exports.formats.tables import VERDICT
from ilspfc.exports.interchange.tmx_reader import TmxEntry
from ilspfc.text.workbooks import iter_rows

WRONG = "wrong"
VERDICTS = ("", "right", "partly", WRONG)
"""Verdicts on a unit; without one it has not been judged."""
# Properties of a memory by the columns that have them, here and in a TSV.
_PROPS = {
    "aligner_score": "score",
    "src_url": "l1-url",
    "trg_url": "l2-url",
    "src_license": "l1-license",
    "trg_license": "l2-license",
    "src_optouts": "l1-optouts",
    "trg_optouts": "l2-optouts",
    "src_fetched": "l1-fetched",
    "trg_fetched": "l2-fetched",
    "pair_probability": "pair-probability",
    "pair_evidence": "pair-evidence",
    "type": "type",
    "domain": "domain",
    "info": "info",
}


def read_sheets(path: Path) -> Iterator[TmxEntry]:
    """Yield the rows of a workbook of ours, without those judged wrong.

    Sheets are named after the languages: ``de-it``, ``de-it 2``. Raises CorpusError for a
    file that is no such workbook, and for an unknown verdict, with its row. Needs openpyxl.
    """
    header: list[str] = []
    for sheet, number, row in iter_rows(path):
        if number == 1:
            header = row
            if missing := {VERDICT, *COLUMNS[:4]} - set(header):
                raise CorpusError(
                    f"{path}: sheet {sheet} has no column {min(missing)}; give a workbook"
                    " that `scrapy export --format xlsx` wrote"
                )
            continue
        # Empty cells at the end of a row may be missing.
        cells = dict(zip_longest(header, row[: len(header)], fillvalue=""))
        verdict = cells[VERDICT].strip().lower()
        if verdict not in VERDICTS:
            raise CorpusError(
                f"{path}: {sheet}, row {number}: no such verdict: {verdict}; known are"
                f" {', '.join(VERDICTS[1:])}"
            )
        if verdict != WRONG:
            source, _, target = sheet.split()[0].partition("-")
            texts = cells["src_text"].strip(), cells["trg_text"].strip()
            yield make_entry((source, target), texts, cells)


def make_entry(
    langs: Sequence[str], texts: Sequence[str], cells: Mapping[str, str]
) -> TmxEntry:
    """Return the entry of two texts, with the properties in cells by their columns."""
    props = ((name, cells.get(column, "")) for column, name in _PROPS.items())
    known = tuple(prop for prop in props if prop[1])
    return TmxEntry(tuple(zip(langs, texts, strict=True)), 0, known)
