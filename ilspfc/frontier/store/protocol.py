"""What the frontier keeps of each URL, and the interface of the store that keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ilspfc.frontier.store.visits import VisitStore


class UrlState(StrEnum):
    """Where a URL stands on its way; a URL that is gone had been visited before."""

    QUEUED = "queued"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
    GONE = "gone"


# Seeds go first; a URL with this score or a better one before learning is one.
SEED_SCORE = 1e12


@dataclass(frozen=True, slots=True)
class Candidate:
    """A URL that may be visited, with what is known of it.

    ``key`` is the canonical URL, by which it is known; ``url`` the spelling to request.
    ``depth`` counts links from a seed, ``distance`` the irrelevant pages in a row before
    it; ``referrer`` and ``anchor`` are where it was found. ``score`` decides when it is
    visited; ``base`` is what it was before learning changed it, ``gain`` what the visit
    paid (from 0 to 1), None until that is known.
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
        """Whether the URL is a seed, or what a seed was redirected to."""
        return self.base >= SEED_SCORE


class FrontierStore(Protocol):
    """Keeps URLs and their states. Keys are canonical URLs; scores, higher is better."""

    @property
    def visits(self) -> VisitStore:
        """The last visits, written in the transaction of the states."""

    def push(self, candidate: Candidate, *, again: bool = False) -> bool:
        """Queue a URL, or raise the score of a queued one.

        Returns whether it was news. A URL that was visited, refused or failed stays so,
        except that ``again`` gives a failed one another chance.
        """

    def pop(self, host: str) -> Candidate | None:
        """Lease the best queued URL of a host."""

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
        """Return how many URLs of each host were visited."""

    def set_gain(self, key: str, gain: float) -> None:
        """Write down what the visit of a URL paid."""

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
        """Return how many URLs are in a state."""

    def commit(self) -> None:
        """Make what was done so far survive a crash."""

    def close(self) -> None:
        """Commit and close."""
