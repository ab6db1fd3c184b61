"""URLs of the frontier, and the protocol of the store that keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ilspfc.frontier.store.visits import Visit


class UrlState(StrEnum):
    """State of a URL; a URL that is gone was visited before."""

    QUEUED = "queued"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
    GONE = "gone"


# Base score of seeds, which are visited first.
SEED_SCORE = 1e12


@dataclass(frozen=True, slots=True)
class Candidate:
    """URL that may be visited.

    ``key`` is the canonical URL, ``url`` the spelling to request. ``depth`` counts links
    from a seed, ``distance`` the irrelevant pages in a row before the URL; ``referrer`` and
    ``anchor`` are the page and the text of the link. ``score`` orders the visits, ``base``
    is the score before learning; ``gain`` is the value of the visit from 0 to 1, None until
    it is known.
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

    @property
    def is_seed(self) -> bool:
        """True if the URL is a seed, or what a seed was redirected to."""
        return self.base >= SEED_SCORE


class VisitStore(Protocol):
    """Last visits of URLs, by canonical URL."""

    def get(self, key: str) -> Visit | None:
        """Return the last visit of a URL, None if there was none."""

    def record(self, key: str, visit: Visit) -> None:
        """Replace the last visit of a URL."""


class TrapStore(Protocol):
    """URLs that were refused as traps."""

    @property
    def hosts(self) -> set[str]:
        """Hosts with refused URLs."""

    def add(self, candidate: Candidate, reason: str) -> None:
        """Store a refused URL, up to a number for each host and reason."""

    def discard(self, key: str) -> None:
        """Delete a URL, if it was refused."""

    def refused(self, host: str) -> list[tuple[Candidate, str]]:
        """Return the refused URLs of a host with their reasons, best first."""


class FrontierStore(Protocol):
    """URLs with their states. Keys are canonical URLs; a higher score is better.

    All parts are written in the same transaction.
    """

    visits: VisitStore
    traps: TrapStore

    def push(self, candidate: Candidate, *, again: bool = False) -> bool:
        """Queue a URL, or raise the score of a queued one.

        Return whether anything changed. A URL that was visited, refused or failed keeps its
        state; ``again`` gives a failed one another chance.
        """

    def pop(self, host: str) -> Candidate | None:
        """Lease the best queued URL of a host."""

    def lease(self, key: str) -> Candidate | None:
        """Lease a URL if it is queued, whatever its score."""

    def best_score(self, host: str) -> float | None:
        """Return the best score among the queued URLs of a host."""

    def hosts(self) -> Iterable[str]:
        """Return the hosts that have queued URLs."""

    def finish(self, key: str, state: UrlState, reason: str = "") -> None:
        """End the lease of a URL."""

    def release(self, key: str) -> None:
        """Put a leased URL back into the queue."""

    def fail_host(
        self, host: str, reason: str, state: UrlState = UrlState.FAILED
    ) -> list[str]:
        """Fail or refuse all queued URLs of a host; return them as they are requested."""

    def visits_by_host(self) -> dict[str, int]:
        """Return the number of visited URLs by host."""

    def set_gain(self, key: str, gain: float) -> None:
        """Store the gain of the visit of a URL."""

    def gains(self, limit: int) -> list[Candidate]:
        """Return the last visited URLs whose gain is known, in the order first found."""

    def rescore(
        self, score: Callable[[Sequence[Candidate]], Sequence[float]], limit: int
    ) -> set[str]:
        """Give the best queued URLs new scores; return the hosts that have some."""

    def state_of(self, key: str) -> UrlState | None:
        """Return the state of a URL, None for one that is not known."""

    def scores(self, keys: Iterable[str]) -> dict[str, float | None]:
        """Return the score of each known URL among ``keys``, None where it is not queued."""

    def count(self, state: UrlState) -> int:
        """Return the number of URLs in a state."""

    def last_visits(self, limit: int) -> Iterable[tuple[str, str, str, str]]:
        """Return key, state, reason and referrer of the last visited URLs, oldest first."""

    def commit(self) -> None:
        """Make all changes so far survive a crash."""

    def close(self) -> None:
        """Commit and close."""
