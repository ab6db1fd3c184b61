"""Crawler traps: URLs of which a site makes endlessly many, with nothing new behind them."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ilspfc.frontier.tallies import Tally
from ilspfc.frontier.url_patterns import (
    PAGING_PARAMETERS,
    UrlShape,
    has_repeats,
    read_shape,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet
    from datetime import date


class TrapReason(StrEnum):
    """Why a URL looks like a trap."""

    TOO_LONG = "too_long"
    REPEATING_PATH = "repeating_path"
    TOO_DEEP_PATH = "too_deep_path"
    TOO_MANY_PARAMETERS = "too_many_parameters"
    CALENDAR = "calendar"
    FACETS = "facets"
    PATTERN_EXHAUSTED = "pattern_exhausted"


@dataclass(frozen=True, slots=True)
class _Family:
    """The URLs that have a pattern in common; ``member`` tells them apart.

    ``limit`` of them may pass before any page was good, ``per_good`` more for each that
    was. In a family of sessions members are versions of a ``page``; ``parameters`` are
    those of a family of facets.
    """

    reason: TrapReason
    key: str
    member: str
    limit: int
    per_good: int
    page: str = ""
    parameters: tuple[tuple[str, str], ...] = ()


class TrapDetector:
    """Says before a URL is queued whether it looks like a trap, and learns from visits.

    Some rules look at the URL alone: its length, depth, repeated segments, number of
    parameters (those of language left out) and dates far from ``today``. The others have
    a budget for each family of URLs: ``max_dates`` for a calendar's dates, ``max_facets``
    for combinations of two or more parameters of one path, ``max_versions`` for further
    versions of pages by a token in their URLs that names no page, and ``max_unproven``
    for URLs that differ in numbers. For each visited page that was good, one that gave
    new text that was kept, ``pages_per_good`` more pass (``versions_per_good`` of
    versions): what goes on giving such pages is never cut. Of a family whose
    ``min_visited`` or more visited pages were good in a share of at most
    ``max_good_share``, nothing passes until better pages come from what is queued.

    A URL that has passed counts once, however often it is found, and while its family is
    small it passes again. Combinations of parameters in which one parameter has a value of
    its own for a ``min_key_share`` of them are pages with an id, no facets. The least
    recently seen of more than ``max_families`` families are forgotten; each takes at most
    4 kB and, for facets, 1 kB a parameter. Results depend on the order of the calls alone.
    """

    def __init__(
        self,
        today: date,
        *,
        max_url_chars: int = 2_000,
        max_segments: int = 16,
        min_repeats: int = 3,
        max_parameters: int = 8,
        max_years_ahead: int = 2,
        max_years_back: int = 100,
        max_dates: int = 100,
        max_facets: int = 60,
        max_versions: int = 50,
        max_unproven: int = 50_000,
        pages_per_good: int = 20,
        versions_per_good: int = 2,
        min_visited: int = 50,
        max_good_share: float = 0.02,
        min_key_share: float = 0.25,
        max_families: int = 20_000,
    ) -> None:
        self._years = today.year - max_years_back, today.year + max_years_ahead
        self._max_url_chars = max_url_chars
        self._max_segments = max_segments
        self._min_repeats = min_repeats
        self._max_parameters = max_parameters
        self._max_dates = max_dates
        self._max_facets = max_facets
        self._max_versions = max_versions
        self._max_unproven = max_unproven
        self._pages_per_good = pages_per_good
        self._versions_per_good = versions_per_good
        self._min_visited = min_visited
        self._max_good_share = max_good_share
        self._min_key_share = min_key_share
        self._max_families = max_families
        self._tallies: OrderedDict[str, Tally] = OrderedDict()

    def check(self, url: str) -> TrapReason | None:
        """Return why a URL is not to be queued, or None and count it as queued.

        To be called before the URL is recorded anywhere, so that it may come again when
        its family has proved good. Raises ValueError for what is no URL with a host.
        """
        if len(url) > self._max_url_chars:
            return TrapReason.TOO_LONG
        shape = read_shape(url)
        if (reason := self._check_shape(shape)) is not None:
            return reason
        families = list(self._iter_families(shape))
        for family in families:
            is_known = family.key in self._tallies
            if is_known and self._is_spent(family, self._tally(family)):
                return family.reason
        for family in families:
            tally = self._tally(family)
            tally.add(family.member, family.page, family.parameters)
        return None

    def record(self, url: str, *, is_new_text: bool, is_kept: bool) -> None:
        """Learn from a visit: whether its text was new to the crawl, and was kept.

        A URL that could not be fetched is a visit that gave neither.
        """
        if len(url) > self._max_url_chars:
            return
        for family in self._iter_families(read_shape(url)):
            tally = self._tally(family)
            tally.visited += 1
            tally.good += is_new_text and is_kept

    def _check_shape(self, shape: UrlShape) -> TrapReason | None:
        """Return which rule a URL breaks that needs no memory."""
        if has_repeats(shape.segments, self._min_repeats):
            return TrapReason.REPEATING_PATH
        if shape.depth > self._max_segments:
            return TrapReason.TOO_DEEP_PATH
        if len(shape.parameters) > self._max_parameters:
            return TrapReason.TOO_MANY_PARAMETERS
        # A year alone may be a subject, unless a calendar is meant.
        if shape.date is not None and (shape.date.month or shape.is_calendar):
            first, last = self._years
            if not first <= shape.date.year <= last:
                return TrapReason.CALENDAR
        return None

    def _iter_families(self, shape: UrlShape) -> Iterator[_Family]:
        """Yield the families that a URL belongs to."""
        exhausted, per_good = TrapReason.PATTERN_EXHAUSTED, self._pages_per_good
        if shape.date is not None:
            key, day = f"calendar {shape.pattern}", repr(shape.date)
            yield _Family(TrapReason.CALENDAR, key, day, self._max_dates, per_good)
        if shape.session:
            key = f"session {shape.session}"
            limit, per_version = self._max_versions, self._versions_per_good
            yield _Family(exhausted, key, shape.url, limit, per_version, shape.page)
        if len(shape.parameters) > 1:
            key, values = f"facets {shape.path_pattern}", repr(shape.parameters)
            limit, pairs = self._max_facets, shape.parameters
            yield _Family(TrapReason.FACETS, key, values, limit, per_good, "", pairs)
        if shape.is_varied:
            key, limit = shape.pattern, self._max_unproven
            yield _Family(exhausted, key, shape.url, limit, per_good)

    def _tally(self, family: _Family) -> Tally:
        """Return the tally of a family, which is the most recently seen one now."""
        tally = self._tallies.get(family.key)
        if tally is None:
            tally = Tally()
            self._tallies[family.key] = tally
            if len(self._tallies) > self._max_families:
                self._tallies.popitem(last=False)
        self._tallies.move_to_end(family.key)
        return tally

    def _is_spent(self, family: _Family, tally: Tally) -> bool:
        """Return whether no new member of a family may pass."""
        if family.parameters and self._has_key(tally):
            return False
        if family.page and family.page not in tally.pages:
            return False
        is_judged = tally.visited >= self._min_visited
        if is_judged and tally.good <= self._max_good_share * tally.visited:
            return True
        used = len(tally.members) - len(tally.pages)
        if used < family.limit + family.per_good * tally.good:
            return False
        return not tally.members.is_exact or family.member not in tally.members

    def _has_key(self, tally: Tally) -> bool:
        """Return whether one of the parameters of a path identifies its pages."""
        counts = (
            len(values)
            for name, values in tally.values.items()
            if name not in PAGING_PARAMETERS
        )
        most = max(counts, default=0)
        return most >= self._min_key_share * len(tally.members)


def is_soft_404(
    paragraphs: AbstractSet[bytes],
    not_found: Iterable[AbstractSet[bytes]],
    *,
    threshold: float = 0.8,
) -> bool:
    """Return whether a page is an error page that its host sends with status 200.

    ``paragraphs`` are the hashes of the page's clean paragraphs (navigation and other
    boilerplate would be alike on all pages of the host), ``not_found`` those of each page
    that the host answers with for addresses which cannot exist: the method of Bar-Yossef
    and others, Sic transit gloria telae (WWW 2004). The page is such an error page when
    more than ``threshold`` of its paragraphs are on one of them. A page or an error page
    without paragraphs tells nothing.

    >>> error = {b"Not found", b"Try the search", b"or the home page"}
    >>> is_soft_404({b"Not found", b"Try the search"}, [error])
    True
    >>> is_soft_404({b"Not found", b"A", b"B"}, [error])
    False
    """
    shared = (len(paragraphs & other) for other in not_found)
    return max(shared, default=0) > threshold * len(paragraphs)
