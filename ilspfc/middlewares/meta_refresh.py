"""Redirects in a page's meta element, read without trusting the page's encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware
from scrapy.http import HtmlResponse

from ilspfc.cleaning.encoding import decode

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.http import Response

# Scrapy looks at the first 4,096 characters.
_HEAD_BYTES = 16 * 1024


class HeadRefreshMiddleware(MetaRefreshMiddleware):
    """Scrapy's, given the beginning of the page alone, decoded as cleaning does.

    Scrapy decodes the whole page with any codec of Python's that the page names: punycode
    takes the square of its length, in the crawler's own process, and idna raises.
    """

    def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Request | Response:
        """Return the request for the page that this one refers to, or the response."""
        if not isinstance(response, HtmlResponse):
            return response
        content_type = response.headers.get("Content-Type") or b""
        text, _ = decode(response.body[:_HEAD_BYTES], content_type.decode("latin-1"))
        head = HtmlResponse(
            response.url,
            status=response.status,
            headers=response.headers,
            body=text.encode("utf-8", "replace"),
            encoding="utf-8",
        )
        result = super().process_response(request, head)
        return response if result is head else result
