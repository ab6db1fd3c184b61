"""Units as XLSX and Parquet, read by other libraries."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import load_workbook
from pyarrow import parquet
from scrapy.settings import Settings

import ilspfc.settings
from ilspfc.exceptions import SettingError
from ilspfc.exports import export_options as options_module
from ilspfc.exports.export_options import export_options
from ilspfc.exports.formats import tables
from ilspfc.exports.formats.lines import COLUMNS
from ilspfc.exports.formats.tables import SheetWriter, UnitTableWriter
from ilspfc.exports.units import ExportUnit, PageOrigin, UnitOrigin

ORIGIN = UnitOrigin(PageOrigin(url="http://a/de"), PageOrigin(url="http://a/it"), 0.9)
UNITS = [
    ExportUnit("Die Biene.", "L'ape.", "1:1", 0.75, ("short",), ORIGIN),
    ExportUnit("=1+1", "@A1", "1:1", None),
]


def test_a_sheet_has_a_column_for_verdicts_and_no_formulas(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "_MAX_ROWS", 1)
    path = tmp_path / "de-it.xlsx"
    with SheetWriter(path) as writer:
        for unit in UNITS:
            writer.write(unit)
    book = load_workbook(path)
    assert len(book.worksheets) == len(UNITS)
    first, second = (list(sheet.values) for sheet in book.worksheets)
    assert first[0] == ("verdict", *COLUMNS)
    row = dict(zip(first[0], first[1], strict=True))
    assert row["verdict"] is None
    assert (row["src_text"], row["aligner_score"], row["src_num_tokens"]) == (
        "Die Biene.",
        0.75,
        2,
    )
    texts = second[1][COLUMNS.index("src_text") + 1 :][:2]
    assert texts == ("=1+1", "@A1")
    cells = book.worksheets[1][2]
    assert {cell.data_type for cell in cells if cell.value == "=1+1"} == {"s"}


def test_a_table_has_types(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(UnitTableWriter, "batch", 1)
    path = tmp_path / "de-it.parquet"
    with UnitTableWriter(path) as writer:
        for unit in UNITS:
            writer.write(unit)
    table = parquet.read_table(path)
    assert table.column_names == list(COLUMNS)
    rows = table.to_pylist()
    assert [row["src_text"] for row in rows] == ["Die Biene.", "=1+1"]
    assert [row["aligner_score"] for row in rows] == [0.75, None]
    assert rows[0]["src_num_tokens"] == 2
    with UnitTableWriter(path) as writer:
        pass
    assert parquet.read_table(path).num_rows == 0


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings()
    settings.setmodule(ilspfc.settings)
    settings.set("EXPORTS_FORMATS", "tmx,xlsx")
    assert "xlsx" in export_options(settings).formats
    monkeypatch.setattr(options_module, "find_spec", lambda _: None)
    with pytest.raises(SettingError, match="pip install xlsxwriter, or leave xlsx out"):
        export_options(settings)
