"""Scouting: hosts that give nothing step back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# How far a host steps back: behind all that have not.
STEP_BACK = -1e9


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
