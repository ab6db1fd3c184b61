"""The scheduler: when Scrapy is given a request, and when it has to wait."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from scrapy import Request, Spider, signals
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler
from twisted.python.failure import Failure

from ilspfc.crawl.crawl_frontier import politeness_rules
from ilspfc.crawl.requests import CANDIDATE, IS_SEED
from ilspfc.documents import Link
from ilspfc.frontier.scope import Scope, ScopeFilter
from ilspfc.frontier.scoring.link_score import BreadthFirstScorer, Focus, FoundLink
from ilspfc.frontier.store.candidates import Candidate, UrlState
from ilspfc.frontier.store.sqlite import SQLiteStore
from ilspfc.scheduler import FrontierScheduler

SEED = "http://h0.example.org/"
SETTINGS = {"WORKERS": 1, "DOWNLOAD_DELAY": 0, "FRONTIER_TRAPS": False}


@pytest.fixture
def scraping() -> set[Request]:
    """The requests whose pages are in the pipelines."""
    return set()


@pytest.fixture
def scheduler(tmp_path: Path, scraping: set[Request]) -> Iterator[FrontierScheduler]:
    """A scheduler with ten seeds on as many hosts."""
    crawler = get_crawler(Spider, SETTINGS)
    arguments = SimpleNamespace(
        langs=("deu",), groups=(), warc=(), is_offline=False, delta=False
    )
    job = SimpleNamespace(
        arguments=arguments,
        store=SQLiteStore(tmp_path / "frontier.db"),
        focus=Focus(BreadthFirstScorer()),
        scope=ScopeFilter(Scope.SITE, [SEED]),
        index=SimpleNamespace(add_failure=lambda *_, **__: True),
    )
    crawler.spider = SimpleNamespace(job=job, parse=print, failed=print)  # type: ignore[assignment]
    scraper = SimpleNamespace(slot=SimpleNamespace(active=scraping, queue=()))
    crawler.engine = SimpleNamespace(scraper=scraper, _slot=None)  # type: ignore[assignment]
    scheduler = FrontierScheduler(crawler)
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
    store = scheduler.job.store
    assert store.state_of(request.url) is UrlState.FAILED
    assert crawler.stats.get_value("fetch/dropped/error") == 1


def take(scheduler: FrontierScheduler) -> Request:
    request = scheduler.next_request()
    assert request is not None
    return request


def state_of(scheduler: FrontierScheduler, url: str) -> UrlState | None:
    return scheduler.job.store.state_of(url)


def push_links(scheduler: FrontierScheduler, *names: str) -> list[bool]:
    found = [FoundLink(Link(SEED + name), SEED, "deu", depth=1) for name in names]
    return [
        scheduler.enqueue_request(Request(one.url, meta={CANDIDATE: one}))
        for one in scheduler._frontier.select_links(found)
    ]


def take_link(scheduler: FrontierScheduler, name: str) -> Request:
    """Queue a link, and return its request, which comes after those of the ten seeds."""
    push_links(scheduler, name)
    return [take(scheduler) for _ in range(11)][-1]


def test_links_are_queued_once_and_visited_after_the_seeds(
    scheduler: FrontierScheduler,
) -> None:
    assert push_links(scheduler, "a", "b") == [True, True]
    assert push_links(scheduler, "a", "c") == [True]
    urls = [take(scheduler).url for _ in range(13)]
    assert urls[10:] == [SEED + name for name in "abc"]
    assert push_links(scheduler, "a") == []


def test_the_address_that_scrapy_asks_for_is_stored(
    scheduler: FrontierScheduler,
) -> None:
    assert push_links(scheduler, "stra\u00dfe") == [True]
    assert state_of(scheduler, SEED + "stra%C3%9Fe") is UrlState.QUEUED
    urls = [take(scheduler).url for _ in range(11)]
    assert urls[-1] == SEED + "stra%C3%9Fe"


def test_a_retry_goes_back_to_the_queue_with_its_number(
    scheduler: FrontierScheduler,
) -> None:
    for _ in range(9):
        take(scheduler)
    request = take(scheduler)
    request.meta["retry_times"] = 1
    assert scheduler.enqueue_request(request.copy())
    again = take(scheduler)
    assert (again.url, again.meta["retry_times"]) == (request.url, 1)


def test_a_redirect_ends_the_lease_and_queues_the_target(
    scheduler: FrontierScheduler,
) -> None:
    request = take(scheduler)
    target = "http://new.example.com/"
    assert scheduler.enqueue_request(request.replace(url=target))
    assert state_of(scheduler, request.url) is UrlState.DONE
    assert state_of(scheduler, target) is UrlState.QUEUED
    assert scheduler.job.scope.accept(target), "a seed says where its site has moved"
    assert scheduler.job.store.moved_to([request.url]) == [target]


def test_a_redirect_to_a_known_address_is_told_from_one_to_a_new(
    scheduler: FrontierScheduler,
) -> None:
    """The gate against traps learns from it: links may set a language and lead back."""
    request = take_link(scheduler, "set?lang=de")
    push_links(scheduler, "a")
    assert not scheduler.enqueue_request(request.replace(url=f"{SEED}a"))
    reason, _, _ = scheduler.job.store.outcome_of(request.url)
    assert reason == "redirected_to_known"


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("a?utm_source=b", "a"),
        ("a", "a;jsessionid=ABC"),
        ("a", "(S(0123456789abcdefghijklmn))/a"),
        ("a?y=1&x=2", "a?x=2&y=1"),
    ],
)
def test_a_redirect_to_the_same_address_spelled_otherwise_is_followed(
    scheduler: FrontierScheduler, link: str, target: str
) -> None:
    request = take_link(scheduler, link)
    moved = request.replace(url=SEED + target)
    moved.meta["redirect_urls"] = [request.url]
    assert scheduler.enqueue_request(moved)
    assert (request.url, take(scheduler).url) == (SEED + link, SEED + target)


def test_a_circle_of_two_spellings_of_an_address_ends(
    scheduler: FrontierScheduler,
) -> None:
    request = take_link(scheduler, "a")
    back = request.copy()
    back.meta["redirect_urls"] = [request.url, f"{SEED}a;jsessionid=ABC"]
    assert not scheduler.enqueue_request(back)
    assert state_of(scheduler, request.url) is UrlState.REFUSED


def test_a_link_is_not_followed_out_of_scope_by_a_redirect(
    scheduler: FrontierScheduler,
) -> None:
    request = take_link(scheduler, "a")
    assert not scheduler.enqueue_request(
        request.replace(url="http://other.example.com/")
    )
    assert scheduler._crawler.stats.get_value("fetch/dropped/out_of_scope") == 1


def test_requests_of_the_users_own_go_first(scheduler: FrontierScheduler) -> None:
    own = Request("http://own.example.org/")
    assert scheduler.enqueue_request(own)
    assert scheduler._frontier.queued == 10
    assert scheduler.next_request() is own


def test_a_lease_ends_when_scrapy_is_through_with_the_page(
    scheduler: FrontierScheduler, scraping: set[Request]
) -> None:
    request = take(scheduler)
    scraping.add(request)
    scheduler._frontier.acknowledge(request, UrlState.DONE)
    take(scheduler)
    assert state_of(scheduler, request.url) is UrlState.LEASED
    scraping.clear()
    take(scheduler)
    assert state_of(scheduler, request.url) is UrlState.DONE


def test_bounds_of_hosts_are_those_of_the_settings() -> None:
    bounds = {"FRONTIER_MAX_ROUND_PAGES": 512, "FRONTIER_MAX_HOST_PAGES": 9}
    rules = politeness_rules(Settings(bounds))
    assert (rules.max_round_pages, rules.max_pages) == (512, 9)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("url", "not a url"),
        ("url", "file:///etc/hostname"),
        ("url", "http://["),
        ("url", ""),
        ("url", "http://h0.example.org:x/"),
        ("key", "http://["),
    ],
)
def test_a_row_that_is_no_address_fails_alone(
    scheduler: FrontierScheduler,
    column: str,
    value: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = scheduler.job.store
    assert isinstance(store, SQLiteStore)
    connection = store.connection
    connection.execute(f"UPDATE urls SET {column} = ? WHERE id = 1", (value,))
    connection.execute("UPDATE urls SET referrer = 'http://[' WHERE id = 2")
    requests = [take(scheduler) for _ in range(9)]
    assert [request.meta[CANDIDATE].referrer for request in requests] == [""] * 9
    assert scheduler.next_request() is None
    assert "which no page can have" in caplog.text
    states = connection.execute("SELECT state, reason FROM urls WHERE id = 1")
    assert states.fetchall() == [("failed", "address_refused")]
    assert scheduler._crawler.stats.get_value("fetch/dropped/address_refused") == 1


def test_a_frontier_with_rows_that_are_no_addresses_is_opened(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "frontier.db")
    for number in range(4):
        store.push(Candidate.of(f"http://a.org/{number}", 1.0))
    connection = store.connection
    connection.execute(
        "UPDATE urls SET key = 'http://[', url = 'http://[', state = 'done' WHERE id = 1"
    )
    connection.execute(
        "UPDATE urls SET referrer = 'x', depth = 0, state = 'done' WHERE id = 2"
    )
    assert list(store.last_visits(9)) == [("http://a.org/1", "done", "", "")]
    assert store.moved_to(["http://a.org/"]) == []
    store.close()
