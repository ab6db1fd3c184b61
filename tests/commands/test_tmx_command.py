"""``scrapy tmx``: merge and validate."""

from __future__ import annotations

import argparse
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from openpyxl import load_workbook
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ilspfc.commands.exports.tmx import Command
from ilspfc.exports import ExportUnit, TmxHeader, read_tmx, validate_tmx, write_tmx
from ilspfc.exports.formats.lines import COLUMNS
from ilspfc.exports.formats.tables import SheetWriter
from ilspfc.exports.interchange.tmx_reader import read_header
from ilspfc.exports.units import PageOrigin, UnitOrigin

CREATED = datetime(2026, 1, 2, tzinfo=UTC)
ORIGIN = UnitOrigin(
    PageOrigin("https://a.example/de", license="CC BY"),
    PageOrigin("https://a.example/it"),
    0.9,
    "links",
    "demo",
)
FIRST = ExportUnit(
    "Die Leiter wird vor jedem Gebrauch geprüft.",
    "La scala viene controllata prima di ogni uso.",
    "1:1",
    0.8,
    origin=ORIGIN,
    props=(("site", "a.example"),),
)
SECOND = ExportUnit(
    "Tragen Sie auf der Baustelle immer einen Helm. Immer.",
    "In cantiere indossare sempre il casco.",
    "2:1",
    0.7,
    ("alignment type other than 1:1",),
    ORIGIN,
)
OLD = """<?xml version="1.0"?>
<tmx version="1.1"><header creationtool="other" srclang="IT"/><body>
<tu><prop type="score">-3.5</prop><tuv lang="IT"><seg>Il fuoco è pericoloso.</seg></tuv>
<tuv lang="DE-CH"><seg>Das Feuer ist <it pos="begin">&lt;b&gt;</it>gefährlich.</seg></tuv></tu>
<tu><tuv lang="IT"><seg> </seg></tuv><tuv lang="DE"><seg>Nichts.</seg></tuv></tu>
<tu><tuv lang="EN"><seg>One.</seg></tuv><tuv lang="FR"><seg>Un.</seg></tuv></tu>
</body></tmx>
"""


