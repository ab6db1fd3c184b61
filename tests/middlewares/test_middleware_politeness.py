"""What the politeness clock is told of a host that does not answer well."""

from __future__ import annotations

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import DownloadConnectionRefusedError, DownloadTimeoutError
from scrapy.utils.test import get_crawler

from ilspfc.frontier.politeness import Answer
from ilspfc.middlewares.politeness import PolitenessMiddleware


class Recorder(PolitenessMiddleware):
    """Writes down what it would tell."""

    told: Answer | None = None

    def _tell(self, request: Request, answer: Answer, retry_after: float = 0.0) -> None:
        self.told = answer


@pytest.mark.parametrize(
    ("error", "is_begun", "answer"),
    [
        (DownloadTimeoutError, False, Answer.ERROR),
        (DownloadConnectionRefusedError, False, Answer.ERROR),
        (DownloadTimeoutError, True, Answer.BROKEN),
    ],
)
def test_a_host_that_has_begun_to_answer_is_there(
    error: type[Exception], answer: Answer, *, is_begun: bool
) -> None:
    middleware = Recorder.from_crawler(get_crawler(Spider))
    request = Request("https://a.example/")
    if is_begun:
        middleware.headers_received(request)
    middleware.process_exception(request, error())
    assert middleware.told is answer
    middleware.process_exception(request, DownloadTimeoutError())
    assert middleware.told is Answer.ERROR, "the next attempt stands for itself"
