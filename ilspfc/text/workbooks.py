"""Workbooks (XLSX) that a user gives: their cells as text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from ilspfc.exceptions import CorpusError


def iter_rows(path: Path) -> Iterator[tuple[str, int, list[str]]]:
    """Yield name of the sheet, number from 1, and cells of each row of a workbook.

    CorpusError for a file that is none, or is damaged. Needs openpyxl.
    """
    try:
        from openpyxl import load_workbook  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise CorpusError(
            f"{path}: openpyxl is not installed; pip install openpyxl"
        ) from error
    try:
        # Opened here: the library leaves a damaged file open.
        with (
            path.open("rb") as file,
            closing(load_workbook(file, read_only=True)) as book,
        ):
            for sheet in book.worksheets:
                rows = sheet.iter_rows(values_only=True)
                for number, row in enumerate(rows, 1):
                    cells = ["" if cell is None else str(cell) for cell in row]
                    yield sheet.title, number, cells
    except Exception as error:  # which ones a damaged file leads to is not documented
        raise CorpusError(f"{path}: cannot be read as a workbook: {error}") from error
