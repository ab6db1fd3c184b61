"""The program ``ilspfc``: Scrapy's commands and those of the project, in any folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib.metadata import version
from pkgutil import iter_modules, walk_packages
from typing import TYPE_CHECKING

import ilspfc.commands
from ilspfc import __version__
from ilspfc.command_summaries import SUMMARIES
from ilspfc.exceptions import name_nearest
from ilspfc.interrupts import INTERRUPTED

if TYPE_CHECKING:
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
    if not given or given[0] in {"-h", "--help", "help"}:
        print(describe())
    elif given[0] in {"-V", "--version", "version"}:
        from ilspfc.cleaning.blocks.core import IS_NATIVE

        core = "native core" if IS_NATIVE else "core in Python"
        print(f"ilspfc {__version__} ({core}), Scrapy {version('scrapy')}")
    else:
        sys.argv[0] = "ilspfc"
        _execute(given)


def _execute(given: list[str]) -> None:
    """Run a command; a Ctrl-C that no command handles ends without a traceback."""
    # Scrapy takes half a second to load.
    from scrapy.cmdline import execute

    modules = _find_modules()
    if refusal := _refuse(given[0], modules):
        print(f"ilspfc: {refusal}", file=sys.stderr)
        sys.exit(2)
    settings = _read_settings()
    if module := modules.get(given[0]):
        # Scrapy imports all modules of the package to find one command.
        settings.set("COMMANDS_MODULE", module, priority="project")
    try:
        execute(["ilspfc", *given], settings)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _read_settings() -> Settings:
    from scrapy.utils.project import get_project_settings

    settings = get_project_settings()
    if settings["COMMANDS_MODULE"] != _COMMANDS:
        os.environ[_SETTINGS] = "ilspfc.settings"
        settings = get_project_settings()
    return settings


def _refuse(name: str, modules: Iterable[str]) -> str:
    """Return the error for a name that is no command, else an empty text."""
    import scrapy.commands

    known = [*modules, *(name for _, name, _ in iter_modules(scrapy.commands.__path__))]
    if name.startswith("-") or name in known:
        return ""
    remedy = name_nearest(name, known) or "`ilspfc --help` lists them"
    return f"{name}: no such command; {remedy}"


def _find_modules() -> dict[str, str]:
    """Return the module of each command of the project."""
    found = walk_packages(ilspfc.commands.__path__, f"{_COMMANDS}.")
    return {
        name.rpartition(".")[2]: name for _, name, is_package in found if not is_package
    }


def describe() -> str:
    """Return the help of the program: its commands, and where to begin."""
    lines = [
        f"ilspfc {__version__}: corpora from the web, of a subject and languages",
        "",
    ]
    lines += ["Usage: ilspfc COMMAND [OPTIONS] [ARGUMENTS]", "", "Commands:"]
    lines += [f"  {name:<12} {text}" for name, text in SUMMARIES.items()]
    lines += ["  and those of Scrapy: list, settings, genspider, startproject …", ""]
    return "\n".join([*lines, _START, "Each tells more by `ilspfc COMMAND --help`."])
