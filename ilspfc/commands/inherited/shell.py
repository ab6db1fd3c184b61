"""``scrapy shell URL``: Scrapy's console, with the page as cleaning sees it."""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.commands.shell import Command as ScrapyShellCommand
from scrapy.exceptions import IgnoreRequest
from scrapy.utils.url import guess_scheme

from ilspfc.command import InheritedCommand
from ilspfc.documents import Document
from ilspfc.exceptions import ArgumentError

if TYPE_CHECKING:
    from scrapy.http import Response


_HELP = (
    "[s] clean(response) returns what cleaning makes of a response, page of this one"
)
# A file of the user's is no address that a page could lead a crawl to.
_FILE_SETTINGS = {
    "DOWNLOAD_HANDLERS": {
        "file": "scrapy.core.downloader.handlers.file.FileDownloadHandler"
    },
    "DOWNLOADER_MIDDLEWARES": {},
}


class Command(InheritedCommand, ScrapyShellCommand):
    """Opens the console; exits with 1 where the page cannot be fetched."""

    _is_open = False  # whether the page is there
    _is_quiet = False

    def update_vars(self, vars: dict[str, Any]) -> None:  # noqa: A002 - Scrapy's name
        """Add ``page``, the document that cleaning makes of the response, and ``clean``."""
        response = vars["response"]
        if response is None and vars["request"] is not None:
            raise IgnoreRequest("robots.txt, ROBOTSTXT_OBEY, or GUARD_ALLOW forbids it")
        self._is_open = True
        vars["clean"] = self._clean
        vars["page"] = None
        if response is not None:
            with suppress(ArgumentError):  # no page: an image, say
                vars["page"] = self._clean(response)
        if not self._is_quiet:
            print(_HELP)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Fetch the page and open the console."""
        from ilspfc.responses.failures import describe_failure
        from ilspfc.spiders.page_spider import name_operator

        self._is_quiet = bool(opts.code)
        if args and urlsplit(guess_scheme(args[0])).scheme == "file":
            self.settings.setdict(_FILE_SETTINGS, priority="cmdline")
        name_operator(self.settings)
        try:
            if opts.spider:
                self.check_plain_spider(opts.spider, "leave --spider out")
            super().run(args, opts)
        except Exception as error:
            if self._is_open:
                raise  # by what the user has typed
            if isinstance(error, ArgumentError):
                self.fail(error, 2)
            else:
                reason, cause, _ = describe_failure(error)
                self.fail(f"{args[0]}: not fetched: {cause or reason}", 1)

    def _clean(self, response: Response) -> Document:
        """Return the document of a response; ArgumentError where it is no page."""
        from ilspfc.crawl.text_options import cleaning_options, language_texts
        from ilspfc.files.page_files import PageOptions, ShownDocument, make_document
        from ilspfc.files.page_sources import PageSource
        from ilspfc.responses.response_page import header_of

        options = PageOptions(
            files=tuple(self.settings.getlist("CLEANING_FORMATS")),
            cleaning=cleaning_options(self.settings),
            language_texts=language_texts(self.settings),
        )
        source = PageSource(
            response.url,
            body=response.body,
            url=response.url,
            content_type=header_of(response, "Content-Type"),
        )
        return ShownDocument.of(make_document(source, options))
