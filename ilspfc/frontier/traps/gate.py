"""The gate before the frontier: what looks like a trap is not queued."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.frontier.reasons import BUDGETS, FetchReason, TrapReason, VisitResult
from ilspfc.frontier.store.protocol import UrlState
from ilspfc.web.urls import canonicalize, host_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ilspfc.frontier.store.protocol import Candidate
    from ilspfc.frontier.store.sqlite import SQLiteStore
    from ilspfc.frontier.traps.detector import TrapDetector

# What visits gave is read again from the frontier when a crawl goes on, so far back.
REPLAYED_VISITS = 20_000

# Failures that say something of the URL.
_TELLING = frozenset(
    {
        FetchReason.HTTP_ERROR.value,
        FetchReason.NOT_REACHED.value,
        FetchReason.TIMEOUT.value,
        FetchReason.REDIRECTS.value,
    }
)


class TrapGate:
    """Asks the detector about each new link, and tells it what visits gave.

    Refused URLs are written down, the first of each host and reason, and come again when
    everything else has been visited and good pages have opened their family's budget.
    Without a detector everything passes, what was refused earlier included. ``count``
    counts an event in the stats.
    """

    def __init__(
        self,
        detector: TrapDetector | None,
        store: SQLiteStore,
        count: Callable[[str], None],
    ) -> None:
        self._detector = detector
        self._store = store
        self._memory = store.traps
        self._count = count
        # Hosts on which something has changed for the better since they were reopened.
        self._news = self._memory.hosts
        if detector is not None:
            for key, state, reason, referrer in self._memory.visits(REPLAYED_VISITS):
                detector.check(key)
                self.record(key, UrlState(state), reason, referrer)

    def refuses(self, candidate: Candidate, *, is_from_copy: bool = False) -> bool:
        """Return whether a URL is not to be queued.

        Seeds, and what is known already, are. ``is_from_copy`` says that the page that
        links to the URL had no new text.
        """
        if (
            self._detector is None
            or not candidate.referrer
            or self._store.state_of(candidate.key) is not None
        ):
            return False
        reason = self._detector.check(candidate.key, is_from_copy=is_from_copy)
        if reason is None:
            self._memory.discard(candidate.key)
            return False
        self._count(f"frontier/dropped/{reason}")
        self._memory.add(candidate, reason)
        return True

    def record(self, key: str, state: UrlState, reason: str, referrer: str) -> None:
        """Learn from the end of a visit; ``reason`` is what the frontier keeps of it."""
        if self._detector is None:
            return
        if state is UrlState.DONE and reason in {*VisitResult}:
            if reason == VisitResult.UNDECIDED:
                self._detector.credit(key)
                return
            is_good = reason == VisitResult.NEW_TEXT
        elif state is UrlState.FAILED and reason in _TELLING:
            is_good = False
        else:
            return
        if is_good:
            self._news.add(host_of(key))
        source = canonicalize(referrer) if referrer else ""
        self._detector.record(
            key, is_new_text=is_good, is_kept=is_good, referrer=source
        )

    def reopen(self) -> list[Candidate]:
        """Return the refused URLs of some host that may be queued by now."""
        hosts = sorted(self._news & self._memory.hosts)
        self._news.clear()
        for number, host in enumerate(hosts):
            if passed := self._reopen(host):
                self._news.update(hosts[number + 1 :])
                return passed
        return []

    def _reopen(self, host: str) -> list[Candidate]:
        passed = []
        for candidate, reason in self._memory.refused(host):
            if self._detector is not None and (
                reason not in BUDGETS
                or self._detector.check(
                    candidate.key, is_from_copy=reason == TrapReason.COPIES
                )
            ):
                continue
            self._memory.discard(candidate.key)
            passed.append(candidate)
        return passed
