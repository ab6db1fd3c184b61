"""APIs that are functions: what they answer, what they were asked, and no waiting."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from ilspfc.bootstrap.api.asking import Answer, Asker

if TYPE_CHECKING:
    from collections.abc import Callable

    from ilspfc.bootstrap.api.cache import AnswerCache

API = "https://en.example.org/w/api.php"


def answer(
    data: object,
    status: int = 200,
    content_type: str = "application/json",
    **headers: str,
) -> Answer:
    """Return an answer; bytes stand for themselves, all else is sent as JSON."""
    body = data if isinstance(data, bytes) else json.dumps(data).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, {"content-type": content_type, **named}, body)


class FakeApi:
    """A transport; ``respond`` gets URL and parameters, and returns data or an Answer."""

    def __init__(self, respond: Callable[[str, dict[str, str]], object]) -> None:
        self._respond = respond
        self.asked: list[dict[str, str]] = []
        self.slept: list[float] = []

    def __call__(self, url: str) -> Answer:
        """Answer a request."""
        params = dict(parse_qsl(urlsplit(url).query))
        self.asked.append(params)
        found = self._respond(url.partition("?")[0], params)
        return found if isinstance(found, Answer) else answer(found)

    def asker(self, cache: AnswerCache | None = None, **options: Any) -> Asker:
        """Return what asks this API, without waiting."""
        return Asker(self, cache, sleep=self.slept.append, **options)
