"""Dates in URLs: those of calendar pages, not those of articles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import unquote

EXTENSION_RE = re.compile(r"\.[a-z]{2,5}$")

_DATE_PARTS = {
    "year": frozenset("year yr yyyy jahr anno annee année año ano rok jaar y".split()),
    "month": frozenset("month mon monat mese mois mes mesec maand m".split()),
    "day": frozenset("day tag giorno jour dia dag den d".split()),
}
_CALENDAR_WORDS = frozenset("date datum data fecha dato".split()).union(
    *_DATE_PARTS.values()
)
_CALENDAR_RE = re.compile(
    r"[ck]alend|(?<![a-z])(?:agenda|events?|eventi|eventos?|[eé]v[eé]nements?|jevents"
    r"|veranstaltungen|termine|appuntamenti|whats-?on|naptar|takvim)(?![a-z])"
)
# Names of views that may follow the date in the path of a calendar.
_VIEW_RE = re.compile(
    r"\d{0,3}|-|day|week|month|year|list|grid|agenda|today|print|feed|page|ical|index"
)
# Dates anywhere, and dates only in calendars, because numbers of pages and products look
# like them.
_DATE_RES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<y>[1-9]\d{3})[-_.](?P<m>0[1-9]|1[0-2])(?:[-_.](?P<d>[0-2]\d|3[01])(?:t.*)?)?",
        r"(?P<y>[1-9]\d{3})/(?P<m>0[1-9]|1[0-2])/(?P<d>[0-2]\d|3[01])",
        r"(?P<d>[0-2]\d|3[01])[-.](?P<m>0[1-9]|1[0-2])[-.](?P<y>[1-9]\d{3})",
    )
)
_CALENDAR_DATE_RES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<y>(?:19|20|21)\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>[0-2]\d|3[01])?",
        r"(?P<y>(?:19|20|21)\d\d)[-_./](?P<m>0?[1-9]|1[0-2])(?:[-_./](?P<d>[0-2]?\d|3[01]))?",
        r"(?P<d>[0-2]?\d|3[01])[-_./](?P<m>0?[1-9]|1[0-2])[-_./](?P<y>(?:19|20|21)\d\d)",
    )
)
_YEAR_RE = re.compile(r"[1-9]\d{3}")
_SHORT_NUMBER_RE = re.compile(r"[0-9]{1,4}")
_MIN_YEAR = 1000
# Number of segments and parameters that are searched for a date.
_MAX_SEARCHED = 32
_LANGUAGE_SEGMENT_RE = re.compile(r"[a-z]{2,3}(?:[-_][a-z]{2,4})?")


class Date(NamedTuple):
    """Date in a URL; month and day are 0 if missing."""

    year: int
    month: int = 0
    day: int = 0


def means_calendar(path: str) -> bool:
    """Test whether words in a path name a calendar.

    >>> means_calendar("/it/eventi/2024/05"), means_calendar("/prevention/2024/05")
    (True, False)
    """
    return _CALENDAR_RE.search(unquote(path).lower()) is not None


def find_path_date(
    segments: Sequence[str], *, is_calendar: bool
) -> tuple[int, int, Date | None]:
    """Return start and end of the segments of a date that ends a path, and the date."""
    if not any(map(_YEAR_RE.search, segments)):
        return 0, 0, None
    for size in (3, 2, 1):
        for start in range(min(len(segments) - size + 1, _MAX_SEARCHED)):
            end = start + size
            text = "/".join(segments[start:end])
            # Archives by month stand at the root of a site or of its language.
            is_first = start == 0 or (
                start == 1 and _LANGUAGE_SEGMENT_RE.fullmatch(segments[0]) is not None
            )
            is_vague = is_calendar or (is_first and size > 1)
            date = _parse_date(EXTENSION_RE.sub("", text), is_calendar=is_vague)
            if date is not None:
                is_last = all(map(_is_view, segments[end:]))
                return (start, end, date) if is_last else (0, 0, None)
    return 0, 0, None


def _is_view(segment: str) -> bool:
    return _VIEW_RE.fullmatch(EXTENSION_RE.sub("", segment.lower())) is not None


def find_query_date(
    parameters: Sequence[tuple[str, str]], *, is_calendar: bool
) -> tuple[Date | None, frozenset[str]]:
    """Return the date in parameters, and the names of these."""
    numbers: dict[str, tuple[str, int]] = {}
    for name, value in parameters[:_MAX_SEARCHED]:
        # "tx_cal[year]" is called year.
        word = re.split(r"[\W_]+", name.strip("[]_ "))[-1]
        is_named = word in _CALENDAR_WORDS
        date = _parse_date(value.lower(), is_calendar=is_calendar or is_named)
        if date is not None:
            return date, frozenset({name})
        if is_named and _SHORT_NUMBER_RE.fullmatch(value):
            for part, words in _DATE_PARTS.items():
                if word in words:
                    numbers[part] = name, int(value)
    if numbers.get("year", ("", 0))[1] < _MIN_YEAR:
        return None, frozenset()
    date = Date(*(numbers.get(part, ("", 0))[1] for part in _DATE_PARTS))
    return date, frozenset(name for name, _ in numbers.values())


def _parse_date(text: str, *, is_calendar: bool) -> Date | None:
    patterns = _DATE_RES + _CALENDAR_DATE_RES if is_calendar else _DATE_RES
    for pattern in patterns:
        if (match := pattern.fullmatch(text)) is not None:
            return Date(int(match["y"]), int(match["m"]), int(match["d"] or 0))
    return None
