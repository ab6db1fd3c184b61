"""What the visit of a page pays, from 0 to 1."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import OrderedDict, deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# What a kept page pays at least, however little it is about the domain.
_LEAST = 0.25
# What of its gain a page pays that has no kept translation so far.
ALONE_SHARE = 0.5
_MAX_PAGES = 200_000
_MAX_DENSITIES = 1000


class PageGains:
    """The gain of a crawl in one language: more for pages that are more about the domain.

    A page that is not kept pays nothing. One that is kept pays from 0.25 to 1 by its rank
    among the last 1,000 kept pages in relevance by token; without a domain all pay 1.
    """

    def __init__(self) -> None:
        self._last: deque[float] = deque()
        self._sorted: list[float] = []

    def visited(
        self, key: str, lang: str, versions: Iterable[str], density: float | None
    ) -> dict[str, float]:
        """Return the gains, by canonical URL, that are known after a visit.

        ``versions`` are the URLs of the translations that the page announces; ``density``
        is its relevance by token (0 in a crawl without a domain), None for a page that was
        not kept.
        """
        return {key: self._quality(density)}

    def _quality(self, density: float | None) -> float:
        if not density:
            return 0.0 if density is None else 1.0
        insort(self._sorted, density)
        self._last.append(density)
        if len(self._last) > _MAX_DENSITIES:
            del self._sorted[bisect_left(self._sorted, self._last.popleft())]
        # The middle of the places that pages with the same density share.
        place = bisect_left(self._sorted, density) + bisect_right(self._sorted, density)
        return _LEAST + (1 - _LEAST) * place / (2 * max(len(self._sorted), 1))


class PairGains(PageGains):
    """The gain of a bilingual crawl: pages that complete a pair pay twice as much.

    Two kept pages in different languages are a pair when one has a link to the other that
    announces a translation. A page without such a partner pays half, and all once the
    partner comes. Of 200,000 pages the least recent are forgotten.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kept: OrderedDict[str, tuple[str, float]] = OrderedDict()
        self._awaited: OrderedDict[str, list[str]] = OrderedDict()

    def visited(
        self, key: str, lang: str, versions: Iterable[str], density: float | None
    ) -> dict[str, float]:
        """Return the gains, by canonical URL, that are known after a visit."""
        awaiting = self._awaited.pop(key, [])
        quality = self._quality(density)
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
