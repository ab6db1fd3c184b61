"""The pace of a run: its budget, its workers, and the engine that is woken."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.utils.test import get_crawler

from ilspfc.crawl.pace import Alarm, Pace
from ilspfc.frontier.store.changes import SharedRun

NO_LIMITS = {
    "FRONTIER_MAX_PAGES": 0,
    "FRONTIER_MAX_MEGABYTES": 0,
    "FRONTIER_MAX_SECONDS": 0,
    "WORKERS": 2,
}


def make_crawler(**settings: object) -> Any:
    crawler: Any = get_crawler(settings_dict={**NO_LIMITS, **settings})
    scraper = SimpleNamespace(slot=SimpleNamespace(active=set(), queue=[]))
    crawler.engine = SimpleNamespace(_slot=None, scraper=scraper)
    return crawler


def test_without_a_limit_a_run_goes_on() -> None:
    crawler = make_crawler()
    crawler.stats.set_value("downloader/response_bytes", 10**12)
    pace = Pace(crawler)
    pace.pages = 10**6
    assert not pace.is_over
    assert crawler.stats.get_value("frontier/limit_reached") is None


@pytest.mark.parametrize(
    ("settings", "pages", "byte_count", "limit"),
    [
        ({"FRONTIER_MAX_PAGES": 10}, 10, 0, "pages"),
        ({"FRONTIER_MAX_PAGES": 10}, 9, 10**9, None),
        ({"FRONTIER_MAX_MEGABYTES": 0.5}, 0, 500_000, "megabytes"),
        ({"FRONTIER_MAX_MEGABYTES": 0.5}, 10**6, 499_999, None),
        ({"FRONTIER_MAX_SECONDS": 1e-9}, 0, 0, "seconds"),
        ({"FRONTIER_MAX_SECONDS": 3600}, 0, 0, None),
        ({"FRONTIER_MAX_PAGES": 1, "FRONTIER_MAX_SECONDS": 1e-9}, 1, 0, "pages"),
    ],
)
def test_a_run_ends_at_the_limit_that_is_reached_first(
    settings: dict[str, float], pages: int, byte_count: int, limit: str | None
) -> None:
    crawler = make_crawler(**settings)
    crawler.stats.set_value("downloader/response_bytes", byte_count)
    pace = Pace(crawler)
    pace.pages = pages
    assert pace.is_over is (limit is not None)
    assert crawler.stats.get_value("frontier/limit_reached") == limit


def test_the_time_left_is_that_to_the_nearest_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    pace = Pace(make_crawler(FRONTIER_MAX_PAGES=40, FRONTIER_MAX_SECONDS=600))
    assert pace.seconds_left is None
    clock[0], pace.pages = 160.0, 10
    assert pace.seconds_left == 180.0
    pace.pages = 2
    assert pace.seconds_left == 540.0
    assert Pace(make_crawler()).seconds_left is None
    # Bytes of robots.txt before the first page have no pace.
    crawler = make_crawler(FRONTIER_MAX_MEGABYTES=10)
    crawler.stats.set_value("downloader/response_bytes", 100_000)
    assert Pace(crawler).seconds_left is None


@pytest.mark.parametrize(("closing", "is_over"), [(None, False), (object(), True)])
def test_a_run_that_is_stopping_visits_nothing_more(
    closing: object, *, is_over: bool
) -> None:
    crawler = make_crawler()
    crawler.engine._slot = SimpleNamespace(closing=closing)
    assert Pace(crawler).is_over is is_over


def test_other_crawlers_of_the_run_spend_its_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0)
    limits = {"PAGES": 40, "MEGABYTES": 1, "SECONDS": 600}
    crawler = make_crawler(**{f"FRONTIER_MAX_{n}": x for n, x in limits.items()})
    pace = Pace(crawler)
    pace.pages = 10
    crawler.stats.set_value("downloader/response_bytes", 200_000)
    assert pace.report() == (10, 200_000)
    assert pace.report() == (0, 0)
    pace.pages = 14  # meanwhile
    pace.follow(SharedRun(2, 31, 700_000, 300.0))
    assert (pace.is_over, pace.awaits_others) == (False, False)
    assert pace.seconds_left == pytest.approx(300.0 * 5 / 35)
    pace.pages = 15  # of nine pages left when it reported
    assert (pace.is_over, pace.awaits_others) == (False, True)
    assert pace.report() == (5, 0)
    pace.follow(SharedRun(2, 40, 700_000, 300.2))
    assert pace.is_over
    pace.follow(SharedRun(2, 30, 1_000_000, 300.2))
    assert pace.is_over
    pace.follow(SharedRun(2, 30, 0, 600.0))
    assert pace.is_over


def test_two_pages_a_worker_may_wait() -> None:
    crawler = make_crawler()
    pace, slot = Pace(crawler), crawler.engine.scraper.slot
    slot.active.update({1, 2})
    slot.queue.append(3)
    assert not pace.is_behind
    slot.queue.append(4)
    assert pace.is_behind
    crawler.engine.scraper.slot = None  # the spider is not open yet
    assert not pace.is_behind


def test_the_engine_is_woken_when_the_first_host_is_ready() -> None:
    crawler, rung = make_crawler(), []
    nextcall = SimpleNamespace(schedule=lambda: rung.append(1))
    crawler.engine._slot = SimpleNamespace(nextcall=nextcall)

    async def run() -> None:
        alarm = Alarm(crawler)
        alarm.set(None)
        alarm.set(0.0)
        alarm.set(0.0)  # it is woken anyway
        await asyncio.sleep(0.05)
        assert rung == [1]
        alarm.set(0.0)
        alarm.cancel()
        await asyncio.sleep(0.05)
        assert rung == [1]

    asyncio.run(run())


def test_nobody_is_woken_before_the_spider_is_open() -> None:
    Alarm(make_crawler()).ring()
