"""Messages between one crawler and the frontier that several crawlers share."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ilspfc.frontier.store.candidates import Candidate, UrlState
    from ilspfc.frontier.store.visits import Visit


@dataclass(slots=True)
class Changes:
    """Changes that one crawler has made since it last reported, by canonical URL.

    All are written in one transaction, so no page is done before its links are queued.
    ``retried`` are queued again if they have failed or are held back; ``closed`` are hosts
    whose queued URLs get a state and a reason; ``given_back`` are hosts that another crawler
    may visit after a number of seconds.
    """

    links: dict[str, Candidate] = field(default_factory=dict)
    retried: set[str] = field(default_factory=set)
    ends: dict[str, tuple[UrlState, str]] = field(default_factory=dict)
    pages: Counter[str] = field(default_factory=Counter)
    visits: dict[str, Visit] = field(default_factory=dict)
    gains: dict[str, float] = field(default_factory=dict)
    closed: dict[str, tuple[UrlState, str]] = field(default_factory=dict)
    given_back: dict[str, float] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in self.__slots__)


class LeasedHost(NamedTuple):
    """Host that was leased to this crawler, and the number of its pages visited so far."""

    name: str
    pages: int


class PastVisit(NamedTuple):
    """URL that was visited, refused or failed before its host was leased to this crawler."""

    url: str
    state: str
    reason: str
    referrer: str


@dataclass(slots=True)
class Demand:
    """Demand of a crawler: hosts to lease, and hosts whose queues are to be filled up."""

    max_hosts: int = 0
    low: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Arrivals:
    """Answer of the shared frontier to a report.

    ``kept`` are the hosts that this crawler has leased; ``share`` is its fair share of the
    hosts that have work, None while some of them are free; ``is_over`` says that nothing is
    left to be visited by any crawler. ``unusable`` are URLs that no crawler can ask for, with
    the hosts under which they were queued; they have failed.
    """

    kept: set[str] = field(default_factory=set)
    leased: list[LeasedHost] = field(default_factory=list)
    queued: list[tuple[Candidate, Visit | None]] = field(default_factory=list)
    past: list[PastVisit] = field(default_factory=list)
    gains: list[Candidate] = field(default_factory=list)
    unusable: list[tuple[str, str]] = field(default_factory=list)
    share: int | None = None
    is_over: bool = False
