"""``scrapy validate FILE|FOLDER …``: files of a corpus against their schemas."""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path

from scrapy.exceptions import UsageError

from ilspfc.command import ProjectCommand, warn
from ilspfc.exceptions import ArgumentError, CorpusError

_SHOWN_PROBLEMS = 20


class Command(ProjectCommand):
    """Checks cesDoc, cesAlign, XCES and TMX files."""

    arguments = "FILE|FOLDER …"

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check the files; the status is 1 where one has a problem."""
        # Scrapy imports all commands whenever one is run.
        from ilspfc.exports.validation import UnknownKindError, iter_files

        if not args:
            raise UsageError("give the files to check, or a folder such as a corpus")
        checked = wrong = 0
        for place in map(Path, args):
            if not place.exists():
                raise ArgumentError(f"{place}: no such file or folder")
            for path in iter_files(place) if place.is_dir() else [place]:
                try:
                    wrong += _show_problems(path)
                except UnknownKindError:
                    if path == place:
                        raise
                    continue
                checked += 1
        noun = "file" if checked == 1 else "files"
        print(f"{checked} {noun} checked: {wrong or 'none'} with problems")
        self.exitcode = 1 if wrong else 0


def _show_problems(path: Path) -> bool:
    """Print the problems of a file; return whether there are any."""
    from ilspfc.exports.validation import UnknownKindError, find_problems

    try:
        problems = find_problems(path)
        shown = list(islice(problems, _SHOWN_PROBLEMS))
        more = sum(1 for _ in problems)
    except UnknownKindError:
        raise
    except CorpusError as error:
        warn(error)
        return True
    for line, text in shown:
        print(f"{path}: line {line}: {text}")
    if more:
        print(f"{path}: {more} more")
    return bool(shown)
