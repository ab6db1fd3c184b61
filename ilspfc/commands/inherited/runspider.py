"""``scrapy runspider FILE.py``: Scrapy's command, with the summary of a crawl."""

from __future__ import annotations

import argparse
from pathlib import Path

from scrapy.commands.runspider import Command as ScrapyRunspiderCommand
from scrapy.commands.runspider import _import_file
from scrapy.exceptions import UsageError
from scrapy.utils.spider import iter_spider_classes

from ilspfc.commands.crawl import Command as CrawlCommand


class Command(CrawlCommand):
    """Runs the spider in a file; one derived from those of the project as ``crawl`` does."""

    requires_project = False
    default_settings = ScrapyRunspiderCommand.default_settings
    arguments = "FILE.py"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the last spider of the file."""
        if len(args) != 1:
            raise UsageError("give one file with a spider")
        try:
            module = _import_file(Path(args[0]))
        except (ImportError, ValueError) as error:
            raise UsageError(f"{args[0]}: {error}", print_help=False) from error
        if not (spiders := list(iter_spider_classes(module))):
            raise UsageError(f"{args[0]}: has no spider", print_help=False)
        self.run_spider(spiders[-1], opts)
