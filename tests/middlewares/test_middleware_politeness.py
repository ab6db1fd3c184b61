"""What the politeness clock is told of a host that does not answer well."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
)
from scrapy.http import Response
from scrapy.utils.test import get_crawler
from twisted.internet.error import NoRouteError

from ilspfc.frontier.politeness import Answer
from ilspfc.middlewares.handler import SlowAnswerError
from ilspfc.middlewares.throttle import PolitenessMiddleware


class Recorder:
    """A frontier that writes down what it is told."""

    told: Answer | None = None

    def __init__(self, *, is_away: bool = False) -> None:
        self._is_away = is_away

    def is_away(self, request: Request) -> bool:
        return self._is_away

    def answered(
        self, request: Request, answer: Answer, retry_after: float = 0.0
    ) -> None:
        self.told = answer


def make_middleware(frontier: Recorder, **settings: int) -> PolitenessMiddleware:
    crawler: Any = get_crawler(Spider, settings)
    crawler.spider = SimpleNamespace(frontier=frontier)
    return PolitenessMiddleware(crawler)


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (DownloadTimeoutError, Answer.ERROR),
        (DownloadConnectionRefusedError, Answer.ERROR),
        (SlowAnswerError, Answer.BROKEN),
    ],
)
def test_a_host_that_has_begun_to_answer_is_there(
    error: type[Exception], answer: Answer
) -> None:
    frontier = Recorder()
    middleware = make_middleware(frontier)
    assert middleware.process_exception(Request("https://a.example/"), error()) is None
    assert frontier.told is answer


@pytest.mark.parametrize(
    ("error", "is_put_back"),
    [
        (DownloadConnectionRefusedError, True),
        (CannotResolveHostError, True),
        (NoRouteError, True),
        # A page that never ends would be asked for for ever.
        (DownloadTimeoutError, False),
    ],
)
def test_a_page_of_a_host_that_is_away_is_asked_for_again(
    error: type[Exception], is_put_back: bool
) -> None:
    middleware = make_middleware(Recorder(is_away=True))
    request = Request("https://a.example/", meta={"dont_retry": True})
    again = middleware.process_exception(request, error())
    assert (again is not None) is is_put_back
    if again is not None:
        assert (again.dont_filter, again.meta) == (True, {"retry_times": 0})


@pytest.mark.parametrize(
    ("status", "retry_after", "is_left"),
    [(503, "600", True), (429, "61", False), (503, "60", False), (200, "600", False)],
)
def test_a_page_that_asks_to_come_back_much_later_is_left_to_the_next_run(
    status: int, retry_after: str, is_left: bool
) -> None:
    middleware = make_middleware(Recorder())
    request = Request("https://a.example/")
    response = Response(
        request.url, status=status, headers={"Retry-After": retry_after}
    )
    assert middleware.process_response(request, response) is response
    assert request.meta.get("dont_retry", False) is is_left


@pytest.mark.parametrize(("retries", "after_timeout"), [(2, 1), (0, 0)])
def test_a_page_that_times_out_is_asked_for_once_more(
    retries: int, after_timeout: int
) -> None:
    middleware = make_middleware(Recorder(), RETRY_TIMES=retries)
    request = Request("https://a.example/")
    middleware.process_exception(request, DownloadTimeoutError())
    assert request.meta["max_retry_times"] == after_timeout
