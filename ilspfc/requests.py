"""Scrapy's requests and the frontier's candidates: how one becomes the other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scrapy import Request

from ilspfc.frontier.store import SEED_SCORE, Candidate
from ilspfc.frontier.url import host_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ilspfc.frontier.focus import Focus
    from ilspfc.frontier.score import FoundLink

# Keys of request.meta.
FOUND_LINK = "found_link"  # a FoundLink: what is known of a link that is to be scored
IS_FROM_COPY = "is_from_copy"  # the page that has the link had no new text
IS_PROBE = "is_probe"  # asks for a page that cannot exist
IS_SEED = "is_seed"
FRONTIER_KEY = "frontier_key"  # the canonical URL that a request holds the lease of
CANDIDATE = "frontier_candidate"
FETCHED_AT = "fetched_at"  # when the answer was there, ISO 8601
LAST_VISIT = "last_visit"  # the Visit before this one, of a URL that had one
VISIT = "visit"  # the Visit to be kept when the lease ends
# What Scrapy's middlewares count in meta over the attempts at one URL.
_KEPT_META = ("retry_times", "redirect_times", "redirect_urls", "redirect_reasons")


def seed_candidate(request: Request, key: str) -> Candidate:
    """Return the candidate of a seed."""
    host = host_of(request.url)
    return Candidate(key, request.url, host, SEED_SCORE, base=SEED_SCORE)


def link_candidate(request: Request, key: str, focus: Focus) -> Candidate | None:
    """Return the candidate of a link, None if it is not to be followed."""
    found: FoundLink = request.meta[FOUND_LINK]
    base = focus.base_score(found)
    if base is None:
        return None
    candidate = Candidate(
        key,
        request.url,
        host_of(request.url),
        score=base,
        depth=found.depth,
        distance=found.distance,
        referrer=found.source_url,
        anchor=found.link.anchor,
        base=base,
    )
    return replace(candidate, score=focus.score(candidate))


def redirect_candidate(request: Request, key: str) -> Candidate:
    """Return the candidate of what a candidate was redirected to."""
    source: Candidate = request.meta[CANDIDATE]
    return replace(
        source,
        key=key,
        url=request.url,
        host=host_of(request.url),
        referrer=source.url,
    )


def attempts_meta(request: Request) -> dict[str, Any]:
    """Return what is remembered of the attempts at a URL until it is requested again."""
    return {name: request.meta[name] for name in _KEPT_META if name in request.meta}


def make_request(candidate: Candidate, spider: Any, meta: Mapping[str, Any]) -> Request:
    """Return the request of a leased candidate, with what ``meta`` remembers of it."""
    known = {
        FRONTIER_KEY: candidate.key,
        CANDIDATE: candidate,
        "depth": candidate.depth,
        "distance": candidate.distance,
        "download_slot": candidate.host,
        **meta,
    }
    return Request(
        candidate.url, callback=spider.parse, errback=spider.failed, meta=known
    )
