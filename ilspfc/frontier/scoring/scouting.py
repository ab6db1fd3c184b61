"""Scouting: what seeds list is tried first, and hosts that give nothing step back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ilspfc.frontier.scoring.link_features import directory_of
from ilspfc.web.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ilspfc.frontier.scoring.link_score import FoundLink

# What a link scores that is to be tried right after the seeds.
LISTED_SCORE = 1e11
# How far a host steps back: behind all that have not.
STEP_BACK = -1e9


class SeedLists:
    """Says which links of the seeds are tried before all links that are scored.

    A seed that was not kept was given for what it leads to, and scores know nothing of
    that: a list of sites may score nothing, and its sites would wait behind every link on
    which a term occurs. So of such a seed the first link to each other host is tried right
    after the seeds, and where its page could not be judged, having no text in a language of
    the crawl, the first to each directory (topicrawler, too, puts the links of seeds that
    it could not judge first).
    """

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def lists(self, found: FoundLink) -> bool:
        """Return whether a link is the first from a list to its host or directory."""
        if found.depth != 1 or not found.distance:
            return False
        place_of = host_of if found.is_judged else directory_of
        url = found.link.url
        place = place_of(url)
        if place == place_of(found.source_url):
            return False
        return self._first.setdefault(place, url) == url


@dataclass(slots=True)
class _Group:
    visits: int = 0
    hosts: set[str] = field(default_factory=set)
    langs: set[str] = field(default_factory=set)  # of kept pages


class Scouts:
    """Counts what the hosts give, and says which are to step back.

    A host that after ``quota`` visits has no kept page, in a bilingual crawl none in one
    of two languages, goes behind all others until it has; 0 switches that off. The hosts of
    one group, as ``group_of`` puts them together, count as one.
    """

    def __init__(
        self, quota: int, group_of: Callable[[str], str], min_langs: int = 1
    ) -> None:
        self._quota = quota
        self._group_of = group_of
        self._min_langs = min_langs
        self._groups: dict[str, _Group] = {}

    def visited(self, host: str, lang: str, *, is_kept: bool) -> set[str]:
        """Count a visit; return the hosts that step back by it, or come forward again."""
        group = self._groups.setdefault(self._group_of(host), _Group())
        before = self._is_back(group)
        group.visits += 1
        group.hosts.add(host)
        if is_kept:
            group.langs.add(lang)
        return group.hosts if self._is_back(group) != before else set()

    def handicap(self, host: str) -> float:
        """Return what is added to the scores of a host's links."""
        group = self._groups.get(self._group_of(host))
        return STEP_BACK if group is not None and self._is_back(group) else 0.0

    def _is_back(self, group: _Group) -> bool:
        is_scouted = 0 < self._quota <= group.visits
        return is_scouted and len(group.langs) < self._min_langs
