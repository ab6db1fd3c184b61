"""Decompression within bounds: of size, of layers, of parts."""

from __future__ import annotations

from scrapy import Request, Spider
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import DownloadCancelledError, IgnoreRequest
from scrapy.http import Response

# One encoding is usual, two are a mistake of the server, more are an attack.
_MAX_ENCODINGS = 2
# Compressed data may be a row of parts (RFC 1952, 2.2; RFC 8878, 3.1). Ten megabytes of empty
# ones take up to 16 s of CPU, in the crawler's own process.
_MAX_PARTS = 1000
# How parts begin: gzip members, zstd frames, zstd frames to be skipped.
_PART_MARKS = (b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\x2a\x4d\x18")


class CompressionMiddleware(HttpCompressionMiddleware):
    """Scrapy's middleware, with bounds on the cost of decompression.

    At DOWNLOAD_MAXSIZE Scrapy ignores the request; here the page counts as too large.
    """

    def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Request | Response:
        """Return the response decompressed; DownloadCancelledError if it is too much."""
        header = b",".join(response.headers.getlist("Content-Encoding"))
        encodings = [name for name in header.split(b",") if name.strip()]
        if len(encodings) > _MAX_ENCODINGS:
            raise DownloadCancelledError(f"compressed {len(encodings)} times over")
        if encodings and max(map(response.body.count, _PART_MARKS)) > _MAX_PARTS:
            raise DownloadCancelledError("compressed in too many parts")
        try:
            return super().process_response(request, response)
        except IgnoreRequest as error:
            size = self._max_size
            raise DownloadCancelledError(
                f"larger than DOWNLOAD_MAXSIZE={size} when decompressed"
            ) from error
