"""Base class of the commands: errors in one line, statuses, options that are settings."""

from __future__ import annotations

import argparse
import errno
import sqlite3
import sys
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ilspfc.command import (
    ProjectCommand,
    add_setting_options,
    apply_setting_options,
    keep_colons,
)
from ilspfc.exceptions import ArgumentError, DiskError, IlspfcError, SettingError


def make_settings(**given: object) -> Settings:
    settings = Settings()
    settings.setmodule("ilspfc.settings", priority="project")
    settings.update(given, priority="cmdline")
    return settings


class Failing(ProjectCommand):
    """Command whose work raises what it was made with."""

    arguments = "FILE"
    summary = "Fail"
    options = (
        ("--out", "FILE", "file: the result"),
        ("--number", "N", "a number", 3),
        ("--host", "HOST", "a host", list),
        ("--names", "", "a switch", {"dest": "keeps_names"}),
    )

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__()
        self.error = error
        self.settings = make_settings()

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        if self.error:
            raise self.error


def run(command: ProjectCommand, *args: str) -> int:
    command.run(list(args), argparse.Namespace())
    return command.exitcode


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (ArgumentError("a=b: wrong; give c"), 2, "ilspfc: a=b: wrong; give c"),
        (IlspfcError("no"), 2, "ilspfc: no"),
        (DiskError("full"), 1, "ilspfc: full"),
        (
            PermissionError(errno.EACCES, "Permission denied", "x.tmx"),
            2,
            "ilspfc: x.tmx: Permission denied; give a path that can be read and written",
        ),
    ],
)
def test_an_error_is_one_line_and_a_status(
    error: Exception, status: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(Failing(error)) == status
    assert capsys.readouterr().err == f"{line}\n"


def test_a_full_disk_has_a_status_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device", str(tmp_path / "x"))
    assert run(Failing(full)) == 1
    shown = capsys.readouterr().err
    assert shown.startswith("ilspfc: ")
    assert shown.count("\n") == 1
    assert str(tmp_path) in shown


@pytest.mark.parametrize(
    "error", [OSError("of no file"), sqlite3.OperationalError("no such table: x")]
)
def test_errors_of_the_program_are_not_hidden(error: Exception) -> None:
    with pytest.raises(type(error)):
        run(Failing(error))


def test_a_wrong_setting_ends_a_command_before_its_work(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = Failing(RuntimeError("worked"))
    command.settings = make_settings(DEDUP_THRESHOLD="high")
    assert run(command) == 2
    assert "DEDUP_THRESHOLD=high" in capsys.readouterr().err


def test_an_unknown_option_is_no_file() -> None:
    with pytest.raises(
        UsageError, match=r"--langz: no such option; a file is \./--lan"
    ):
        run(Failing(), "--langz")
    assert run(Failing(), "-", "a-b") == 0


def test_options_are_texts_unless_they_say_otherwise() -> None:
    parser = argparse.ArgumentParser()
    Failing().add_options(parser)
    assert (parser.parse_args([]).out, parser.parse_args([]).number) == ("", 3)
    assert parser.parse_args(["--number", "5"]).number == 5
    assert parser.parse_args([]).host == []
    assert parser.parse_args(["--host", "a", "--host", "b"]).host == ["a", "b"]
    assert parser.parse_args(["--names"]).keeps_names
    assert Failing().syntax() == "[options] FILE"
    assert Failing().short_desc() == "Fail"


def test_colons_do_not_break_lines_of_the_help() -> None:
    assert keep_colons("a: b:c") == "a:\N{NO-BREAK SPACE}b:c"


@pytest.mark.parametrize(
    ("program", "usage"),
    [("/usr/bin/ilspfc", "ilspfc pair [options]"), ("scrapy", "scrapy pair [options]")],
)
def test_the_usage_names_the_program_that_runs(
    monkeypatch: pytest.MonkeyPatch, program: str, usage: str
) -> None:
    monkeypatch.setattr(sys, "argv", [program])
    parser = argparse.ArgumentParser(usage="scrapy pair [options]")
    Failing().add_options(parser)
    assert parser.usage == usage


OPTIONS = {
    "--preset": "EXPORTS_PRESET",
    "--compress": "EXPORTS_COMPRESS",
    "--least": "EXPORTS_MIN_TOKENS",
}


def apply(*words: str) -> Settings:
    parser = argparse.ArgumentParser()
    add_setting_options(parser, OPTIONS)
    settings = make_settings()
    apply_setting_options(settings, parser.parse_args(words))
    return settings


def test_options_set_their_settings() -> None:
    given = apply("--preset", "clean", "--compress", "--least", "7")
    default = apply()
    assert given["EXPORTS_PRESET"] == "clean"
    assert given.getint("EXPORTS_MIN_TOKENS") == 7
    assert given.getbool("EXPORTS_COMPRESS") is not default.getbool("EXPORTS_COMPRESS")
    assert default["EXPORTS_PRESET"] == "annotate"


def test_a_wrong_value_of_an_option_is_that_of_its_setting() -> None:
    with pytest.raises(SettingError, match="EXPORTS_PRESET=cleen: no such choice"):
        apply("--preset", "cleen")


def test_the_help_of_an_option_names_setting_and_values() -> None:
    parser = argparse.ArgumentParser()
    add_setting_options(parser, OPTIONS)
    shown = " ".join(parser.format_help().split())
    assert "[EXPORTS_PRESET]" in shown
    assert "annotate, clean, off" in shown
    assert "--least N" in shown
    assert "--preset NAME" in shown
