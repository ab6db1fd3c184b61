"""What the visit of a page pays, from 0 to 1."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# What a page is worth that was kept, but has no kept translation so far.
ALONE_GAIN = 0.25
_MAX_PAGES = 200_000


class PageGains:
    """The gain of a monolingual crawl: 1 for a page that is kept."""

    def visited(
        self, key: str, lang: str, versions: Iterable[str], *, is_kept: bool
    ) -> dict[str, float]:
        """Return the gains, by URL, that are known after a visit."""
        return {key: float(is_kept)}


class PairGains:
    """The gain of a bilingual crawl: 1 for pages that complete a pair.

    Two kept pages in different languages are a pair when one has a link to the other that
    announces a translation. A page without such a partner pays :data:`ALONE_GAIN`, and 1
    once the partner comes. Of 200,000 pages the least recent are forgotten.
    """

    def __init__(self) -> None:
        self._langs: OrderedDict[str, str] = OrderedDict()  # of the kept pages
        self._awaited: defaultdict[str, list[str]] = defaultdict(list)

    def visited(
        self, key: str, lang: str, versions: Iterable[str], *, is_kept: bool
    ) -> dict[str, float]:
        """Return the gains, by URL, that are known after a visit.

        ``versions`` are the URLs of the translations that the page announces.
        """
        awaiting = self._awaited.pop(key, [])
        if not is_kept:
            return {key: 0.0}
        versions = set(versions)
        partners = {
            other
            for other in versions.union(awaiting)
            if self._langs.get(other, lang) != lang
        }
        self._remember(key, lang, versions)
        gains = dict.fromkeys(sorted(partners), 1.0)
        gains[key] = 1.0 if partners else ALONE_GAIN
        return gains

    def _remember(self, key: str, lang: str, versions: Iterable[str]) -> None:
        self._langs[key] = lang
        for other in versions:
            if other not in self._langs:
                self._awaited[other].append(key)
        if len(self._langs) > _MAX_PAGES:
            self._langs.popitem(last=False)
        if len(self._awaited) > _MAX_PAGES:
            self._awaited.pop(next(iter(self._awaited)))
