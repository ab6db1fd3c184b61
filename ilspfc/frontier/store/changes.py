"""Messages between a crawler and the frontier that several crawlers share."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ilspfc.frontier.store.candidates import Candidate, UrlState, Visit


@dataclass(slots=True)
class Changes:
    """Changes made by one crawler since its last report, by canonical URL.

    All are written in one transaction, so no page is done before its links are queued.
    ``retried`` URLs are requeued if they have failed or are held back; ``closed`` are hosts
    whose queued URLs get a state and a reason; ``given_back`` are released hosts, with the
    seconds after which another crawler may visit them; ``sitemaps`` are origins whose sitemaps
    have been read. ``exported`` tells of pages that were read whether they gave a document.
    ``requests`` and ``received`` are the numbers of pages requested and of bytes received.
    """

    links: dict[str, Candidate] = field(default_factory=dict)
    retried: set[str] = field(default_factory=set)
    ends: dict[str, tuple[UrlState, str]] = field(default_factory=dict)
    pages: Counter[str] = field(default_factory=Counter)
    visits: dict[str, Visit] = field(default_factory=dict)
    exported: dict[str, bool] = field(default_factory=dict)
    gains: dict[str, float] = field(default_factory=dict)
    closed: dict[str, tuple[UrlState, str]] = field(default_factory=dict)
    given_back: dict[str, float] = field(default_factory=dict)
    sitemaps: set[str] = field(default_factory=set)
    requests: int = 0
    received: int = 0

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in self.__slots__)


class LeasedHost(NamedTuple):
    """Host leased to this crawler, its pages visited so far, and origins with read sitemaps."""

    name: str
    pages: int
    sitemaps: list[str]


class PastVisit(NamedTuple):
    """URL visited, refused or failed before its host was leased to this crawler."""

    url: str
    state: str
    reason: str
    referrer: str


class SharedRun(NamedTuple):
    """Run of several crawlers: how many are at work, and what all together have spent so far."""

    crawlers: int = 1
    requests: int = 0
    received: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class Demand:
    """Request of a crawler: hosts to lease, and leased hosts whose queues run low."""

    max_hosts: int = 0
    low: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Arrivals:
    """Response of the shared frontier to a report.

    ``kept`` are the hosts leased to this crawler; ``share`` is its fair share of the hosts
    with work, None while some of them are free; ``is_over`` is True if no crawler has
    anything left to visit. ``unusable`` are URLs that cannot be requested, with the hosts
    under which they were queued; they have failed.
    """

    kept: set[str] = field(default_factory=set)
    leased: list[LeasedHost] = field(default_factory=list)
    queued: list[tuple[Candidate, Visit | None]] = field(default_factory=list)
    past: list[PastVisit] = field(default_factory=list)
    gains: list[Candidate] = field(default_factory=list)
    unusable: list[tuple[str, str]] = field(default_factory=list)
    share: int | None = None
    is_over: bool = False
    run: SharedRun = field(default_factory=SharedRun)
