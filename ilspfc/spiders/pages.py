"""The page that a response brings."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ilspfc.crawl.requests import FETCHED_AT
from ilspfc.documents import Page, document_id
from ilspfc.frontier.optout_signals import read_headers
from ilspfc.frontier.url import canonicalize
from ilspfc.middlewares.robots import SITE_RULES

if TYPE_CHECKING:
    from scrapy.http import Response

    from ilspfc.frontier.optout_signals import Signal
    from ilspfc.middlewares.robots import SiteRules


def make_page(response: Response, user_agent: str) -> Page:
    """Return the page of a response, for the pipelines."""
    headers = response.headers
    return Page(
        url=response.url,
        id=document_id(canonicalize(response.url)),
        body=response.body,
        content_type=_header(headers.get("Content-Type")),
        fetched_at=response.meta.get(FETCHED_AT)
        or datetime.now(UTC).isoformat(timespec="seconds"),
        depth=int(response.meta.get("depth", 0)),
        outcome=asyncio.get_running_loop().create_future(),
        link_header=", ".join(map(_header, headers.getlist("Link"))),
        signals=_read_signals(response, user_agent),
        robots_header="\n".join(map(_header, headers.getlist("X-Robots-Tag"))),
    )


def _read_signals(response: Response, user_agent: str) -> tuple[Signal, ...]:
    """Return what headers and the site's files say of text and data mining."""
    lines = (
        (name.decode("latin-1"), _header(value))
        for name, values in response.headers.items()
        for value in values
    )
    signals = read_headers(lines, user_agent)
    rules: SiteRules | None = response.meta.get(SITE_RULES)
    return signals + rules.signals(response.url) if rules is not None else signals


def _header(value: bytes | None) -> str:
    return value.decode("latin-1") if value else ""
