"""Feedback of responses to the politeness clock of a host."""

from __future__ import annotations

from contextlib import suppress
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from time import time

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    NotConfigured,
)
from scrapy.http import Response
from twisted.internet.error import ConnectError

from ilspfc.crawl.archives.warc_replay import is_replay
from ilspfc.crawl.component import CrawlComponent
from ilspfc.crawl.crawl_frontier import opened_frontier
from ilspfc.frontier.politeness import Answer
from ilspfc.middlewares.handler import CertificateRefusedError

# Immediate failures: during an outage every visit ends in one.
_AWAY = (CannotResolveHostError, DownloadConnectionRefusedError, ConnectError)
_UNREACHED = (*_AWAY, DownloadTimeoutError, CertificateRefusedError)
THROTTLING = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
"""Statuses that ask to come back later."""
# Retries after a time-out: each takes as long as all others together.
_TIMEOUT_RETRIES = 1
# A 503 that asks to come back after more seconds is left to a later run.
_LONGEST_RETRY_SECONDS = 60.0


def retry_after_seconds(value: bytes | None, now: float) -> float:
    """Return the seconds that a Retry-After header asks for (RFC 9110, section 10.2.3).

    The header holds seconds or a date; 0 for a missing or invalid one. ``now`` is in
    seconds since the epoch.

    >>> retry_after_seconds(b"120", 0.0)
    120.0
    >>> retry_after_seconds(b"Thu, 01 Jan 1970 00:01:00 GMT", 10.0)
    50.0
    """
    text = value.decode("latin-1").strip() if value else ""
    if text.isdecimal():
        return float(text)
    with suppress(ValueError, OverflowError):
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    return 0.0


class PolitenessMiddleware(CrawlComponent):
    """Passes the kind of every response to the frontier, before retries and redirects."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        if is_replay(crawler):
            raise NotConfigured  # no host needs politeness

    def process_response(self, request: Request, response: Response) -> Response:
        """Pass the response on; a 429 or 503 slows the visits of its host down."""
        seconds = 0.0
        if response.status in THROTTLING:
            header = response.headers.get("Retry-After")
            seconds = retry_after_seconds(header, time())
            is_page = response.status == HTTPStatus.SERVICE_UNAVAILABLE
            if is_page and seconds > _LONGEST_RETRY_SECONDS:
                request.meta["dont_retry"] = True
            answer = Answer.UNAVAILABLE if is_page else Answer.THROTTLED
        else:
            answer = Answer.BROKEN if response.status >= 500 else Answer.OK
        opened_frontier(self._crawler).answered(request, answer, seconds)
        return response

    def process_exception(
        self, request: Request, exception: Exception
    ) -> Request | None:
        """Count a host that cannot be reached; return the request where it is away for a while.

        A broken or slow response may be the fault of one page: the host has others.
        """
        if isinstance(exception, DownloadTimeoutError):
            times = self._crawler.settings.getint("RETRY_TIMES")
            request.meta["max_retry_times"] = min(times, _TIMEOUT_RETRIES)
        is_unreached = isinstance(exception, _UNREACHED)
        answer = Answer.ERROR if is_unreached else Answer.BROKEN
        frontier = opened_frontier(self._crawler)
        frontier.answered(request, answer)
        if not (isinstance(exception, _AWAY) and frontier.is_away(request)):
            return None
        self.count("fetch/put_back")
        again = request.replace(dont_filter=True)
        again.meta.setdefault("retry_times", 0)  # the page has been counted
        again.meta.pop("dont_retry", None)
        return again
