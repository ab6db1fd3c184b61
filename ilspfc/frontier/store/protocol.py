"""Interface of frontier stores, as used by frontier, gate, spider and extensions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Protocol

from ilspfc.frontier.store.candidates import Candidate, UrlState, Visit


class FrontierStore(Protocol):
    """URLs of a crawl by canonical URL (key), each with score, state and reason.

    :meth:`pop` leases a queued URL; :meth:`finish` or :meth:`release` ends the lease.
    Committed changes survive a crash; leases do not: such URLs are requeued. Within a host,
    URLs are ordered by decreasing score, then by age.
    :class:`~ilspfc.frontier.store.sqlite.SQLiteStore` documents the methods.
    """

    @property
    def may_visit(self) -> bool:
        """False while the leases of hosts may have passed to another crawler."""

    @property
    def awaits_more(self) -> bool:
        """True while other crawlers may still send URLs."""

    # -- the queue -----------------------------------------------------------------------

    def push(self, candidate: Candidate, *, again: bool = False) -> bool:
        """Queue a URL, or raise the score of a queued one; return True if anything changed."""

    def pop(self, host: str) -> Candidate | None:
        """Lease the best queued URL of a host."""

    def lease(self, key: str) -> Candidate | None:
        """Lease a URL if it is queued, whatever its score."""

    def finish(self, key: str, state: UrlState, reason: str = "") -> bool:
        """End the lease of a URL; return False if it was not leased."""

    def release(self, key: str) -> None:
        """Requeue a leased URL."""

    def rescore(self, score: Callable[[Candidate], float], limit: int) -> set[str]:
        """Rescore the best queued URLs; return their hosts."""

    def fail_host(
        self, host: str, reason: str, state: UrlState = UrlState.FAILED
    ) -> list[str]:
        """Fail all queued URLs of a host; return the URLs to request."""

    # -- queries -----------------------------------------------------------------------

    def best_score(self, host: str) -> float | None:
        """Return the best score among the queued URLs of a host, None without any."""

    def hosts(self) -> Iterable[str]:
        """Return the hosts with queued URLs, sorted."""

    def is_idle(self, host: str) -> bool:
        """Test whether no URL of a host is queued or leased."""

    def count(self, state: UrlState) -> int:
        """Return the number of URLs in a state."""

    def largest_queue(self) -> tuple[str, int]:
        """Return the host with the most queued URLs, and their number."""

    def scores(self, keys: Iterable[str]) -> dict[str, float | None]:
        """Return the score of each known URL among ``keys``, None if it is not queued."""

    def state_of(self, key: str) -> UrlState | None:
        """Return the state of a URL, None if it is unknown."""

    def outcome_of(self, key: str) -> tuple[str, str, int]:
        """Return the reason of a URL's state, its referrer and place; empty if unknown."""

    def visits_by_host(self) -> dict[str, int]:
        """Return the number of visited URLs by host."""

    def last_visits(self, limit: int) -> Iterable[tuple[str, str, str, str]]:
        """Return key, state, reason and referrer of the last visited URLs, oldest first."""

    def moved_to(self, seeds: Iterable[str]) -> list[str]:
        """Return all redirect targets of seeds on earlier visits, directly or in chains."""

    # -- URLs held back by the trap gate -------------------------------------------------

    def held_hosts(self) -> list[str]:
        """Return the hosts with held-back URLs."""

    def held(self, host: str) -> Iterator[tuple[Candidate, str]]:
        """Yield the held-back URLs of a host, with their reasons, best first."""

    def release_held(self, candidates: Iterable[Candidate]) -> Counter[str]:
        """Queue held-back URLs; return their number by reason."""

    def prove_barren(self, host: str) -> int:
        """Mark the held-back URLs of a host as barren; return their number."""

    # -- visits, their gains, and revisits -----------------------------------------------

    def visit_of(self, key: str) -> Visit | None:
        """Return the last visit of a URL, None if there was none."""

    def record_visit(self, key: str, visit: Visit) -> None:
        """Replace the last visit of a URL."""

    def set_gain(self, key: str, gain: float) -> None:
        """Store the gain of the visit of a URL."""

    def gains(self, limit: int) -> list[Candidate]:
        """Return the last visited URLs with known gains, in the order of discovery."""

    def requeue_older(self, visited_before: float) -> int:
        """Requeue the URLs visited before a time, with their scores; return their number."""

    def requeue_without_document(
        self,
        visited_before: float,
        has_document: Callable[[str], bool],
        asked: Collection[str] = (),
    ) -> int:
        """Requeue the URLs visited before a time without a document; return their number."""

    def requeue_unknown(
        self, visited_since: float, is_known: Callable[[str, str], bool]
    ) -> int:
        """Requeue the URLs visited since a time but not known; return their number."""

    def commit(self) -> None:
        """Commit all changes so far, so that they survive a crash."""

    def close(self) -> None:
        """Commit and close the store."""
