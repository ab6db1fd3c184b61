"""Conversion between Scrapy's requests and the frontier's candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scrapy import Request

from ilspfc.frontier.store.protocol import SEED_SCORE, Candidate
from ilspfc.web.urls import canonicalize, host_of

if TYPE_CHECKING:
    from ilspfc.frontier.scoring.focus import Focus
    from ilspfc.frontier.scoring.link_score import FoundLink
    from ilspfc.frontier.store.protocol import FrontierStore

# Keys of request.meta.
FOUND_LINK = "found_link"  # the FoundLink of a link that is to be scored
IS_FROM_COPY = "is_from_copy"  # the page that has the link had no new text
IS_PROBE = "is_probe"  # a request for a page that cannot exist
IS_SEED = "is_seed"
FRONTIER_KEY = "frontier_key"  # the canonical URL whose lease a request holds
CANDIDATE = "frontier_candidate"
FETCHED_AT = "fetched_at"  # time of the response, ISO 8601
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
    candidate = make_candidate(request.meta[FOUND_LINK], request.url, key, focus)
    if candidate is None:
        return None
    return replace(candidate, score=focus.score(candidate))


def make_candidate(
    found: FoundLink, url: str, key: str, focus: Focus
) -> Candidate | None:
    """Return the candidate of a link to ``url``, None if it is not to be followed.

    Its score is the one before learning.
    """
    base = focus.base_score(found)
    if base is None:
        return None
    return Candidate(
        key,
        url,
        host_of(url),
        score=base,
        depth=found.depth,
        distance=found.distance,
        referrer=found.source_url,
        anchor=found.link.anchor,
        base=base,
    )


def select_links(
    links: Sequence[FoundLink], store: FrontierStore, focus: Focus
) -> list[FoundLink]:
    """Return the links of a page that are new or that raise the score of a queued URL.

    Most links of a page lead to known URLs. Making requests of them would cost more than
    anything else about them.
    """
    keys = [_key_of(found.link.url) for found in links]
    known = store.scores(filter(None, keys))
    selected = []
    for key, found in zip(keys, links, strict=True):
        if key in known:
            score = known[key]
            if score is None:  # visited, under way, refused or failed
                continue
            candidate = make_candidate(found, found.link.url, key, focus)
            if candidate is not None and focus.score(candidate) <= score:
                continue
        selected.append(found)
    return selected


def _key_of(url: str) -> str:
    """Return the canonical URL, empty for an invalid one."""
    try:
        return canonicalize(url)
    except ValueError:
        return ""


def redirect_candidate(request: Request, key: str) -> Candidate:
    """Return the candidate of the target of a redirect."""
    source: Candidate = request.meta[CANDIDATE]
    return replace(
        source,
        key=key,
        url=request.url,
        host=host_of(request.url),
        referrer=source.url,
    )


def attempts_meta(request: Request) -> dict[str, Any]:
    """Return the counts of attempts at a URL, kept until it is requested again."""
    return {name: request.meta[name] for name in _KEPT_META if name in request.meta}


def make_request(candidate: Candidate, spider: Any, meta: Mapping[str, Any]) -> Request:
    """Return the request of a leased candidate, with the kept ``meta``."""
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
