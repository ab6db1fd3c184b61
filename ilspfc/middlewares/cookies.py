"""Cookies for hosts that show no page without them."""

from __future__ import annotations

from collections.abc import Iterable
from http.cookiejar import Cookie
from typing import Self
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.http import Response
from scrapy.http.cookies import CookieJar

from ilspfc.crawl.requests import COOKIES
from ilspfc.web.urls import host_of

# What every browser keeps (RFC 6265, section 6.1): a host cannot fill the memory.
MAX_COOKIES = 50
MAX_COOKIE_CHARS = 4096


class CookieWallMiddleware(CookiesMiddleware):
    """Scrapy's middleware, on for single hosts unless ``COOKIES_ENABLED`` turns it on for all.

    A host gets cookies from the moment on at which it sends a request that had none back to
    its own address, at once or after other redirects, having set a cookie on the way: that
    address would never give a page. Cookies last as long as the process.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the middleware of a crawl."""
        middleware = cls(crawler.settings.getbool("COOKIES_DEBUG"))
        middleware.crawler = crawler
        middleware._is_on = crawler.settings.getbool("COOKIES_ENABLED")
        middleware._hosts = set()
        return middleware

    _is_on: bool
    _hosts: set[str]

    def process_request(self, request: Request, spider: Spider | None = None) -> None:
        """Add the host's cookies if it gets any."""
        host = host_of(request.url)
        cookies = request.meta.get(COOKIES, ())
        if cookies and not self._gets_cookies(host) and _is_sent_back(request):
            self._hosts.add(host)
            self.crawler.stats.inc_value("fetch/cookie_hosts")
            self._process_cookies(cookies, jar=self.jars[host], request=request)
        if self._gets_cookies(host):
            if not self._is_on:
                request.meta["cookiejar"] = host
            super().process_request(request)

    def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Request | Response:
        """Keep the cookies of a host that gets them; let a redirect remember others."""
        if "Set-Cookie" in response.headers and "Cookie" not in request.headers:
            set_now = self.jars[None].make_cookies(response, request)
            request.meta[COOKIES] = [*request.meta.get(COOKIES, ()), *set_now]
        if self._gets_cookies(host_of(request.url)):
            return super().process_response(request, response)
        return response

    def _gets_cookies(self, host: str) -> bool:
        return self._is_on or host in self._hosts

    def _process_cookies(
        self, cookies: Iterable[Cookie], *, jar: CookieJar, request: Request
    ) -> None:
        if self._is_on:
            super()._process_cookies(cookies, jar=jar, request=request)
            return
        # A jar of one host needs no list of public suffixes, which Scrapy would fetch.
        for cookie in cookies:
            if len(cookie.value or "") <= MAX_COOKIE_CHARS and len(jar) < MAX_COOKIES:
                jar.set_cookie_if_ok(cookie, request)


def _is_sent_back(request: Request) -> bool:
    """Test whether a redirect has led to an address that it began or went on from.

    A query may have grown, as in ``?cookie_check=1``.
    """
    new = urlsplit(request.url)
    passed = map(urlsplit, request.meta.get("redirect_urls", ()))
    return any(old[:3] == new[:3] and new.query.startswith(old.query) for old in passed)
