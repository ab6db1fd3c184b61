"""Redirects in a page's meta element."""

from __future__ import annotations

import pytest
from costs import assert_cheap
from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.utils.test import get_crawler

from ilspfc.middlewares.redirect import HeadRefreshMiddleware

URL = "http://example.org/"


def follow(body: bytes, content_type: str = "text/html") -> Request | Response:
    middleware = HeadRefreshMiddleware.from_crawler(get_crawler())
    headers = {"Content-Type": content_type}
    response = HtmlResponse(URL, headers=headers, body=body)
    result = middleware.process_response(Request(URL), response)
    assert isinstance(result, Request) or result is response
    return result


def test_a_refresh_is_followed() -> None:
    html = '<meta http-equiv=refresh content="0; url=/größe">'
    for codec in ("utf-8", "latin-1"):
        target = follow(html.encode(codec), f"text/html; charset={codec}")
        assert isinstance(target, Request)
        assert target.url == "http://example.org/gr%C3%B6%C3%9Fe"


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "data:text/html,x", "ftp://example.org/"]
)
def test_a_refresh_to_another_scheme_is_not(url: str) -> None:
    html = f'<meta http-equiv=refresh content="0; url={url}">'
    assert isinstance(follow(html.encode()), Response)


@pytest.mark.parametrize(
    "charset", ["punycode", "idna", "undefined", "hex", "zlib", "rot13", "utf-7", "x"]
)
@pytest.mark.costs
def test_no_charset_costs_the_page_or_the_crawl(charset: str) -> None:
    body = b"<p>x</p>-" + b"x" * 1_000_000
    content_type = f"text/html; charset={charset}"
    assert isinstance(follow(body, content_type), Response)
    assert_cheap(lambda: follow(body, content_type), steps=1_000_000, units=60.0)
