"""robots.txt, as Scrapy obeys it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler


class RobotsRefusedError(IgnoreRequest):
    """robots.txt forbids a URL."""


class RobotsMiddleware(RobotsTxtMiddleware):
    """Scrapy's middleware, silent about hosts that cannot be reached.

    Such a host shows in the report as the failure of its pages; a traceback for its
    robots.txt would say the same at length.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        logging.getLogger(RobotsTxtMiddleware.__module__).setLevel(logging.CRITICAL)

    async def process_request(self, request: Request) -> None:  # type: ignore[override]
        """Raise RobotsRefusedError for a URL that robots.txt forbids."""
        try:
            await super().process_request(request)
        except IgnoreRequest as error:
            raise RobotsRefusedError(str(error)) from error
