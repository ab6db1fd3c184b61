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


def _read_lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def test_moses_and_tsv_of_elsewhere_pass_the_filters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    german = ["Die Leiter wird vor jedem Gebrauch geprüft.", "Es sind 7 Helme da.", ""]
    italian = [
        "La scala viene controllata prima di ogni uso.",
        "Ci sono 9 caschi.",
        "x",
    ]
    for code, lines in (("de", german), ("it", italian)):
        (tmp_path / f"OPUS.de-it.{code}").write_text("\n".join([*lines, ""]))
    table = "source\tnote\ttarget\nIl fuoco è molto pericoloso.\tn\tDas Feuer ist sehr gefährlich.\n"
    (tmp_path / "safety.it-de.tsv").write_text(f"\ufeff{table}")
    files = [tmp_path / name for name in ("OPUS.de-it.de", "safety.it-de.tsv")]
    both = files[0], tmp_path / "OPUS.de-it.it", files[1]
    out = tmp_path / "clean"
    for form in ("moses", "tsv"):
        command = ("merge", *both, "--out", out, "--format", form, "--langs", "de,it")
        assert _run(*command, "--preset", "clean") == 0
    told = capsys.readouterr().out
    assert "OPUS.de-it.de: 2 units, 1 without text in both languages left out" in told
    assert "dropped: numbers 1" in told
    fire = "Das Feuer ist sehr gefährlich.", "Il fuoco è molto pericoloso."
    assert _read_lines(tmp_path / "clean.de") == [german[0], fire[0]]
    assert _read_lines(tmp_path / "clean.it") == [italian[0], fire[1]]
    header, first, _ = (line.split("\t") for line in _read_lines(out))
    assert (header[2:4], first[2:4]) == (list(COLUMNS[2:4]), [german[0], italian[0]])
    # What was written is read again: its name tells no languages, the option does.
    again = tmp_path / "again.tmx"
    out.rename(tmp_path / "clean.tsv")
    read = ("merge", tmp_path / "clean.tsv", "--langs", "de,it", "--out", again)
    assert _run(*read) == 0
    assert {unit.source for unit in read_tmx(again)} == {german[0], fire[0]}


def test_names_alone_refuse_no_file(files: tuple[Path, Path, Path]) -> None:
    first, _, out = files
    # The codes of languages that few have heard of are suffixes of files, too.
    odd = first.rename(first.with_name("m.xml"))
    assert _run("merge", odd, "--out", out) == 0
    packed = out.with_name("m.tmx.gz")
    assert _run("merge", out, "--out", packed) == 0
    assert _run("merge", packed, "--out", out) == 0
    assert [unit.source for unit in read_tmx(out)] == [FIRST.source]
    moses = out.with_name("m")
    assert _run("merge", out, "--out", moses, "--format", "moses") == 0
    sides = out.with_name("m.de"), out.with_name("m.it")
    assert _run("merge", *sides, "--out", moses, "--format", "moses") == 2
    assert _run("merge", *sides, "--out", out) == 0


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.de": "Ja.\n"}, "no TMX, and the other side of a Moses pair is missing"),
        ({"a.de": "Ja.\nJa.\n", "a.it": "Sì.\n"}, "a.it: ends before line 2 of"),
        ({"a.tsv": "Ja.\tSì.\n"}, "its name tells no two languages, as de-it.tsv does"),
        ({"de-it.tsv": "Ja.\tSì.\nJa.\n"}, "line 2: 1 columns where 2 are expected"),
        ({"de-it.tsv": "a\tb\tc\n"}, "line 1: 3 columns where 2 are expected"),
        ({"de-it.tsv": b"\xff\xfe"}, "line 1: not in UTF-8; convert it"),
    ],
)
def test_bad_lines_are_refused_before_anything_is_written(
    files: dict[str, str | bytes],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, text in files.items():
        content = text if isinstance(text, bytes) else text.encode()
        (tmp_path / name).write_bytes(content)
    out = tmp_path / "out.tmx"
    assert _run("merge", *(tmp_path / name for name in files), "--out", out) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()
