"""Workbooks (XLSX) that a user gives: their cells as text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

from ilspfc.exceptions import CorpusError
from ilspfc.text.packed import TooLargeError, iter_part

MAX_WORKBOOK_BYTES = 128 << 20
"""Bytes of a workbook when unpacked: some 80,000 rows of ours."""
MAX_TAGS = 8_000_000
"""Tags in it: each takes some 100 bytes of memory, and a row of ours has some 100."""
MAX_CELL_BYTES = 1 << 20
"""Bytes between two tags: a cell has 32,767 characters, of up to 8 bytes each."""


def iter_rows(path: Path) -> Iterator[tuple[str, int, list[str]]]:
    """Yield name of the sheet, number from 1, and cells of each row of a workbook.

    CorpusError for a file that is none, is damaged, or exceeds ``MAX_WORKBOOK_BYTES``,
    ``MAX_TAGS`` or ``MAX_CELL_BYTES`` when unpacked. Needs openpyxl.
    """
    try:
        from openpyxl import load_workbook  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise CorpusError(
            f"{path}: openpyxl is not installed; pip install openpyxl"
        ) from error
    try:
        _check_size(path)
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
    except TooLargeError as error:
        raise CorpusError(
            f"{path}: {error}; a workbook that is read has at most"
            f" {MAX_WORKBOOK_BYTES >> 20} MiB and {MAX_TAGS:,} tags when unpacked, a cell"
            f" {MAX_CELL_BYTES >> 10} KiB: write it in parts (EXPORTS_MAX_UNITS)"
        ) from error
    except Exception as error:  # which ones a damaged file leads to is not documented
        raise CorpusError(f"{path}: cannot be read as a workbook: {error}") from error


def _check_size(path: Path) -> None:
    """Raise TooLargeError for a workbook whose reading would take too much memory."""
    left, tags = MAX_WORKBOOK_BYTES, 0
    with ZipFile(path) as archive:
        for part in archive.infolist():
            gap = 0
            for piece in iter_part(archive, part, left):
                left -= len(piece)
                tags += piece.count(b"<")
                first = piece.find(b"<")
                gap += first if first >= 0 else len(piece)
                if gap > MAX_CELL_BYTES and not part.filename.startswith("xl/media/"):
                    raise TooLargeError(f"{part.filename} has a text that is too large")
                if first >= 0:
                    gap = len(piece) - piece.rfind(b"<")
            if tags > MAX_TAGS:
                raise TooLargeError(f"{part.filename} has too many tags")
