"""``scrapy parse URL``: Scrapy's command, for spiders that fill no corpus."""

from __future__ import annotations

import argparse

from scrapy import Request
from scrapy.commands.parse import Command as ScrapyParseCommand
from scrapy.exceptions import UsageError
from scrapy.utils.spider import spidercls_for_request
from w3lib.url import is_url

from ilspfc.command import check_plain_spider, name_program, warn
from ilspfc.exceptions import ArgumentError

_REMEDY = (
    "`scrapy clean URL` shows what is text on a page, `scrapy url CORPUS_DIR URL` what became"
    " of it in a crawl"
)


class Command(ScrapyParseCommand):
    """Parses a page by a spider of the user's; exits with 2 for one of the project."""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of Scrapy's command."""
        super().add_options(parser)
        name_program(parser)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Parse the page, or say in one line which command shows it."""
        if len(args) != 1 or not is_url(args[0]):
            raise UsageError("give one URL, as https://www.example.org/")
        assert self.crawler_process is not None  # noqa: S101
        loader = self.crawler_process.spider_loader
        found = spidercls_for_request(loader, Request(args[0]))
        name = opts.spider or (found.name if found is not None else "")
        try:
            check_plain_spider(loader, name, _REMEDY)
        except ArgumentError as error:
            warn(error if name else f"give a spider by --spider; {_REMEDY}")
            self.exitcode = 2
            return
        super().run(args, opts)
