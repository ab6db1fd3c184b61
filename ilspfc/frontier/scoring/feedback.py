"""Feedback from visits: gains for link scoring, and hosts demoted below all others."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ilspfc.frontier.reasons import VisitResult

if TYPE_CHECKING:
    from ilspfc.frontier.frontier import Frontier
    from ilspfc.frontier.scoring.link_score import Focus
    from ilspfc.frontier.store.candidates import Candidate

# Number of best queued URLs to rescore after each fit.
_RESCORED = 20_000
# Number of last visits that a resumed crawl learns from.
_REMEMBERED = 4_000
# Smallest gain of a kept page.
_MIN_GAIN = 0.25
# Share of its gain that a page without a kept translation gets.
ALONE_SHARE = 0.5
_MAX_PAGES = 200_000
_MAX_DENSITIES = 1000
# Handicap on the scores of a demoted host.
STEP_BACK = -1e9


class PageGains:
    """Gains of visits in a crawl of one language.

    The gain of a page that was not kept, or had nothing new, is 0. The gain of another page
    is from 0.25 to 1, by the rank of its relevance per token among the last 1,000 of these
    pages; 1 without a domain.
    """

    def __init__(self) -> None:
        self._last: deque[float] = deque()
        self._sorted: list[float] = []

    def visited(
        self, key: str, lang: str, versions: Iterable[str], density: float | None
    ) -> dict[str, float]:
        """Return the gains determined by a visit, by canonical URL.

        ``versions`` are the URLs of translations announced by the page; ``density`` is its
        relevance per token (0 in a crawl without a domain), None for a gain of 0.
        """
        return {key: self._measure_quality(density)}

    def _measure_quality(self, density: float | None) -> float:
        if not density:
            return 0.0 if density is None else 1.0
        insort(self._sorted, density)
        self._last.append(density)
        if len(self._last) > _MAX_DENSITIES:
            del self._sorted[bisect_left(self._sorted, self._last.popleft())]
        # Mean rank of the pages with the same density.
        rank = bisect_left(self._sorted, density) + bisect_right(self._sorted, density)
        return _MIN_GAIN + (1 - _MIN_GAIN) * rank / (2 * max(len(self._sorted), 1))


class PairGains(PageGains):
    """Gains of visits in a bilingual crawl: halved for pages without a translation.

    Two kept pages in different languages are a pair if one has a link to the other that
    announces a translation. A page gets half of its gain, and all of it once its partner is
    kept. Only the last 200,000 pages are remembered.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kept: OrderedDict[str, tuple[str, float]] = OrderedDict()
        self._awaited: OrderedDict[str, list[str]] = OrderedDict()

    def visited(
        self, key: str, lang: str, versions: Iterable[str], density: float | None
    ) -> dict[str, float]:
        """Return the gains determined by a visit, by canonical URL."""
        awaiting = self._awaited.pop(key, [])
        quality = self._measure_quality(density)
        if density is None:
            return {key: quality}
        versions = set(versions)
        partners = {
            other: self._kept[other][1]
            for other in sorted(versions.union(awaiting))
            if other in self._kept and self._kept[other][0] != lang
        }
        self._remember(key, lang, quality, versions)
        return {**partners, key: quality if partners else quality * ALONE_SHARE}

    def _remember(
        self, key: str, lang: str, quality: float, versions: Iterable[str]
    ) -> None:
        self._kept[key] = lang, quality
        for other in versions:
            if other not in self._kept:
                self._awaited.setdefault(other, []).append(key)
        for table in (self._kept, self._awaited):
            while len(table) > _MAX_PAGES:
                table.popitem(last=False)


@dataclass(slots=True)
class _Group:
    visits: int = 0
    hosts: set[str] = field(default_factory=set)
    langs: set[str] = field(default_factory=set)  # of kept pages


class Scouts:
    """Scouting: hosts without documents are demoted below all others.

    A host is demoted after ``quota`` visits without a kept page (in a bilingual crawl,
    without one in each of two languages) until it has one; a quota of 0 disables this.
    ``group_of`` maps hosts to groups, which count as one host.
    """

    def __init__(
        self, quota: int, group_of: Callable[[str], str], min_langs: int = 1
    ) -> None:
        self._quota = quota
        self._group_of = group_of
        self._min_langs = min_langs
        self._groups: dict[str, _Group] = {}

    def visited(self, host: str, lang: str) -> set[str]:
        """Count a visit; return the hosts whose handicap changes.

        ``lang`` is the language of a kept page, otherwise empty.
        """
        group = self._groups.setdefault(self._group_of(host), _Group())
        was_demoted = self._is_demoted(group)
        group.visits += 1
        group.hosts.add(host)
        if lang:
            group.langs.add(lang)
        return group.hosts if self._is_demoted(group) != was_demoted else set()

    def handicap(self, host: str) -> float:
        """Return the number added to the scores of a host's links."""
        group = self._groups.get(self._group_of(host))
        return STEP_BACK if group is not None and self._is_demoted(group) else 0.0

    def _is_demoted(self, group: _Group) -> bool:
        is_scouted = 0 < self._quota <= group.visits
        return is_scouted and len(group.langs) < self._min_langs


class Feedback:
    """Reporter of visits to the focus, the scouts and the frontier."""

    def __init__(
        self, frontier: Frontier, focus: Focus, scouts: Scouts, gains: PageGains
    ) -> None:
        self._frontier = frontier
        self._focus = focus
        self._scouts = scouts
        self._gains = gains
        for candidate in frontier.store.gains(_REMEMBERED):
            focus.learn(candidate, candidate.gain or 0.0)

    def learn(self, candidates: Iterable[Candidate]) -> None:
        """Learn from visits of other crawlers with known gains."""
        learned = [self._focus.learn(one, one.gain or 0.0) for one in candidates]
        if any(learned):
            self._frontier.rescore(self._focus.score, _RESCORED)

    def failed(self, candidate: Candidate) -> None:
        """Learn that a URL yielded no page."""
        self._learn(candidate, "", {candidate.key: 0.0})

    def visited(
        self,
        candidate: Candidate,
        lang: str,
        versions: Iterable[str],
        density: float | None,
        result: VisitResult,
    ) -> None:
        """Learn from a visit; ``lang`` is the language of a kept page, otherwise empty.

        For ``versions`` and ``density``, see :meth:`PageGains.visited`. A kept page with
        nothing new (an empty day of a calendar, a list of known links) gains nothing.
        """
        if result == VisitResult.NOTHING_NEW:
            density = None
        gains = self._gains.visited(candidate.key, lang, versions, density)
        self._learn(candidate, lang, gains)

    def _learn(
        self, candidate: Candidate, lang: str, gains: Mapping[str, float]
    ) -> None:
        """Learn the gain of a visit, and revised gains of earlier pages."""
        frontier, learner = self._frontier, self._focus.learner
        frontier.compare_again(self._scouts.visited(candidate.host, lang))
        if learner is None:
            return
        for key, gain in gains.items():
            frontier.store.set_gain(key, gain)
            learner.revise(key, gain)
        if self._focus.learn(candidate, gains.get(candidate.key, 0.0)):
            frontier.rescore(self._focus.score, _RESCORED)
