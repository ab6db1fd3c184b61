"""Formats of numbers, shares and times for readers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

DASH = "\N{EN DASH}"


def count_noun(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun in singular or plural.

    >>> count_noun(1, "page"), count_noun(1200, "page"), count_noun(0, "entry", "entries")
    ('1 page', '1,200 pages', '0 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def largest_first(counts: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return names and counts by falling count, equal counts by name.

    >>> largest_first([("b", 1), ("a", 1), ("c", 2)])
    [('c', 2), ('a', 1), ('b', 1)]
    """
    return sorted(counts, key=lambda item: (-item[1], item[0]))


def format_share(part: float, whole: float) -> str:
    """Return a share in percent, a dash without a whole; only 0 and all show as 0% and 100%.

    >>> format_share(1, 8), format_share(1, 10_000), format_share(9_999, 10_000)
    ('12.5%', '<0.1%', '>99.9%')
    >>> format_share(3, 3), format_share(0, 3), format_share(0, 0)
    ('100%', '0%', '–')
    """
    if whole <= 0:
        return DASH
    if part in {0, whole}:
        return "0%" if part == 0 else "100%"
    percent = 100 * part / whole
    if percent < 0.1:
        return "<0.1%"
    return ">99.9%" if 99.9 < percent < 100 else f"{percent:.1f}%"


def format_score(score: float) -> str:
    """Return a score in [0, 1], rounded to two digits, or to three near 1; only 1 shows as 1.00.

    >>> format_score(0.9888), format_score(1.0), format_score(0.29)
    ('0.99', '1.00', '0.29')
    >>> format_score(0.9963), format_score(0.9997)
    ('0.996', '>0.999')
    """
    if 0.995 <= score < 1:
        return f"{score:.3f}" if score < 0.9995 else ">0.999"
    return f"{score:.2f}"


def parse_time(timestamp: str) -> datetime | None:
    """Return an ISO 8601 time in UTC, ``None`` for another text.

    A time without a zone is taken as UTC.
    """
    try:
        moment = datetime.fromisoformat(timestamp)
    except ValueError:
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)


def format_time(timestamp: str) -> str:
    """Return an ISO 8601 time for readers; another text stays as it is.

    >>> format_time("2026-03-01T09:05:59Z"), format_time("yesterday")
    ('2026-03-01 09:05 UTC', 'yesterday')
    """
    moment = parse_time(timestamp)
    return f"{moment:%Y-%m-%d %H:%M} UTC" if moment else timestamp


def elapsed_seconds(started: str, finished: str) -> int:
    """Return the seconds between two ISO 8601 times.

    The result is 0 for texts that are no times and for times in the wrong order.
    """
    start, end = parse_time(started), parse_time(finished)
    return max(0, int((end - start).total_seconds())) if start and end else 0


def format_duration(seconds: int) -> str:
    """Return a duration in its two largest units.

    >>> [format_duration(n) for n in (42, 65, 3600, 8040, 273_600)]
    ['42 s', '1 min 5 s', '1 h', '2 h 14 min', '3 d 4 h']
    """
    parts: list[str] = []
    rest = seconds
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")):
        number, rest = divmod(rest, size)
        if number or (not parts and unit == "s"):
            parts.append(f"{number} {unit}")
        elif parts:
            break
    return " ".join(parts[:2])


def clip(text: str, width: int) -> str:
    """Return a text truncated to a number of characters, the last one an ellipsis.

    >>> clip("translation", 6), clip("unit", 6)
    ('trans…', 'unit')
    """
    return text if len(text) <= width else text[: max(0, width - 1)].rstrip() + "…"


def align_numbers(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows in columns: the first to the left, numbers to the right.

    >>> list(align_numbers([["", "kept"], ["pages", "7"]]))
    ['       kept', 'pages     7']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *cells in rows:
        right = (c.rjust(w) for c, w in zip(cells, widths[1:], strict=True))
        yield "  ".join([name.ljust(widths[0]), *right]).rstrip()
