"""What the politeness clock is told of a host that does not answer well."""

from __future__ import annotations

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


class Recorder(PolitenessMiddleware):
    """Writes down what it would tell."""

    told: Answer | None = None
    is_away = False

    def _is_away(self, request: Request) -> bool:
        return self.is_away

    def _tell(self, request: Request, answer: Answer, retry_after: float = 0.0) -> None:
        self.told = answer


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
    middleware = Recorder(get_crawler(Spider))
    assert middleware.process_exception(Request("https://a.example/"), error()) is None
    assert middleware.told is answer


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
    middleware = Recorder(get_crawler(Spider))
    middleware.is_away = True
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
    middleware = Recorder(get_crawler(Spider))
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
    crawler = get_crawler(Spider, {"RETRY_TIMES": retries})
    request = Request("https://a.example/")
    Recorder(crawler).process_exception(request, DownloadTimeoutError())
    assert request.meta["max_retry_times"] == after_timeout
