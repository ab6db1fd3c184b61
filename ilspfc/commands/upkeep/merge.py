"""``scrapy merge OUT CORPUS_DIR …``: one corpus of several."""

from __future__ import annotations

import argparse
from math import inf
from pathlib import Path

from ilspfc.command import ProjectCommand, say


class Command(ProjectCommand):
    """Joins corpora that were crawled apart; the sources stay as they are."""

    arguments = "OUT CORPUS_DIR …"
    takes = 3, inf, "give a new folder, and two corpora or more"

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Merge, and print what was taken from each corpus."""
        del opts
        # Scrapy imports all commands whenever one is run.
        from ilspfc.setting_table import check_settings
        from ilspfc.upkeep.merging import merge_corpora

        check_settings(self.settings)
        out, *roots = map(Path, args)
        for source in merge_corpora(out, roots, self.settings):
            older = source.documents - source.taken
            end = f", {older} older than another's" if older else ""
            print(f"{source.folder}: {source.documents} documents{end}")
        say(f"Now run: scrapy build {out}")
