"""``scrapy forget CORPUS_DIR --url URL --host HOST``: pages removed from a corpus, for good."""

from __future__ import annotations

import argparse
from pathlib import Path

from ilspfc.command import ProjectCommand, warn
from ilspfc.exceptions import ArgumentError


class Command(ProjectCommand):
    """Removes pages from files, index, archive and exports, and keeps crawls from them."""

    arguments = "CORPUS_DIR"
    takes = 1, 1, "give one corpus folder"
    options = (
        ("--url", "URL", "address to remove", list),
        ("--host", "HOST", "host to remove", list),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Remove, and print the receipt."""
        # Scrapy imports all commands whenever one is run.
        from ilspfc.corpus.removals import Removal
        from ilspfc.upkeep.removal import remove_from

        wanted = [Removal.of("url", url) for url in opts.url]
        wanted += [Removal.of("host", host) for host in opts.host]
        if not wanted:
            raise ArgumentError("nothing to remove; give --url or --host")
        for removal in remove_from(Path(args[0]), self.settings, lambda _: wanted):
            print(removal.describe())
            if not removal.documents and not removal.archived:
                warn(f"{removal.value}: not in the corpus; later crawls leave it out")
