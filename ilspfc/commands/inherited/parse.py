"""``scrapy parse URL``: Scrapy's command, for spiders that fill no corpus."""

from __future__ import annotations

import argparse

from scrapy import Request
from scrapy.commands.parse import Command as ScrapyParseCommand
from scrapy.exceptions import UsageError
from scrapy.utils.spider import spidercls_for_request
from w3lib.url import is_url

from ilspfc.command import InheritedCommand
from ilspfc.exceptions import ArgumentError

_REMEDY = (
    "`scrapy clean URL` shows what is text on a page, `scrapy url CORPUS_DIR URL` what became"
    " of it in a crawl"
)


class Command(InheritedCommand, ScrapyParseCommand):
    """Parses a page by a spider of the user's; exits with 2 for one of the project."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Parse the page, or say in one line which command shows it."""
        if len(args) != 1 or not is_url(args[0]):
            raise UsageError("give one URL, as https://www.example.org/")
        loader = self.crawler_process.spider_loader
        found = spidercls_for_request(loader, Request(args[0]))
        name = opts.spider or (found.name if found is not None else "")
        try:
            self.check_plain_spider(name, _REMEDY)
        except ArgumentError as error:
            self.fail(error if name else f"give a spider by --spider; {_REMEDY}", 2)
            return
        super().run(args, opts)
