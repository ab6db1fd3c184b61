"""Guard of the web application: hosts, token, cross-site requests, header fields.

The application shows what was crawled, and starts crawls: only who has the token may ask,
no other site may ask in their name, and crawled text may load and run nothing.
"""

from __future__ import annotations

import hmac
import re
import secrets
import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, unquote, urlencode

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "ilspfc_token"
SHARE_COOKIE = "ilspfc_share"
# Pages of a corpus that only who may change it sees.
_EDITORS_PAGES = frozenset({"judge", "edit", "build"})
_MAX_DIGITS = 12
_SAFE_METHODS = frozenset({"GET", "HEAD"})
# A name or an address in brackets, and a port: no user, no path, nothing else of an address.
_HOST_RE = re.compile(r"(\[[0-9a-f:.]+\]|[0-9a-z._-]+)(?::[0-9]{1,5})?", re.IGNORECASE)
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


def sign_share(token: str, corpus: str, expires: int) -> str:
    """Return the key of a read-only link to a corpus, valid until a time (seconds since 1970).

    Who has it cannot make another one, nor learn the token.

    >>> sign_share("secret", "bees", 1800000000)[:32]
    'bees.1800000000.d8716867d70fe646'
    """
    text = f"{quote(corpus, safe='')}.{expires}"
    return f"{text}.{hmac.new(token.encode(), text.encode(), 'sha256').hexdigest()}"


@dataclass(frozen=True, slots=True)
class Guard:
    """ASGI middleware in front of every page.

    ``token`` is asked for by a cookie, set where the address has it as ``token``, or by
    ``Authorization: Bearer``; ``hosts`` are the names under which the server may be asked,
    without ports, so that a name that an attacker points to this machine (DNS rebinding)
    is refused. A read-only link (:func:`sign_share`), given as ``share`` and kept in a cookie,
    opens the pages of its corpus that change nothing, with ``state.is_guest``.
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
        host = headers.get("host", "")
        match = _HOST_RE.fullmatch(host)
        if match is None or match[1].strip("[]").lower() not in self.hosts:
            text = f"{host}: not a name of this server; see --allow-host\n"
            return PlainTextResponse(text, 421)
        if not scope["query_string"].isascii():
            return PlainTextResponse("The address is no address.\n", 400)
        query = QueryParams(scope["query_string"])
        if self._is_token(query.get("token", "")):
            return _set_cookie(scope["path"], query, COOKIE, self.token, "strict")
        if self._find_shared(share := query.get("share", "")):
            # A link is followed from elsewhere, and nothing can be changed with it.
            return _set_cookie(scope["path"], query, SHARE_COOKIE, share, "lax")
        return self._refuse_stranger(scope, headers)

    def _refuse_stranger(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a request without the token or from another site."""
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if self._is_token(bearer):
            # A script: no other site can send this field.
            return None
        cookies = cookie_parser(headers.get("cookie", ""))
        method = scope["method"]
        if not self._is_token(cookies.get(COOKIE, "")):
            shared = self._find_shared(cookies.get(SHARE_COOKIE, ""))
            if shared and method in _SAFE_METHODS and _is_for_guests(scope, shared):
                scope.setdefault("state", {})["is_guest"] = True
                return None
            text = "Give the address with the token that `ilspfc serve` printed.\n"
            if shared:
                text = f"This link shows {shared}, and changes nothing.\n"
            return PlainTextResponse(text, 403 if shared else 401)
        if method not in _SAFE_METHODS and not _is_own(headers):
            return PlainTextResponse("The request comes from another site.\n", 403)
        return None

    def _is_token(self, text: str) -> bool:
        return secrets.compare_digest(text.encode(), self.token.encode())

    def _find_shared(self, share: str) -> str:
        """Return the corpus to which a read-only link leads, empty for one that is not valid."""
        name, _, expires = share.rpartition(".")[0].rpartition(".")
        if not (
            expires.isdecimal() and expires.isascii() and len(expires) <= _MAX_DIGITS
        ):
            return ""
        right = sign_share(self.token, unquote(name), int(expires))
        is_right = secrets.compare_digest(share.encode(), right.encode())
        return unquote(name) if is_right and time.time() < int(expires) else ""


def _is_for_guests(scope: Scope, corpus: str) -> bool:
    """Test whether a page is of a corpus, and one that only shows it."""
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    page = path.removeprefix(f"/c/{corpus}/")
    is_shown = page != path and page.split("/")[0] not in _EDITORS_PAGES
    return is_shown or path.startswith("/static/")


def _set_cookie(
    path: str,
    query: QueryParams,
    name: str,
    value: str,
    samesite: Literal["lax", "strict"],
) -> Response:
    """Return the way to the same address without the key, which a cookie has."""
    # Two slashes, of either kind, would lead to another server.
    target = "/" + quote(path.lstrip("/\\"))
    keys = {"token", "share"}
    if rest := [(k, v) for k, v in query.multi_items() if k not in keys]:
        target += f"?{urlencode(rest)}"
    response = RedirectResponse(target, 303)
    response.set_cookie(name, value, httponly=True, samesite=samesite)
    return response


def _is_own(headers: Headers) -> bool:
    """Test whether a request comes from a page of this server."""
    if site := headers.get("sec-fetch-site"):
        return site == "same-origin"
    # Browsers tell the site to loopback addresses and by HTTPS alone.
    return headers.get("origin", "").partition("://")[2] == headers["host"]
