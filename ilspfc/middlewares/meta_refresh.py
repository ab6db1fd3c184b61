"""Redirects in a page's meta element, read without trusting the page's encoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware
from scrapy.http import HtmlResponse, Response

from ilspfc.cleaning import find_redirect
from ilspfc.cleaning.encoding.decoding import decode

if TYPE_CHECKING:
    from scrapy import Request, Spider

_HEAD_BYTES = 16 * 1024
# A refresh after fewer seconds is a redirect; after as many or more, its target is a link.
_MAX_DELAY_SECONDS = 1


class HeadRefreshMiddleware(MetaRefreshMiddleware):
    """Follows immediate redirects of a page; delayed ones are links.

    Scrapy decodes the whole page with any codec of Python's that the page names (punycode
    takes quadratic time, in the crawler's own process, and idna raises), and raises for
    addresses that browsers ignore. Here the beginning of the page is decoded and parsed as
    in cleaning, and invalid targets are ignored.
    """

    def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Request | Response:
        """Return the request for the page that this one refers to, or the response."""
        if not isinstance(response, HtmlResponse) or request.meta.get("dont_redirect"):
            return response
        content_type = response.headers.get("Content-Type") or b""
        text, _ = decode(response.body[:_HEAD_BYTES], content_type.decode("latin-1"))
        url = find_redirect(text, response.url, _MAX_DELAY_SECONDS)
        if not url:
            return response
        redirected = self._redirect_request_using_get(request, response, url)
        return self._redirect(redirected, request, "meta refresh")
