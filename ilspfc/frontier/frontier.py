"""Frontier: the next URL is the best one of the hosts that may be visited now."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ilspfc.frontier.politeness import Answer, HostClock, PolitenessRules
from ilspfc.frontier.reasons import FetchReason, TrapReason
from ilspfc.frontier.store.candidates import Candidate, UrlState, level_of

if TYPE_CHECKING:
    from ilspfc.frontier.store.protocol import FrontierStore
    from ilspfc.frontier.traps.gate import TrapGate

# Numbers of changes and seconds after which changes are committed, if no lease commits them
# before.
_COMMIT_CHANGES = 1000
_COMMIT_SECONDS = 1.0
# Failures over all hosts, without an answer in between, that mean that the network is away.
_SILENT_FAILURES = 5


class Frontier:
    """Order of the URLs of a store: per-host queues, one politeness clock a host.

    Among the hosts that are ready, the one with the best queued URL comes first; equal
    hosts take turns. With a share of pages a host and round, a host that has given its share
    waits for the next round. Times are seconds on the caller's clock; ``handicap`` is added to the
    scores of a host in comparisons. With a ``step``, scores are in buckets that are so far
    apart, and a host waits while another one has a URL in a better bucket that only
    politeness holds up; a host that rests after an error, or that throttles, holds up no
    other. The cost of a call grows with the logarithm of the
    number of hosts.
    """

    def __init__(
        self,
        store: FrontierStore,
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
        self._turn = 0
        self._hosts: dict[str, HostClock] = {}
        # Heaps: ready hosts by best score, each score of a host once (stale entries are
        # skipped), and hosts that wait for their clock by the time they are ready.
        self._ready: list[tuple[float, int, str]] = []
        self._offered: set[tuple[float, str]] = set()
        self._cooling: list[tuple[float, str]] = []
        # With buckets: blocked hosts by best score, each score of a host once.
        self._blocked: list[tuple[float, str]] = []
        self._held: set[tuple[float, str]] = set()
        self._changes = 0
        self._has_ended = False  # a lease, since the last commit
        self._committed_at = 0.0
        # Failures since anything has answered, and whether anything ever has.
        self._silence = 0
        self._has_answer = False
        if rules.max_pages:
            for host, pages in store.visits_by_host().items():
                self.clock(host).pages = pages
                self._close_if_used_up(host)
        for host in store.hosts():
            self._offer(host)
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
        """Make a host with queued URLs a candidate for the next visit."""
        if self.clock(host).is_blocked(self.rules):
            self._hold(host)
            return
        value = self._value(host)
        if value is not None and (-value, host) not in self._offered:
            self._offered.add((-value, host))
            self._turn += 1
            heapq.heappush(self._ready, (-value, self._turn, host))

    def _hold(self, host: str) -> None:
        """Have a blocked host hold up worse buckets, where there are buckets."""
        if self._step and self._holds_up(host):
            value = self._value(host)
            if value is not None and (-value, host) not in self._held:
                self._held.add((-value, host))
                heapq.heappush(self._blocked, (-value, host))

    def _holds_up(self, host: str) -> bool:
        """Test whether others wait for a blocked host: not for one that rests, or had its share."""
        clock = self.clock(host)
        return not clock.is_resting and not clock.had_share(self.rules)

    def _is_held_up(self, value: float) -> bool:
        """Test whether a blocked host has a URL in a better bucket than a score."""
        while self._blocked:
            negative, host = self._blocked[0]
            clock = self.clock(host)
            is_blocked = clock.is_blocked(self.rules) and self._holds_up(host)
            if is_blocked and self._value(host) == -negative:
                best = level_of(-negative, self._step)
                return best > level_of(value, self._step)
            heapq.heappop(self._blocked)
            self._held.discard((negative, host))
            if is_blocked:
                self._hold(host)
        return False

    def _value(self, host: str) -> float | None:
        """Return the best queued score of a host with its handicap."""
        best = self.store.best_score(host)
        if best is None or self._handicap is None:
            return best
        return best + self._handicap(host)

    def compare_again(self, hosts: Iterable[str]) -> None:
        """Update the order after a change of handicaps or scores of hosts."""
        for host in hosts:
            self._offer(host)

    def adopt_host(self, host: str, pages: int) -> None:
        """Begin with a host that another crawler may have visited, ``pages`` times."""
        self.clock(host).pages = pages
        self._close_if_used_up(host)

    def drop_host(self, host: str, now: float) -> float:
        """Forget a host; return for how many seconds nobody may visit it."""
        clock = self._hosts.pop(host, None)
        return max(0.0, clock.ready_at - now) if clock else 0.0

    def rescore(self, score: Callable[[Candidate], float], limit: int) -> None:
        """Give the ``limit`` best queued URLs new scores."""
        self.compare_again(self.store.rescore(score, limit))

    def push(self, candidate: Candidate, now: float, *, again: bool = False) -> bool:
        """Queue a URL; return whether anything changed."""
        is_news = self.store.push(candidate, again=again)
        if is_news:
            self._close_if_used_up(candidate.host)
            self._offer(candidate.host)
        self._changed(now)
        return is_news

    def pop(self, now: float) -> Candidate | None:
        """Lease the URL to visit next, or return None while no host is ready.

        URLs that the gate holds back are passed over.

        The lease is committed before the URL is returned, and with it all earlier changes:
        after a crash only the pages leased in the store are fetched again.
        """
        candidate = self._lease(now)
        if candidate is not None or self._has_ended:
            self._commit(now)
        return candidate

    def _lease(self, now: float) -> Candidate | None:
        self._warm(now)
        candidate = self._lease_ready(now)
        if candidate is None and self._begin_round():
            candidate = self._lease_ready(now)
        return candidate

    def _begin_round(self) -> bool:
        """Begin a round if all hosts with queued URLs have given their share of the last."""
        hosts = self._hosts.items()
        resting = {host for host, clock in hosts if clock.had_share(self.rules)}
        if not resting:
            return False
        waiting = {host for host, clock in hosts if clock.active or clock.is_cooling}
        if any(self._value(host) is not None for host in waiting - resting):
            return False
        for clock in self._hosts.values():
            clock.round_pages = 0
        self.compare_again(resting)
        return True

    def _lease_ready(self, now: float) -> Candidate | None:
        while self._ready:
            negative, turn, host = heapq.heappop(self._ready)
            self._offered.discard((negative, host))
            clock = self.clock(host)
            if clock.is_blocked(self.rules) or self._value(host) != -negative:
                continue
            if self._is_held_up(-negative):
                self._offered.add((negative, host))
                heapq.heappush(self._ready, (negative, turn, host))
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
            clock.pages += 1
            clock.round_pages += 1
            self._close_if_used_up(host)
            self._cool(host, now)
            return candidate
        return None

    def _reopen(self, host: str) -> None:
        """Queue URLs of a host that the gate has held back, if there are no others."""
        is_over = self.clock(host).is_given_up(self.rules)
        if self.gate is None or is_over or not self.store.is_idle(host):
            return
        if self.gate.reopen(host):
            self._close_if_used_up(host)
            self._offer(host)

    def _close_if_used_up(self, host: str) -> None:
        """Refuse the queued URLs of a host that has reached its limit of pages."""
        if self.clock(host).is_used_up(self.rules):
            self.store.fail_host(host, FetchReason.HOST_LIMIT, UrlState.REFUSED)

    def _warm(self, now: float) -> None:
        """Make the hosts ready whose waiting time is over."""
        while self._cooling and self._cooling[0][0] <= now:
            _, host = heapq.heappop(self._cooling)
            clock = self.clock(host)
            if clock.ready_at > now:  # the wait was extended
                heapq.heappush(self._cooling, (clock.ready_at, host))
                continue
            clock.is_cooling = False
            self._offer(host)

    def _cool(self, host: str, now: float) -> None:
        """Let a host wait for its clock, or make it ready at once."""
        clock = self.clock(host)
        if clock.is_cooling:
            return
        if clock.ready_at <= now:
            self._offer(host)
        else:
            clock.is_cooling = True
            heapq.heappush(self._cooling, (clock.ready_at, host))
            self._hold(host)

    def wake_seconds(self, now: float) -> float | None:
        """Return the seconds until the next waiting host is ready, None if none waits."""
        return max(0.0, self._cooling[0][0] - now) if self._cooling else None

    def waits_in_vain(self) -> bool:
        """Test whether all that is left are hosts that throttle for too long to wait for."""
        if self._ready or self.store.count(UrlState.LEASED):
            return False
        hosts = list(self.store.hosts())
        return bool(hosts) and all(self.clock(h).is_in_vain(self.rules) for h in hosts)

    def slow_to(self, host: str, crawl_delay: float) -> None:
        """Keep the Crawl-delay that the robots.txt of a host asks for."""
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
        """Put a leased URL back into the queue."""
        self.store.release(key)
        self.clock(host).pages -= 1
        self.clock(host).round_pages -= 1
        self._has_ended = True
        self._end_visit(key, host, now)

    def answered(
        self, key: str, host: str, now: float, answer: Answer, retry_after: float = 0.0
    ) -> bool:
        """Report the answer of a host; return whether the host is to be given up.

        The visit is over; the lease of the URL lasts until its page is processed.
        """
        clock = self.clock(host)
        clock.learn(self.rules, now, answer, retry_after)
        self._has_answer |= answer is not Answer.ERROR
        self._silence = self._silence + 1 if answer is Answer.ERROR else 0
        self._end_visit(key, host, now)
        return clock.is_given_up(self.rules)

    def is_away(self, host: str) -> bool:
        """Test whether a host cannot be reached for a while, or nothing can.

        A host that has answered before may do so again, until it is given up. After
        ``_SILENT_FAILURES`` failures without any answer in between, the network is away.
        """
        clock = self.clock(host)
        is_silent = self._has_answer and self._silence >= _SILENT_FAILURES
        return (clock.has_answered or is_silent) and not clock.is_given_up(self.rules)

    def _end_visit(self, key: str, host: str, now: float) -> None:
        clock = self.clock(host)
        clock.active.discard(key)
        self._cool(host, now)
        self._changed(now)

    def _changed(self, now: float) -> None:
        self._changes += 1
        is_due = now - self._committed_at >= _COMMIT_SECONDS
        if self._changes >= _COMMIT_CHANGES or is_due:
            self._commit(now)

    def _commit(self, now: float) -> None:
        self.store.commit()
        self._changes = 0
        self._has_ended = False
        self._committed_at = now
