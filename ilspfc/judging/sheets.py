"""Samples as sheets, TSV or XLSX: written for a judge, read back with the verdicts."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path

from ilspfc.atomic import open_atomic, write_lines
from ilspfc.exceptions import ArgumentError
from ilspfc.judging.questions import QUESTIONS, Question, find_verdict
from ilspfc.judging.store import Item
from ilspfc.text.cells import to_cell
from ilspfc.text.workbooks import iter_rows
from ilspfc.text.xml_text import clean_text

ITEM = "item"


def write_sheet(path: Path, what: str, items: Sequence[Item]) -> None:
    """Write a sample: name of the item, a column for each question, what the judge reads.

    XLSX where the name ends so, which needs xlsxwriter, with the verdicts to choose from;
    else TSV. No cell is a formula.
    """
    questions = QUESTIONS[what]
    columns = list(dict.fromkeys(name for item in items for name in item.texts))
    header = [ITEM, *(question.name for question in questions), "group", *columns]
    empty = [""] * len(questions)
    rows = [
        [item.name, *empty, item.group, *(item.texts.get(name, "") for name in columns)]
        for item in items
    ]
    if path.suffix == ".xlsx":
        _write_workbook(path, [header, *rows], questions)
    else:
        write_lines(path, ("\t".join(map(to_cell, row)) for row in [header, *rows]))


def _write_workbook(
    path: Path, rows: Iterable[Sequence[str]], questions: Sequence[Question]
) -> None:
    try:
        from xlsxwriter import Workbook  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ArgumentError(
            f"{path}: xlsxwriter is not installed; pip install xlsxwriter, or give a name"
            " that ends in .tsv"
        ) from error
    with open_atomic(path) as file, Workbook(file, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.freeze_panes(1, 1 + len(questions))
        wrap = book.add_format({"text_wrap": True, "valign": "top"})
        sheet.set_column(2 + len(questions), 12, 50, wrap)
        number = 0
        for number, row in enumerate(rows):
            for column, cell in enumerate(row):
                if cell:
                    sheet.write_string(number, column, clean_text(cell))
        for column, question in enumerate(questions, 1):
            choices = {"validate": "list", "source": list(question.verdicts)}
            sheet.data_validation(1, column, max(number, 1), column, choices)


def read_sheet(path: Path) -> tuple[str, list[tuple[str, str, str]]]:
    """Return the kind of items in a sheet, and the verdicts: item, question, verdict or "".

    ArgumentError, with the row, for a sheet that is none and for an unknown verdict;
    CorpusError for a damaged workbook.
    """
    is_workbook = path.suffix == ".xlsx"
    rows = _iter_first_sheet(path) if is_workbook else _iter_lines(path)
    header = next(rows, [])
    what = next(
        (
            what
            for what, questions in QUESTIONS.items()
            if header[: 1 + len(questions)] == [ITEM, *(q.name for q in questions)]
        ),
        "",
    )
    if not what:
        begin = ", ".join(header[:3])
        cause = f"its columns begin with {begin}" if begin else "its first row is empty"
        raise ArgumentError(
            f"{path}: no sheet of a sample: {cause}; give a file that `scrapy sample` wrote"
        )
    verdicts = []
    for number, row in enumerate(rows, 2):
        cells = [*row, *[""] * len(QUESTIONS[what])]
        for question, cell in zip(QUESTIONS[what], cells[1:], strict=False):
            verdict = find_verdict(question, cell) if cell.strip() else ""
            if verdict is None:
                raise ArgumentError(
                    f"{path}: row {number}: no such verdict: {cell.strip()}; known for"
                    f" {question.name} are {', '.join(question.verdicts)}"
                )
            if row and row[0]:
                verdicts.append((row[0], question.name, verdict))
    return what, verdicts


def _iter_first_sheet(path: Path) -> Iterator[list[str]]:
    for _, rows in islice(groupby(iter_rows(path), key=itemgetter(0)), 1):
        for _, _, row in rows:
            yield row


def _iter_lines(path: Path) -> Iterator[list[str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
    except UnicodeDecodeError as error:
        raise ArgumentError(f"{path}: not in UTF-8; save it as UTF-8 text") from error
