"""The store of one of several crawlers: a copy of the part of the frontier that it has leased.

All that the event loop reads and writes is the copy, in SQLite; a thread exchanges changes with
PostgreSQL. The copy is never read again after a restart.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager
from pathlib import Path

from ilspfc.cluster.postgresql import PostgreSQLFrontier
from ilspfc.frontier.reasons import TrapReason, VisitResult
from ilspfc.frontier.store.candidates import Candidate, UrlState, Visit
from ilspfc.frontier.store.changes import Arrivals, Changes, Demand
from ilspfc.frontier.store.sqlite import SQLiteStore, follow_redirects
from ilspfc.web.urls import host_of

# Hosts with fewer queued URLs at hand are filled up.
_LOW = 20
# Hosts that a crawler leases at most, and that it leases at a time.
_MAX_HOSTS = 256
_STEP = 32
# Time without a report after which the hosts of a crawler go to others.
LEASE_SECONDS = 60.0
# Seconds after which URLs that others have found on a host are asked for in any case.
_REFRESH_SECONDS = 10.0
# Share of a lease after which a crawler without renewal stops visiting.
_SAFE_SHARE = 0.7


class SharedStore(SQLiteStore):
    """URLs of the hosts that this crawler has leased, and what it has to report.

    URLs of all other hosts are SENT: reported, and visited by the crawler that has leased
    their host. URLs of a host that another crawler visited before are SENT too until PostgreSQL
    returns them, since only PostgreSQL knows which of them have been visited.
    :meth:`begin_exchange` and :meth:`end_exchange` come before and after the exchange with
    PostgreSQL, which runs in another thread. After ``lease_seconds`` without an exchange no
    host may be visited. ``has_document`` tests whether this crawler's part has one of a URL.
    """

    def __init__(
        self,
        path: Path,
        frontier: PostgreSQLFrontier,
        lease_seconds: float,
        watch: AbstractContextManager[None] | None = None,
        has_document: Callable[[str], bool] = lambda key: False,
    ) -> None:
        self._has_document = has_document
        self._path = path
        self._remove_copy()
        super().__init__(path, watch)
        # A copy that nobody reads after a crash need not wait for the disk.
        self.connection.execute("COMMIT")
        self.connection.execute("PRAGMA synchronous=OFF")
        self.connection.execute("BEGIN")
        self.frontier = frontier
        self.changes = Changes()
        self._lease_seconds = lease_seconds
        self._asked_at = self._renewed_at = time.monotonic()
        self._leased: set[str] = set()  # hosts that may be visited
        self._inherited: set[str] = set()  # of these, visited by another crawler before
        self._refreshed_at = self._asked_at
        self._leaving: set[str] = set()  # given back once no visit is under way
        self._wait_seconds: Callable[[str], float] = lambda host: 0.0
        self._share: int | None = None
        self._is_over = self.is_closed = False
        frontier.join()

    @property
    def may_visit(self) -> bool:
        """False while leases may have run out."""
        return time.monotonic() < self._renewed_at + _SAFE_SHARE * self._lease_seconds

    @property
    def awaits_more(self) -> bool:
        """True until no crawler has anything to visit."""
        return not self._is_over or bool(self.changes)

    def begin_exchange(
        self,
        wait_seconds: Callable[[str], float] = lambda host: 0.0,
        needed: Collection[str] = (),
    ) -> tuple[Changes, Demand]:
        """Return the changes to report, and what to ask for; other changes begin.

        ``wait_seconds`` tells how long nobody may visit a host that is given back; ``needed``
        are hosts to keep.
        """
        self.commit()
        self._wait_seconds = wait_seconds
        busy = self.busy_hosts
        queued = self.count_queued(self._leased, _LOW)
        idle = {host for host, number in queued.items() if not number}
        surplus = len(self._leased) - self._share if self._share is not None else 0
        if surplus > 0:
            working = self._leased.difference(idle, needed)
            order = sorted(
                working, key=lambda h: (h in busy, self.best_score(h) or 0.0, h)
            )
            self._retire(order[:surplus])
        self._retire(idle.difference(busy, needed))
        changes, self.changes = self.changes, Changes()
        for host in self._leaving - busy:
            changes.given_back[host] = wait_seconds(host)
            self._leaving.discard(host)
        self._asked_at = time.monotonic()
        is_due = self._asked_at > self._refreshed_at + _REFRESH_SECONDS
        if is_due:
            self._refreshed_at = self._asked_at
        low = [
            host
            for host in self._leased
            if queued[host] < _LOW or (is_due and host in self._inherited)
        ]
        limit = _MAX_HOSTS if self._share is None else min(_MAX_HOSTS, self._share)
        return changes, Demand(min(limit - len(self._leased), _STEP), low)

    def _retire(self, hosts: Iterable[str]) -> None:
        """Visit hosts no more; they are given back once nothing is under way."""
        for host in set(hosts) & self._leased:
            self._leased.discard(host)
            self._inherited.discard(host)
            self._leaving.add(host)
            self.move(host, UrlState.QUEUED, UrlState.SENT)

    def end_exchange(self, found: Arrivals) -> None:
        """Take in what has come; hosts that another crawler has by now are given up."""
        self._renewed_at = self._asked_at
        self._share, self._is_over = found.share, found.is_over
        self._retire(self._leased - found.kept)
        self._leaving &= found.kept
        self._leased.update(host.name for host in found.leased)
        for past in found.past:
            candidate = Candidate.of(past.url, 0.0)._replace(referrer=past.referrer)
            self._inherited.add(candidate.host)
            self._load(candidate, UrlState(past.state), past.reason)
        for candidate, visit in found.queued:
            if candidate.host in self._leased:
                self._load(candidate, UrlState.QUEUED)
                if visit is not None:
                    super().record_visit(candidate.key, visit)
        self.commit()

    def _load(self, candidate: Candidate, state: UrlState, reason: str = "") -> None:
        """Store a URL in a state that the shared frontier knows, unless there is news of it."""
        if candidate.key in self.changes.ends or candidate.host in self.changes.closed:
            return
        self.put(candidate, state, reason)

    def push(self, candidate: Candidate, *, again: bool = False) -> bool:
        """Queue a URL, here or with the crawler that has leased its host."""
        if self.state_of_news(candidate.host) is UrlState.QUEUED:
            is_news = super().push(candidate, again=again)
        else:
            is_news = self.put(candidate, UrlState.SENT)
        if is_news or again:
            self.changes.links[candidate.key] = candidate
        if again:
            self.changes.retried.add(candidate.key)
        return is_news

    def finish(self, key: str, state: UrlState, reason: str = "") -> bool:
        """End the lease of a URL."""
        has_ended = super().finish(key, state, reason)
        if has_ended and state is not UrlState.QUEUED:
            self.changes.ends[key] = state, reason
            self.changes.pages[host_of(key)] += state is UrlState.DONE
            if state is UrlState.DONE and reason != VisitResult.UNDECIDED:
                self.changes.exported[key] = self._has_document(key)
        elif has_ended and host_of(key) not in self._leased:
            self.move(host_of(key), UrlState.QUEUED, UrlState.SENT)
        return has_ended

    def fail_host(
        self, host: str, reason: str, state: UrlState = UrlState.FAILED
    ) -> list[str]:
        """Fail all queued URLs of a host; return them as they are requested."""
        failed = super().fail_host(host, reason, state)
        if failed:
            self.changes.closed[host] = state, reason
        return failed

    def release_held(self, candidates: Iterable[Candidate]) -> Counter[str]:
        """Queue URLs that were held back; return their number by reason."""
        released = list(candidates)
        for candidate in released:
            self.changes.ends.pop(candidate.key, None)
            self.changes.retried.add(candidate.key)
        return super().release_held(released)

    def state_of_news(self, host: str) -> UrlState:
        """Return the state in which new URLs of a host begin."""
        is_own = host in self._leased and host not in self._inherited
        return UrlState.QUEUED if is_own else UrlState.SENT

    def prove_barren(self, host: str) -> int:
        """Refuse the URLs of a host that are held back; return how many."""
        proven = UrlState.REFUSED, TrapReason.BARREN
        for candidate, _ in self.held(host):
            self.changes.ends[candidate.key] = proven
        return super().prove_barren(host)

    def record_visit(self, key: str, visit: Visit) -> None:
        """Replace the last visit of a URL."""
        super().record_visit(key, visit)
        self.changes.visits[key] = visit

    def set_gain(self, key: str, gain: float) -> None:
        """Store the gain of the visit of a URL."""
        super().set_gain(key, gain)
        self.changes.gains[key] = gain

    def requeue_older(self, visited_before: float) -> int:
        """Queue again the URLs visited before a time; return how many."""
        return self.frontier.requeue_older(visited_before)

    def requeue_without_document(
        self,
        visited_before: float,
        has_document: Callable[[str], bool],
        asked: Collection[str] = (),
    ) -> int:
        """Queue again the URLs without a document in any part of the corpus; return how many."""
        return self.frontier.requeue_without_document(visited_before, asked)

    def requeue_unknown(
        self, visited_since: float, is_known: Callable[[str, str], bool]
    ) -> int:
        """Queue again the URLs that this crawler has visited and nothing is known of."""
        return self.frontier.requeue_unknown(visited_since, is_known)

    def moved_to(self, seeds: Iterable[str]) -> list[str]:
        """Return the URLs that seeds were redirected to on earlier visits, step by step."""
        return follow_redirects(seeds, self.frontier.redirected_seeds())

    def close(self) -> None:
        """Report what is left, give back all hosts, and close."""
        self.is_closed = True
        for host in self._leased | self._leaving:
            self.changes.given_back[host] = self._wait_seconds(host)
        try:
            self.frontier.leave(self.changes)
        finally:
            self.frontier.close()
            super().close()
            self._remove_copy()

    def _remove_copy(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)


def open_store(
    path: Path,
    url: str,
    *,
    corpus: str,
    crawler: str,
    watch: AbstractContextManager[None],
    has_document: Callable[[str], bool],
) -> SharedStore:
    """Return the store of a crawler, with its copy of the frontier at ``path``."""
    frontier = PostgreSQLFrontier(url, corpus, crawler, LEASE_SECONDS)
    return SharedStore(path, frontier, LEASE_SECONDS, watch, has_document)
