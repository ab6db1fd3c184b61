"""Downloads that are cut off at their header."""

from __future__ import annotations

import pytest
from scrapy import Request, signals
from scrapy.exceptions import NotConfigured, StopDownload
from scrapy.http import Headers
from scrapy.utils.test import get_crawler

from ilspfc.middlewares.media_type import MediaTypeMiddleware
from ilspfc.middlewares.robots_files import IS_SITE_FILE
from ilspfc.settings import FETCH_MEDIA_TYPES

PAGE = "http://example.org/x"


def receive(content_type: str | None) -> None:
    headers = Headers(
        {"Content-Type": content_type} if content_type is not None else {}
    )
    MediaTypeMiddleware(FETCH_MEDIA_TYPES).headers_received(headers, Request(PAGE))


@pytest.mark.parametrize(
    "content_type",
    [
        *("text/html", "Text/HTML; charset=utf-8", " text/html ;charset=utf-8"),
        *("application/xhtml+xml", "text/plain", None, ""),
    ],
)
def test_wanted_and_unknown_types_are_downloaded(content_type: str | None) -> None:
    receive(content_type)


@pytest.mark.parametrize(
    "content_type",
    [
        *("application/pdf", "image/png", "video/mp4; codecs=x"),
        *("application/octet-stream", "nonsense", "text/html-like"),
    ],
)
def test_other_types_are_cut_off(content_type: str) -> None:
    with pytest.raises(StopDownload) as caught:
        receive(content_type)
    assert not caught.value.fail, "the response goes on, with an empty body"


def test_robots_txt_is_downloaded_whatever_it_says_it_is() -> None:
    headers = Headers({"Content-Type": "application/octet-stream"})
    request = Request("http://example.org/robots.txt", meta={IS_SITE_FILE: True})
    MediaTypeMiddleware(FETCH_MEDIA_TYPES).headers_received(headers, request)


def test_the_middleware_listens_to_the_crawl() -> None:
    crawler = get_crawler(settings_dict={"FETCH_MEDIA_TYPES": ["text/html"]})
    middleware = MediaTypeMiddleware.from_crawler(crawler)
    arguments = {
        "headers": Headers({"Content-Type": "image/png"}),
        "request": Request(PAGE),
    }
    (answer,) = crawler.signals.send_catch_log(
        signals.headers_received, dont_log=StopDownload, **arguments
    )
    assert answer[0] == middleware.headers_received
    assert answer[1].check(StopDownload)


def test_without_types_everything_is_downloaded() -> None:
    crawler = get_crawler(settings_dict={"FETCH_MEDIA_TYPES": []})
    with pytest.raises(NotConfigured, match="FETCH_MEDIA_TYPES is empty"):
        MediaTypeMiddleware.from_crawler(crawler)
