"""Redirects by status and Location header."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.redirect import RedirectMiddleware

from ilspfc.web.address import AddressError, AddressReason, resolve

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.http import Response

_STATUSES = frozenset({301, 302, 303, 307, 308})


class LocationMiddleware(RedirectMiddleware):
    """Scrapy's middleware, given the Location as an absolute URL with a host in ASCII.

    A redirect to an invalid URL or to another scheme is an error of the server.
    """

    def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Request | Response:
        """Return the request for the target of a redirect, or the response."""
        location = response.headers.get("Location")
        if location is None or response.status not in _STATUSES:
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
