"""Alarms of a crawl: states that an operator should look at."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ilspfc.crawl.index_records import count_addresses
from ilspfc.frontier.scope import Scope
from ilspfc.frontier.store.candidates import UrlState

if TYPE_CHECKING:
    from ilspfc.crawl.job import CrawlJob

_IDLE_SECONDS = 3600.0
_DAY_SECONDS = 86_400.0
# Length of a queue from which on it is long, and the share of it that is too much for a host.
_LONG_QUEUE = 10_000
_HOST_SHARE = 0.9
# Before, the rate at which the disk fills says little.
_LEAST_SECONDS = 600.0
# Time over which failed requests are counted, the fewest requests that tell, and the share.
_WINDOW_SECONDS = 600.0
_LEAST_REQUESTS = 100
_FAILED_SHARE = 0.5
# Interval of counting all known addresses, which takes seconds where there are millions.
_COUNT_SECONDS = 600.0


class AlarmName(StrEnum):
    """Names of the alarms, for metrics and filters of logs."""

    NOTHING_KEPT = "nothing_kept"
    HOST_QUEUE = "host_queue"
    FAILED_REQUESTS = "failed_requests"
    DISK_FULL = "disk_full"
    LOST_SITE = "lost_site"


class Alarm(NamedTuple):
    """An alarm with its cause and remedy in one line."""

    name: AlarmName
    text: str


class CrawlState(NamedTuple):
    """Counts of a crawl at one time; ``free`` are bytes of the disk."""

    pages: int
    kept: int
    failed: int
    free: int


class Alarms:
    """Compares the state of a crawl with its earlier ones."""

    def __init__(self, job: CrawlJob) -> None:
        self._job = job
        self._begun_at = time.monotonic()
        self._first: CrawlState | None = None
        self._kept, self._kept_at = 0, self._begun_at
        self._lost_sites, self._counted_at = "", self._begun_at
        self._window: deque[tuple[float, CrawlState]] = deque()

    def find(
        self, state: CrawlState, *, is_crawling: bool, is_over: bool = False
    ) -> Iterator[Alarm]:
        """Yield the alarms of a state, which becomes the last one."""
        now = time.monotonic()
        if state.kept != self._kept:
            self._kept, self._kept_at = state.kept, now
        if is_crawling:
            yield from self._find_idle(now - self._kept_at)
            yield from self._find_failures(now, state)
            if self._job.arguments.scope is Scope.ANY:
                yield from self._find_host()
        yield from self._find_full_disk(now - self._begun_at, state)
        yield from self._find_lost_sites(now, is_over=is_over)

    def _find_lost_sites(self, now: float, *, is_over: bool) -> Iterator[Alarm]:
        """Yield an alarm where sites lost more than a third of their known addresses."""
        if is_over or now - self._counted_at > _COUNT_SECONDS:
            counts = count_addresses(self._job.files.frontier)
            self._lost_sites = counts.describe_lost_sites()
            self._counted_at = now
        if self._lost_sites:
            text = f"{self._lost_sites}; see the report, and scrapy url ADDRESS"
            yield Alarm(AlarmName.LOST_SITE, text)

    def _find_idle(self, seconds: float) -> Iterator[Alarm]:
        if seconds > _IDLE_SECONDS:
            text = (
                f"nothing new was kept for {seconds / 60:.0f} minutes: see the report"
            )
            yield Alarm(AlarmName.NOTHING_KEPT, text)

    def _find_failures(self, now: float, state: CrawlState) -> Iterator[Alarm]:
        """Yield an alarm where most requests of the last ten minutes failed."""
        self._window.append((now, state))
        while self._window[0][0] < now - _WINDOW_SECONDS:
            self._window.popleft()
        before = self._window[0][1]
        failed = state.failed - before.failed
        total = failed + state.pages - before.pages
        if total >= _LEAST_REQUESTS and failed > _FAILED_SHARE * total:
            yield Alarm(
                AlarmName.FAILED_REQUESTS,
                f"{failed} of the last {total} requests failed: see to the network, and"
                " whether sites refuse this crawler (reasons under fetch/dropped)",
            )

    def _find_host(self) -> Iterator[Alarm]:
        """Yield an alarm on a host that has nearly all of a long queue of a crawl across hosts."""
        queued = self._job.store.count(UrlState.QUEUED)
        if queued < _LONG_QUEUE:
            return
        host, number = self._job.store.largest_queue()
        if number > _HOST_SHARE * queued:
            yield Alarm(
                AlarmName.HOST_QUEUE,
                f"{host} has {number} of {queued} queued addresses: bound it"
                " (FRONTIER_MAX_HOST_PAGES), or leave it out (-a deny=)",
            )

    def _find_full_disk(self, seconds: float, state: CrawlState) -> Iterator[Alarm]:
        self._first = self._first or state
        used = self._first.free - state.free
        if used <= 0 or seconds <= _LEAST_SECONDS:
            return
        left = state.free / used * seconds
        if left < _DAY_SECONDS:
            text = f"the disk is full in {left / 3600:.0f} hours at this rate"
            yield Alarm(AlarmName.DISK_FULL, text)
