"""Trap detection: rules for the form of URLs, and a budget for each URL pattern."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from ilspfc.frontier.reasons import TrapReason
from ilspfc.frontier.traps.url_patterns import (
    JOINT_RE,
    OPAQUE,
    PAGING_PARAMETERS,
    UrlShape,
    read_shape,
)

MAX_URL_CHARS = 2_000
MAX_SEGMENTS = 16
MIN_REPEATS = 3
MAX_PARAMETERS = 8
MAX_YEARS_AHEAD = 2
MAX_YEARS_BACK = 100
# The least recently seen of more patterns are forgotten.
MAX_PATTERNS = 20_000
# Members of a pattern that are remembered; further ones are only counted.
_MAX_MEMBERS = 1_000
# Visits after which a pattern is judged by its yield, and the yield of a trap.
_MIN_VISITED = 30
_MAX_TRAP_YIELD = 0.02
# Share of the combinations of parameters in which an ID has a value of its own.
_MIN_ID_SHARE = 0.25
# A longer path is too deep anyway, and the search for runs is quadratic.
_MAX_SEARCHED_SEGMENTS = 64


@dataclass(frozen=True, slots=True)
class Pattern:
    """URLs of the same form on one host, which share a budget.

    ``member`` identifies a URL among them. ``limit`` members may pass before any page was
    good, ``per_good`` more for each good page. Of versions of one ``page`` (by session) the
    first costs nothing. ``parameters`` are those of combinations (facets).
    """

    reason: TrapReason
    key: str
    member: str
    limit: float
    per_good: int
    page: str = ""
    parameters: tuple[tuple[str, str], ...] = ()


def url_patterns(shape: UrlShape) -> Iterator[Pattern]:
    """Yield the patterns that a URL belongs to."""
    exhausted, url = TrapReason.PATTERN_EXHAUSTED, shape.url
    if shape.date is not None:
        key, day = f"calendar {shape.pattern}", repr(shape.date)
        yield Pattern(TrapReason.CALENDAR, key, day, 30, 20)
    if shape.session:
        key, page = f"session {shape.session}", shape.page
        yield Pattern(exhausted, key, url, 20, 2, page=page)
    if len(pairs := shape.parameters) > 1:
        key = f"facets {shape.path_pattern}"
        yield Pattern(TrapReason.FACETS, key, repr(pairs), 20, 3, parameters=pairs)
    for index, segment in enumerate(shape.segments):
        words = tuple(("", word) for word in JOINT_RE.split(segment) if word)
        if len(words) > 1:
            key = f"words {'/'.join([shape.host, *shape.segments[:index]])}"
            yield Pattern(TrapReason.FACETS, key, url, 20, 3, parameters=words)
            break
    if shape.is_varied:
        # Opaque tokens may be sessions; numbers mostly identify pages.
        limit = 40 if OPAQUE in shape.pattern else math.inf
        yield Pattern(exhausted, shape.pattern, url, limit, 20)


def copy_patterns(shape: UrlShape) -> tuple[Pattern, Pattern]:
    """Return section and host of a URL found on a page without new text, as patterns."""
    section, host = f"copies {shape.section}", f"copies {shape.host}"
    return (
        Pattern(TrapReason.COPIES, section, shape.url, 10, 3),
        Pattern(TrapReason.COPIES, host, shape.url, 200, 3),
    )


@dataclass(slots=True)
class _Budget:
    """Members of a pattern that have passed, and the yield of visits.

    ``found`` counts good pages, members and pages found on members; ``extra`` is the number
    of members that they let pass beyond the limit.
    """

    passed: int = 0
    visited: int = 0
    found: int = 0
    extra: int = 0
    members: set[int] = field(default_factory=set)
    pages: set[int] = field(default_factory=set)
    values: dict[str, set[int]] = field(default_factory=dict)

    def __contains__(self, member: str) -> bool:
        return hash(member) in self.members

    def take(self, pattern: Pattern) -> None:
        """Count a member that passes, once."""
        if pattern.member in self:
            return
        self.passed += 1
        if pattern.page:
            self.pages.add(hash(pattern.page))
        if len(self.members) < _MAX_MEMBERS:
            self.members.add(hash(pattern.member))
            for name, value in pattern.parameters:
                self.values.setdefault(name, set()).add(hash(value))

    def reward(self, extra: int) -> None:
        """Count a good page, for which ``extra`` further members may pass."""
        self.found += 1
        self.extra += extra

    def is_spent(self, pattern: Pattern) -> bool:
        """Test whether no new member may pass."""
        if pattern.parameters and self._has_id():
            return False
        if pattern.page and hash(pattern.page) not in self.pages:
            return False
        is_judged = self.visited >= _MIN_VISITED
        if is_judged and self.found <= _MAX_TRAP_YIELD * self.visited:
            return True
        is_over = self.passed - len(self.pages) >= pattern.limit + self.extra
        return is_over and pattern.member not in self

    def _has_id(self) -> bool:
        """Test whether one of the parameters identifies a page."""
        counts = (
            len(values)
            for name, values in self.values.items()
            if name not in PAGING_PARAMETERS
        )
        return max(counts, default=0) >= _MIN_ID_SHARE * len(self.members)


class TrapDetector:
    """Detects traps before URLs are queued, and learns from visits.

    Some rules look at the URL alone: its length, depth, repeated segments, number of
    parameters (those of language left out) and dates far from ``today``. Beyond these each
    URL pattern has a budget that grows with its yield of good pages: kept pages with new
    text. Of a pattern whose yield stays at 2 % after 30 visits nothing more passes until
    queued URLs give good pages.

    A URL that has passed counts once, however often it is found. Results depend on the
    order of the calls alone.
    """

    def __init__(self, today: date) -> None:
        self._years = today.year - MAX_YEARS_BACK, today.year + MAX_YEARS_AHEAD
        self._budgets: OrderedDict[str, _Budget] = OrderedDict()

    def check(self, url: str, *, is_from_copy: bool = False) -> TrapReason | None:
        """Return the reason against queuing a URL, or None and count it as queued.

        To be called for URLs that are not queued yet; a refused URL may be checked again
        when its pattern has given good pages. ``is_from_copy``: the page that links to the
        URL had no new text. Raises ValueError for what is no URL with a host.
        """
        if len(url) > MAX_URL_CHARS:
            return TrapReason.TOO_LONG
        shape = read_shape(url)
        if (reason := self._check_shape(shape)) is not None:
            return reason
        patterns = [*url_patterns(shape), *(copy_patterns(shape) * is_from_copy)]
        for pattern in patterns:
            budget = self._budgets.get(pattern.key)
            if budget is not None and budget.is_spent(pattern):
                self._budgets.move_to_end(pattern.key)
                return pattern.reason
        for pattern in patterns:
            self._budget(pattern).take(pattern)
        return None

    def record(self, url: str, *, is_good: bool, referrer: str = "") -> None:
        """Learn whether a visit gave a kept page with new text.

        A good page also speaks for the patterns of the page that links to it, its
        ``referrer``.
        """
        if len(url) > MAX_URL_CHARS:
            return
        shape = read_shape(url)
        patterns = list(url_patterns(shape))
        for pattern in patterns:
            budget = self._budget(pattern)
            budget.visited += 1
            if is_good:
                budget.reward(pattern.per_good)
        if not is_good:
            return
        for pattern, budget in self._copies_passed(shape):
            budget.reward(pattern.per_good)
        self.record_new_text(url)
        if referrer and len(referrer) <= MAX_URL_CHARS:
            own = {pattern.key for pattern in patterns}
            source = read_shape(referrer)
            for pattern in url_patterns(source):
                if pattern.key in self._budgets and pattern.key not in own:
                    self._budgets[pattern.key].reward(1)
            for _, budget in self._copies_passed(source):
                budget.reward(1)

    def record_new_text(self, url: str) -> None:
        """Learn that a page had new text, kept or not: that speaks for its section."""
        if len(url) <= MAX_URL_CHARS:
            for pattern in copy_patterns(read_shape(url)):
                self._budget(pattern).reward(1)

    def allow_another(self, url: str) -> None:
        """Let one more URL like this one pass: its page had new text that was not kept.

        So no site is lost of which the pages in other languages are met first. Calendars and
        facets keep their bounds: they can make new text without end.
        """
        if len(url) <= MAX_URL_CHARS:
            for pattern in url_patterns(read_shape(url)):
                if pattern.reason is TrapReason.PATTERN_EXHAUSTED:
                    self._budget(pattern).extra += 1

    def _copies_passed(self, shape: UrlShape) -> list[tuple[Pattern, _Budget]]:
        """Return the budgets from which a link of a page without new text was paid."""
        known = (
            (pattern, self._budgets[pattern.key])
            for pattern in copy_patterns(shape)
            if pattern.key in self._budgets
        )
        return [pair for pair in known if shape.url in pair[1]]

    def _budget(self, pattern: Pattern) -> _Budget:
        """Return the budget of a pattern, from now on the most recently seen one."""
        budget = self._budgets.get(pattern.key)
        if budget is None:
            budget = self._budgets[pattern.key] = _Budget()
            if len(self._budgets) > MAX_PATTERNS:
                self._budgets.popitem(last=False)
        self._budgets.move_to_end(pattern.key)
        return budget

    def _check_shape(self, shape: UrlShape) -> TrapReason | None:
        """Return the rule that the form of a URL breaks."""
        if has_repeats(shape.segments):
            return TrapReason.REPEATING_PATH
        if shape.depth > MAX_SEGMENTS:
            return TrapReason.TOO_DEEP_PATH
        if len(shape.parameters) > MAX_PARAMETERS:
            return TrapReason.TOO_MANY_PARAMETERS
        # A year alone may be a subject, unless the URL names a calendar.
        if shape.date is not None and (shape.date.month or shape.is_calendar):
            first, last = self._years
            if not first <= shape.date.year <= last:
                return TrapReason.CALENDAR
        return None


def has_repeats(segments: Sequence[str], min_repeats: int = MIN_REPEATS) -> bool:
    """Test whether a path repeats itself, as misplaced relative links make it.

    Repeated is a segment that occurs ``min_repeats`` times anywhere, or a run of segments
    that occurs so often in a row. Numbers, and single characters not in a row, may repeat.

    >>> has_repeats(["en", "a", "b", "a", "b", "a", "b"]), has_repeats(["1", "1", "1"])
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
