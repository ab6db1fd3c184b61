"""Features of links for online learning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from math import log2
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from zlib import crc32

if TYPE_CHECKING:
    from ilspfc.frontier.store.candidates import Candidate

# Number of hashed features.
DIMENSIONS = 1 << 18

_MAX_WORDS = 12
_MAX_LEVELS = 3
_MAX_DEPTH = 8
_MAX_DISTANCE = 4
# Sizes of the caches of features of URLs and names.
_CACHED_URLS = 1 << 15
_CACHED = 1 << 12
_WORD_RE = re.compile(r"[^\W\d_]+|\d+")
_TOKEN_RE = re.compile(r"[^\W\d_]{2,}")


def link_features(candidate: Candidate, worth: float) -> list[int]:
    """Return the features of a link as numbers below :data:`DIMENSIONS`.

    They are its host, the prefixes of its path, the words of its path and query, the words
    of its anchor, depth and distance, the page that it stands on with that page's first
    directory, and ``worth``: its score before learning in units of one term, by steps.
    """
    return sorted(set().union(*feature_groups(candidate, worth)))


def feature_groups(candidate: Candidate, worth: float) -> tuple[tuple[int, ...], ...]:
    """Return the features of a link in four groups: URL, source, anchor, position.

    No feature is twice in a group; hash collisions may repeat one in two groups.
    """
    return (
        _url_features(candidate.url),
        _source_features(candidate.referrer),
        _anchor_features(candidate.anchor),
        _step_features(candidate.depth, candidate.distance, _step(worth)),
    )


@lru_cache(maxsize=_CACHED_URLS)
def directory_of(url: str) -> str:
    """Return host and path of the directory that a page is in, up to the third level.

    >>> directory_of("http://example.org/de/news/2024/05/a.html")
    'example.org/de/news/2024'
    """
    parts = urlsplit(url)
    return "/".join([parts.netloc, *parts.path.split("/")[1:-1][:_MAX_LEVELS]])


def _hash(name: str) -> int:
    return crc32(name.encode("utf-8", "surrogatepass")) % DIMENSIONS


def _step(worth: float) -> int:
    return round(log2(1 + worth)) if worth > 0 else -1


# A link is scored each time it is found, and again after each fit.
@lru_cache(maxsize=_CACHED_URLS)
def _url_features(url: str) -> tuple[int, ...]:
    return tuple(sorted({*map(_hash, _url_names(url))}))


def _url_names(url: str) -> Iterator[str]:
    parts = urlsplit(url)
    host = parts.netloc
    yield f"host {host}"
    directories = parts.path.split("/")[1:-1]
    for length in range(1, min(len(directories), _MAX_LEVELS) + 1):
        yield f"path {host}/{'/'.join(directories[:length])}"
    words = _TOKEN_RE.finditer(f"{parts.path} {parts.query}".lower())
    for match in islice(words, _MAX_WORDS):
        yield f"url {match[0]}"


@lru_cache(maxsize=_CACHED)
def _step_features(depth: int, distance: int, step: int) -> tuple[int, ...]:
    return (
        _hash(f"depth {min(depth, _MAX_DEPTH)}"),
        _hash(f"distance {min(distance, _MAX_DISTANCE)}"),
        _hash(f"worth {step}"),
    )


@lru_cache(maxsize=_CACHED)
def _source_features(url: str) -> tuple[int, ...]:
    parts = urlsplit(url)
    directory = parts.path.split("/")[1:2] if parts.path.count("/") > 1 else [""]
    return _hash(f"page {url}"), _hash(f"from {parts.netloc}/{directory[0]}")


@lru_cache(maxsize=_CACHED)
def _anchor_features(anchor: str) -> tuple[int, ...]:
    return tuple(sorted({*map(_hash, _anchor_names(anchor))}))


def _anchor_names(anchor: str) -> Iterator[str]:
    words = _WORD_RE.findall(anchor.casefold()[:200])
    if not words:
        yield "anchor none"
    for word in words[:_MAX_WORDS]:
        yield f"anchor {word}"
