"""State of a crawl and its alarms: in the corpus (``status.json``), and as a line of the log."""

from __future__ import annotations

import json
import logging
import os
import shutil
import sys
import time
from collections import deque
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import ClassVar

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.spiders import Spider
from scrapy.utils.asyncio import create_looping_call

from ilspfc.atomic import write_bytes
from ilspfc.command_summaries import name_commands
from ilspfc.crawl.component import CrawlComponent
from ilspfc.crawl.crawl_frontier import frontier_of
from ilspfc.crawl.index_records import count_addresses
from ilspfc.frontier.reasons import FetchReason
from ilspfc.frontier.scope import Scope
from ilspfc.frontier.store.candidates import UrlState

logger = logging.getLogger(__name__)
# Fields of the state that the line in the log has room for.
_LOGGED = (
    *("state", "pages", "failed", "documents", "queued", "pages_per_second"),
    *("errors", "megabytes", "free_megabytes"),
)
# Stats of pages that were read, and of unchanged pages.
_DONE = ("fetch/pages", "fetch/not_modified", "fetch/identical")
# Errors of networks and servers; others are rules that were obeyed, or never asked for.
_FAILURES = (
    FetchReason.HTTP_ERROR,
    FetchReason.TIMEOUT,
    FetchReason.THROTTLED,
    FetchReason.CERTIFICATE,
    FetchReason.ROBOTS_UNREACHABLE,
    FetchReason.NOT_REACHED,
    FetchReason.ERROR,
)
ENDS = frozenset({"finished", "stopped", "failed"})
"""States of a crawl whose process has ended."""
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


def count_crawl(crawler: Crawler) -> tuple[int, int, int]:
    """Return the numbers of pages done in a run, documents made of them, queued URLs.

    What is kept of the documents is decided by the stages over the corpus.
    """
    frontier, stats = frontier_of(crawler), crawler.stats
    return (
        sum(stats.get_value(name, 0) for name in _DONE),
        stats.get_value("export/documents", 0),
        frontier.queued if frontier else 0,
    )


@dataclass(frozen=True, slots=True)
class CrawlState:
    """State of a crawl at one time, with the fields of ``status.json`` (docs/operations.md)."""

    state: str
    reason: str
    pid: int
    updated: str
    seconds: int
    pages: int
    failed: int
    documents: int
    last_document: str
    queued: int
    pages_per_second: float
    errors: int
    megabytes: int
    free_megabytes: int
    alarms: tuple[dict[str, str], ...] = ()


