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
        from ilspfc.upkeep.removal import find_reserved, remove_from

        removed = remove_from(Path(args[1]), self.settings, find_reserved)
        receipt = [removal.describe() for removal in removed]
        print("\n".join(receipt) or "no document is reserved")
