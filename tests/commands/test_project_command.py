"""The base of the commands: options, options that are settings, errors in one line."""

from __future__ import annotations

import argparse
import ast
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import ClassVar

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

import ilspfc.settings
from ilspfc.command import (
    ProjectCommand,
    add_setting_options,
    apply_setting_options,
)
from ilspfc.command_summaries import name_commands
from ilspfc.commands.exports.export import UNIT_OPTIONS
from ilspfc.exceptions import CorpusError, DiskError, SettingError
from ilspfc.exports.registry import FORMATS


class GreetCommand(ProjectCommand):
    """Prints a greeting, or raises an error."""

    arguments = "[NAME]"
    takes = 0, 1, "give one name at most"
    summary = "Greet somebody"
    options = (("--word", "WORD", "word to greet with"),)
    error: ClassVar[Exception | None] = None

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Greet."""
        if self.error is not None:
            raise self.error
        sys.stdout.write(" ".join([opts.word or "Hello", *args]))


def make_command(**given: object) -> GreetCommand:
    command = GreetCommand()
    command.settings = Settings()
    command.settings.setmodule(ilspfc.settings, priority="project")
    command.settings.update(given, priority="cmdline")
    return command


def run(command: GreetCommand, *arguments: str) -> int:
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    opts, args = parser.parse_known_args(arguments)
    command.run(args, opts)
    return command.exitcode


def test_a_command_shows_its_syntax_and_takes_its_options(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = make_command()
    assert command.syntax() == "[options] [NAME]"
    assert command.short_desc() == "Greet somebody"
    assert run(command, "--word", "Ciao", "-") == 0
    assert capsys.readouterr().out == "Ciao -"


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(UsageError, match="give one name at most"):
        run(make_command(), "Ann", "Bob")
    with pytest.raises(
        UsageError, match=r"--wrod: no such option; a file is \./--wrod"
    ):
        run(make_command(), "--wrod", "Ciao")


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (CorpusError("out: no corpus"), 2, "ilspfc: out: no corpus"),
        (DiskError("out: no space"), 1, "ilspfc: out: no space"),
        (
            FileNotFoundError(2, "No such file or directory", "a.txt"),
            2,
            "ilspfc: a.txt: No such file or directory; give a path that can",
        ),
        (OSError(28, "No space left on device", "a.txt"), 1, "ilspfc: "),
    ],
)
def test_an_error_is_one_line(
    error: Exception,
    status: int,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(GreetCommand, "error", error)
    assert run(make_command()) == status
    (shown,) = capsys.readouterr().err.splitlines()
    assert shown.startswith(line)


def test_advised_commands_are_those_of_the_program_that_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    advice = "`scrapy reindex scrapy/out` rebuilds it"
    monkeypatch.setattr(sys, "argv", ["/usr/bin/scrapy", "pair"])
    assert name_commands(advice) == advice
    monkeypatch.setattr(sys, "argv", ["/usr/bin/ilspfc", "pair"])
    assert name_commands(advice) == "`ilspfc reindex scrapy/out` rebuilds it"


def test_help_of_exports_has_every_format() -> None:
    command = import_module("ilspfc.commands.exports.export").Command()
    text = command.long_desc()
    assert all(
        f"{one.name}:\N{NO-BREAK SPACE}{one.title}" in text for one in FORMATS.values()
    )


def test_nothing_is_printed_that_names_another_program() -> None:
    folder = Path(ilspfc.__file__).parent / "commands"
    wrong = [
        f"{path.name}: line {call.lineno}"
        for path in sorted(folder.rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "print"
        if re.search(r"(scrapy|ilspfc) [a-z]+", ast.unparse(call))
    ]
    assert not wrong, "say() names the program that runs"


@pytest.mark.parametrize("name", ["export", "pair", "clean"])
def test_help_names_the_program_that_runs(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["/usr/bin/ilspfc", name])
    module = import_module(f"ilspfc.commands.{'exports.' * (name == 'export')}{name}")
    command, parser = module.Command(), argparse.ArgumentParser()
    command.settings = make_command().settings
    command.add_options(parser)
    assert not re.search(r"\bscrapy [a-z]+", parser.format_help())


def test_an_error_of_the_program_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GreetCommand, "error", OSError("no file"))
    with pytest.raises(OSError, match="no file"):
        run(make_command())


def test_settings_are_checked_before_the_work(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(make_command(WORKERS="many")) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == (
        "",
        "ilspfc: WORKERS=many: give a whole number from 0 to 1024\n",
    )


@pytest.mark.parametrize(
    ("arguments", "name", "value"),
    [
        (["--max-units", "2000"], "EXPORTS_MAX_UNITS", 2000),
        (["--preset", "clean"], "EXPORTS_PRESET", "clean"),
        ([], "EXPORTS_PRESET", "annotate"),
    ],
)
def test_an_option_stands_for_a_setting(
    arguments: list[str], name: str, value: object
) -> None:
    parser = argparse.ArgumentParser()
    add_setting_options(parser, UNIT_OPTIONS)
    settings = make_command().settings
    apply_setting_options(settings, parser.parse_args(arguments))
    read = settings.getbool if isinstance(value, bool) else settings.get
    found = read(name)
    assert (int(found) if isinstance(value, int) else found) == value


def test_an_option_with_a_wrong_value_names_the_setting() -> None:
    parser = argparse.ArgumentParser()
    add_setting_options(parser, UNIT_OPTIONS)
    opts = parser.parse_args(["--preset", "strict"])
    with pytest.raises(SettingError, match=r"^EXPORTS_PRESET=strict: no such choice"):
        apply_setting_options(make_command().settings, opts)


def test_the_help_has_meaning_and_values_of_the_setting() -> None:
    parser = argparse.ArgumentParser(prog="scrapy")
    add_setting_options(parser, UNIT_OPTIONS)
    text = " ".join(parser.format_help().split())
    assert "Values: annotate, clean, off. [EXPORTS_PRESET]" in text
    assert "--max-units N Units after which a TMX file is split" in text


def test_no_line_of_the_help_ends_in_a_colon(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "word: other " * 20
    monkeypatch.setattr(GreetCommand, "options", (("--word", "WORD", text),))
    parser = argparse.ArgumentParser(usage="")
    make_command().add_options(parser)
    help_text = parser.format_help().split("--word", 1)[1]
    lines = help_text.partition("Global")[0].splitlines()
    assert len(lines) > 2
    assert not [line for line in lines if line.rstrip().endswith(":")]
