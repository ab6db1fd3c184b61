"""HTTP for the APIs that a bootstrap asks: by the standard library, behind the guard."""

from __future__ import annotations

import http.client
import socket
import urllib.error
import urllib.request
import zlib
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ilspfc import __version__
from ilspfc.bootstrap.api.asking import Answer, LostAnswerError
from ilspfc.exceptions import BootstrapError
from ilspfc.middlewares.guard import AddressGuard, AddressRefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable

_SCHEMES = frozenset({"http", "https"})
# zlib reads gzip with its own header when told so.
_GZIP_BITS = 16 + zlib.MAX_WBITS


class ApiTransport:
    """Sends GET requests; the user agent names the operator.

    ``named`` are URLs that the user gave: their hosts may be anywhere, all others, which
    answers and redirects lead to, must be public as the guard has it.
    """

    def __init__(
        self,
        contact: str,
        named: Iterable[str],
        guard: AddressGuard,
        *,
        timeout_seconds: float,
        max_bytes: int,
    ) -> None:
        if not contact.strip():
            raise BootstrapError(
                "no contact: who runs an API wants to know whom to ask; give"
                " --contact you@example.org, or set FETCH_CONTACT"
            )
        self._agent = f"ilspfc/{__version__} (text corpus crawler; {contact.strip()})"
        self._timeout_seconds = timeout_seconds
        self._max_bytes = max_bytes
        hosts = frozenset(urlsplit(url).hostname or "" for url in named)
        connect = partial(_connect, guard=guard, named=hosts)
        self._opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.HTTPErrorProcessor(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPRedirectHandler(),
            urllib.request.UnknownHandler(),
            _Handler(connect),
        ):
            self._opener.add_handler(handler)

    def __call__(self, url: str) -> Answer:
        """Return the answer to GET, redirects followed.

        LostAnswerError where another try may help, BootstrapError where none will.
        """
        if urlsplit(url).scheme not in _SCHEMES:
            raise BootstrapError(f"{url}: no http(s) URL; give https://…")
        headers = {"User-Agent": self._agent, "Accept-Encoding": "gzip"}
        request = urllib.request.Request(url, headers=headers)  # noqa: S310 - see above
        place = url.partition("?")[0]
        try:
            with self._opener.open(request, timeout=self._timeout_seconds) as response:
                return self._read(response)
        except urllib.error.HTTPError as error:
            with error:
                return self._read(error)
        except AddressRefusedError as error:
            raise BootstrapError(f"{place}: {error}") from error
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, AddressRefusedError):
                raise BootstrapError(f"{place}: {reason}") from error
            if isinstance(reason, ConnectionRefusedError | socket.gaierror):
                raise BootstrapError(
                    f"{place}: cannot be reached ({reason}); check address and network"
                ) from error
            raise LostAnswerError(f"{place}: no whole answer ({reason})") from error

    def _read(self, response: Any) -> Answer:
        headers = {name.lower(): value for name, value in response.headers.items()}
        body: bytes = response.read(self._max_bytes + 1)
        if len(body) <= self._max_bytes and getattr(response, "length", None):
            raise LostAnswerError(f"{response.url}: no whole answer")
        if headers.get("content-encoding") == "gzip" and len(body) <= self._max_bytes:
            unpacker = zlib.decompressobj(_GZIP_BITS)
            try:
                body = unpacker.decompress(body, self._max_bytes + 1)
            except zlib.error as error:
                raise LostAnswerError(f"{response.url}: broken gzip") from error
        if len(body) > self._max_bytes:
            raise BootstrapError(
                f"{response.url}: answers with more than DOWNLOAD_MAXSIZE="
                f"{self._max_bytes} bytes"
            )
        return Answer(response.status, headers, body)


class _Handler(urllib.request.HTTPHandler, urllib.request.HTTPSHandler):
    """Opens connections that the guard has allowed, and verifies certificates."""

    def __init__(self, connect: Any) -> None:
        urllib.request.HTTPSHandler.__init__(self)
        self._connect = connect

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Open a connection without TLS."""
        return self.do_open(partial(_make, _HTTPConnection, self._connect), req)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Open a connection with TLS."""
        return self.do_open(partial(_make, _HTTPSConnection, self._connect), req)


class _HTTPConnection(http.client.HTTPConnection):
    def use(self, connect: Any) -> None:
        """Connect sockets in a way of one's own."""
        self._create_connection = connect


class _HTTPSConnection(http.client.HTTPSConnection):
    def use(self, connect: Any) -> None:
        """Connect sockets in a way of one's own."""
        self._create_connection = connect


def _make(kind: Any, connect: Any, host: str, **options: Any) -> Any:
    connection = kind(host, **options)
    connection.use(connect)
    return connection


def _connect(
    address: tuple[str, int],
    timeout: float | None,
    source: Any = None,
    *,
    guard: AddressGuard,
    named: frozenset[str],
) -> socket.socket:
    """Connect to the address that a name has, after the guard has seen it."""
    host, port = address
    if host in named:
        return socket.create_connection(address, timeout, source)
    guard.check_port(port, host)
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(where[0]) for *_, where in found]
    for text in addresses:
        guard.check(ip_address(text.partition("%")[0]), host)
    return socket.create_connection((addresses[0], port), timeout, source)
