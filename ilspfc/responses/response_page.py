"""The page that a response brings, and the links that the page brings."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from ilspfc.crawl.fetched_page import FetchedPage
from ilspfc.crawl.requests import FETCHED_AT
from ilspfc.documents import document_id
from ilspfc.frontier.scoring.link_score import FoundLink
from ilspfc.middlewares.robots_files import read_signals
from ilspfc.web.urls import canonicalize

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

    from ilspfc.crawl.arguments import CrawlArguments
    from ilspfc.documents import Page

# The stages that a page passes before its relevance is judged.
_BEFORE_JUDGEMENT = {"cleaning", "optout", "language"}


def make_page(response: Response, user_agent: str) -> FetchedPage:
    """Return the page of a response, for the pipelines."""
    request = cast("Request", response.request)
    headers = response.headers
    return FetchedPage(
        url=response.url,
        id=document_id(canonicalize(response.url)),
        body=response.body,
        content_type=_header(headers.get("Content-Type")),
        fetched_at=response.meta.get(FETCHED_AT)
        or datetime.now(UTC).isoformat(timespec="seconds"),
        depth=int(response.meta.get("depth", 0)),
        link_header=", ".join(map(_header, headers.getlist("Link"))),
        signals=read_signals(request, response, user_agent),
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
    is_judged = page.drop.partition("/")[0] not in _BEFORE_JUDGEMENT
    relevance = document.relevance if is_judged else 0.0
    share = relevance / max(len(document.links), 1)
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


def _header(value: bytes | None) -> str:
    return value.decode("latin-1") if value else ""
