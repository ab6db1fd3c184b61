"""URLs of the frontier: their states, attributes and last visits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Self

from ilspfc.web.urls import canonicalize, host_of, is_usable


class UrlState(StrEnum):
    """State of a URL; GONE was visited before but is missing now, SENT is at another crawler."""

    QUEUED = "queued"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
    GONE = "gone"
    SENT = "sent"


# Base score of seeds, above all others.
SEED_SCORE = 1e12


def level_of(score: float, step: float) -> int:
    """Return the bucket of a score for a distance ``step`` of buckets; 0 without a step.

    >>> level_of(2e7 - 3, 1e7), level_of(12.5, 1e7), level_of(-40.0, 1e7), level_of(7.0, 0)
    (2, 0, 0, 0)
    """
    return math.floor(score / step + 0.5) if step else 0


class Candidate(NamedTuple):
    """URL that may be visited.

    ``key`` is the canonical URL, ``url`` the spelling to request. ``depth`` counts links
    from a seed, ``distance`` the consecutive irrelevant pages before the URL; ``referrer``
    and ``anchor`` are the page and the text of the link. ``score`` orders the visits,
    ``base`` is the score before learning; ``gain`` is the value of the visit from 0 to 1,
    None until it is known. ``surprise`` is the expected perplexity of the page, in bits
    above the bound of MEDIUM, None without a model. ``place`` is where on its page the link
    is (:attr:`ilspfc.documents.Link.place`), 0 if that is unknown.
    """

    key: str
    url: str
    host: str
    score: float
    depth: int = 0
    referrer: str = ""
    anchor: str = ""
    distance: int = 0
    base: float = 0.0
    gain: float | None = None
    surprise: float | None = None
    place: int = 0

    @classmethod
    def of(cls, url: str, score: float, *, depth: int = 0) -> Self:
        """Return the candidate for a URL without a referring link."""
        key = canonicalize(url)
        return cls(key, url, host_of(url), score, depth=depth, base=score)

    def redirect(self, url: str) -> Self:
        """Return the candidate for the target of a redirect."""
        key = canonicalize(url)
        return self._replace(key=key, url=url, host=host_of(url), referrer=self.url)

    def check(self) -> Self:
        """Return the candidate, its referrer dropped if that is not a usable URL.

        Rows of a shared database are untrusted: AddressError if URL or key cannot be
        requested.
        """
        canonicalize(self.url)
        canonicalize(self.key)
        return self if is_usable(self.referrer) else self._replace(referrer="")

    @property
    def is_seed(self) -> bool:
        """True if the URL is a seed, or the redirect target of a seed."""
        return self.base >= SEED_SCORE


@dataclass(frozen=True, slots=True)
class Visit:
    """Last visit of a URL with a response.

    ``visited_at`` is in seconds since the epoch; ``etag`` and ``last_modified`` are the
    values of the header fields (RFC 9110, section 8.8), ``content`` is a digest of the
    response, ``rules`` one of the rules by which it was processed. All four are empty for
    an incomplete response: the next visit is then like a first one.

    A visit is written in the transaction that ends the URL's lease. If it were written
    earlier, a crash could lose the links of the page: given the new validators, the server
    would respond that the page has not changed.
    """

    visited_at: float
    etag: str = ""
    last_modified: str = ""
    content: str = ""
    rules: str = ""
