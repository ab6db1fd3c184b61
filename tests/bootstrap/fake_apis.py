"""APIs that are functions, and clients for them that do not wait."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx2

from ilspfc.bootstrap.api_client import ApiClient

API = "https://en.example.org/w/api.php"


def answer(
    data: object,
    status: int = 200,
    content_type: str = "application/json",
    **headers: str,
) -> httpx2.Response:
    """Return an answer; bytes stand for themselves, all else is sent as JSON."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if isinstance(data, bytes):
        types = {"content-type": content_type} if content_type else {}
        return httpx2.Response(status, content=data, headers={**types, **named})
    return httpx2.Response(status, json=data, headers=named)


class FakeApi:
    """API of a function that gets URL and parameters, and returns data or an answer."""

    def __init__(self, respond: Callable[[str, dict[str, str]], object]) -> None:
        self._respond = respond
        self.asked: list[dict[str, str]] = []
        self.slept: list[float] = []

    def _handle(self, request: httpx2.Request) -> httpx2.Response:
        params = dict(request.url.params)
        self.asked.append(params)
        found = self._respond(str(request.url.copy_with(query=None)), params)
        return found if isinstance(found, httpx2.Response) else answer(found)

    def client(self, cache: Path | None = None) -> ApiClient:
        """Return a client for this API."""
        transport = httpx2.MockTransport(self._handle)
        return ApiClient(transport, cache=cache, sleep=self.slept.append)
