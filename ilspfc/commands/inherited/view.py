"""``scrapy view URL``: Scrapy's command, by the rules of a crawl."""

from __future__ import annotations

from scrapy.commands.view import Command as ScrapyViewCommand

from ilspfc.commands.inherited.fetch import Command as FetchCommand


class Command(FetchCommand, ScrapyViewCommand):
    """Shows one page in the browser; exits as ``scrapy fetch`` does."""