def _run(*arguments: object) -> int:
    command = Command()
    command.settings = Settings()
    command.settings.setmodule("ilspfc.settings")
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    opts, args = parser.parse_known_args([str(argument) for argument in arguments])
    command.run(args, opts)
    return command.exitcode


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Two memories, the second of which has a unit of the first, and where to write."""
    first, second = tmp_path / "a.tmx", tmp_path / "b.tmx.gz"
    write_tmx(first, [FIRST], TmxHeader("deu", "ita", CREATED))
    write_tmx(second, [FIRST, SECOND], TmxHeader("deu", "ita", CREATED))
    return first, second, tmp_path / "m.tmx"


def test_a_memory_merged_alone_keeps_its_units(
    files: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    _, second, out = files
    assert _run("merge", second, "--out", out) == 0
    assert list(read_tmx(out)) == [FIRST, SECOND]
    validate_tmx(out)
    assert f"{out}: 2 units\nannotated: type 1\n" in capsys.readouterr().out
    again = out.with_name("n.tmx")
    assert _run("merge", out, "--out", again) == 0
    assert again.read_bytes() == out.read_bytes()


def test_duplicates_are_annotated_or_dropped(files: tuple[Path, Path, Path]) -> None:
    first, second, out = files
    assert _run("merge", first, second, "--out", out) == 0
    duplicate = replace(FIRST, info=("duplicate",))
    assert list(read_tmx(out)) == [FIRST, duplicate, SECOND]
    assert _run("merge", first, second, "--out", out, "--filter", "duplicate=drop") == 0
    assert list(read_tmx(out)) == [FIRST, SECOND]
    assert _run("merge", first, second, "--out", out, "--preset", "clean") == 0
    assert list(read_tmx(out)) == [FIRST]


def _write_sheet(path: Path, verdicts: list[str], correction: str = "") -> None:
    """Write a workbook as the exports do, and what its reader has made of it."""
    with SheetWriter(path) as writer:
        for unit in (FIRST, SECOND):
            writer.write(unit)
    book = load_workbook(path)
    (sheet,) = book.worksheets
    for row, verdict in enumerate(verdicts, 2):
        sheet.cell(row, 1).value = verdict
    if correction:
        sheet.cell(3, COLUMNS.index("trg_text") + 2).value = correction
    book.save(path)


def test_a_judged_workbook_becomes_a_memory(files: tuple[Path, Path, Path]) -> None:
    *_, out = files
    sheet = out.with_name("de-it.xlsx")
    _write_sheet(sheet, ["Wrong", "partly"], "Portare sempre il casco.")
    assert _run("merge", sheet, "--out", out) == 0
    corrected = replace(SECOND, target="Portare sempre il casco.")
    (unit,) = read_tmx(out)
    assert (unit.source, unit.target, unit.score) == (
        corrected.source,
        corrected.target,
        corrected.score,
    )
    assert unit.origin == replace(ORIGIN, domain="demo")


def test_an_unknown_verdict_is_told_with_its_row(
    files: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    *_, out = files
    sheet = out.with_name("de-it.xlsx")
    _write_sheet(sheet, ["right", "so-so"])
    assert _run("merge", sheet, "--out", out) == 2
    message = (
        "de-it.xlsx: de-it, row 3: no such verdict: so-so; known are right, partly"
    )
    assert message in capsys.readouterr().err
    assert not out.exists()


def test_old_memories_in_the_other_direction_are_turned(
    files: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    first, _, out = files
    old = out.with_name("old.tmx")
    old.write_text(OLD, encoding="utf-8")
    tags = "de=de-CH,fr=fr-CH"
    assert _run("merge", first, old, "--out", out, "--lang-map", tags) == 0
    units = list(read_tmx(out))
    assert [unit.target for unit in units] == [FIRST.target, "Il fuoco è pericoloso."]
    # The score of another tool stays, but is no probability.
    assert (units[1].score, units[1].info) == (-3.5, ())
    assert units[1].source == "Das Feuer ist gefährlich."
    assert read_header(out)["srclang"] == "de-CH"
    said = capsys.readouterr()
    assert "EXPORTS_LANG_MAP: no French in these files" in said.err
    lines = said.out.splitlines()
    assert lines[1] == f"{old}: 1 units, 2 without text in both languages left out"


def test_the_languages_may_be_said(files: tuple[Path, Path, Path]) -> None:
    first, _, out = files
    assert _run("merge", first, "--out", out, "--langs", "it,de") == 0
    (unit,) = read_tmx(out)
    assert unit == FIRST.exchanged()
    assert unit.origin.source.url == "https://a.example/it"


def test_a_segment_in_another_language_is_told(files: tuple[Path, Path, Path]) -> None:
    first, _, out = files
    english = replace(
        FIRST, target="The ladder has to be checked before each use of it."
    )
    write_tmx(first, [english], TmxHeader("deu", "ita", CREATED))
    assert _run("merge", first, "--out", out) == 0
    assert next(read_tmx(out)).info == ("another language",)


def test_a_memory_can_be_merged_in_parts_and_compressed(
    files: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, out = files
    packed = out.with_name("m.tmx.gz")
    arguments = ("merge", second, "--out", packed, "--max-units", 1)
    assert _run(*arguments) == 0
    parts = [out.with_name(f"m.00{number}.tmx.gz") for number in (1, 2)]
    assert [unit for part in parts for unit in read_tmx(part)] == [FIRST, SECOND]
    assert f"{parts[0]}, {parts[1]}: 2 units" in capsys.readouterr().out
    assert first.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.tmx"], "merge: no file to write; give --out FILE"),
        (["a.tmx", "--out", "a.tmx"], "a.tmx: is one of the files to merge"),
        (["no.tmx", "--out", "m.tmx"], "no.tmx: cannot be read"),
        (["broken.tmx", "--out", "m.tmx"], "broken.tmx: line 1: broken XML"),
        (["a.tmx", "--out", "m.tmx", "--langs", "de,fr"], "no units in de and fr"),
        (["a.tmx", "--out", "m.tmx", "--langs", "de"], "--langs=de: give two"),
        (["a.tmx", "--out", "m.tmx", "--filter", "x=drop"], "no filter 'x'"),
        (["a.tmx", "--out", "a.tmx/m.tmx"], "a.tmx: File exists; give a path"),
        (["a.tmx", "--out", "m.tmx", "--max-units", "-1"], "EXPORTS_MAX_UNITS=-1"),
    ],
)
def test_what_cannot_be_merged_is_told_in_one_line(
    files: tuple[Path, Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(files[0].parent)
    files[0].with_name("broken.tmx").write_text("<tmx><x></tmx>", encoding="utf-8")
    before = files[0].read_bytes()
    assert _run("merge", *arguments) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert files[0].read_bytes() == before
    assert not files[2].exists()


def test_files_are_validated(
    files: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, out = files
    assert _run("validate", first, second) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{first}: TMX 1.4, 1 units (de 1, it 1): nothing wrong",
        f"{second}: TMX 1.4, 2 units (de 2, it 2): nothing wrong",
    ]
    write_tmx(out, [ExportUnit("", "x")] * 30, TmxHeader("deu", "ita", CREATED))
    assert _run("validate", out, first, out.with_name("no.tmx")) == 1
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert lines[0] == f"{out}: line 12: the segment is empty"
    assert lines[-3:] == [
        f"{out}: 10 more",
        f"{out}: TMX 1.4, 30 units (de 30, it 30): problems: 30",
        f"{first}: TMX 1.4, 1 units (de 1, it 1): nothing wrong",
    ]
    assert "no.tmx: cannot be read" in printed.err


@pytest.mark.parametrize("arguments", [[], ["merge"], ["validate"], ["join", "a"]])
def test_wrong_use_is_refused(arguments: list[str]) -> None:
    with pytest.raises(UsageError):
        _run(*arguments)
