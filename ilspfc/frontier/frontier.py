"""Frontier: selection of the best URL among the hosts that may be visited now."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ilspfc.frontier.politeness import Answer, HostClock, PolitenessRules
from ilspfc.frontier.reasons import FetchReason, TrapReason
from ilspfc.frontier.store.candidates import Candidate, UrlState, level_of

if TYPE_CHECKING:
    from ilspfc.frontier.store.sqlite import SQLiteStore
    from ilspfc.frontier.traps.gate import TrapGate

# Limits of changes and seconds after which changes are committed, if no lease commits them
# earlier.
_COMMIT_CHANGES = 1000
_COMMIT_SECONDS = 1.0
# Consecutive failures, over all hosts, from which the network counts as down.
_SILENT_FAILURES = 5


class Frontier:
    """Order of the URLs of a store: a queue and a politeness clock per host.

    Among the ready hosts, the one with the best queued URL comes first; equal hosts take
    turns. If pages per host and round are limited, a host that has reached the limit waits
    for the next round. Times are seconds on the caller's clock; ``handicap`` is added to the
    scores of a host in comparisons. ``step`` is the distance of the scores of strict
    buckets, 0 without these: a host is deferred while only politeness delays another host
    with a URL in a better bucket; a host that rests after an error, or throttles, defers no
    others. The cost of a call is logarithmic in the number of hosts; with buckets it also grows
    with that of the hosts under way.
    """

    def __init__(
        self,
        store: SQLiteStore,
        rules: PolitenessRules,
        handicap: Callable[[str], float] | None = None,
        gate: TrapGate | None = None,
        step: float = 0.0,
    ) -> None:
        self.store = store
        self._step = step
        self.gate = gate
        self.rules = rules
        self._handicap = handicap
        self._sequence = 0
        self._hosts: dict[str, HostClock] = {}
        # Heaps: ready hosts by best score, each score of a host once (stale entries are
        # skipped), and hosts waiting for their clock by the time they become ready.
        self._ready: list[tuple[float, int, str]] = []
        self._offered: set[tuple[float, str]] = set()
        self._cooling: list[tuple[float, str]] = []
        # With buckets: hosts visited lately, which may be blocked.
        self._busy: set[str] = set()
        self._changes = 0
        self._has_ended = False  # a lease, since the last commit
        self._committed_at = 0.0
        # Failures since the last response of any host; any response so far.
        self._failures = 0
        self._has_answer = False
        # Hosts that rest after an error, or throttle, and until when.
        self._rests: dict[str, float] = {}
        if rules.max_pages:
            for host, pages in store.visits_by_host().items():
                self.adopt_host(host, pages)
        self.compare_again(store.hosts())
        for host in store.held_hosts():
            self._reopen(host)

    def __len__(self) -> int:
        """Return the number of queued URLs."""
        return self.store.count(UrlState.QUEUED)

    def clock(self, host: str) -> HostClock:
        """Return the clock of a host."""
        clock = self._hosts.get(host)
        if clock is None:
            clock = self._hosts[host] = HostClock()
        return clock

    def _offer(self, host: str) -> None:
        """Make a host with queued URLs eligible for the next visit."""
        if self.clock(host).is_blocked(self.rules):
            return
        value = self._best_value(host)
        if value is not None and (-value, host) not in self._offered:
            self._offered.add((-value, host))
            self._sequence += 1
            heapq.heappush(self._ready, (-value, self._sequence, host))

    def _is_deferred(self, value: float) -> bool:
        """Test whether a blocked host has a URL in a better bucket than that of a score."""
        rules, level = self.rules, level_of(value, self._step)
        self._busy = {h for h in self._busy if self.clock(h).is_blocked(rules)}
        for host in self._busy:
            clock = self.clock(host)
            # A host that rests after an error, throttles, or had its share defers no others.
            is_resting = clock.errors > 0 or clock.slow_down > 1
            if not is_resting and not clock.had_share(rules):
                best = self._best_value(host)
                if best is not None and level_of(best, self._step) > level:
                    return True
        return False

    def _best_value(self, host: str) -> float | None:
        """Return the best queued score of a host plus its handicap, None without any."""
        best = self.store.best_score(host)
        if best is None or self._handicap is None:
            return best
        return best + self._handicap(host)

    def compare_again(self, hosts: Iterable[str]) -> None:
        """Update the order after handicaps or scores of hosts have changed."""
        for host in hosts:
            self._offer(host)

    def adopt_host(self, host: str, pages: int) -> None:
        """Take over a host, ``pages`` of which have been visited."""
        self.clock(host).pages = pages
        self._enforce_limit(host)

    def drop_host(self, host: str, now: float) -> float:
        """Drop a host; return the seconds until it may be visited again."""
        clock = self._hosts.pop(host, None)
        return max(0.0, clock.ready_at - now) if clock else 0.0

    def rescore(self, score: Callable[[Candidate], float], limit: int) -> None:
        """Rescore the ``limit`` best queued URLs."""
        self.compare_again(self.store.rescore(score, limit))

    def push(self, candidate: Candidate, now: float, *, again: bool = False) -> bool:
        """Queue a URL; return True if anything changed."""
        is_changed = self.store.push(candidate, again=again)
        if is_changed:
            self._enforce_limit(candidate.host)
            self._offer(candidate.host)
        self._count_change(now)
        return is_changed

    def pop(self, now: float) -> Candidate | None:
        """Lease the URL to visit next, or return None while no host is ready.

        URLs that the gate holds back are skipped.

        The lease and all earlier changes are committed before the URL is returned: after a
        crash, only pages leased in the store are fetched again.
        """
        self._end_waits(now)
        candidate = self._lease_ready(now)
        if candidate is None and self._start_round():
            candidate = self._lease_ready(now)
        if candidate is not None or self._has_ended:
            self._commit(now)
        return candidate

    def _start_round(self) -> bool:
        """Start a round if all hosts with queued URLs had their share of the last one."""
        hosts = self._hosts.items()
        finished = {host for host, clock in hosts if clock.had_share(self.rules)}
        if not finished:
            return False
        waiting = {host for host, clock in hosts if clock.active or clock.is_cooling}
        if any(self._best_value(host) is not None for host in waiting - finished):
            return False
        for clock in self._hosts.values():
            clock.round_pages = 0
        self.compare_again(finished)
        return True

    def _lease_ready(self, now: float) -> Candidate | None:
        while self._ready:
            negative, sequence, host = heapq.heappop(self._ready)
            self._offered.discard((negative, host))
            clock = self.clock(host)
            if clock.is_blocked(self.rules) or self._best_value(host) != -negative:
                continue
            if self._is_deferred(-negative):
                self._offered.add((negative, host))
                heapq.heappush(self._ready, (negative, sequence, host))
                return None
            candidate = self.store.pop(host)
            if candidate is None:
                continue
            if self.gate is not None and self.gate.holds_back(candidate):
                key, reason = candidate.key, TrapReason.HELD_BACK
                self.store.finish(key, UrlState.REFUSED, reason)
                self._reopen(host)
                self._offer(host)
                continue
            clock.start(self.rules, candidate.key, now)
            if self._step:
                self._busy.add(host)
            clock.pages += 1
            clock.round_pages += 1
            self._enforce_limit(host)
            self._schedule(host, now)
            return candidate
        return None

    def _reopen(self, host: str) -> None:
        """Queue URLs of a host that the gate has held back, if there are no others."""
        is_over = self.clock(host).is_given_up(self.rules)
        if self.gate is None or is_over or not self.store.is_idle(host):
            return
        if self.gate.reopen(host):
            self._enforce_limit(host)
            self._offer(host)

    def _enforce_limit(self, host: str) -> None:
        """Refuse the queued URLs of a host that has reached its page limit."""
        if self.clock(host).is_used_up(self.rules):
            self.store.fail_host(host, FetchReason.HOST_LIMIT, UrlState.REFUSED)

    def _end_waits(self, now: float) -> None:
        """Offer the hosts whose waiting time is over."""
        while self._cooling and self._cooling[0][0] <= now:
            _, host = heapq.heappop(self._cooling)
            clock = self.clock(host)
            if clock.ready_at > now:  # the wait was extended
                heapq.heappush(self._cooling, (clock.ready_at, host))
                continue
            clock.is_cooling = False
            self._offer(host)

    def _schedule(self, host: str, now: float) -> None:
        """Let a host wait for its clock, or offer it at once."""
        clock = self.clock(host)
        if clock.is_cooling:
            return
        if clock.ready_at <= now:
            self._offer(host)
        else:
            clock.is_cooling = True
            heapq.heappush(self._cooling, (clock.ready_at, host))

    def wake_seconds(self, now: float) -> float | None:
        """Return the seconds until the next waiting host is ready, None if none waits."""
        return max(0.0, self._cooling[0][0] - now) if self._cooling else None

    def waits_in_vain(self) -> bool:
        """Test whether all remaining hosts throttle for too long."""
        if self._ready or self.store.count(UrlState.LEASED):
            return False
        hosts = list(self.store.hosts())
        return bool(hosts) and all(self.clock(h).is_in_vain(self.rules) for h in hosts)

    def slow_to(self, host: str, crawl_delay: float) -> None:
        """Set the Crawl-delay from the robots.txt of a host, in seconds."""
        self.clock(host).crawl_delay = crawl_delay

    def finish(
        self, key: str, host: str, state: UrlState, now: float, reason: str = ""
    ) -> None:
        """End the lease of a URL."""
        self.store.finish(key, state, reason)
        self._has_ended = True
        self._reopen(host)
        self._end_visit(key, host, now)

    def release(self, key: str, host: str, now: float) -> None:
        """Requeue a leased URL."""
        self.store.release(key)
        self.clock(host).pages -= 1
        self.clock(host).round_pages -= 1
        self._has_ended = True
        self._end_visit(key, host, now)

    def answered(
        self, key: str, host: str, now: float, answer: Answer, retry_after: float = 0.0
    ) -> bool:
        """Report the response of a host; return True if the host is to be given up.

        The visit is over; the lease of the URL lasts until its page is processed.
        """
        clock = self.clock(host)
        clock.learn(self.rules, now, answer, retry_after)
        if clock.rests_until > now:
            self._rests[host] = clock.rests_until
        self._has_answer |= answer is not Answer.ERROR
        self._failures = self._failures + 1 if answer is Answer.ERROR else 0
        self._end_visit(key, host, now)
        return clock.is_given_up(self.rules)

    def count_away(self, now: float) -> int:
        """Return the number of hosts that rest after an error, or throttle."""
        self._rests = {host: end for host, end in self._rests.items() if end > now}
        return len(self._rests)

    def is_away(self, host: str) -> bool:
        """Test whether a host, or the network, is temporarily unreachable.

        A host that has responded before may do so again, until it is given up. After
        ``_SILENT_FAILURES`` consecutive failures, the network counts as down.
        """
        clock = self.clock(host)
        is_silent = self._has_answer and self._failures >= _SILENT_FAILURES
        return (clock.has_answered or is_silent) and not clock.is_given_up(self.rules)

    def _end_visit(self, key: str, host: str, now: float) -> None:
        clock = self.clock(host)
        clock.active.discard(key)
        self._schedule(host, now)
        self._count_change(now)

    def _count_change(self, now: float) -> None:
        """Count a change, and commit if it is time."""
        self._changes += 1
        is_due = now - self._committed_at >= _COMMIT_SECONDS
        if self._changes >= _COMMIT_CHANGES or is_due:
            self._commit(now)

    def _commit(self, now: float) -> None:
        self.store.commit()
        self._changes = 0
        self._has_ended = False
        self._committed_at = now
