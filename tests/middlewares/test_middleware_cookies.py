"""Cookies for single hosts: whom they are sent to, and how many are kept."""

from __future__ import annotations

from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from ilspfc.middlewares.cookies import (
    MAX_COOKIE_CHARS,
    MAX_COOKIES,
    CookieWallMiddleware,
)

URL = "http://a.example.org/page"


def send_back(
    middleware: CookieWallMiddleware, *cookies: str, url: str = URL
) -> Request:
    """Return the request that follows a redirect with cookies to ``url``."""
    request = Request(URL)
    middleware.process_request(request)
    headers = {"Location": url, "Set-Cookie": list(cookies)}
    middleware.process_response(request, Response(URL, 302, headers))
    again = request.replace(url=url)
    again.meta["redirect_urls"] = [URL]
    middleware.process_request(again)
    return again


def cookie_of(middleware: CookieWallMiddleware, url: str) -> bytes | None:
    request = Request(url)
    middleware.process_request(request)
    return request.headers.get("Cookie")


def make() -> CookieWallMiddleware:
    return CookieWallMiddleware.from_crawler(
        get_crawler(settings_dict={"COOKIES_ENABLED": False})
    )


def test_the_cookies_of_one_host_go_to_no_other() -> None:
    middleware = make()
    again = send_back(middleware, "a=1; Domain=example.org; Path=/")
    assert again.headers.get("Cookie") == b"a=1"
    assert cookie_of(middleware, "http://a.example.org/other") == b"a=1"
    for host in ("b.example.org", "example.org", "a.example.org:8080"):
        assert cookie_of(middleware, f"http://{host}/") is None


def test_a_redirect_elsewhere_brings_no_cookies() -> None:
    for url in (
        "http://a.example.org/other",
        "https://a.example.org/page",
        "http://b.example.org/page",
    ):
        middleware = make()
        assert (
            send_back(middleware, "a=1; Path=/", url=url).headers.get("Cookie") is None
        )
        assert cookie_of(middleware, URL) is None


def test_a_redirect_back_without_a_cookie_changes_nothing() -> None:
    middleware = make()
    assert send_back(middleware).headers.get("Cookie") is None


def test_a_host_cannot_fill_the_memory() -> None:
    middleware = make()
    send_back(middleware, f"long={'x' * (MAX_COOKIE_CHARS + 1)}", "a=1")
    for number in range(3 * MAX_COOKIES):
        request = Request(URL)
        middleware.process_request(request)
        headers = {"Set-Cookie": f"c{number}=1"}
        middleware.process_response(request, Response(URL, headers=headers))
    sent = cookie_of(middleware, URL)
    assert sent is not None
    assert sent.count(b"=") == MAX_COOKIES
    assert b"long" not in sent
