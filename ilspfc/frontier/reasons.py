"""Why a URL does not become a page."""

from __future__ import annotations

from enum import StrEnum


class FetchReason(StrEnum):
    """Why a URL was not fetched."""

    ADDRESS_REFUSED = "address_refused"
    ROBOTS = "robots"
    OUT_OF_SCOPE = "out_of_scope"
    HTTP_ERROR = "http_error"
    REDIRECTS = "redirects"
    TOO_LARGE = "too_large"
    TIMEOUT = "timeout"
    CERTIFICATE = "certificate"
    DEAD_HOST = "dead_host"
    ROBOTS_UNREACHABLE = "robots_unreachable"
    NOT_ARCHIVED = "not_archived"
    NOT_REACHED = "not_reached"
