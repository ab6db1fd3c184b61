"""Gate before the frontier: URLs that look like traps are not queued."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ilspfc.frontier.reasons import BUDGETS, FetchReason, TrapReason, VisitResult
from ilspfc.frontier.store.candidates import Candidate, UrlState
from ilspfc.web.urls import canonicalize, host_of

if TYPE_CHECKING:
    from ilspfc.frontier.store.sqlite import SQLiteStore
    from ilspfc.frontier.traps.detector import TrapDetector

# Number of past visits that a resumed crawl learns from.
REPLAYED_VISITS = 20_000

# Failures that are the fault of the URL.
_URL_FAILURES = frozenset(
    {
        FetchReason.HTTP_ERROR,
        FetchReason.NOT_REACHED,
        FetchReason.TIMEOUT,
        FetchReason.REDIRECTS,
    }
)


class TrapGate:
    """Gate that checks each new link with a trap detector and reports visits to it.

    Refused URLs are stored, the first of each host and reason. They are queued when all
    other URLs have been visited and good pages have extended the budget of their pattern.
    Without a detector everything passes, earlier refusals included. ``count`` counts an
    event in the statistics.
    """

    def __init__(
        self,
        detector: TrapDetector | None,
        store: SQLiteStore,
        count: Callable[[str], None],
    ) -> None:
        self._detector = detector
        self._store = store
        self._count = count
        # Hosts with good pages since their refused URLs were last checked.
        self._improved = store.traps.hosts
        self.replay(store.last_visits(REPLAYED_VISITS))

    def replay(self, visits: Iterable[tuple[str, str, str, str]]) -> None:
        """Learn from past visits: canonical URL, state, reason, referrer."""
        if self._detector is not None:
            for key, state, reason, referrer in visits:
                self._detector.check(key)
                self.record(key, UrlState(state), reason, referrer)

    def refuses(self, candidate: Candidate, *, is_from_copy: bool = False) -> bool:
        """Test whether a URL is not to be queued; seeds and known URLs always are.

        ``is_from_copy``: the page that links to the URL had no new text.
        """
        if (
            self._detector is None
            or not candidate.referrer
            or self._store.state_of(candidate.key) is not None
        ):
            return False
        reason = self._detector.check(candidate.key, is_from_copy=is_from_copy)
        if reason is None:
            self._store.traps.discard(candidate.key)
            return False
        self._count(f"frontier/dropped/{reason}")
        self._store.traps.add(candidate, reason)
        return True

    def record(self, key: str, state: UrlState, reason: str, referrer: str) -> None:
        """Learn from the end of a visit; ``reason`` is the one that the store keeps."""
        if self._detector is None:
            return
        is_page = state is UrlState.DONE and reason in {*VisitResult}
        if is_page and reason in {VisitResult.UNDECIDED, VisitResult.OTHER_TEXT}:
            self._detector.record_new_text(key)
            if reason == VisitResult.OTHER_TEXT:
                self._detector.allow_another(key)
                self._improved.add(host_of(key))
        elif is_page or (state is UrlState.FAILED and reason in _URL_FAILURES):
            is_good = is_page and reason == VisitResult.NEW_TEXT
            if is_good:
                self._improved.add(host_of(key))
            source = canonicalize(referrer) if referrer else ""
            self._detector.record(key, is_good=is_good, referrer=source)

    def reopen(self) -> list[Candidate]:
        """Return the refused URLs of one host that may be queued by now."""
        hosts = sorted(self._improved & self._store.traps.hosts)
        self._improved.clear()
        for number, host in enumerate(hosts):
            if passed := self._reopen_host(host):
                self._improved.update(hosts[number + 1 :])
                return passed
        return []

    def _reopen_host(self, host: str) -> list[Candidate]:
        passed = []
        for candidate, reason in self._store.traps.refused(host):
            if self._detector is None or (
                reason in BUDGETS
                and not self._detector.check(
                    candidate.key, is_from_copy=reason == TrapReason.COPIES
                )
            ):
                self._store.traps.discard(candidate.key)
                passed.append(candidate)
        return passed
