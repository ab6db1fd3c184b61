"""The scheduler: when Scrapy is given a request, and when it has to wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
from scrapy import Request, Spider, signals
from scrapy.http import Response
from scrapy.utils.test import get_crawler
from twisted.python.failure import Failure

from ilspfc.corpus.files import CorpusFiles
from ilspfc.crawl.requests import IS_SEED
from ilspfc.frontier.scoring.feedback import Scouts
from ilspfc.frontier.scoring.focus import Focus
from ilspfc.frontier.scoring.link_score import BreadthFirstScorer
from ilspfc.frontier.store.protocol import UrlState
from ilspfc.scheduler import FrontierScheduler

SETTINGS = {"WORKERS": 1, "DOWNLOAD_DELAY": 0}


@pytest.fixture
def scraping() -> set[Request]:
    """The requests whose pages are in the pipelines."""
    return set()


@pytest.fixture
def scheduler(tmp_path: Path, scraping: set[Request]) -> Iterator[FrontierScheduler]:
    """A scheduler with ten seeds on as many hosts."""
    crawler = get_crawler(Spider, SETTINGS)
    job = SimpleNamespace(
        files=CorpusFiles(tmp_path),
        focus=Focus(BreadthFirstScorer()),
        scouts=Scouts(0, str),
        traps=None,
        index=SimpleNamespace(add_failure=lambda *_, **__: True),
        disk=nullcontext(),
    )
    crawler.spider = SimpleNamespace(job=job, parse=print, failed=print)  # type: ignore[assignment]
    scraper = SimpleNamespace(slot=SimpleNamespace(active=scraping, queue=()))
    crawler.engine = SimpleNamespace(scraper=scraper, _slot=None)  # type: ignore[assignment]
    scheduler = FrontierScheduler.from_crawler(crawler)
    scheduler.open(crawler.spider)
    for number in range(10):
        seed = f"http://h{number}.example.org/"
        scheduler.enqueue_request(Request(seed, meta={IS_SEED: True}))
    yield scheduler
    scheduler.close("finished")


def test_no_page_is_fetched_while_the_pipelines_are_behind(
    scheduler: FrontierScheduler, scraping: set[Request]
) -> None:
    """What waits there is leased, and would be fetched again after a crash."""
    for _ in range(2):
        request = scheduler.next_request()
        assert request is not None
        scraping.add(request)
    assert scheduler.next_request() is None
    assert scheduler.has_pending_requests()
    scraping.pop()
    assert scheduler.next_request() is not None


def test_a_callback_that_fails_ends_the_lease(scheduler: FrontierScheduler) -> None:
    request = scheduler.next_request()
    assert request is not None
    response = Response(request.url, request=request)
    crawler = scheduler._crawler
    failure = Failure(ValueError("x"))  # type: ignore[no-untyped-call]
    crawler.signals.send_catch_log(
        signals.spider_error, failure=failure, response=response
    )
    assert scheduler.next_request() is not None
    store = scheduler._frontier.store
    assert store.state_of(request.url) is UrlState.FAILED
    assert crawler.stats.get_value("fetch/dropped/error") == 1
