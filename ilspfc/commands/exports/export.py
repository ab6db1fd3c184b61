"""``scrapy export CORPUS_DIR``."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.command import CorpusCommand, apply_setting_options, keep_colons
from ilspfc.exceptions import ArgumentError
from ilspfc.setting_table import split_list

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus

# Options for the units of translation memories, with their settings.
UNIT_OPTIONS = {
    "--preset": "EXPORTS_PRESET",
    "--filter": "EXPORTS_FILTERS",
    "--max-units": "EXPORTS_MAX_UNITS",
    "--lang-map": "EXPORTS_LANG_MAP",
    "--props": "EXPORTS_TMX_PROPS",
}
EXPORT_OPTIONS = {
    "--format": "EXPORTS_FORMATS",
    "--evidence": "EXPORTS_EVIDENCE",
    "--licensed": "EXPORTS_LICENSED",
    "--personal-data": "EXPORTS_PERSONAL_DATA",
    "--gz": "EXPORTS_COMPRESS",
    "--split": "EXPORTS_SPLIT",
    **UNIT_OPTIONS,
}


class Command(CorpusCommand):
    """Runs the exports stage over a corpus."""

    stage = "exports"
    options = (("--out", "DIR", "folder to write into, from which nothing is removed"),)
    setting_options = EXPORT_OPTIONS

    def long_desc(self) -> str:
        """Return the description with all formats."""
        from ilspfc.exports.registry import FORMATS

        formats = "; ".join(f"{one.name}: {one.title}" for one in FORMATS.values())
        return keep_colons(f"{self.short_desc()}. The formats are {formats}.")

    def conclude(self, corpus: Corpus, opts: argparse.Namespace) -> None:
        """List what was written."""
        print(*corpus.run["written"], sep="\n")

    def make(self, corpus: Corpus) -> None:
        """Run the stage; in another folder its run, with its units, is none of the corpus."""
        if not self._out:
            super().make(corpus)
            return
        from ilspfc.exports.corpus_files import run_exports
        from ilspfc.line.units import run_units

        with corpus.index.transaction() as connection:
            run_units(corpus)
            run_exports(replace(corpus, out=Path(self._out)))
            connection.rollback()

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check the options and write the files."""
        apply_setting_options(self.settings, opts)
        self._out = opts.out
        if self._out and "html" in split_list(self.settings, "EXPORTS_FORMATS"):
            raise ArgumentError(
                f"--out={self._out}: html is written beside the documents; leave html out"
                " of --format, or --out"
            )
        super().work(args, opts)
