"""Units as tables of other programs: XLSX for review, Parquet for training."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ilspfc.exports.formats.lines import COLUMNS, format_row
from ilspfc.exports.writers import UnitWriter

if TYPE_CHECKING:
    from ilspfc.exports.units import ExportUnit

VERDICT = "verdict"
"""Column of a sheet for the verdicts of a reader."""
_MAX_ROWS = 1_048_575  # of a sheet, without its header
_TEXT_WIDTH = 60
_NUMBERS = frozenset({"aligner_score", "length_ratio", "pair_probability"})
_COUNTS = frozenset({"src_num_tokens", "trg_num_tokens"})
_NUMERIC = _NUMBERS | _COUNTS
_BATCH_ROWS = 10_000


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


class ParquetWriter(UnitWriter):
    """A table for pyarrow, DuckDB, pandas and ``datasets``: the columns of the TSV, typed.

    Needs the extra ``tables``.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._rows: list[list[str]] = []

    def write(self, unit: ExportUnit) -> None:
        """Add a row."""
        self._rows.append(format_row(unit).split("\t"))
        if len(self._rows) == _BATCH_ROWS:
            self._flush()

    def _open(self) -> None:
        import pyarrow as pa  # noqa: PLC0415
        from pyarrow import parquet  # noqa: PLC0415

        types = {name: pa.float32() for name in _NUMBERS}
        types |= {name: pa.int32() for name in _COUNTS}
        self._schema = pa.schema([(c, types.get(c, pa.string())) for c in COLUMNS])
        super()._open()
        table = parquet.ParquetWriter(self._files[0], self._schema)
        self._table = self.enter_context(table)
        self.callback(self._flush)

    def _flush(self) -> None:
        import pyarrow as pa  # noqa: PLC0415

        columns = [
            [_convert(name, row[place]) for row in self._rows]
            for place, name in enumerate(COLUMNS)
        ]
        if self._rows:
            self._table.write_table(pa.table(columns, schema=self._schema))
        self._rows = []


def _convert(name: str, cell: str) -> str | float | int | None:
    if name in _NUMBERS:
        return float(cell) if cell else None
    return int(cell) if name in _COUNTS else cell.lstrip()
