"""Repeated crawls: conditional requests and deltafetch."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Self, cast

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy_deltafetch import DeltaFetch

from ilspfc.crawl.component import CrawlComponent, is_corpus_crawl, job_of
from ilspfc.crawl.job import CrawlJob
from ilspfc.crawl.requests import FRONTIER_KEY, LAST_VISIT

NOT_MODIFIED = 304


class ConditionalMiddleware(CrawlComponent):
    """Makes requests for known pages conditional on a change.

    Requests carry the validators that came with the page (RFC 9110, section 13.1), except
    for a page that was read by other rules than today's: "not modified" would hide text and
    links that the new rules find on it.
    """

    def process_request(self, request: Request) -> None:
        """Add the conditions; site files and requests of the user's own have none."""
        key = request.meta.get(FRONTIER_KEY)
        visit = self.job.store.visit_of(key) if key is not None else None
        if visit is None:
            return
        request.meta[LAST_VISIT] = visit
        spider = cast("Any", self._crawler.spider)
        if visit.rules != spider.revisits.rules_for(request):
            return
        conditions = {
            "If-None-Match": visit.etag,
            "If-Modified-Since": visit.last_modified,
        }
        for name, value in conditions.items():
            if value:
                request.headers[name] = value.encode("latin-1")
                # Scrapy would treat the response as an error.
                request.meta["handle_httpstatus_list"] = [NOT_MODIFIED]


class DeltaFetchMiddleware(DeltaFetch):  # type: ignore[misc] # untyped
    """scrapy-deltafetch for ``-a delta=1``: links to exported pages are passed over.

    The corpus index tells which pages are exported, in place of deltafetch's own file.
    Unlike the library's it works with asynchronous spider output, and the export pipeline
    counts the stored pages: those whose document was exported, not all items.
    """

    job: CrawlJob

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the middleware; it is off unless the crawl is a delta crawl."""
        if not is_corpus_crawl(crawler) or not job_of(crawler).arguments.delta:
            raise NotConfigured
        middleware = cls(dir="", stats=crawler.stats)
        middleware.job = job_of(crawler)
        return middleware

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Pass on what a callback yielded, but no request for an exported page."""
        async for output in result:
            if isinstance(output, Request):
                is_known = self.job.has_document(output.url)
                if is_known and self._is_enabled_for_request(output):
                    self.stats.inc_value("deltafetch/skipped")
                    continue
            yield output
