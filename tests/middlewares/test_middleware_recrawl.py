"""Repeated crawls: conditional requests, and links to exported pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pages_under_way import PartialJob
from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from ilspfc.crawl.requests import FRONTIER_KEY, LAST_VISIT
from ilspfc.frontier.store.candidates import Candidate, Visit
from ilspfc.frontier.store.sqlite import SQLiteStore
from ilspfc.middlewares.recrawl import (
    NOT_MODIFIED,
    ConditionalMiddleware,
    DeltaFetchMiddleware,
)
from ilspfc.web.urls import canonicalize

URL = "http://example.org/a"
VISIT = Visit(1.0, '"1"', "Thu, 01 Jan 1970 00:00:00 GMT", "c", "rules")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SQLiteStore]:
    store = SQLiteStore(tmp_path / "frontier.db")
    store.push(Candidate.of(URL, 1.0))
    yield store
    store.close()


def make_crawler(**job: object) -> Any:
    crawler: Any = get_crawler()
    revisits = SimpleNamespace(rules_for=lambda _: "rules")
    crawler.spider = SimpleNamespace(job=PartialJob(**job), revisits=revisits)
    return crawler


def ask(store: SQLiteStore, *, is_leased: bool = True) -> Request:
    middleware = ConditionalMiddleware.from_crawler(make_crawler(store=store))
    request = Request(URL, meta={FRONTIER_KEY: URL} if is_leased else {})
    middleware.process_request(request)
    return request


def test_a_known_page_is_asked_for_only_if_it_has_changed(store: SQLiteStore) -> None:
    store.record_visit(URL, VISIT)
    request = ask(store)
    assert request.headers["If-None-Match"] == b'"1"'
    assert request.headers["If-Modified-Since"] == VISIT.last_modified.encode()
    assert request.meta["handle_httpstatus_list"] == [NOT_MODIFIED]
    assert request.meta[LAST_VISIT] == VISIT


def test_a_page_without_validators_is_asked_for_as_ever(store: SQLiteStore) -> None:
    store.record_visit(URL, Visit(1.0, rules="rules"))
    request = ask(store)
    assert not request.headers
    assert "handle_httpstatus_list" not in request.meta
    assert request.meta[LAST_VISIT].visited_at == 1.0


def test_a_page_that_was_read_by_other_rules_is_read_again(store: SQLiteStore) -> None:
    store.record_visit(URL, Visit(1.0, '"1"', rules="earlier rules"))
    request = ask(store)
    assert not request.headers
    assert LAST_VISIT in request.meta


@pytest.mark.parametrize("is_leased", [True, False])
def test_new_pages_and_other_requests_have_no_conditions(
    store: SQLiteStore, *, is_leased: bool
) -> None:
    if not is_leased:
        store.record_visit(URL, VISIT)
    request = ask(store, is_leased=is_leased)
    assert not request.headers
    assert LAST_VISIT not in request.meta


# -- delta crawls ---------------------------------------------------------------------------


def test_other_crawls_pass_nothing_over() -> None:
    crawler = make_crawler(arguments=SimpleNamespace(delta=False))
    with pytest.raises(NotConfigured):
        DeltaFetchMiddleware.from_crawler(crawler)
    crawler.spider = SimpleNamespace()
    with pytest.raises(NotConfigured):
        DeltaFetchMiddleware.from_crawler(crawler)


def test_links_to_exported_pages_are_passed_over_and_counted() -> None:
    crawler = make_crawler(
        arguments=SimpleNamespace(delta=True),
        has_document=lambda url: canonicalize(url) == URL,
    )
    middleware = DeltaFetchMiddleware.from_crawler(crawler)
    new, item = Request("http://example.org/new"), {"an": "item"}

    async def yield_all() -> AsyncIterator[Any]:
        for output in (Request(f"{URL}?utm_source=x"), new, item):
            yield output

    async def run() -> list[Any]:
        outputs = middleware.process_spider_output(Response(URL), yield_all())
        return [output async for output in outputs]

    assert asyncio.run(run()) == [new, item]
    assert crawler.stats.get_value("deltafetch/skipped") == 1
