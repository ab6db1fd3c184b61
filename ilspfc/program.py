"""The program ``ilspfc``: Scrapy's commands and those of the project, in any folder."""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches
from pkgutil import iter_modules
from typing import TYPE_CHECKING

import scrapy.commands
from scrapy import __version__ as scrapy_version
from scrapy.cmdline import execute
from scrapy.utils.misc import walk_modules_iter
from scrapy.utils.project import get_project_settings

from ilspfc import __version__
from ilspfc.interrupts import INTERRUPTED

if TYPE_CHECKING:
    from scrapy.commands import ScrapyCommand
    from scrapy.settings import Settings

_SETTINGS = "SCRAPY_SETTINGS_MODULE"
_COMMANDS = "ilspfc.commands"
_START = """\
Begin with
  ilspfc crawl bilingual -a langs=de,it -a seeds=https://www.example.org/
  ilspfc crawl bilingual --help
"""


def main(arguments: list[str] | None = None) -> None:
    """Run a command of Scrapy over the settings of the project; exits with its status.

    Settings of another project count where SCRAPY_SETTINGS_MODULE names them or the working
    folder has a ``scrapy.cfg``.
    """
    given = sys.argv[1:] if arguments is None else arguments
    settings = get_project_settings()
    if settings["COMMANDS_MODULE"] != _COMMANDS:
        os.environ[_SETTINGS] = "ilspfc.settings"
        settings = get_project_settings()
    if not given or given[0] in {"-h", "--help", "help"}:
        print(describe())
    elif given[0] in {"-V", "--version", "version"}:
        print(f"ilspfc {__version__}, Scrapy {scrapy_version}")
    else:
        sys.argv[0] = "ilspfc"
        _execute(given, settings)


def _execute(given: list[str], settings: Settings) -> None:
    """Run a command; a Ctrl-C that no command handles ends without a traceback."""
    if refusal := _refuse(given[0]):
        print(f"ilspfc: {refusal}", file=sys.stderr)
        sys.exit(2)
    try:
        execute(["ilspfc", *given], settings)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _refuse(name: str) -> str:
    """Return the error for a name that is no command, else an empty text."""
    known = [*find_commands(), *_find_commands_of_scrapy()]
    if name.startswith("-") or name in known:
        return ""
    near = get_close_matches(name, known, n=1)
    remedy = f"the nearest is {near[0]}" if near else "`ilspfc --help` lists them"
    return f"{name}: no such command; {remedy}"


def _find_commands_of_scrapy() -> list[str]:
    return [name for _, name, _ in iter_modules(scrapy.commands.__path__)]


def find_commands() -> dict[str, ScrapyCommand]:
    """Return the commands of the project, by name."""
    modules = walk_modules_iter(_COMMANDS)
    return {
        module.__name__.rpartition(".")[2]: module.Command()
        for module in modules
        if hasattr(module, "Command")
    }


def describe() -> str:
    """Return the help of the program: its commands, and where to begin."""
    lines = [
        f"ilspfc {__version__}: corpora from the web, of a subject and languages",
        "",
    ]
    lines += ["Usage: ilspfc COMMAND [OPTIONS] [ARGUMENTS]", "", "Commands:"]
    commands = sorted(find_commands().items())
    lines += [f"  {name:<12} {command.short_desc()}" for name, command in commands]
    lines += [
        "  and those of Scrapy: list, settings, genspider, startproject …",
        "",
    ]
    return "\n".join([*lines, _START, "Each tells more by `ilspfc COMMAND --help`."])
