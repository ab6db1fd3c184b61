"""Client for web APIs: serial requests, retries with backoff, answers cached for days.

The rules are those that Wikimedia publishes for clients of its API ("API:Etiquette",
"Manual:Maxlag parameter"): serial requests, a pause when the server says that it is busy,
the operator's contact in the user agent.
"""

from __future__ import annotations

import socket
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Self, TypeVar

import httpx2

from ilspfc.database import Database
from ilspfc.exceptions import BootstrapError
from ilspfc.middlewares.guard import AddressGuard, AddressRefusedError
from ilspfc.middlewares.throttle import retry_after_seconds

T = TypeVar("T")

CACHE_DAYS = 7.0
PAUSE_SECONDS = 0.5
MAX_ATTEMPTS = 5
# Backoff where a busy server names no time; it doubles with each attempt.
FIRST_WAIT_SECONDS = 5.0
# A server that asks for more patience ends the run.
MAX_WAIT_SECONDS = 120.0
NOT_FOUND = 404
# Too many requests, overload, time-out of a gateway.
_BUSY_STATUSES = frozenset({429, 502, 503, 504})
_DAY_SECONDS = 86_400
_PORTS = {"http": 80, "https": 443}


class StatusError(BootstrapError):
    """Answer with an HTTP status other than 200."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class RetryError(BootstrapError):
    """Failure that may pass: lost connection, or a busy server that names seconds."""

    def __init__(self, message: str, seconds: float = 0.0) -> None:
        super().__init__(message)
        self.seconds = seconds


class GuardedTransport(httpx2.HTTPTransport):
    """Connects to public addresses, and to the hosts of URLs that the user has named.

    The address that is judged is the one that is connected to, redirects included, so a
    name that answers differently the second time (DNS rebinding) gains nothing. No
    connection is used twice, as certificates are verified by name and connections kept by
    address.
    """

    def __init__(self, named: Iterable[str], guard: AddressGuard) -> None:
        super().__init__(limits=httpx2.Limits(max_keepalive_connections=0))
        self._named = frozenset(httpx2.URL(url).host for url in named)
        self._guard = guard

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; BootstrapError for an address that may not be contacted."""
        url = request.url
        if url.scheme in _PORTS and url.host not in self._named:
            try:
                address = self._resolve(url.host, url.port or _PORTS[url.scheme])
            except AddressRefusedError as error:
                raise BootstrapError(f"{url.copy_with(query=None)}: {error}") from error
            request = httpx2.Request(
                request.method,
                url.copy_with(host=address),
                headers=request.headers,
                stream=request.stream,
                extensions={**request.extensions, "sni_hostname": url.host},
            )
        return super().handle_request(request)

    def _resolve(self, host: str, port: int) -> str:
        self._guard.check_port(port, host)
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(where[0]) for *_, where in found]
        for address in addresses:
            self._guard.check(ip_address(address.partition("%")[0]), host)
        return addresses[0]


class _AnswerCache(Database):
    """Answers by URL, written as they arrive: a run that was killed goes on."""

    kind = "cache of answers"
    remedy = "remove it"
    error_type = BootstrapError
    schema = (
        "CREATE TABLE IF NOT EXISTS answers"
        " (url TEXT PRIMARY KEY, fetched_at REAL, body BLOB) WITHOUT ROWID"
    )

    def get(self, url: str) -> bytes | None:
        """Return an answer, None if there is none or only an old one."""
        query = "SELECT body FROM answers WHERE url = ? AND fetched_at >= ?"
        oldest = time.time() - CACHE_DAYS * _DAY_SECONDS
        return next(
            (zlib.decompress(b) for (b,) in self.rows(query, (url, oldest))), None
        )

    def put(self, url: str, body: bytes) -> None:
        """Store an answer."""
        row = (url, time.time(), zlib.compress(body))
        self.change("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", [row])


