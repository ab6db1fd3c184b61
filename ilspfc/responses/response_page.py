"""The page that a response brings, and the links that the page brings."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ilspfc.crawl.requests import FETCHED_AT
from ilspfc.documents import Page, document_id
from ilspfc.frontier.scoring.link_score import FoundLink
from ilspfc.middlewares.robots_files import SITE_RULES
from ilspfc.optout.signals import read_headers
from ilspfc.web.urls import canonicalize

if TYPE_CHECKING:
    from scrapy.http import Response

    from ilspfc.crawl.arguments import CrawlArguments
    from ilspfc.middlewares.robots_files import SiteRules
    from ilspfc.optout.signals import Signal

# The stages that a page passes before its relevance is judged.
_BEFORE_JUDGEMENT = {"cleaning", "optout", "language"}


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


def find_links(page: Page, distance: int, arguments: CrawlArguments) -> list[FoundLink]:
    """Return the links of a page whose way has ended, with what is known of them.

    ``distance`` counts the irrelevant pages in a row that led to the links.
    """
    document = page.document
    if document is None:
        return []
    models = arguments.domain_texts
    is_unknown = not models or (
        document.lang in arguments.langs and document.lang not in models
    )
    perplexity = None if is_unknown else document.perplexity
    share = document.relevance / max(len(document.links), 1)
    is_judged = page.drop.partition("/")[0] not in _BEFORE_JUDGEMENT
    return [
        FoundLink(
            link,
            document.url,
            document.lang,
            relevance_share=share,
            distance=distance,
            depth=document.depth + 1,
            perplexity=perplexity,
            is_judged=is_judged,
        )
        for link in document.links
    ]


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
