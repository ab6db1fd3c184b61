"""``scrapy tmx merge | validate``: translation memories of any origin."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from ilspfc.command import ProjectCommand
from ilspfc.commands.export_arguments import UNITS_ALONE, add_arguments, apply_arguments
from ilspfc.exceptions import ArgumentError, CorpusError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from ilspfc.exports import ExportReason
    from ilspfc.stages.memories import MergeCounts

_SHOWN_PROBLEMS = 20


class Command(ProjectCommand):
    """Merges TMX files, and says what is wrong with them."""

    def syntax(self) -> str:
        """Return the arguments that the command takes."""
        return "[options] merge FILE … --out FILE | validate FILE …"

    def short_desc(self) -> str:
        """Return what the command does."""
        return "Merge TMX files, or say what is wrong with them"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options, those of the exports among them."""
        super().add_options(parser)
        parser.add_argument(
            "--out",
            metavar="FILE",
            help="merge: the file to write (compressed where the name ends in .gz)",
        )
        parser.add_argument(
            "--langs",
            default="",
            metavar="L1,L2",
            help="merge: source and target language (default: those of the first unit)",
        )
        add_arguments(parser, UNITS_ALONE)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Merge or check."""
        if unknown := [arg for arg in args if arg.startswith("-")]:
            raise UsageError(f"{unknown[0]}: no such option")
        match args:
            case ["merge", _, *_]:
                self._merge([Path(arg) for arg in args[1:]], opts)
            case ["validate", _, *_]:
                checked = [_validate(Path(arg)) for arg in args[1:]]
                self.exitcode = 0 if all(checked) else 1
            case _:
                raise UsageError("give merge or validate, and the files")

    def _merge(self, files: list[Path], opts: argparse.Namespace) -> None:
        # Scrapy imports all commands whenever one is run.
        from ilspfc.stages.lexicon import parse_langs
        from ilspfc.stages.memories import merge_memories

        assert self.settings is not None  # noqa: S101
        if not opts.out:
            raise ArgumentError("merge: no file to write; give --out FILE")
        apply_arguments(self.settings, opts)
        langs = parse_langs(opts.langs) if opts.langs else None
        out = Path(opts.out)
        try:
            counts = merge_memories(files, out, self.settings, langs)
        except OSError as error:
            raise ArgumentError(
                f"{out}: cannot be written ({error.strerror}); give another file"
            ) from error
        _show(files, counts)


def _show(files: list[Path], counts: MergeCounts) -> None:
    for path in dict.fromkeys(files):
        left = counts.left_out[path]
        end = f", {left} without text in both languages left out" if left else ""
        print(f"{path}: {counts.read[path]} units{end}")
    found = counts.selection
    print(f"{', '.join(map(str, counts.paths))}: {found.units} units")
    for name, numbers in (("dropped", found.dropped), ("annotated", found.annotated)):
        if texts := _list(numbers):
            print(f"{name}: {texts}")


def _list(numbers: Mapping[ExportReason, int]) -> str:
    return ", ".join(f"{reason} {n}" for reason, n in numbers.items() if n)


def _validate(path: Path) -> bool:
    """Print what is wrong with a file; return whether nothing is."""
    from ilspfc.exports import TmxCheck

    check = TmxCheck(path)
    found = check.problems()
    shown = 0
    try:
        for line, text in islice(found, _SHOWN_PROBLEMS):
            print(f"{path}: line {line}: {text}")
            shown += 1
        more = sum(1 for _ in found)
    except CorpusError as error:
        print(error, file=sys.stderr)
        return False
    if more:
        print(f"{path}: {more} more")
    langs = ", ".join(f"{lang} {n}" for lang, n in sorted(check.langs.items()))
    verdict = f"problems: {shown + more}" if shown else "nothing wrong"
    print(
        f"{path}: TMX {check.version}, {check.units} units ({langs or 'no variants'}):"
        f" {verdict}"
    )
    return not shown
