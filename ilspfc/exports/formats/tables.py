"""Units and documents as tables of other programs: XLSX for review, Parquet for training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from ilspfc.documents import Document
from ilspfc.exports.formats.lines import COLUMNS, format_row
from ilspfc.exports.formats.plain_text import DOCUMENT_TYPES, describe_document
from ilspfc.exports.units import ExportUnit
from ilspfc.exports.writers import FileWriter, UnitWriter

T = TypeVar("T")
VERDICT = "verdict"
"""Column of a sheet for the verdicts of a reader."""
_MAX_ROWS = 1_048_575  # of a sheet, without its header
_TEXT_WIDTH = 60
_NUMBERS = frozenset({"aligner_score", "length_ratio", "pair_probability"})
_COUNTS = frozenset({"src_num_tokens", "trg_num_tokens"})
_NUMERIC = _NUMBERS | _COUNTS


class SheetWriter(UnitWriter):
    """A workbook (XLSX): the columns of the TSV, and an empty one for verdicts.

    Texts that look like formulas stay texts. Needs the extra ``tables``.
    """

    def write(self, unit: ExportUnit) -> None:
        """Add a row; a full sheet is followed by another."""
        if self._row == _MAX_ROWS:
            self._add_sheet()
        self._row += 1
        cells = format_row(unit).split("\t")
        for column, (name, cell) in enumerate(zip(COLUMNS, cells, strict=True)):
            if not cell:
                continue
            if name in _NUMERIC:
                self._sheet.write_number(self._row, column + 1, float(cell))
            else:
                self._sheet.write_string(self._row, column + 1, cell.lstrip())

    def _open(self) -> None:
        from xlsxwriter import Workbook  # noqa: PLC0415

        super()._open()
        # Rows go to disk at once: memory does not grow with them.
        self._book: Any = Workbook(self._files[0], {"constant_memory": True})
        self.callback(self._book.close)
        self._add_sheet()

    def _add_sheet(self) -> None:
        # Readers take the languages from its name.
        name, number = (
            self.paths[0].name.partition(".")[0],
            len(self._book.worksheets()),
        )
        self._sheet = self._book.add_worksheet(
            f"{name} {number + 1}" if number else name
        )
        self._sheet.freeze_panes(1, 1)
        text = COLUMNS.index("src_text") + 1
        self._sheet.set_column(text, text + 1, _TEXT_WIDTH)
        for column, name in enumerate((VERDICT, *COLUMNS)):
            self._sheet.write_string(0, column, name)
        self._row = 0


class ParquetWriter(FileWriter[T]):
    """A table for pyarrow, DuckDB, pandas and ``datasets``. Needs the extra ``tables``.

    ``types`` are the columns with the names of their types; ``batch`` rows are written at once.
    """

    types: ClassVar[Mapping[str, str]]
    batch: ClassVar[int]

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._rows: list[Sequence[object]] = []

    def write(self, item: T) -> None:
        """Add a row."""
        self._rows.append(self._make_row(item))
        if len(self._rows) == self.batch:
            self._flush()

    def _make_row(self, item: T) -> Sequence[object]:
        """Return the values of an item in the order of the columns."""
        raise NotImplementedError

    def _open(self) -> None:
        import pyarrow as pa  # noqa: PLC0415
        from pyarrow import parquet  # noqa: PLC0415

        self._schema = pa.schema(list(self.types.items()))
        super()._open()
        table = parquet.ParquetWriter(self._files[0], self._schema)
        self._table = self.enter_context(table)
        self.callback(self._flush)

    def _flush(self) -> None:
        import pyarrow as pa  # noqa: PLC0415

        if self._rows:
            columns = [list(column) for column in zip(*self._rows, strict=True)]
            self._table.write_table(pa.table(columns, schema=self._schema))
        self._rows = []


class UnitTableWriter(ParquetWriter["ExportUnit"]):
    """The columns of the TSV, typed."""

    types: ClassVar = {
        name: "float" if name in _NUMBERS else "int32" if name in _COUNTS else "string"
        for name in COLUMNS
    }
    batch = 10_000

    def _make_row(self, unit: ExportUnit) -> Sequence[object]:
        cells = format_row(unit).split("\t")
        return [_convert(name, cell) for name, cell in zip(COLUMNS, cells, strict=True)]


class DocumentTableWriter(ParquetWriter["Document"]):
    """A row a document: what is known of it, and its clean text."""

    types = DOCUMENT_TYPES
    batch = 1_000

    def _make_row(self, document: Document) -> Sequence[object]:
        record = describe_document(document)
        return [record[name] for name in self.types]


def _convert(name: str, cell: str) -> str | float | int | None:
    if name in _NUMBERS:
        return float(cell) if cell else None
    return int(cell) if name in _COUNTS else cell.lstrip()
