"""Interface of the stores of a frontier, as frontier, gate, spider and extensions use it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from ilspfc.frontier.store.candidates import Candidate, UrlState

if TYPE_CHECKING:
    from ilspfc.frontier.store.visits import SQLiteVisits


class FrontierStore(Protocol):
    """URLs of a crawl by canonical URL (key), each with score, state and reason.

    A queued URL is leased by :meth:`pop`, and its lease ends by :meth:`finish` or
    :meth:`release`. Changes survive a crash from :meth:`commit` on; leases do not survive
    one: such URLs are queued again. Within a host a better score comes first, then the
    older URL. :class:`~ilspfc.frontier.store.sqlite.SQLiteStore` says what each method does.
    """

    visits: SQLiteVisits

    @property
    def may_visit(self) -> bool:
        """False while the hosts may be another crawler's by now."""

    @property
    def awaits_more(self) -> bool:
        """True while URLs may come from elsewhere."""

    # -- the queue -----------------------------------------------------------------------

    def push(self, candidate: Candidate, *, again: bool = False) -> bool:
        """Queue a URL, or raise the score of a queued one; return whether anything changed."""

    def pop(self, host: str) -> Candidate | None:
        """Lease the best queued URL of a host."""

    def lease(self, key: str) -> Candidate | None:
        """Lease a URL if it is queued, whatever its score."""

    def finish(self, key: str, state: UrlState, reason: str = "") -> bool:
        """End the lease of a URL; return False where it had none."""

    def release(self, key: str) -> None:
        """Put a leased URL back into the queue."""

    def rescore(self, score: Callable[[Candidate], float], limit: int) -> set[str]:
        """Give the best queued URLs new scores; return the hosts that have some."""

    def fail_host(
        self, host: str, reason: str, state: UrlState = UrlState.FAILED
    ) -> list[str]:
        """Fail all queued URLs of a host; return them as they are requested."""

    # -- questions -----------------------------------------------------------------------

    def best_score(self, host: str) -> float | None:
        """Return the best score among the queued URLs of a host."""

    def hosts(self) -> Iterable[str]:
        """Return the hosts that have queued URLs, sorted."""

    def is_idle(self, host: str) -> bool:
        """Test whether no URL of a host is queued or leased."""

    def count(self, state: UrlState) -> int:
        """Return the number of URLs in a state."""

    def largest_queue(self) -> tuple[str, int]:
        """Return the host with the most queued URLs, and how many it has."""

    def scores(self, keys: Iterable[str]) -> dict[str, float | None]:
        """Return the score of each known URL among ``keys``, None where it is not queued."""

    def state_of(self, key: str) -> UrlState | None:
        """Return the state of a URL, None for one that is not known."""

    def reason_of(self, key: str) -> str:
        """Return the reason of a URL's state, empty for a URL that is not known."""

    def visits_by_host(self) -> dict[str, int]:
        """Return the number of visited URLs by host."""

    def last_visits(self, limit: int) -> Iterable[tuple[str, str, str, str]]:
        """Return key, state, reason and referrer of the last visited URLs, oldest first."""

    def moved_to(self, seeds: Iterable[str]) -> list[str]:
        """Return the URLs that seeds were redirected to on earlier visits, step by step."""

    # -- URLs that the trap gate holds back ----------------------------------------------

    def held_hosts(self) -> list[str]:
        """Return the hosts of URLs that are held back."""

    def held(self, host: str) -> Iterator[tuple[Candidate, str]]:
        """Yield the URLs of a host that are held back, and why, best first."""

    def release_held(self, candidates: Iterable[Candidate]) -> Counter[str]:
        """Queue URLs that were held back; return their number by reason."""

    def prove_barren(self, host: str) -> int:
        """Refuse the URLs of a host that are held back; return how many."""

    # -- what visits were worth, and visits again ----------------------------------------

    def set_gain(self, key: str, gain: float) -> None:
        """Store the gain of the visit of a URL."""

    def gains(self, limit: int) -> list[Candidate]:
        """Return the last visited URLs whose gain is known, in the order first found."""

    def requeue_older(self, visited_before: float) -> int:
        """Queue again, with their scores, the URLs visited before a time; return how many."""

    def requeue_without_document(
        self, visited_before: float, is_exported: Callable[[str], bool]
    ) -> int:
        """Queue again the URLs visited before a time that gave no document; return how many."""

    def requeue_unknown(
        self, visited_since: float, is_known: Callable[[str, str], bool]
    ) -> int:
        """Queue again the URLs visited since a time that nothing is known of; return how many."""

    def commit(self) -> None:
        """Make all changes so far survive a crash."""

    def close(self) -> None:
        """Commit and close."""
