"""Gate before each visit that holds back URLs expected to yield nothing new."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import islice, zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING

from ilspfc.frontier.reasons import (
    NEW_TEXTS,
    REDIRECTED_TO_KNOWN,
    FetchReason,
    TrapReason,
    VisitResult,
)
from ilspfc.frontier.store.candidates import Candidate, UrlState
from ilspfc.frontier.traps.url_patterns import read_shape
from ilspfc.web.urls import canonicalize, host_of

if TYPE_CHECKING:
    from ilspfc.frontier.store.sqlite import SQLiteStore
    from ilspfc.frontier.traps.detector import TrapDetector

# Number of past visits that a resumed crawl learns from.
REPLAYED_VISITS = 20_000
# Sample size of held-back URLs that are visited before the others of a host count as barren:
# if one in five yielded something new, 1 in 90 samples would find none.
SAMPLE = 20
# Maximum number of labels, the largest, from which a sample is drawn.
_LABELS = 500
# Visits after which a pattern counts as tried.
_TRIES = 4
# Maximum number of URLs sampled from untried patterns, and its increment per page with new
# text: a list of lists has several barren pages above its articles.
_MAX_DRAWN = 60
_DRAWN_PER_PAGE = 0.1
# Maximum number of lists of lists that get the credit for a page.
_MAX_SOURCES = 8
# Maximum number of URLs requeued at a time.
_BATCH = 1000

# Failures caused by the URL.
_URL_FAILURES = frozenset(
    {
        FetchReason.HTTP_ERROR,
        FetchReason.NOT_REACHED,
        FetchReason.TIMEOUT,
        FetchReason.REDIRECTS,
    }
)
_BARREN = frozenset(
    {VisitResult.NEW_LINKS, VisitResult.NOTHING_NEW, REDIRECTED_TO_KNOWN}
)
# The links of a page are looked at one after the other.
_canonicalize = lru_cache(maxsize=1 << 10)(canonicalize)


class TrapGate:
    """Gate that queries a trap detector before each visit, and reports visits to it.

    Held-back URLs stay in the store. Once all others of the host have been visited, they are
    requeued if their groups have yielded new text meanwhile. Then samples of the rest are
    visited, first of untried patterns, near the seeds; after samples without new text, the
    rest counts as barren. Without a detector everything passes, including URLs held back
    earlier. ``count`` increments a stat.
    """

    def __init__(
        self,
        detector: TrapDetector | None,
        store: SQLiteStore,
        count: Callable[[str, int], None],
    ) -> None:
        self._detector = detector
        self._store = store
        self._count = count
        # Hosts that may have URLs to requeue, the number of their URLs sampled without new
        # text so far, their pages with new text, and the sampled URLs.
        self._unproven = set(store.held_hosts())
        self._drawn: Counter[str] = Counter()
        self._found: Counter[str] = Counter()
        self._sample: set[str] = set()
        if detector is None:
            for host in self._unproven:
                self._release([candidate for candidate, _ in store.held(host)])
        self.replay(store.last_visits(REPLAYED_VISITS))

    def replay(self, visits: Iterable[tuple[str, str, str, str]]) -> None:
        """Learn from past visits: canonical URL, state, reason, referrer."""
        for key, state, reason, referrer in visits:
            if reason == TrapReason.HELD_BACK:
                self._unproven.add(host_of(key))
            self.record(key, UrlState(state), reason, referrer)

    def holds_back(self, candidate: Candidate) -> bool:
        """Test whether a URL is held back for now, and count it."""
        if candidate.key in self._sample or not self._is_barren(candidate):
            return False
        self._count(f"frontier/dropped/{TrapReason.HELD_BACK}", 1)
        self._unproven.add(candidate.host)
        return True

    def _is_barren(self, candidate: Candidate) -> bool:
        """Test whether a URL is expected to yield nothing new; seeds never are."""
        if self._detector is None or not candidate.referrer:
            return False
        via = self._via(_canonicalize(candidate.referrer))
        return self._detector.is_barren(candidate.key, via=via, place=candidate.place)

    def _via(self, key: str) -> str:
        """Return the key of a page if it had no new text, otherwise empty."""
        return key if key and self._store.outcome_of(key)[0] in _BARREN else ""

    def _sources(self, key: str) -> dict[str, int]:
        """Return a page and, if it is a list, the lists that led to it, with their places."""
        sources: dict[str, int] = {}
        while key and key not in sources and len(sources) < _MAX_SOURCES:
            reason, referrer, sources[key] = self._store.outcome_of(key)
            is_list = reason == VisitResult.NEW_LINKS
            key = _canonicalize(referrer) if referrer and is_list else ""
        return sources

    def record(self, key: str, state: UrlState, reason: str, referrer: str) -> None:
        """Learn from the end of a visit, given its state and reason in the store."""
        is_good = state is UrlState.DONE and reason in NEW_TEXTS
        is_bad = state is UrlState.DONE and reason in _BARREN
        is_bad |= state is UrlState.FAILED and reason in _URL_FAILURES
        if self._detector is None or not (is_good or is_bad):
            return
        source = canonicalize(referrer) if referrer else ""
        via = self._via(source)
        is_copy = reason == VisitResult.NOTHING_NEW
        self._detector.record(
            key,
            is_good=is_good,
            is_copy=is_copy,
            via=via,
            place=self._store.outcome_of(key)[2],
            sources=self._sources(source) if is_good else {},
        )
        if is_good:
            host = host_of(key)
            self._unproven.add(host)
            self._found[host] += 1
            if self._sample & {key, source}:
                self._drawn[host] = max(0, self._drawn[host] - SAMPLE)

    def reopen(self, host: str) -> bool:
        """Requeue held-back URLs of a host that may be visited; return True if there are any.

        To be called when nothing else of the host is queued or leased.
        """
        if host not in self._unproven:
            return False
        held = (candidate for candidate, _ in self._store.held(host))
        passing = (one for one in held if not self._is_barren(one))
        if self._release(list(islice(passing, _BATCH))):
            return True
        if self._drawn[host] < _MAX_DRAWN + _DRAWN_PER_PAGE * self._found[host]:
            sample = self._draw(host, is_first=not self._drawn[host])
            self._drawn[host] += len(sample)
            self._sample.update(candidate.key for candidate in sample)
            if self._release(sample):
                return True
        self._unproven.discard(host)
        if proven := self._store.prove_barren(host):
            self._count(f"frontier/dropped/{TrapReason.HELD_BACK}", -proven)
            self._count(f"frontier/dropped/{TrapReason.BARREN}", proven)
        return False

    def _release(self, candidates: Sequence[Candidate]) -> bool:
        released = self._store.release_held(candidates)
        for reason, number in released.items():
            self._count(f"frontier/dropped/{reason}", -number)
        return bool(released)

    def _draw(self, host: str, *, is_first: bool) -> list[Candidate]:
        """Return a sample of held-back URLs: of untried patterns, then of the largest groups.

        After the first sample, only untried patterns count. Sections of the site take turns,
        so that a trap with many patterns does not use up the sample of its neighbors; in
        each section those near the seeds come first.
        """
        if self._detector is None:
            return []
        numbers: Counter[str] = Counter()
        chosen: defaultdict[str, list[tuple[bytes, Candidate]]] = defaultdict(list)
        untried: defaultdict[str, list[tuple[int, bytes, Candidate]]]
        untried = defaultdict(list)
        for candidate, reason in self._store.held(host):
            if reason != TrapReason.HELD_BACK:
                continue
            shape = read_shape(candidate.key)
            numbers[shape.label] += 1
            # Another order each time: by one order, a second sample is all of URLs found since.
            salted = f"{len(self._sample)} {candidate.key}"
            digest = blake2b(salted.encode(), digest_size=8).digest()
            drawn = chosen[shape.label]
            drawn.append((digest, candidate))
            if len(drawn) > 2 * SAMPLE:
                chosen[shape.label] = sorted(drawn)[:SAMPLE]
            if len(numbers) > 2 * _LABELS:
                numbers = Counter(dict(numbers.most_common(_LABELS)))
                chosen = defaultdict(list, {one: chosen[one] for one in numbers})
            if self._detector.count_visits(shape) < _TRIES:
                near = untried[shape.section]
                near.append((candidate.depth, digest, candidate))
                if len(near) > 2 * SAMPLE:
                    untried[shape.section] = sorted(near)[:SAMPLE]
                if len(untried) > 2 * _LABELS:
                    nearest = sorted(untried.items(), key=lambda one: min(one[1]))
                    untried = defaultdict(list, nearest[:_LABELS])
        few = [list(map(itemgetter(2), sorted(near))) for near in untried.values()]
        sample = list(islice(_take_turns(few), SAMPLE // 2 if is_first else SAMPLE))
        if not is_first:
            return sample
        large = [
            list(map(itemgetter(1), sorted(chosen[label])))
            for label, _ in numbers.most_common()
        ]
        others = (one for one in _take_turns(large) if one not in sample)
        return [*sample, *islice(others, SAMPLE - len(sample))]


def _take_turns(groups: Iterable[Sequence[Candidate]]) -> Iterator[Candidate]:
    """Yield the first of each group, then the second of each."""
    for turn in zip_longest(*groups):
        yield from (one for one in turn if one is not None)
