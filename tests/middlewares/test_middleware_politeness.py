"""What the politeness clock is told of a host that does not answer well."""

from __future__ import annotations

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import DownloadConnectionRefusedError, DownloadTimeoutError
from scrapy.utils.test import get_crawler

from ilspfc.frontier.politeness import Answer
from ilspfc.middlewares.handler import SlowAnswerError
from ilspfc.middlewares.throttle import PolitenessMiddleware


class Recorder(PolitenessMiddleware):
    """Writes down what it would tell."""

    told: Answer | None = None

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
    middleware = Recorder.from_crawler(get_crawler(Spider))
    middleware.process_exception(Request("https://a.example/"), error())
    assert middleware.told is answer
