"""``scrapy optout apply CORPUS_DIR``: reserved pages taken out of a corpus."""

from __future__ import annotations

import argparse
from pathlib import Path

from scrapy.exceptions import UsageError

from ilspfc.command import ProjectCommand


class Command(ProjectCommand):
    """Removes pages whose recorded signals reserve text and data mining.

    For corpora that were crawled with OPTOUT_POLICY=record: files, index, archive and exports
    are then as if it had been skip, and crawls do not come back to the pages.
    """

    arguments = "apply CORPUS_DIR"

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Remove, and print the receipt."""
        del opts
        if len(args) != 2 or args[0] != "apply":
            raise UsageError("give apply and one corpus folder")
        # Scrapy imports all commands whenever one is run.
        from ilspfc.corpus.corpus import open_corpus
        from ilspfc.corpus.files import CorpusFiles
        from ilspfc.corpus.lock import CorpusLock
        from ilspfc.corpus.removals import Removal
        from ilspfc.setting_checks import check_settings
        from ilspfc.upkeep.removal import remove_pages

        check_settings(self.settings)
        root = CorpusFiles(Path(args[1])).require().root
        with CorpusLock(root), open_corpus(root, self.settings) as corpus:
            entries = corpus.index.documents(duplicates=True)
            wanted = [Removal.of("url", e.url) for e in entries if e.reserved]
            if not wanted:
                print("no document is reserved")
                return
            for removal in remove_pages(corpus, wanted):
                print(removal.describe())
