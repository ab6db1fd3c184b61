"""``scrapy bench``: Scrapy's benchmark, whose site is on loopback."""

from __future__ import annotations

import argparse

from scrapy.commands.bench import Command as ScrapyBenchCommand

from ilspfc.command import InheritedCommand

# Those of the project hold back: the benchmark is of Scrapy and of the machine.
_SETTINGS = {
    **ScrapyBenchCommand.default_settings,
    "GUARD_ALLOW": "127.0.0.0/8",
    "ROBOTSTXT_OBEY": False,
    "DOWNLOAD_DELAY": 0,
}


class Command(InheritedCommand, ScrapyBenchCommand):
    """Measures how many pages Scrapy fetches in a minute on this machine, for ten seconds."""

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Read the options; what they leave open is as in Scrapy's own projects."""
        self.settings.setdict(_SETTINGS, priority="project")
        super().process_options(args, opts)