class StatusFile(CrawlComponent):
    """Writes the state of a crawl into a file, a line of it into the log, and its alarms.

    The file is replaced as a whole. A crawl whose file is older than some of its intervals
    hangs, or was killed. The extension is off where the interval is 0.
    """

    listens: ClassVar = {"start": signals.spider_opened, "stop": signals.spider_closed}

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._seconds = crawler.settings.getfloat("LOGSTATS_INTERVAL")
        if not self._seconds:
            raise NotConfigured("LOGSTATS_INTERVAL is 0: there is no status.json")
        self._begun_at = time.monotonic()
        self._documents, self._new_at, self._last_document = 0, 0.0, ""
        self._lost_sites, self._counted_at = "", 0.0
        self._first: CrawlState | None = None
        self._window: deque[tuple[float, CrawlState]] = deque()
        self._raised: set[str] = set()
        self._loop = create_looping_call(self._show)

    def start(self) -> None:
        """Begin to write the file."""
        self._loop.start(self._seconds, now=True)

    def stop(self, spider: Spider, reason: str) -> None:
        """Write the last state; a stage that is still named has not come to its end."""
        if self._loop.running:
            self._loop.stop()
        name, stats = "finished", self._crawler.stats
        if stage := stats.get_value("stage"):
            has_failed = bool(stats.get_value("stage_failed"))
            name = "failed" if has_failed else "stopped"
            reason = f"{stage} failed" if has_failed else f"interrupted in {stage}"
        self._write(self._measure(name, reason))

    def _show(self) -> None:
        name = str(self._crawler.stats.get_value("stage") or "crawling")
        self._write(self._measure(name))

    def _write(self, state: CrawlState) -> None:
        """Write the state into file and log, and each alarm when it begins and when it is over."""
        values = asdict(state)
        data = json.dumps(values, indent=1).encode() + b"\n"
        write_bytes(self.job.files.status, data, sync=False)
        shown = ", ".join(f"{name}={values[name]}" for name in _LOGGED)
        raised = {alarm["name"]: alarm["text"] for alarm in state.alarms}
        logger.info("Health: %s, alarms=%s", shown, ",".join(raised) or "none")
        for name, text in raised.items():
            if name not in self._raised:
                logger.warning("Alarm %s: %s", name, text)
        for name in sorted(self._raised - raised.keys()):
            logger.warning("Alarm %s is over", name)
        self._raised = set(raised)

    def _measure(self, name: str, reason: str = "") -> CrawlState:
        """Return the present state, called by a name, with the alarms that it raises."""
        stats = self._crawler.stats
        seconds = time.monotonic() - self._begun_at
        updated = datetime.now(UTC).isoformat()
        pages, documents, queued = count_crawl(self._crawler)
        if documents != self._documents:
            self._documents, self._new_at = documents, seconds
            self._last_document = updated
        state = CrawlState(
            state=name,
            reason=reason,
            pid=os.getpid(),
            updated=updated,
            seconds=round(seconds),
            pages=pages,
            failed=sum(
                stats.get_value(f"fetch/dropped/{reason}", 0) for reason in _FAILURES
            ),
            documents=documents,
            last_document=self._last_document,
            queued=queued,
            pages_per_second=round(pages / max(seconds, 1.0), 2),
            errors=stats.get_value("log_count/ERROR", 0),
            megabytes=_peak_megabytes(),
            free_megabytes=shutil.disk_usage(self.job.files.root).free >> 20,
        )
        alarms = self._find_alarms(seconds, state).items()
        return replace(state, alarms=tuple({"name": n, "text": t} for n, t in alarms))

    def _find_alarms(self, seconds: float, state: CrawlState) -> dict[str, str]:
        """Return the alarms for an operator: cause and remedy by name."""
        found = {}
        if state.state == "crawling":
            if (idle := seconds - self._new_at) > _IDLE_SECONDS:
                text = f"no new document for {idle / 60:.0f} minutes: see the report"
                found["no_documents"] = text
            found["failed_requests"] = self._describe_failures(seconds, state)
            found["host_queue"] = self._describe_queue()
        found["disk_full"] = self._describe_disk(seconds, state)
        found["lost_site"] = self._describe_lost_sites(seconds, state)
        return {name: text for name, text in found.items() if text}

    def _describe_failures(self, seconds: float, state: CrawlState) -> str:
        """Return the alarm where most requests of the last ten minutes failed."""
        self._window.append((seconds, state))
        while self._window[0][0] < seconds - _WINDOW_SECONDS:
            self._window.popleft()
        before = self._window[0][1]
        failed = state.failed - before.failed
        total = failed + state.pages - before.pages
        if total < _LEAST_REQUESTS or failed <= _FAILED_SHARE * total:
            return ""
        return (
            f"{failed} of the last {total} requests failed: see to the network, and"
            " whether sites refuse this crawler (reasons under fetch/dropped)"
        )

    def _describe_queue(self) -> str:
        """Return the alarm where, in a crawl across hosts, one has nearly all of a long queue."""
        job = self.job
        if job.arguments.scope is not Scope.ANY:
            return ""
        queued = job.store.count(UrlState.QUEUED)
        if queued < _LONG_QUEUE:
            return ""
        host, number = job.store.largest_queue()
        if number <= _HOST_SHARE * queued:
            return ""
        return (
            f"{host} has {number} of {queued} queued addresses: bound it"
            " (FRONTIER_MAX_HOST_PAGES), or leave it out (-a deny=)"
        )

    def _describe_disk(self, seconds: float, state: CrawlState) -> str:
        """Return the alarm where the disk is full within a day."""
        self._first = self._first or state
        used = self._first.free_megabytes - state.free_megabytes
        if used <= 0 or seconds <= _LEAST_SECONDS:
            return ""
        left = state.free_megabytes / used * seconds
        text = f"the disk is full in {left / 3600:.0f} hours at this rate"
        return text if left < _DAY_SECONDS else ""

    def _describe_lost_sites(self, seconds: float, state: CrawlState) -> str:
        """Return the alarm where sites lost more than a third of their known addresses."""
        is_over = state.state in ENDS
        if is_over or seconds - self._counted_at > _COUNT_SECONDS:
            counts = count_addresses(self.job.files.frontier)
            self._lost_sites = counts.describe_lost_sites()
            self._counted_at = seconds
        advice = name_commands("; see the report, and scrapy url ADDRESS")
        return self._lost_sites and self._lost_sites + advice


def _peak_megabytes() -> int:
    """Return the largest memory of this process so far, 0 where the system does not tell."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak >> (20 if sys.platform == "darwin" else 10)
