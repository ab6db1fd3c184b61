"""Page of a response, and the results of its visit: links and novelty."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from ilspfc.cleaning.page import CleaningReason
from ilspfc.crawl.arguments import CrawlArguments
from ilspfc.crawl.domain_texts import Expectation
from ilspfc.crawl.fetched_page import FetchedPage
from ilspfc.crawl.index_records import page_id
from ilspfc.crawl.requests import FETCHED_AT, PAYLOAD_DIGEST
from ilspfc.documents import Page
from ilspfc.frontier.reasons import VisitResult
from ilspfc.frontier.scoring.link_score import FoundLink
from ilspfc.frontier.traps.seen_text import SeenText
from ilspfc.middlewares.robots_files import read_signals

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

# Stages before the one that judges relevance.
_BEFORE_JUDGEMENT = {"cleaning", "optout", "language"}


def header_of(response: Response, name: str) -> str:
    """Return the last value of a header field, empty for a missing one."""
    value = response.headers.get(name)
    return value.decode("latin-1") if value else ""


def _values_of(response: Response, name: str) -> list[str]:
    return [value.decode("latin-1") for value in response.headers.getlist(name)]


def make_page(response: Response, user_agent: str) -> FetchedPage:
    """Return the page of a response, for the pipelines."""
    request = cast("Request", response.request)
    return FetchedPage(
        url=response.url,
        id=page_id(response.url),
        body=response.body,
        content_type=header_of(response, "Content-Type"),
        fetched_at=response.meta.get(FETCHED_AT)
        or datetime.now(UTC).isoformat(timespec="seconds"),
        depth=int(response.meta.get("depth", 0)),
        payload_digest=str(response.meta.get(PAYLOAD_DIGEST, "")),
        link_header=", ".join(_values_of(response, "Link")),
        signals=read_signals(request, response, user_agent),
        robots_header="\n".join(_values_of(response, "X-Robots-Tag")),
    )


def find_links(
    page: Page,
    distance: int,
    arguments: CrawlArguments,
    expectation: Expectation | None = None,
) -> list[FoundLink]:
    """Return the links of a page whose way has ended, with their context.

    ``distance`` counts the irrelevant pages in a row that led to the links; ``expectation``
    tells their expected perplexity, where that of the page alone does not count.
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
    found = [
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
    entropy = page.work.entropy if isinstance(page, FetchedPage) and page.work else None
    if expectation is None or is_unknown or entropy is None:
        return found
    return expectation.expect(found, entropy)


def judge_visit(page: FetchedPage, seen: SeenText) -> VisitResult:
    """Return the result of a visit at the end of the page's way through the pipelines.

    New text counts whether the page is kept or not.
    """
    work = page.work
    if work is None or work.text is None:
        return VisitResult.NOTHING_NEW
    novelty = seen.add(work.text)
    if page.drop == f"cleaning/{CleaningReason.SOFT_404}":
        return VisitResult.NOTHING_NEW
    if novelty.is_new:
        return VisitResult.OTHER_TEXT if page.drop else VisitResult.NEW_TEXT
    return VisitResult.NOTHING_NEW if novelty.is_copy else VisitResult.NEW_LINKS
