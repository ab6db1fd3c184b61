"""Crawler traps: URLs of which a site makes endlessly many, with nothing new behind them."""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import TYPE_CHECKING

from ilspfc.frontier.reasons import TrapReason
from ilspfc.frontier.traps.families import Budgets, Family
from ilspfc.frontier.traps.tallies import Tally
from ilspfc.frontier.traps.url_patterns import UrlShape, read_shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

# A longer path is too deep anyway, and the search for runs is quadratic.
_MAX_SEARCHED_SEGMENTS = 64


class TrapDetector:
    """Says before a URL is queued whether it looks like a trap, and learns from visits.

    Some rules look at the URL alone: its length, depth, repeated segments, number of
    parameters (those of language left out) and dates far from ``today``. The others have
    a budget for each family of URLs, which grows with what the family gives: see
    :class:`~ilspfc.frontier.traps.families.Budgets`.

    A URL that has passed counts once, however often it is found, and while its family is
    small it passes again. The least recently seen of more than ``max_families`` families
    are forgotten; each takes at most 4 kB and, for facets, 1 kB a parameter. Results depend
    on the order of the calls alone.
    """

    def __init__(
        self,
        today: date,
        *,
        budgets: Budgets | None = None,
        max_url_chars: int = 2_000,
        max_segments: int = 16,
        min_repeats: int = 3,
        max_parameters: int = 8,
        max_years_ahead: int = 2,
        max_years_back: int = 100,
        max_families: int = 20_000,
    ) -> None:
        self._budgets = budgets or Budgets()
        self._years = today.year - max_years_back, today.year + max_years_ahead
        self._max_url_chars = max_url_chars
        self._max_segments = max_segments
        self._min_repeats = min_repeats
        self._max_parameters = max_parameters
        self._max_families = max_families
        self._tallies: OrderedDict[str, Tally] = OrderedDict()

    def check(self, url: str, *, is_from_copy: bool = False) -> TrapReason | None:
        """Return why a URL is not to be queued, or None and count it as queued.

        To be called for a URL that is not queued yet; one that was refused may come again
        when its family has proved good. ``is_from_copy`` says that the page that links to
        it had no new text. Raises ValueError for what is no URL with a host.
        """
        if len(url) > self._max_url_chars:
            return TrapReason.TOO_LONG
        shape = read_shape(url)
        if (reason := self._check_shape(shape)) is not None:
            return reason
        families = list(self._budgets.families(shape))
        if is_from_copy:
            families += self._copies(shape)
        for family in families:
            is_known = family.key in self._tallies
            if is_known and self._budgets.is_spent(family, self._tally(family)):
                return family.reason
        for family in families:
            tally = self._tally(family)
            tally.add(family.member, family.page, family.parameters)
        return None

    def record(
        self, url: str, *, is_new_text: bool, is_kept: bool, referrer: str = ""
    ) -> None:
        """Learn from a visit: whether its text was new to the crawl, and was kept.

        A URL that could not be fetched is a visit that gave neither. ``referrer`` is the
        page that the URL was found on: a good page speaks for that, too.
        """
        if len(url) > self._max_url_chars:
            return
        shape, is_good = read_shape(url), is_new_text and is_kept
        families = list(self._budgets.families(shape))
        for family in families:
            tally = self._tally(family)
            tally.visited += 1
            tally.good += is_good
        if not is_good:
            return
        for tally in self._known(self._copies(shape)):
            tally.good += url in tally.members
        self.credit(url)
        if referrer and len(referrer) <= self._max_url_chars:
            own = {family.key for family in families}
            source = read_shape(referrer)
            led = (f for f in self._budgets.families(source) if f.key not in own)
            for tally in self._known(led):
                tally.led += 1
            for tally in self._known(self._copies(source)):
                tally.led += referrer in tally.members

    def credit(self, url: str) -> None:
        """Learn that a page had new text, kept or not: that speaks for its section."""
        if len(url) <= self._max_url_chars:
            section, *_ = self._budgets.copies(read_shape(url), is_proven=True)
            self._tally(section).led += 1

    def _copies(self, shape: UrlShape) -> list[Family]:
        """Return the families of a URL that a page without new text links to."""
        tally = self._tallies.get(f"copies {shape.section}")
        is_proven = tally is not None and tally.good + tally.led > 0
        return list(self._budgets.copies(shape, is_proven=is_proven))

    def _known(self, families: Iterable[Family]) -> list[Tally]:
        """Return the tallies of those families that have one."""
        return [self._tallies[f.key] for f in families if f.key in self._tallies]

    def _tally(self, family: Family) -> Tally:
        """Return the tally of a family, which is the most recently seen one now."""
        tally = self._tallies.get(family.key)
        if tally is None:
            tally = Tally()
            self._tallies[family.key] = tally
            if len(self._tallies) > self._max_families:
                self._tallies.popitem(last=False)
        self._tallies.move_to_end(family.key)
        return tally

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


def has_repeats(segments: Sequence[str], min_repeats: int) -> bool:
    """Return whether a path repeats itself, as relative links in the wrong place make it.

    That is a segment that comes ``min_repeats`` times anywhere, or a run of segments that
    comes so often in a row. Numbers, and single characters that are not in a row, may.

    >>> has_repeats(["en", "a", "b", "a", "b", "a", "b"], 3), has_repeats(["1", "1", "1"], 3)
    (True, False)
    """
    names = [segment.lower() for segment in segments[:_MAX_SEARCHED_SEGMENTS]]
    if len(set(names)) == len(names):
        return False
    counts = Counter(name for name in names if len(name) > 1 and not name.isdecimal())
    if any(count >= min_repeats for count in counts.values()):
        return True
    for size in range(1, len(names) // min_repeats + 1):
        streak = 0
        for end in range(size, len(names)):
            streak = streak + 1 if names[end] == names[end - size] else 0
            is_run = streak >= size * (min_repeats - 1)
            if is_run and not all(map(str.isdecimal, names[end - size + 1 : end + 1])):
                return True
    return False
