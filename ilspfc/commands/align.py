"""``scrapy align CORPUS_DIR | SRC.txt TRG.txt | --list FILE``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy.exceptions import UsageError

from ilspfc.command import CorpusCommand, warn
from ilspfc.exceptions import ArgumentError

# Options for text files alone, with their counterparts for a corpus.
_TEXT_OPTIONS = {
    "dictionary": "set LEXICON_STORE to the store that scrapy lexicon merge makes of it",
    "out": "all files go to its folder",
    "rounds": "the number follows from its size",
}


class Command(CorpusCommand):
    """Runs the alignment stage over a corpus, or aligns text files."""

    stage = "alignment"

    arguments = "CORPUS_DIR | SOURCE.txt TARGET.txt | --list FILE"
    takes = 0, 2, "give a corpus folder, two text files, or --list FILE"
    options = (
        ("--langs", "L1,L2", "text files: source and target language"),
        ("--dictionary", "FILE", "text files: a dictionary that helps (TSV, .dic)"),
        (
            "--list",
            "FILE",
            "many text files with one lexicon: lines of source TAB target TAB out",
        ),
        ("--out", "FILE", "two text files: result, TMX if it ends in .tmx"),
        (
            "--rounds",
            "N",
            "text files: rounds of learning, 0 to 10 (default: 3, 1 for large collections)",
            {"type": int, "default": None},
        ),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Align a corpus or text files."""
        if not opts.list and len(args) == 1 and not opts.langs:
            for option, setting in _TEXT_OPTIONS.items():
                if getattr(opts, option):
                    raise UsageError(
                        f"--{option} is for text files; for a corpus {setting}"
                    )
            super().work(args, opts)
            return
        if len(args) != (0 if opts.list else 2):
            raise UsageError(self.takes[2])
        if opts.rounds is not None and not 0 <= opts.rounds <= 10:
            raise ArgumentError(f"--rounds {opts.rounds}: give a number from 0 to 10")
        self._align_files(args, opts)

    def _align_files(self, args: list[str], opts: argparse.Namespace) -> None:
        from ilspfc.files.text_alignment import TextCollection, TextFiles, read_list
        from ilspfc.line.lexicons import parse_langs

        langs = parse_langs(opts.langs)
        if opts.list:
            files = read_list(Path(opts.list))
        else:
            out = Path(opts.out) if opts.out else None
            files = [TextFiles(Path(args[0]), Path(args[1]), out)]
        texts = TextCollection(files, langs, is_strict=not opts.list)
        for warning in texts.warnings:
            warn(warning)
        dictionary = Path(opts.dictionary) if opts.dictionary else None
        aligned = texts.align(self.settings, dictionary, opts.rounds)
        for pair, found in zip(files, aligned, strict=True):
            if pair.out is None:
                sys.stdout.writelines(f"{line}\n" for line in found.lines())
            else:
                found.write(pair.out, langs)
