"""The spider of single pages, and how it names the operator."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.exceptions import DownloadTimeoutError
from scrapy.http import HtmlResponse, Response
from scrapy.settings import Settings

from ilspfc.spiders.page_spider import PageSpider, name_operator

if TYPE_CHECKING:
    from ilspfc.files.page_sources import PageSource

URL = "http://example.org/a"


@pytest.fixture
def found() -> dict[str, PageSource]:
    return {}


def make_spider(folder: Path, found: dict[str, PageSource], *urls: str) -> PageSpider:
    return PageSpider(urls, folder, found)


def start(spider: PageSpider) -> list[Request]:
    async def collect() -> list[Request]:
        return [request async for request in spider.start()]

    return asyncio.run(collect())


def test_each_page_is_asked_for_at_the_pace_of_its_host(
    tmp_path: Path, found: dict[str, PageSource]
) -> None:
    spider = make_spider(tmp_path, found, URL, "http://b.example.org:8080/")
    slots = [request.meta["download_slot"] for request in start(spider)]
    assert slots == ["example.org", "b.example.org:8080"]
    assert found == {}


def test_what_is_no_url_is_a_failure_and_the_others_go_on(
    tmp_path: Path, found: dict[str, PageSource]
) -> None:
    spider = make_spider(tmp_path, found, "http://", URL)
    (request,) = start(spider)
    assert request.url == URL
    assert "is no http(s) URL" in found["http://"].failure


def test_a_page_goes_into_a_file_of_its_own(
    tmp_path: Path, found: dict[str, PageSource]
) -> None:
    spider = make_spider(tmp_path, found)
    headers = {"Content-Type": "text/html; charset=latin-1"}
    for name in ("a", "b"):
        url = f"http://example.org/{name}"
        spider.parse(HtmlResponse(url, body=name.encode(), headers=headers), asked=name)
    assert [found[name].path.read_bytes() for name in "ab"] == [b"a", b"b"]  # type: ignore[union-attr]
    assert found["a"].url == URL
    assert found["a"].content_type == "text/html; charset=latin-1"


def test_a_page_may_come_without_a_type(
    tmp_path: Path, found: dict[str, PageSource]
) -> None:
    make_spider(tmp_path, found).parse(Response(URL), asked=URL)
    assert found[URL].content_type == ""


def test_a_failure_is_told_in_words(
    tmp_path: Path, found: dict[str, PageSource]
) -> None:
    request = Request(URL, cb_kwargs={"asked": "the page"})
    failure: Any = SimpleNamespace(request=request, value=DownloadTimeoutError())
    make_spider(tmp_path, found).failed(failure)
    assert found["the page"].failure == "not fetched: timed out"


@pytest.mark.parametrize(
    ("given", "agent"),
    [
        ({"FETCH_CONTACT": "me@example.org"}, "crawler; me@example.org)"),
        ({}, "crawler; operator gave no contact)"),
        ({"USER_AGENT": "mine/1", "FETCH_CONTACT": "me@example.org"}, "mine/1"),
    ],
)
def test_the_operator_is_named_unless_a_user_agent_is_set(
    given: dict[str, str], agent: str
) -> None:
    settings = Settings({"USER_AGENT": "", **given})
    name_operator(settings)
    assert settings["USER_AGENT"].endswith(agent)
