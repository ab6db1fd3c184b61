"""Bitexts of any origin, read as entries of a memory.

They are TSV with or without a header, Moses pairs of files, and workbooks (XLSX) that a person
has judged and corrected.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

from ilspfc.exceptions import ArgumentError, CorpusError
from ilspfc.exports.formats.lines import COLUMNS
from ilspfc.exports.formats.tables import VERDICT
from ilspfc.exports.interchange.tmx_reader import MAX_UNIT_BYTES, TmxEntry
from ilspfc.text.codes import find_iso639_3
from ilspfc.text.packed import open_packed
from ilspfc.text.workbooks import iter_rows

WRONG = "wrong"
VERDICTS = ("", "right", "partly", WRONG)
"""Verdicts on a unit; without one it has not been judged."""
# Properties of a memory by the columns that have them, here and in a TSV.
_PROPS = {
    "aligner_score": "score",
    "type": "type",
    "pair_probability": "pair-probability",
    "pair_evidence": "pair-evidence",
    "domain": "domain",
    "info": "info",
    **{
        f"{column}_{name}": f"{side}-{name}"
        for column, side in (("src", "l1"), ("trg", "l2"))
        for name in ("url", "license", "optouts", "fetched")
    },
}
_TABLE_SUFFIXES = frozenset({".tsv", ".sent"})
# Names of the columns of text: those of Bitextor and our own, and common ones.
_TEXTS = (
    ("src_text", "trg_text"),
    ("source", "target"),
    ("src", "tgt"),
    ("src", "trg"),
)


def _suffixes(path: Path) -> list[str]:
    """Return the suffixes of a name, without that of compression."""
    return path.with_name(path.name.removesuffix(".gz")).suffixes


def is_table(path: Path) -> bool:
    """Test whether a file is a TSV by its name."""
    return not _TABLE_SUFFIXES.isdisjoint(_suffixes(path)[-1:])


def side_lang(path: Path) -> str:
    """Return the language (ISO 639-3) of one side of a Moses pair by its name, else nothing."""
    return find_iso639_3(_suffixes(path)[-1][1:]) if _suffixes(path) else ""


def split_side(path: Path) -> str:
    """Return the name of a Moses file without its language: that of both sides."""
    return path.name.removesuffix(".gz").rpartition(".")[0]


def is_own_table(path: Path) -> bool:
    """Test whether a TSV has all columns of ours, so that its scores are comparable."""
    header = next(_read_lines(path), "").split("\t")
    return set(COLUMNS) <= set(header)


def read_table(path: Path, langs: Sequence[str]) -> Iterator[TmxEntry]:
    """Yield the rows of a TSV as entries of a memory.

    A first row that names columns of text says where these are; without one there are two
    columns. Languages are those in the name (``de-it.tsv``), else ``langs``. CorpusError for a
    file that cannot be read and for a row of another length, with its line; ArgumentError where
    the languages are unknown.
    """
    langs = _find_langs(path) or langs
    if not langs:
        raise ArgumentError(
            f"{path}: its name tells no two languages, as de-it.tsv does; give --langs"
        )
    header: list[str] = []
    for number, line in enumerate(_read_lines(path), 1):
        row = line.split("\t")
        if not header:
            names = [one for one in _TEXTS if set(one) <= set(row)]
            header = row if names else ["src_text", "trg_text"]
            texts = names[0] if names else _TEXTS[0]
            if names:
                continue
        if len(row) != len(header):
            raise CorpusError(
                f"{path}: line {number}: {len(row)} columns where {len(header)} are"
                " expected; give a header with src_text and trg_text, or two columns"
            )
        cells = dict(zip(header, row, strict=True))
        yield _make_entry(langs, [cells[name].strip() for name in texts], cells)


def read_moses(paths: Sequence[Path]) -> Iterator[TmxEntry]:
    """Yield the lines of two files that translate each other; CorpusError for other numbers."""
    langs = [side_lang(path) for path in paths]
    sides = zip_longest(*map(_read_lines, paths))
    for number, texts in enumerate(sides, 1):
        if None in texts:
            short = paths[texts.index(None)]
            raise CorpusError(
                f"{short}: ends before line {number} of {paths[1 - texts.index(None)]};"
                " give files of which line n translates line n"
            )
        yield _make_entry(langs, [text.strip() for text in texts], {})


def _find_langs(path: Path) -> list[str]:
    """Return the two languages in a name, if it tells them."""
    for part in path.name.split("."):
        langs = [find_iso639_3(code) for code in part.split("-")]
        if len(langs) == 2 and all(langs):
            return langs
    return []


def _read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a text in UTF-8, compressed or not, without their ends."""
    number = 0
    try:
        with open_packed(path) as file:
            while line := file.readline(MAX_UNIT_BYTES + 1):
                number += 1
                if len(line) > MAX_UNIT_BYTES:
                    raise CorpusError(
                        f"{path}: line {number}: of more than {MAX_UNIT_BYTES >> 20} MiB"
                    )
                yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip(
                    "\r\n"
                )
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path}: line {number}: not in UTF-8; convert it") from error
    except (OSError, EOFError, zlib.error) as error:
        raise CorpusError(f"{path}: cannot be read: {error}") from error


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
            yield _make_entry((source, target), texts, cells)


def _make_entry(
    langs: Sequence[str], texts: Sequence[str], cells: Mapping[str, str]
) -> TmxEntry:
    """Return the entry of two texts, with the properties in cells by their columns."""
    props = ((name, cells.get(column, "")) for column, name in _PROPS.items())
    known = tuple(prop for prop in props if prop[1])
    return TmxEntry(tuple(zip(langs, texts, strict=True)), 0, known)
