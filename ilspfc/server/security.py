"""Guard of the web application: hosts, token, cross-site requests, header fields.

The application shows what was crawled, and starts crawls: only who has the token may ask,
no other site may ask in their name, and crawled text may load and run nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import URL, Headers, MutableHeaders, QueryParams
from starlette.responses import PlainTextResponse, RedirectResponse, Response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "ilspfc_token"
_SAFE_METHODS = frozenset({"GET", "HEAD"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src-elem 'self';"
    # The widths of bars.
    " style-src-attr 'unsafe-inline';"
    " img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'"
)
_FIELDS = {
    "Content-Security-Policy": POLICY,
    # Without a referrer, forms of a page have no origin either.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Guard:
    """ASGI middleware in front of every page.

    ``token`` is asked for by a cookie, set where the address has it as ``token``, or by
    ``Authorization: Bearer``; ``hosts`` are the names under which the server may be asked,
    without ports, so that a name that an attacker points to this machine (DNS rebinding)
    is refused.
    """

    app: ASGIApp
    token: str
    hosts: Collection[str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that is refused; pass on all others."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer = self._refuse(scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _FIELDS.items():
                    headers.setdefault(name, value)
            await send(message)

        await (answer or self.app)(scope, receive, send_guarded)

    def _refuse(self, scope: Scope) -> Response | None:
        """Return the answer to a request that goes no further, None for all others."""
        headers = Headers(scope=scope)
        host = urlsplit(f"//{headers.get('host', '')}").hostname or ""
        if host not in self.hosts:
            text = f"{host}: not a name of this server; see --allow-host\n"
            return PlainTextResponse(text, 421)
        given = QueryParams(scope["query_string"]).get("token")
        if given is not None and self._is_token(given):
            return self._set_cookie(scope, given)
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if self._is_token(bearer):
            # A script: no other site can send this field.
            return None
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        if cookie is None or not self._is_token(cookie.value):
            text = "Give the address with the token that `ilspfc serve` printed.\n"
            return PlainTextResponse(text, 401)
        if scope["method"] not in _SAFE_METHODS and not _is_own(headers):
            return PlainTextResponse("The request comes from another site.\n", 403)
        return None

    def _is_token(self, text: str) -> bool:
        return secrets.compare_digest(text.encode(), self.token.encode())

    def _set_cookie(self, scope: Scope, token: str) -> Response:
        """Return the way to the same address without the token, which the cookie has."""
        address = URL(scope=scope).remove_query_params("token")
        target = address.path + (f"?{address.query}" if address.query else "")
        response = RedirectResponse(target, 303)
        response.set_cookie(COOKIE, token, httponly=True, samesite="strict")
        return response


def _is_own(headers: Headers) -> bool:
    """Test whether a request comes from a page of this server."""
    if site := headers.get("sec-fetch-site"):
        return site == "same-origin"
    # Browsers tell the site to loopback addresses and by HTTPS alone.
    return urlsplit(headers.get("origin", "")).netloc == headers.get("host", "")
