"""Which URL is visited next: the best one among the hosts that may be visited now."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ilspfc.frontier.store import UrlState

if TYPE_CHECKING:
    from ilspfc.frontier.store import Candidate, FrontierStore

# What was done is committed after so many changes or seconds, whichever comes first: the
# most that a crash can cause to be fetched again.
_COMMIT_CHANGES = 1000
_COMMIT_SECONDS = 1.0


@dataclass(slots=True)
class _Host:
    """Politeness towards one host: when it may be visited next, and visits under way."""

    ready_at: float = 0.0
    active: int = 0
    is_cooling: bool = False


class Frontier:
    """Orders the URLs of a store: per-host queues, one politeness clock a host.

    ``delay_seconds`` pass between two visits of a host, of which at most
    ``max_active`` are under way. Among the hosts that are ready, the one with the best
    queued URL comes first. Times are seconds on a clock of the caller's. The cost of a
    call does not depend on the number of hosts, but by its logarithm.
    """

    def __init__(
        self, store: FrontierStore, *, delay_seconds: float, max_active: int
    ) -> None:
        self.store = store
        self._delay_seconds = delay_seconds
        self._max_active = max_active
        self._hosts: dict[str, _Host] = {}
        # Heaps: ready hosts by best score (stale entries are passed over), and hosts
        # that wait for their clock by the time they are ready.
        self._ready: list[tuple[float, str]] = []
        self._cooling: list[tuple[float, str]] = []
        self._changes = 0
        self._committed_at = 0.0
        for host in store.hosts():
            self._offer(host)

    def __len__(self) -> int:
        """Return how many URLs are queued."""
        return self.store.count(UrlState.QUEUED)

    def _host(self, host: str) -> _Host:
        return self._hosts.setdefault(host, _Host())

    def _offer(self, host: str) -> None:
        """Make a host with queued URLs a candidate for the next visit."""
        state = self._host(host)
        if state.is_cooling or state.active >= self._max_active:
            return
        best = self.store.best_score(host)
        if best is not None:
            heapq.heappush(self._ready, (-best, host))

    def push(self, candidate: Candidate, now: float, *, again: bool = False) -> bool:
        """Queue a URL; return whether that was news."""
        is_news = self.store.push(candidate, again=again)
        if is_news:
            self._offer(candidate.host)
        self._changed(now)
        return is_news

    def pop(self, now: float) -> Candidate | None:
        """Lease the URL to visit next, or return None while no host is ready."""
        while self._cooling and self._cooling[0][0] <= now:
            _, host = heapq.heappop(self._cooling)
            self._host(host).is_cooling = False
            self._offer(host)
        while self._ready:
            negative, host = heapq.heappop(self._ready)
            state = self._host(host)
            is_blocked = state.is_cooling or state.active >= self._max_active
            if is_blocked or self.store.best_score(host) != -negative:
                continue
            candidate = self.store.pop(host)
            state.active += 1
            self._cool(host, now)
            self._changed(now)
            return candidate
        return None

    def _cool(self, host: str, now: float) -> None:
        """Start the clock of a host that is being visited."""
        state = self._host(host)
        if self._delay_seconds <= 0:
            self._offer(host)
            return
        state.ready_at = now + self._delay_seconds
        state.is_cooling = True
        heapq.heappush(self._cooling, (state.ready_at, host))

    def wake_seconds(self, now: float) -> float | None:
        """Return in how many seconds the next waiting host is ready, None if none waits."""
        return max(0.0, self._cooling[0][0] - now) if self._cooling else None

    def finish(
        self, key: str, host: str, state: UrlState, now: float, reason: str = ""
    ) -> None:
        """End the visit of a URL."""
        self.store.finish(key, state, reason)
        self._end_visit(host, now)

    def release(self, key: str, host: str, now: float) -> None:
        """End the visit of a URL that is to be visited again."""
        self.store.release(key)
        self._end_visit(host, now)

    def _end_visit(self, host: str, now: float) -> None:
        state = self._host(host)
        state.active = max(0, state.active - 1)
        self._offer(host)
        self._changed(now)

    def _changed(self, now: float) -> None:
        self._changes += 1
        is_due = now - self._committed_at >= _COMMIT_SECONDS
        if self._changes >= _COMMIT_CHANGES or is_due:
            self.store.commit()
            self._changes = 0
            self._committed_at = now
