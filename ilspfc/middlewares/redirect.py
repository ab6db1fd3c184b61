"""Redirects by status and Location header, and in a page's meta element."""

from __future__ import annotations

from scrapy import Request, Spider
from scrapy.downloadermiddlewares.redirect import (
    MetaRefreshMiddleware,
    RedirectMiddleware,
)
from scrapy.http import HtmlResponse, Response

from ilspfc.cleaning.blocks.links import find_redirect
from ilspfc.cleaning.encoding.decoding import decode
from ilspfc.web.address import AddressError, AddressReason, resolve

REDIRECTS = frozenset({301, 302, 303, 307, 308})
"""Statuses of a redirect, with the target in the Location header."""


class LocationMiddleware(RedirectMiddleware):
    """Scrapy's middleware, given the Location as an absolute URL with a host in ASCII.

    A redirect to an invalid URL or to another scheme is an error of the server.
    """

    def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Request | Response:
        """Return the request for the target of a redirect, or the response."""
        location = response.headers.get("Location")
        if location is None or response.status not in REDIRECTS:
            return response
        text = location.decode("utf-8", "replace")
        try:
            target = resolve(request.url, text)
        except AddressError as error:
            if error.reason is not AddressReason.OTHER_SCHEME:
                self.crawler.stats.inc_value(f"frontier/dropped/{error.reason}")
            return response
        known = response.replace(headers={**response.headers, "Location": target})
        result = super().process_response(request, known)
        return response if result is known else result


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
