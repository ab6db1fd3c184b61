"""``scrapy export CORPUS_DIR``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ilspfc.command import CorpusCommand, add_setting_options, apply_setting_options

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
    **UNIT_OPTIONS,
}


class Command(CorpusCommand):
    """Runs the exports stage over a corpus."""

    stage = "exports"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options, each of which is a setting too."""
        super().add_options(parser)
        add_setting_options(parser, EXPORT_OPTIONS)

    def conclude(self, corpus: Corpus, opts: argparse.Namespace) -> None:
        """List the exports that there are."""
        from ilspfc.exports.registry import iter_export_files

        for path, meaning in iter_export_files(corpus):
            print(f"{path}: {meaning}")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check the options and write the files."""
        apply_setting_options(self.settings, opts)
        super().work(args, opts)
