"""``scrapy check [SPIDER]``: Scrapy's command, with a wrong name in one line."""

from __future__ import annotations

import argparse

from scrapy.commands.check import Command as ScrapyCheckCommand

from ilspfc.command import InheritedCommand
from ilspfc.exceptions import name_known


class Command(InheritedCommand, ScrapyCheckCommand):
    """Checks the contracts of spiders; those of the project have none."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check the contracts; exit with 2 for a name that no spider has."""
        known = sorted(self.crawler_process.spider_loader.list())
        if unknown := [name for name in args if name not in known]:
            near = name_known(unknown[0], known)
            self.fail(f"{unknown[0]}: no such spider; {near}", 2)
            return
        super().run(args, opts)
