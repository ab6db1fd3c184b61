"""Conversion between Scrapy's requests and the frontier's candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scrapy import Request

from ilspfc.web.urls import find_key, host_of

if TYPE_CHECKING:
    from ilspfc.frontier.scoring.link_score import Focus, FoundLink
    from ilspfc.frontier.store.candidates import Candidate
    from ilspfc.frontier.store.sqlite import SQLiteStore

# Keys of request.meta.
CANDIDATE = "frontier_candidate"  # the scored Candidate of a link, or of a leased URL
COOKIES = "cookies_set"  # in answer to requests that had none
IS_PROBE = "is_probe"  # a request whose answer is no page of the corpus
IS_RESOURCE = "is_resource"  # a request of the scripts of a page
IS_SEED = "is_seed"
FRONTIER_KEY = "frontier_key"  # the canonical URL whose lease a request holds
FETCHED_AT = "fetched_at"  # time of the response, ISO 8601
LAST_VISIT = "last_visit"  # the Visit before this one, of a URL that had one
PAYLOAD_DIGEST = "payload_digest"  # of the WARC record of the response
VISIT = "visit"  # the Visit to be kept when the lease ends
# What Scrapy's middlewares count in meta over the attempts at one URL.
_KEPT_META = (
    "retry_times",
    "redirect_times",
    "redirect_urls",
    "redirect_reasons",
    COOKIES,
)


def iter_candidates(
    links: Sequence[FoundLink],
    store: SQLiteStore,
    focus: Focus,
    *,
    keeps_known: bool = False,
) -> Iterator[Candidate | None]:
    """Yield the links of a page that are new or raise the score of a queued URL.

    None stands for a link that is not to be followed. Most links of a page lead to known
    URLs; making requests of them would cost more than anything else about them. With
    ``keeps_known`` these come too.
    """
    keys = [find_key(found.link.url) for found in links]
    known = {} if keeps_known else store.scores(filter(None, keys))
    for key, found in zip(keys, links, strict=True):
        score = known.get(key)
        if not key or (key in known and score is None):
            continue  # no URL; visited, under way, refused or failed
        candidate = focus.candidate(found, key)
        if candidate is None or score is None or candidate.score > score:
            yield candidate


def attempts_meta(request: Request) -> dict[str, Any]:
    """Return the counts of attempts at a URL, kept until it is requested again."""
    return {name: request.meta[name] for name in _KEPT_META if name in request.meta}


def make_probe(
    url: str, parse: Callable[..., Any], headers: Mapping[str, str] | None = None
) -> Request:
    """Return a request for any answer of a host, within its delay and robots.txt.

    One that fails is passed over.
    """
    meta = {
        IS_PROBE: True,
        "download_slot": host_of(url),
        "handle_httpstatus_all": True,
        "dont_redirect": True,
        "dont_retry": True,
    }
    return Request(url, parse, headers=headers, errback=_pass_over, meta=meta)


def _pass_over(failure: object) -> None:
    """Ignore a probe that failed or that robots.txt forbids."""


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
