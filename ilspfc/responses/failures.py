"""Reasons for which a URL did not become a page, in the words of the reports."""

from __future__ import annotations

from http import HTTPStatus

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
)
from scrapy.spidermiddlewares.httperror import HttpError
from twisted.internet.error import ConnectionDone

from ilspfc.frontier.reasons import FetchReason
from ilspfc.frontier.store.candidates import UrlState
from ilspfc.middlewares.guard import AddressRefusedError
from ilspfc.middlewares.handler import CertificateRefusedError, SlowAnswerError
from ilspfc.middlewares.replay import NotArchivedError
from ilspfc.middlewares.robots_files import RobotsRefusedError, RobotsUnreachableError
from ilspfc.middlewares.throttle import THROTTLING

# Header of Cloudflare's pay per crawl, as in "USD 0.01"; it comes with a 402.
_PRICE = "crawler-price"
_PRICE_CHARS = 40


def describe_failure(error: BaseException | None) -> tuple[FetchReason, str, UrlState]:
    """Return the reason of a failed request, its cause in words, and the URL's state."""
    if isinstance(error, HttpError):
        status = error.response.status
        price = (error.response.headers.get(_PRICE) or b"").decode("latin-1")
        if status == HTTPStatus.PAYMENT_REQUIRED or price:
            cause = f"HTTP {status} {' '.join(price.split())[:_PRICE_CHARS]}".rstrip()
            return FetchReason.PAYMENT_REQUIRED, cause, UrlState.REFUSED
        is_later = status in THROTTLING
        reason = FetchReason.THROTTLED if is_later else FetchReason.HTTP_ERROR
        return reason, f"HTTP {status}", UrlState.FAILED
    if isinstance(error, DownloadTimeoutError):
        return FetchReason.TIMEOUT, "timed out", UrlState.FAILED
    for kind, reason, state in _KINDS:
        if isinstance(error, kind):
            return reason, str(error), state
    return FetchReason.NOT_REACHED, _cause(error), UrlState.FAILED


_KINDS = (
    (AddressRefusedError, FetchReason.ADDRESS_REFUSED, UrlState.REFUSED),
    (RobotsRefusedError, FetchReason.ROBOTS, UrlState.REFUSED),
    (RobotsUnreachableError, FetchReason.ROBOTS_UNREACHABLE, UrlState.FAILED),
    (NotArchivedError, FetchReason.NOT_ARCHIVED, UrlState.FAILED),
    # Raised by the redirect middleware at its limit.
    (IgnoreRequest, FetchReason.REDIRECTS, UrlState.FAILED),
    (DownloadCancelledError, FetchReason.TOO_LARGE, UrlState.REFUSED),
    (CertificateRefusedError, FetchReason.CERTIFICATE, UrlState.FAILED),
    (SlowAnswerError, FetchReason.TIMEOUT, UrlState.FAILED),
)
# Words of the summary; the text of these errors repeats the URL.
_CAUSES = {
    CannotResolveHostError: "name not found",
    DownloadConnectionRefusedError: "connection refused",
    ConnectionDone: "closed before the answer was complete",
    ResponseDataLossError: "closed before the answer was complete",
}


def _cause(error: BaseException | None) -> str:
    """Return the cause of an error on one line."""
    while True:
        for kind, words in _CAUSES.items():
            if isinstance(error, kind):
                return words
        # Twisted wraps the error in a list of failures.
        reasons = getattr(error, "reasons", None)
        inner = reasons[0].value if reasons else getattr(error, "__cause__", None)
        if inner is None:
            text = " ".join(str(error).split())
            return text or type(error).__name__
        error = inner
