"""Families of URLs that have a pattern in common, and how many of each may pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ilspfc.frontier.reasons import TrapReason
from ilspfc.frontier.traps.url_patterns import PAGING_PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ilspfc.frontier.traps.tallies import Tally
    from ilspfc.frontier.traps.url_patterns import UrlShape


@dataclass(frozen=True, slots=True)
class Family:
    """The URLs that have a pattern in common; ``member`` tells them apart.

    ``limit`` of them may pass before any page was good, ``per_good`` more for each that
    was. In a family of sessions members are versions of a ``page``, if ``is_sure``;
    ``parameters`` are those of a family of facets.
    """

    reason: TrapReason
    key: str
    member: str
    limit: int
    per_good: int
    page: str = ""
    parameters: tuple[tuple[str, str], ...] = ()
    is_sure: bool = True


@dataclass(frozen=True, slots=True)
class Budgets:
    """How many URLs of a family may pass.

    At first these are ``max_dates`` for a calendar's dates, ``max_facets`` for combinations
    of two or more parameters of one path or of words joined in a path, ``max_versions`` for
    further versions of pages by a token in their URLs that names no page, ``max_copies``
    for what pages without new text link to in a section of a host (and together in
    ``max_sections`` sections of it in which no page had new text), and ``max_unproven`` for URLs that
    differ in numbers.

    For each visited page that was good, one that gave new text that was kept,
    ``pages_per_good`` more pass (``versions_per_good`` of versions, ``views_per_good`` of
    combinations and copies), and one more for each good page that was found on a member,
    of copies also for each page of the section with new text, kept or not: what goes on giving such pages is never cut. Of a family that by ``min_visited`` or more
    visits gave good pages in a share of at most ``max_good_share``, nothing passes until
    better pages come from what is queued.

    Combinations in which one parameter has a value of its own for a ``min_key_share`` of
    them are pages with an id, no facets. A token under a name that no session has is one
    when it is in the URLs of ``min_pages`` pages, or when half as many visits were good in
    a share of at most ``max_dull_share``: pages that a token names would differ.
    """

    max_dates: int = 30
    max_facets: int = 20
    max_versions: int = 20
    max_copies: int = 10
    max_sections: int = 20
    max_unproven: int = 50_000
    pages_per_good: int = 20
    views_per_good: int = 3
    versions_per_good: int = 2
    min_visited: int = 30
    max_good_share: float = 0.02
    min_key_share: float = 0.25
    min_pages: int = 10
    max_dull_share: float = 0.25

    def families(self, shape: UrlShape) -> Iterator[Family]:
        """Yield the families that a URL belongs to."""
        exhausted, facets = TrapReason.PATTERN_EXHAUSTED, TrapReason.FACETS
        per_good, per_view = self.pages_per_good, self.views_per_good
        if shape.date is not None:
            key, day = f"calendar {shape.pattern}", repr(shape.date)
            yield Family(TrapReason.CALENDAR, key, day, self.max_dates, per_good)
        if shape.session:
            yield Family(
                exhausted,
                f"session {shape.session}",
                shape.url,
                self.max_versions,
                self.versions_per_good,
                page=shape.page,
                is_sure=shape.is_named,
            )
        if len(shape.parameters) > 1:
            key, values = f"facets {shape.path_pattern}", repr(shape.parameters)
            limit, pairs = self.max_facets, shape.parameters
            yield Family(facets, key, values, limit, per_view, parameters=pairs)
        if shape.combination:
            key, limit = f"words {shape.combination}", self.max_facets
            pairs = tuple(("", word) for word in shape.words)
            yield Family(facets, key, shape.url, limit, per_view, parameters=pairs)
        if shape.is_varied:
            key, limit = shape.pattern, self.max_unproven
            yield Family(exhausted, key, shape.url, limit, per_good)

    def copies(self, shape: UrlShape, *, is_proven: bool) -> Iterator[Family]:
        """Yield the families of a URL that a page without new text links to.

        They are that of its section and, unless the section has proved good, its host's.
        """
        reason, limit, url = TrapReason.COPIES, self.max_copies, shape.url
        key, per_good = f"copies {shape.section}", self.views_per_good
        yield Family(reason, key, url, limit, per_good)
        if not is_proven:
            key, limit = f"copies {shape.host}", limit * self.max_sections
            yield Family(reason, key, url, limit, per_good)

    def is_spent(self, family: Family, tally: Tally) -> bool:
        """Return whether no new member of a family may pass."""
        if family.parameters and self._has_key(tally):
            return False
        if family.page and family.page not in tally.pages:
            return False
        if not family.is_sure and not self._are_versions(tally):
            return False
        found = tally.good + tally.led
        is_judged = tally.visited >= self.min_visited
        if is_judged and found <= self.max_good_share * tally.visited:
            return True
        used = len(tally.members) - len(tally.pages)
        if used < family.limit + family.per_good * tally.good + tally.led:
            return False
        return not tally.members.is_exact or family.member not in tally.members

    def _are_versions(self, tally: Tally) -> bool:
        """Return whether tokens under a name of no session make versions of pages."""
        is_dull = tally.good <= tally.visited * self.max_dull_share
        is_told = 2 * tally.visited >= self.min_pages and is_dull
        return is_told or len(tally.pages) >= self.min_pages

    def _has_key(self, tally: Tally) -> bool:
        """Return whether one of the parameters of a path identifies its pages."""
        counts = (
            len(values)
            for name, values in tally.values.items()
            if name not in PAGING_PARAMETERS
        )
        most = max(counts, default=0)
        return most >= self.min_key_share * len(tally.members)
