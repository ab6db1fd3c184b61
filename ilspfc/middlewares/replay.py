"""Responses from WARC files, a folder or Common Crawl, in place of those of the sites."""

from __future__ import annotations

import asyncio
from datetime import UTC

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadCancelledError, IgnoreRequest
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes

from ilspfc.corpus.warc.lookup import ArchivedResponse
from ilspfc.corpus.warc.reader import DamagedError
from ilspfc.crawl.archives.common_crawl import CommonCrawlArchive
from ilspfc.crawl.archives.warc_replay import Replay
from ilspfc.crawl.component import CrawlComponent
from ilspfc.crawl.requests import FETCHED_AT, PAYLOAD_DIGEST
from ilspfc.middlewares.robots_files import IS_SITE_FILE


class NotArchivedError(IgnoreRequest):
    """The archive has no answer for a URL."""


class ReplayHandler(CrawlComponent):
    """Scrapy's download handler for http and https over the archive.

    A file of a site (robots.txt, TDM reservations, sitemaps) that is not there counts as
    missing on the site; another URL fails with NotArchivedError.
    """

    lazy = False

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._replay: Replay = self.job.replay  # type: ignore[assignment]

    async def download_request(self, request: Request) -> Response:
        """Return the archived response; NotArchivedError if there is none."""
        archive = await self._replay.index(self._crawler)
        usual = self._crawler.settings.getint("DOWNLOAD_MAXSIZE")
        limit = request.meta.get("download_maxsize", usual)
        try:
            if isinstance(archive, CommonCrawlArchive):
                found = await asyncio.to_thread(archive.read, request.url, limit)
            else:
                found = archive.read(request.url, limit)
        except (DamagedError, OSError) as error:
            raise NotArchivedError(
                f"the record cannot be read any more: {error}"
            ) from error
        if found is None:
            if request.meta.get(IS_SITE_FILE):
                return Response(request.url, status=404)
            raise NotArchivedError("not in the archive")
        if found.is_cut:
            raise DownloadCancelledError(
                f"larger than DOWNLOAD_MAXSIZE ({limit} bytes)"
            )
        date = found.date.astimezone(UTC)
        request.meta[FETCHED_AT] = date.isoformat(timespec="seconds")
        request.meta[PAYLOAD_DIGEST] = found.payload_digest
        return make_response(request, found)

    async def close(self) -> None:
        """End what is under way over a network; no file is held open. Scrapy calls it."""
        if isinstance(self._replay.archive, CommonCrawlArchive):
            self._replay.archive.close()


def make_response(request: Request, found: ArchivedResponse) -> Response:
    """Return an archived answer as Scrapy's response, still compressed if it was."""
    headers = Headers()
    for name, value in found.headers:
        headers.appendlist(name, value)
    kind = responsetypes.from_args(headers=headers, url=request.url, body=found.body)
    return kind(request.url, status=found.status, headers=headers, body=found.body)
