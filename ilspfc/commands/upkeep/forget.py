"""``scrapy forget CORPUS_DIR --url URL --host HOST``: pages removed from a corpus, for good."""

from __future__ import annotations

import argparse
from pathlib import Path

from scrapy.exceptions import UsageError

from ilspfc.command import ProjectCommand
from ilspfc.exceptions import ArgumentError


class Command(ProjectCommand):
    """Removes pages from files, index, archive and exports, and keeps crawls from them."""

    arguments = "CORPUS_DIR"
    options = (
        ("--url", "URL", "address to remove", {"action": "append", "default": []}),
        ("--host", "HOST", "host to remove", {"action": "append", "default": []}),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Remove, and print the receipt."""
        if len(args) != 1:
            raise UsageError("give one corpus folder")
        # Scrapy imports all commands whenever one is run.
        from ilspfc.corpus.corpus import open_corpus
        from ilspfc.corpus.files import CorpusFiles
        from ilspfc.corpus.lock import CorpusLock
        from ilspfc.corpus.removals import Removal
        from ilspfc.setting_checks import check_settings
        from ilspfc.upkeep.removal import remove_pages

        wanted = [Removal.of("url", url) for url in opts.url]
        wanted += [Removal.of("host", host) for host in opts.host]
        if not wanted:
            raise ArgumentError("nothing to remove; give --url or --host")
        check_settings(self.settings)
        root = CorpusFiles(Path(args[0])).require().root
        with CorpusLock(root), open_corpus(root, self.settings) as corpus:
            for removal in remove_pages(corpus, wanted):
                print(removal.describe())
