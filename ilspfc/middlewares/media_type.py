"""Media types: downloads of images, archives and video are cut off."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured, StopDownload
from scrapy.http import Headers

from ilspfc.cleaning.files.formats import format_of, readable
from ilspfc.crawl.requests import IS_RESOURCE
from ilspfc.middlewares.robots_files import IS_SITE_FILE


class MediaTypeMiddleware:
    """Stops a download at its header when the media type is not wanted.

    The response goes on with an empty body, so that redirects and errors are processed as
    usual; cleaning then drops a page of another type, with a reason.
    """

    def __init__(self, media_types: Iterable[str], formats: Iterable[str] = ()) -> None:
        self._media_types = frozenset(media_types)
        self._formats = readable(formats)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the middleware of a crawl."""
        media_types = crawler.settings.getlist("FETCH_MEDIA_TYPES")
        if not media_types:
            raise NotConfigured("FETCH_MEDIA_TYPES is empty: all types are downloaded")
        middleware = cls(media_types, crawler.settings.getlist("CLEANING_FORMATS"))
        crawler.signals.connect(
            middleware.headers_received, signal=signals.headers_received
        )
        return middleware

    def headers_received(self, headers: Headers, request: Request) -> None:
        """Raise StopDownload for a media type that is not wanted."""
        content_type = headers.get("Content-Type")
        is_file = request.meta.get(IS_SITE_FILE) or request.meta.get(IS_RESOURCE)
        if not content_type or is_file:
            return
        media_type = content_type.decode("latin-1").split(";", 1)[0].strip().lower()
        if media_type in self._media_types:
            return
        # Servers send unknown formats as application/octet-stream.
        if format_of(media_type, request.url, self._formats) is None:
            raise StopDownload(fail=False)