class ApiClient:
    """Sends GET requests; used in ``with``.

    ``cache`` is the file of answers, made with the first one. ``transport`` decides which
    addresses are contacted.
    """

    def __init__(
        self,
        transport: httpx2.BaseTransport,
        agent: str = "",
        *,
        cache: Path | None = None,
        timeout_seconds: float = 60.0,
        max_bytes: int = 1 << 30,
        sleep: Callable[[float], None] = time.sleep,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._http = httpx2.Client(
            transport=transport,
            headers={"User-Agent": agent},
            timeout=timeout_seconds,
            follow_redirects=True,
            trust_env=False,
        )
        self._max_bytes = max_bytes
        self._sleep = sleep
        self._tell = tell
        self._path = cache
        self._answers = _AnswerCache(cache) if cache and cache.exists() else None
        self.requests = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()
        if self._answers is not None:
            self._answers.close()

    def json(
        self,
        url: str,
        params: Mapping[str, str],
        check: Callable[[Any], None] = lambda _: None,
        unkeyed: Mapping[str, str] | None = None,
    ) -> Any:
        """Return the JSON that an API answers.

        ``check`` raises RetryError for JSON that says that the server is busy; ``unkeyed``
        are parameters that do not change the answer. BootstrapError: no JSON, an HTTP
        error, or a server that stays busy.
        """

        def read(response: httpx2.Response) -> Any:
            try:
                data = response.json()
            except ValueError:
                raise _describe_content(url, response, "JSON") from None
            check(data)
            return data

        return self._ask(url, params, unkeyed or {}, read)

    def results(
        self, url: str, params: Mapping[str, str], server: str, remedy: str
    ) -> list[Any]:
        """Return the list ``results`` of an answer; BootstrapError where it is no server's."""
        data = self.json(url, params)
        results = data.get("results") if isinstance(data, dict) else None
        if not isinstance(results, list):
            raise BootstrapError(f"{url}: the answer is no {server}'s; give {remedy}")
        return results

    def text(self, url: str, params: Mapping[str, str], wanted: str) -> str:
        """Return an answer that is neither JSON nor HTML; ``wanted`` names its format."""

        def read(response: httpx2.Response) -> str:
            if "html" in response.headers.get("content-type", ""):
                raise _describe_content(url, response, wanted)
            return response.content.decode("utf-8", "replace")

        return self._ask(url, params, {}, read)

    def _ask(
        self,
        url: str,
        params: Mapping[str, str],
        unkeyed: Mapping[str, str],
        read: Callable[[httpx2.Response], T],
    ) -> T:
        """Return a cached or new answer, parsed by ``read``."""
        keyed = httpx2.URL(url).copy_merge_params(dict(sorted(params.items())))
        if self._answers and (body := self._answers.get(str(keyed))) is not None:
            return read(httpx2.Response(200, content=body))
        for attempt in range(MAX_ATTEMPTS):
            try:
                response = self._send(url, keyed.copy_merge_params(dict(unkeyed)))
                value = read(response)
            except RetryError as error:
                cause = str(error)
                if attempt + 1 < MAX_ATTEMPTS:
                    self._wait(url, error, FIRST_WAIT_SECONDS * 2**attempt)
            else:
                self._keep(str(keyed), response.content)
                return value
        raise BootstrapError(
            f"{url}: {cause}, {MAX_ATTEMPTS} times; run the same command again later:"
            " what was answered is kept"
        )

    def _send(self, url: str, full: httpx2.URL) -> httpx2.Response:
        if self.requests:
            self._sleep(PAUSE_SECONDS)
        self.requests += 1
        try:
            with self._http.stream("GET", full) as response:
                return self._read(url, response)
        except (httpx2.ConnectError, socket.gaierror) as error:
            raise BootstrapError(
                f"{url}: cannot be reached ({error}); check address and network"
            ) from error
        except (httpx2.UnsupportedProtocol, httpx2.TooManyRedirects) as error:
            raise BootstrapError(f"{url}: {error}") from error
        except httpx2.HTTPError as error:
            raise RetryError(f"incomplete answer ({error})") from error

    def _read(self, url: str, response: httpx2.Response) -> httpx2.Response:
        """Return a whole answer with status 200."""
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > self._max_bytes:
                raise BootstrapError(
                    f"{url}: answers with more than DOWNLOAD_MAXSIZE={self._max_bytes} bytes"
                )
        status = response.status_code
        if status in _BUSY_STATUSES:
            asked = response.headers.get("retry-after", "").encode("latin-1", "replace")
            seconds = retry_after_seconds(asked, time.time())
            raise RetryError(f"HTTP {status}", seconds)
        if status != 200:
            text = f"{url}: HTTP {status} ({_media_type(response)}); check the address"
            raise StatusError(text, status)
        headers = {"content-type": response.headers.get("content-type", "")}
        return httpx2.Response(status, headers=headers, content=bytes(body))

    def _wait(self, url: str, error: RetryError, backoff: float) -> None:
        seconds = error.seconds or backoff
        if seconds > MAX_WAIT_SECONDS:
            raise BootstrapError(
                f"{url}: {error}, and asks for {seconds:.0f} seconds of silence, more than"
                f" {MAX_WAIT_SECONDS:.0f}; run the same command again later: what was"
                " answered is kept"
            ) from error
        self._tell(f"{error}: waiting {seconds:.0f} seconds")
        self._sleep(seconds)

    def _keep(self, key: str, body: bytes) -> None:
        if self._answers is None and self._path is not None:
            self._answers = _AnswerCache(self._path)
        if self._answers is not None:
            self._answers.put(key, body)


def _media_type(response: httpx2.Response) -> str:
    return response.headers.get("content-type", "").partition(";")[0] or "no type"


def _describe_content(
    url: str, response: httpx2.Response, wanted: str
) -> BootstrapError:
    return BootstrapError(
        f"{url}: answers with {_media_type(response)} instead of {wanted}; give the address"
        " of an API, such as https://en.wikipedia.org/w/api.php"
    )
