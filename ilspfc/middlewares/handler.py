"""Download handler: Scrapy's own, with bounded headers and more kinds of failures."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any
from urllib.parse import urlsplit

from OpenSSL.SSL import Error as TlsError
from scrapy import Request, signals
from scrapy.core.downloader.contextfactory import _ScrapyClientContextFactory
from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
    _LenientHTTPClientParser,
)
from scrapy.crawler import Crawler
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadFailedError,
    DownloadTimeoutError,
)
from scrapy.http import Response
from scrapy.settings import BaseSettings
from service_identity import CertificateError, VerificationError
from twisted.web._newclient import ParseError
from twisted.web.iweb import IPolicyForHTTPS
from zope.interface import implementer  # type: ignore[import-untyped]

from ilspfc.exceptions import SettingError
from ilspfc.middlewares.guard import AddressRefusedError, refused_names
from ilspfc.web.signatures import Signer
from ilspfc.web.urls import host_of

# DOWNLOAD_MAXSIZE is for the body; Twisted bounds the lines of a header, not their number.
MAX_HEADER_BYTES = 256 * 1024
# Seconds for which an idle connection is kept: with Scrapy's four minutes, a crawl of a thousand
# hosts has more open files than most systems allow.
_IDLE_SECONDS = 5
# Key of request.meta: the header of the response has come.
_HAS_HEADER = "has_header"


class CertificateRefusedError(Exception):
    """The certificate of a host cannot be trusted."""


class SlowAnswerError(Exception):
    """A response began, but did not end in time."""


def insecure_hosts(settings: BaseSettings) -> frozenset[str]:
    """Return the hosts of ``FETCH_INSECURE_HOSTS``; SettingError if one is none."""
    value = [str(host).strip() for host in settings.getlist("FETCH_INSECURE_HOSTS")]
    hosts = [host.lower().strip("[]") for host in value if host]
    for host in hosts:
        if "/" in host or "*" in host or (host.count(":") == 1):
            raise SettingError(
                f"FETCH_INSECURE_HOSTS={','.join(value)}: {host!r} is no host name; give"
                " names or addresses without scheme, port and wildcard, separated by commas"
            )
    return frozenset(hosts)


@implementer(IPolicyForHTTPS)
class _HostPolicy:
    """Verifies the certificates of all hosts but a few."""

    def __init__(self, strict: Any, excepted: Collection[str]) -> None:
        self._strict = strict
        self._lenient = _ScrapyClientContextFactory()
        self._excepted = excepted

    def creatorForNetloc(self, hostname: bytes, port: int) -> Any:  # noqa: N802 - Twisted's
        is_excepted = hostname.decode("ascii").lower() in self._excepted
        policy = self._lenient if is_excepted else self._strict
        return policy.creatorForNetloc(hostname, port)


class HeaderTooLargeError(ParseError):
    """The header of a response is too large."""


class _BoundedParser(_LenientHTTPClientParser):
    """Rejects a response whose header, with all provisional ones, is too large."""

    _bytes = 0

    def lineReceived(self, line: bytes) -> None:  # noqa: N802 - Twisted's name
        self._bytes += len(line)
        if self._bytes > MAX_HEADER_BYTES:
            raise HeaderTooLargeError("header too large", b"")  # type: ignore[no-untyped-call]
        super().lineReceived(line)


class _BoundedProtocol(_LenientHTTP11ClientProtocol):
    def request(self, request: Any) -> Any:
        answer = super().request(request)
        # As its base class does: Twisted names its own parser.
        self._parser.__class__ = _BoundedParser
        return answer


class _BoundedFactory(_LenientHTTP11ClientFactory):
    def buildProtocol(self, addr: Any) -> _BoundedProtocol:  # noqa: N802 - Twisted's name
        return _BoundedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]


class DownloadHandler(HTTP11DownloadHandler):
    """Downloads over http and https.

    ``DOWNLOAD_TIMEOUT`` bounds the whole of a response, also of one that comes byte by byte.
    Slow responses, refused certificates and unknown names are not retried. Requests are
    signed here, where none waits any longer, and each redirect and retry comes by.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._pool._factory = _BoundedFactory  # noqa: SLF001 - as its base class does
        self._pool.cachedConnectionTimeout = _IDLE_SECONDS
        if hosts := insecure_hosts(crawler.settings):
            policy: Any = _HostPolicy(self._contextFactory, hosts)
            self._contextFactory = policy
        is_signing = crawler.settings["FETCH_SIGNING_KEY"]
        self._signer = Signer.from_settings(crawler.settings) if is_signing else None
        crawler.signals.connect(self._note_header, signal=signals.headers_received)

    async def download_request(self, request: Request) -> Response:
        """Return the response to a request.

        Raises CertificateRefusedError, SlowAnswerError and the errors of Scrapy's handler;
        DownloadCancelledError also for a header that is too large.
        """
        request.meta.pop(_HAS_HEADER, None)
        if self._signer is not None:
            request.headers.update(self._signer.sign_request(host_of(request.url)))
        try:
            return await super().download_request(request)
        except DownloadTimeoutError as error:
            if _HAS_HEADER in request.meta:
                raise SlowAnswerError("timed out amid the answer") from error
            raise
        except CannotResolveHostError as error:
            name = urlsplit(request.url).hostname or ""
            if cause := refused_names.get(name):
                raise AddressRefusedError(cause) from error
            # It fails again a moment later.
            request.meta["dont_retry"] = True
            raise
        except DownloadFailedError as error:
            if any(isinstance(e, HeaderTooLargeError) for e in _iter_causes(error)):
                raise DownloadCancelledError(
                    f"header larger than {MAX_HEADER_BYTES} bytes"
                ) from error
            if cause := _certificate_failure(error):
                host = urlsplit(request.url).hostname
                raise CertificateRefusedError(
                    f"the certificate of {host} is refused: {cause}; to trust it all the"
                    f" same, set FETCH_INSECURE_HOSTS={host}"
                ) from error
            raise

    def _note_header(self, request: Request) -> None:
        request.meta[_HAS_HEADER] = True


def _certificate_failure(error: BaseException) -> str:
    """Return the reason for a refused certificate, empty for any other failure."""
    for cause in _iter_causes(error):
        if isinstance(cause, VerificationError):
            return "it is for another host"
        if isinstance(cause, CertificateError):
            return "it names no host"
        if isinstance(cause, TlsError) and "certificate verify failed" in str(cause):
            return "no authority that is trusted vouches for it, or it has expired"
    return ""


def _iter_causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and its causes; Twisted has lists of failures."""
    while error is not None:
        yield error
        for failure in getattr(error, "reasons", None) or ():
            yield from _iter_causes(failure.value)
        error = error.__cause__
