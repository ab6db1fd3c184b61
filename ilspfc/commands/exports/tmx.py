"""``scrapy tmx merge | validate``: translation memories and bitexts of any origin."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from ilspfc.command import ProjectCommand, apply_setting_options, warn
from ilspfc.commands.exports.export import UNIT_OPTIONS
from ilspfc.commands.exports.validate import show_problems
from ilspfc.exceptions import ArgumentError, CorpusError

if TYPE_CHECKING:
    from ilspfc.files.memories import MergeCounts


class Command(ProjectCommand):
    """Merges TMX, TSV and Moses files, and lists the errors of TMX files."""

    arguments = "merge FILE … --out FILE | validate FILE …"
    options = (
        ("--out", "FILE", "merge: file to write (compressed if its name ends in .gz)"),
        (
            "--format",
            "NAME",
            "merge: tmx, tsv, or moses, which adds the languages to the name",
            {"default": "tmx", "choices": ("tmx", "tsv", "moses")},
        ),
        ("--langs", "L1,L2", "merge: source and target (default: of the first unit)"),
    )
    setting_options = UNIT_OPTIONS

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Merge or check."""
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
        from ilspfc.exports.export_options import export_options
        from ilspfc.files.memories import merge_memories
        from ilspfc.line.lexicons import parse_langs
        from ilspfc.text.codes import language_name

        if not opts.out:
            raise ArgumentError("merge: no file to write; give --out FILE")
        apply_setting_options(self.settings, opts)
        langs = parse_langs(opts.langs) if opts.langs else None
        counts = merge_memories(
            files, Path(opts.out), self.settings, langs, opts.format
        )
        _show(counts)
        for lang in export_options(self.settings).tmx.lang_map.keys() - counts.langs:
            warn(f"EXPORTS_LANG_MAP: no {language_name(lang)} in these files")


def _show(counts: MergeCounts) -> None:
    for path in counts.files:
        left = counts.left_out[path]
        end = f", {left} without text in both languages left out" if left else ""
        print(f"{path}: {counts.read[path]} units{end}")
    found = counts.selection
    print(f"{', '.join(map(str, counts.paths))}: {found.units} units")
    for name, numbers in (("dropped", found.dropped), ("annotated", found.annotated)):
        if texts := [f"{reason} {n}" for reason, n in numbers.items() if n]:
            print(f"{name}: {', '.join(texts)}")


def _validate(path: Path) -> bool:
    """Print the errors of a file; return whether there are none."""
    from ilspfc.exports.interchange.tmx_check import TmxCheck

    check = TmxCheck(path)
    try:
        number = show_problems(path, check.problems())
    except CorpusError as error:
        print(error, file=sys.stderr)
        return False
    langs = ", ".join(f"{lang} {n}" for lang, n in sorted(check.langs.items()))
    verdict = f"problems: {number}" if number else "nothing wrong"
    print(
        f"{path}: TMX {check.version}, {check.units} units ({langs or 'no variants'}):"
        f" {verdict}"
    )
    return not number
