"""``scrapy fetch URL``: Scrapy's command, by the rules of a crawl, with failures in one line."""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.commands.fetch import Command as ScrapyFetchCommand
from scrapy.exceptions import UsageError
from scrapy.utils.datatypes import SequenceExclude
from scrapy.utils.spider import DefaultSpider, spidercls_for_request
from w3lib.url import is_url

from ilspfc.command import InheritedCommand
from ilspfc.exceptions import ArgumentError, SettingError

if TYPE_CHECKING:
    from twisted.python.failure import Failure


class Command(InheritedCommand, ScrapyFetchCommand):
    """Fetches one page; exits with 1 where it cannot, with 2 for a wrong argument."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Fetch the page and hand it to the callback of the command."""
        if len(args) != 1 or not is_url(args[0]):
            raise UsageError("give one URL, as https://www.example.org/")
        from ilspfc.setting_table import check_settings
        from ilspfc.spiders.page_spider import name_operator

        loader = self.crawler_process.spider_loader
        request = Request(
            args[0],
            self._print_response,
            errback=self._miss,
            cb_kwargs={"opts": opts},
            dont_filter=True,
            meta={"handle_httpstatus_all": True}
            if opts.no_redirect
            else {"handle_httpstatus_list": SequenceExclude(range(300, 400))},
        )
        try:
            check_settings(self.settings)
            if opts.spider:
                self.check_plain_spider(opts.spider, "leave --spider out")
        except (ArgumentError, SettingError) as error:
            self.fail(error, 2)
            return
        name_operator(self.settings)
        spider_class = (
            loader.load(opts.spider)
            if opts.spider
            else spidercls_for_request(loader, request, DefaultSpider)
        )

        async def start(self: Spider) -> AsyncIterator[Any]:
            yield request

        spider_class.start = start  # type: ignore[method-assign]
        self.crawler_process.crawl(spider_class)
        self.crawler_process.start()
        if self.crawler_process.bootstrap_failed:
            self.exitcode = 1

    def _miss(self, failure: Failure) -> None:
        from ilspfc.responses.failures import describe_failure

        reason, cause, _ = describe_failure(failure.value)
        url = failure.request.url  # type: ignore[attr-defined]
        self.fail(f"{url}: not fetched: {cause or reason}", 1)
