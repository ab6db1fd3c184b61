"""``scrapy validate FILE|FOLDER …``: files of a corpus against their schemas."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.command import ProjectCommand, warn
from ilspfc.exceptions import ArgumentError, CorpusError

if TYPE_CHECKING:
    from ilspfc.exports.interchange.tmx_check import TmxProblem

_SHOWN_PROBLEMS = 20


class Command(ProjectCommand):
    """Checks cesDoc, cesAlign, XCES and TMX files."""

    arguments = "FILE|FOLDER …"
    takes = 1, inf, "give the files to check, or a folder such as a corpus"

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check the files; the status is 1 where one has a problem."""
        # Scrapy imports all commands whenever one is run.
        from ilspfc.exports.validation import (
            UnknownKindError,
            find_problems,
            iter_files,
        )
        from ilspfc.report.numbers import count_noun

        checked = wrong = 0
        for place in map(Path, args):
            if not place.exists():
                raise ArgumentError(f"{place}: no such file or folder")
            for path in iter_files(place) if place.is_dir() else [place]:
                try:
                    wrong += show_problems(path, find_problems(path)) > 0
                except UnknownKindError:
                    if path == place:
                        raise
                    continue
                except CorpusError as error:
                    warn(error)
                    wrong += 1
                checked += 1
        if not checked:
            raise ArgumentError(
                f"{args[0]}: no cesDoc, cesAlign, XCES or TMX file in it"
            )
        files = count_noun(checked, "file")
        print(f"{files} checked: {wrong or 'none'} with problems")
        self.exitcode = 1 if wrong else 0


def show_problems(path: Path, problems: Iterable[TmxProblem]) -> int:
    """Print the first problems of a file; return the number of all."""
    number = 0
    for number, (line, text) in enumerate(problems, 1):
        if number <= _SHOWN_PROBLEMS:
            print(f"{path}: line {line}: {text}")
    if number > _SHOWN_PROBLEMS:
        print(f"{path}: {number - _SHOWN_PROBLEMS} more")
    return number
