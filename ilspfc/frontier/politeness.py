"""Politeness toward hosts: delays, backoff and limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from math import inf


class Answer(StrEnum):
    """Kinds of responses of a host that politeness distinguishes."""

    OK = "ok"
    THROTTLED = "throttled"  # 429
    UNAVAILABLE = "unavailable"  # 503, perhaps for a single page
    BROKEN = "broken"  # another server error, perhaps for a single page
    ERROR = "error"  # no connection, or a timeout


# Seconds; as in Apache Nutch (fetcher.max.crawl.delay).
MAX_CRAWL_DELAY = 30.0


@dataclass(frozen=True, slots=True)
class PolitenessRules:
    """Politeness rules for all hosts; times are in seconds.

    ``delay`` is the time between two visits; a longer Crawl-delay of robots.txt is respected
    up to ``max_crawl_delay``. Each 429 or 503 doubles the delay up to ``max_delay``, each
    good response halves it again. The Retry-After of a 429 applies to the host, up to
    ``max_retry_after``; that of a 503 may be meant for one page, so the host rests for at
    most ``probe_delay`` before another page is requested, and longer if that fails too.
    Waiting is in vain if throttling exceeds ``patience`` plus ``page_patience`` for each page
    received from the host, up to ``max_patience``: a crawl does not continue for such hosts
    alone. After an error the host rests for its delay, at least ``error_delay``, doubled with
    each further error up to ``max_error_delay``; failures of concurrent visits count once. A
    host is given up after ``max_errors`` consecutive errors (45 seconds or more); its
    queue is closed after ``max_pages`` visited pages (0: no limit). In a round, a host yields
    ``max_round_pages`` pages (0: no rounds), then waits until all others have yielded theirs
    (000, section 3.1: URLs of a host in an iteration).
    """

    delay: float = 1.0
    max_active: int = 4
    max_crawl_delay: float = MAX_CRAWL_DELAY
    max_delay: float = 60.0
    max_retry_after: float = 600.0
    probe_delay: float = 30.0
    patience: float = 120.0
    page_patience: float = 10.0
    max_patience: float = 1800.0
    error_delay: float = 0.1
    max_error_delay: float = 8.0
    max_errors: int = 12
    max_pages: int = 0
    max_round_pages: int = 0


@dataclass(slots=True)
class HostClock:
    """State of one host under the rules; ``active`` holds the keys of ongoing visits."""

    ready_at: float = 0.0
    active: set[str] = field(default_factory=set)
    is_cooling: bool = False
    has_answered: bool = False
    rests_until: float = -inf
    crawl_delay: float = 0.0
    slow_down: float = 1.0
    errors: int = 0
    answers: int = 0
    throttled_seconds: float = 0.0
    pages: int = 0
    round_pages: int = 0

    def is_blocked(self, rules: PolitenessRules) -> bool:
        """Test whether no visit may start now."""
        is_busy = self.is_cooling or len(self.active) >= rules.max_active
        return is_busy or self.had_share(rules)

    def had_share(self, rules: PolitenessRules) -> bool:
        """Test whether the host has had its share of pages in this round."""
        return 0 < rules.max_round_pages <= self.round_pages

    def start(self, rules: PolitenessRules, key: str, now: float) -> None:
        """Start a visit: the next one has to wait for the delay."""
        self.active.add(key)
        self.ready_at = max(self.ready_at, now + self.delay(rules))

    def learn(
        self, rules: PolitenessRules, now: float, answer: Answer, retry_after: float
    ) -> None:
        """Adapt delays and counts to the response of a visit."""
        self.has_answered |= answer is not Answer.ERROR
        if answer is Answer.OK:
            self.answers += 1
            self.errors = 0
            self.throttled_seconds = 0.0
            self.slow_down = max(1.0, self.slow_down / 2)
            return
        if answer is Answer.BROKEN:
            self.errors = 0
            return
        if answer in {Answer.THROTTLED, Answer.UNAVAILABLE}:
            is_first = not self.throttled_seconds or now < self.rests_until
            may_probe = is_first and answer is Answer.UNAVAILABLE
            longest = rules.probe_delay if may_probe else rules.max_retry_after
            wait = self._throttle(rules, now, min(retry_after, longest))
        elif now < self.rests_until:
            return
        else:
            self.errors += 1
            least = max(self.delay(rules), rules.error_delay)
            rest = least * 2 ** (self.errors - 1)
            wait = min(rest, rules.max_error_delay)
        self.rests_until = max(self.rests_until, now + wait)
        self.ready_at = max(self.ready_at, now + wait)

    def _throttle(
        self, rules: PolitenessRules, now: float, retry_after: float
    ) -> float:
        """Return the seconds to wait after a throttled visit."""
        # Bounded by the longest delay, so that the host recovers soon.
        if self.delay(rules) < rules.max_delay:
            self.slow_down *= 2
        wait = max(self.delay(rules), retry_after)
        # Earlier, the visit was concurrent with another throttled one, already counted.
        if now >= self.rests_until:
            self.throttled_seconds += wait
        return wait

    def is_in_vain(self, rules: PolitenessRules) -> bool:
        """Test whether the host throttles for longer than the pages received justify."""
        patience = rules.patience + rules.page_patience * self.answers
        return self.throttled_seconds > min(patience, rules.max_patience)

    def delay(self, rules: PolitenessRules) -> float:
        """Return the current delay between two visits, in seconds."""
        delay = max(rules.delay, min(self.crawl_delay, rules.max_crawl_delay))
        if self.slow_down > 1:
            # Visits of a throttling host slow down even if no delay is set.
            delay = min(max(delay, rules.error_delay) * self.slow_down, rules.max_delay)
        return delay

    def is_used_up(self, rules: PolitenessRules) -> bool:
        """Test whether the host has reached its page limit."""
        return 0 < rules.max_pages <= self.pages

    def is_given_up(self, rules: PolitenessRules) -> bool:
        """Test whether the host has reached the limit of consecutive errors."""
        return self.errors >= rules.max_errors
