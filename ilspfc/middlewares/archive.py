"""Archive of the responses, as they come, in WARC files."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import ClassVar

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response

from ilspfc.corpus.warc.writer import (
    Exchange,
    digest,
    format_request_head,
    format_response_head,
)
from ilspfc.crawl.archives.warc_replay import is_replay
from ilspfc.crawl.component import CrawlComponent, job_of
from ilspfc.crawl.fetched_page import PageWork
from ilspfc.crawl.requests import FETCHED_AT, FRONTIER_KEY, IS_PROBE, PAYLOAD_DIGEST
from ilspfc.middlewares.robots_files import iter_fields, read_signals
from ilspfc.optout.policy import OptOutPolicy, decide

# Key of request.meta: exchange and response of a page that waits for its outcome.
_EXCHANGE = "archive_exchange"
# Scrapy's flags of an incomplete body, with WARC's words.
_TRUNCATED = {"download_stopped": "unspecified", "dataloss": "disconnect"}


class ArchiveMiddleware(CrawlComponent):
    """Writes each response with its request: pages, redirects, errors, site files.

    Its place is next to the downloader, where the body is still compressed. A page that may
    turn out to be reserved waits in ``request.meta`` until the ledger calls :func:`settle`.
    Reserved pages are not kept where the policy is to skip them, nor are responses to probes.
    The middleware is off where no archive is written.
    """

    listens: ClassVar = {"redirected": signals.request_scheduled}

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        if self.job.archive is None:
            raise NotConfigured
        self._skips = crawler.settings["OPTOUT_POLICY"] == OptOutPolicy.SKIP

    def process_response(self, request: Request, response: Response) -> Response:
        """Pass the response on; write it, or let it wait if it is a page."""
        if IS_PROBE in request.meta:
            return response
        date = datetime.now(UTC)
        if is_replay(self._crawler) and FETCHED_AT in request.meta:
            date = datetime.fromisoformat(request.meta[FETCHED_AT])
        exchange = _make_exchange(request, response, date)
        request.meta[FETCHED_AT] = exchange.date.isoformat(timespec="seconds")
        request.meta[PAYLOAD_DIGEST] = digest(exchange.body)
        is_page = FRONTIER_KEY in request.meta and 200 <= response.status < 300
        if is_page and self._skips:
            request.meta[_EXCHANGE] = exchange, response
        else:
            write(self._crawler, exchange)
        return response

    def redirected(self, request: Request) -> None:
        """Write a page that redirects by meta refresh, before any worker sees it."""
        settle(self._crawler, request, None)


def settle(crawler: Crawler, request: Request | None, work: PageWork | None) -> None:
    """Write the waiting records of a page, unless it is reserved.

    Without the worker's decision, header and site files alone decide.
    """
    if request is None or _EXCHANGE not in request.meta:
        return
    exchange, response = request.meta.pop(_EXCHANGE)
    if work is not None:
        is_reserved = work.is_reserved
    else:
        agent = crawler.settings["USER_AGENT"]
        is_reserved = decide(read_signals(request, response, agent)).reserved
    write(crawler, exchange, is_reserved=is_reserved)


def write(crawler: Crawler, exchange: Exchange, *, is_reserved: bool = False) -> None:
    """Write an exchange, and count it."""
    if is_reserved:
        crawler.stats.inc_value("archive/reserved_pages")
        return
    job = job_of(crawler)
    with job.disk:
        job.archive.write(exchange)  # type: ignore[union-attr]
    crawler.stats.inc_value("archive/responses")


def _make_exchange(request: Request, response: Response, date: datetime) -> Exchange:
    flags = (_TRUNCATED[flag] for flag in response.flags if flag in _TRUNCATED)
    return Exchange(
        url=response.url,
        date=date,
        request_head=format_request_head(
            request.method, request.url, iter_fields(request.headers)
        ),
        response_head=format_response_head(
            response.protocol or "HTTP/1.1",
            response.status,
            iter_fields(response.headers),
            len(response.body),
        ),
        body=response.body,
        ip_address=str(response.ip_address or ""),
        truncated=next(flags, ""),
    )
