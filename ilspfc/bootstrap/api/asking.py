"""Asking an API: one request at a time, patiently, and nothing twice.

The rules are those that Wikimedia publishes for clients of its API ("API:Etiquette",
"Manual:Maxlag parameter"): serial requests, a pause when the server says that it is busy,
the operator's contact in the user agent, which the transport sends.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar
from urllib.parse import urlencode

from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ilspfc.bootstrap.api.cache import AnswerCache

T = TypeVar("T")

NOT_FOUND = 404
# Answers that ask to come back later: too many requests, overload, a gateway's time-out.
BUSY_STATUSES = frozenset({429, 502, 503, 504})
# The first wait where a busy server names none; each further one is twice as long.
FIRST_WAIT_SECONDS = 5.0


class Answer(NamedTuple):
    """An HTTP answer; names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class LostAnswerError(BootstrapError):
    """An answer that may come at another try: the connection broke or timed out."""


class StatusError(BootstrapError):
    """An answer whose HTTP status says that there is none."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class Transport(Protocol):
    """What sends a request; BootstrapError where no answer can come."""

    def __call__(self, url: str) -> Answer:
        """Return the answer to GET."""


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds that Retry-After asks for (RFC 9110, section 10.2.3), or None.

    >>> retry_after({"retry-after": "120"}, 0.0)
    120.0
    """
    text = headers.get("retry-after", "").strip()
    if text.isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, OverflowError):
        return None


@dataclass(slots=True)
class Asker:
    """Asks APIs for JSON or text.

    ``pause`` and ``max_wait`` are in seconds: the first is kept between two requests, and
    a server that wants to be left alone for longer than the second ends the run.
    """

    transport: Transport
    cache: AnswerCache | None = None
    pause: float = 0.5
    max_wait: float = 120.0
    attempts: int = 5
    sleep: Callable[[float], None] = time.sleep
    tell: Callable[[str], None] = lambda _: None
    requests: int = field(default=0, init=False)

    def json(
        self,
        url: str,
        params: Mapping[str, str],
        busy: Callable[[Any], float | None] = lambda _: None,
        passing: Mapping[str, str] | None = None,
    ) -> Any:
        """Return what an API answers; ``passing`` parameters do not change that.

        ``busy`` returns the seconds to wait where an answer says that there is none at
        present. BootstrapError: it is no JSON, an HTTP error, or the server stays busy.
        """
        key = _join(url, params)
        if (known := self._known(key)) is not None:
            return json.loads(known)

        def read(answer: Answer) -> tuple[Any, float | None]:
            data = _parse(url, answer)
            return data, busy(data)

        data, body = self._ask(url, _join(key, passing or {}), read)
        self._keep(key, body)
        return data

    def lines(self, url: str, params: Mapping[str, str]) -> list[str]:
        """Return the lines of an answer that is no JSON as a whole; none for HTTP 404."""
        key = _join(url, params)
        known = self._known(key)

        def read(answer: Answer) -> tuple[bytes, float | None]:
            if answer.status == NOT_FOUND:
                return b"", None
            kind = answer.headers.get("content-type", "")
            if answer.status != 200 or "html" in kind:
                raise _describe_wrong(url, answer, "lines of JSON")
            return answer.body, None

        if known is None:
            body, _ = self._ask(url, key, read)
            self._keep(key, body)
        else:
            body = known
        return body.decode("utf-8", "replace").splitlines()

    def _known(self, key: str) -> bytes | None:
        return self.cache.get(key) if self.cache is not None else None

    def _keep(self, key: str, body: bytes) -> None:
        if self.cache is not None:
            self.cache.put(key, body)

    def _ask(
        self, url: str, full: str, read: Callable[[Answer], tuple[T, float | None]]
    ) -> tuple[T, bytes]:
        """Return what is read of an answer, and its bytes, however often it takes."""
        for attempt in range(self.attempts):
            try:
                answer = self._send(full)
            except LostAnswerError as error:
                wait, cause = None, str(error)
            else:
                wait = retry_after(answer.headers, time.time())
                cause = f"HTTP {answer.status}"
                if answer.status not in BUSY_STATUSES:
                    data, wait = read(answer)
                    if wait is None:
                        return data, answer.body
                    cause = "the server is busy"
            if attempt + 1 < self.attempts:
                self._wait(url, cause, wait, attempt)
        raise BootstrapError(
            f"{url}: {cause}, {self.attempts} times; run the same command again later:"
            " what was answered is kept"
        )

    def _send(self, url: str) -> Answer:
        if self.requests:
            self.sleep(self.pause)
        self.requests += 1
        return self.transport(url)

    def _wait(self, url: str, cause: str, wait: float | None, attempt: int) -> None:
        seconds = FIRST_WAIT_SECONDS * 2**attempt if wait is None else wait
        if seconds > self.max_wait:
            raise BootstrapError(
                f"{url}: {cause}, and asks for {seconds:.0f} seconds of silence, more than"
                f" BOOTSTRAP_MAX_WAIT={self.max_wait:g}; run the same command again later:"
                " what was answered is kept"
            )
        self.tell(f"{cause}: waiting {seconds:.0f} seconds")
        self.sleep(seconds)


def _join(url: str, params: Mapping[str, str]) -> str:
    if not params:
        return url
    return f"{url}{'&' if '?' in url else '?'}{urlencode(sorted(params.items()))}"


def _parse(url: str, answer: Answer) -> Any:
    """Return the JSON of an answer; BootstrapError says what it is instead."""
    if answer.status == 200:
        with suppress(ValueError):
            return json.loads(answer.body)
    raise _describe_wrong(url, answer, "JSON")


def _describe_wrong(url: str, answer: Answer, wanted: str) -> BootstrapError:
    kind = answer.headers.get("content-type", "").partition(";")[0] or "no type"
    if answer.status != 200:
        text = f"{url}: HTTP {answer.status} ({kind}); check the address"
        return StatusError(text, answer.status)
    return BootstrapError(
        f"{url}: answers with {kind} instead of {wanted}; give the address of an API, such"
        " as https://en.wikipedia.org/w/api.php"
    )
