"""Date of publication, by htmldate on the few elements that may hold it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import islice

from lxml import etree, html
from lxml.etree import _Element as Element

from ilspfc.cleaning.encoding.decoding import normalize
from ilspfc.cleaning.metadata.months import write_in_numbers

_ISO_DATE_RE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?=$|[T\s])", re.ASCII)
_NUMBERS_RE = re.compile(r"(?<!\d)(\d{1,4})[-./](\d\d?)[-./](\d{1,4})(?!\d)", re.ASCII)
# What an empty field of a database is printed as: MinValue of .NET, and the Unix epoch.
_NO_DATES = frozenset({"0001-01-01", "1970-01-01"})
# Zones are up to 14 hours ahead.
_AHEAD = timedelta(hours=14)
# Elements that htmldate looks at in its fast mode; it would copy the whole tree for them.
_DATED_TAGS = ("time", "abbr", "span", "p", "div", "small", "li", "td")
_DATED_RE = re.compile(r"(?:\b|_)[dD]ate|Date|time(?!r|line)|publish|byline|posted")
# Each date has a year, is written with three numbers, or is a timestamp.
_MAYBE_DATE_RE = re.compile(r"(?:19|20)\d\d|\d\s?[./-]\s?\d{1,2}\s?[./-]\s?\d|\d{9}")
_COPIED_TAGS = ("time", "abbr", "span", "p", "h1")
_COPIED_ATTRIBUTES = (
    "class id itemprop datetime pubdate title content data-utime".split()
)
# The number at the beginning of a title, behind folders of the year and the month.
_NUMBERED_TITLE_RE = re.compile(r"/\d{4}/\d\d?/\d\d?[^\d/.?#&]", re.ASCII)
# What readers add to a page, as items within its own (schema.org).
_REPLIES = frozenset({"comment", "acceptedAnswer", "suggestedAnswer", "review"})
_MAX_ELEMENTS = 40
_MAX_CHARS = 200


def iso_date(text: str) -> str:
    """Return the date that a text in ISO 8601 begins with, else an empty string.

    It is empty, too, for a day that is in no calendar, that is still to come, or that
    stands for none.

    >>> iso_date("2026-03-01T10:00:00Z"), iso_date("2026-03"), iso_date("1. März 2026")
    ('2026-03-01', '2026-03', '')
    >>> iso_date("2021-13-45"), iso_date("0000-00-00")
    ('', '')
    """
    match = _ISO_DATE_RE.match(text.strip())
    if match is None or match[0] in _NO_DATES:
        return ""
    begins = _read_day(*(int(part or 1) for part in match.groups()))
    return match[0] if begins and begins <= datetime.now(UTC) + _AHEAD else ""


def _read_day(year: int, month: int, day: int) -> datetime | None:
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None


def is_impossible(text: str) -> bool:
    """Test whether a text has a date in numbers, and none that a calendar knows.

    >>> is_impossible("30.02.2015"), is_impossible("02/28/2015")
    (True, False)
    """
    dates = [tuple(map(int, found.groups())) for found in _NUMBERS_RE.finditer(text)]
    orders = [order for a, b, c in dates for order in ((a, b, c), (c, b, a), (c, a, b))]
    return bool(orders) and not any(_read_day(*order) for order in orders)


def is_in_reply(element: etree._Element) -> bool:
    """Test whether an item of microdata is that of a comment, an answer or a review."""
    return any(one.get("itemprop") in _REPLIES for one in element.iterancestors())


def find_published(
    root: Element, metas: Iterable[tuple[str, str]], url: str, lang: str
) -> str:
    """Return the date of a page as htmldate finds it, YYYY-MM-DD, or an empty string.

    It is shown the meta elements (name and content), the times and the elements with names
    that speak of dates, without their surroundings, and the URL, which counts last. The
    text of the page is not searched: that costs more than all the cleaning, and guesses.
    ``lang`` is the declared code of the language that months have their names in.
    """
    tree = html.html_parser.makeelement("html")
    head, body = etree.SubElement(tree, "head"), etree.SubElement(tree, "body")
    for name, content in metas:
        given = {"property": name, "content": _in_numbers(content, lang)}
        etree.SubElement(head, "meta", given)
    for element in islice(_iter_dated(root), _MAX_ELEMENTS):
        _copy(element, body, lang)
    if not _MAYBE_DATE_RE.search(f"{etree.tostring(tree, encoding='unicode')}{url}"):
        return ""
    # Many pages have none, and it takes a tenth of a second to load.
    from htmldate import find_date  # noqa: PLC0415

    try:
        found: str | None = find_date(
            tree,
            extensive_search=False,
            original_date=True,
            url=None if _NUMBERED_TITLE_RE.search(url) else url,
            deferred_url_extractor=True,
        )
    except (ValueError, OverflowError):  # what was no date has been taken for one
        return ""
    return found or ""


def _iter_dated(root: Element) -> Iterator[etree._Element]:
    for element in root.iter(*_DATED_TAGS):
        names = _names_of(element)
        if (
            element.tag in {"time", "abbr"}
            or (names and _is_dated(names))
            or (element.get("itemprop") == "datePublished" and not is_in_reply(element))
        ):
            yield element


def _names_of(element: etree._Element) -> str | None:
    """Return the class names of an element; the only item of a list has those of the list."""
    names, around = element.get("class"), element.getparent()
    if names or element.tag != "li" or around is None or len(around) > 1:
        return names
    return around.get("class")


@lru_cache(maxsize=8192)
def _is_dated(names: str) -> bool:
    return len(names) < _MAX_CHARS and _DATED_RE.search(names) is not None


def _copy(element: etree._Element, body: etree._Element, lang: str) -> None:
    """Append a flat copy of an element, free of characters that XML forbids."""
    tag = element.tag if element.tag in _COPIED_TAGS else "div"
    copy = etree.SubElement(body, tag)
    for name in _COPIED_ATTRIBUTES:
        value = _names_of(element) if name == "class" else element.get(name)
        value = (value or "")[:_MAX_CHARS]
        if value and not is_impossible(value):
            copy.set(name, normalize(value))
    text = _in_numbers(_beginning(element), lang)
    copy.text = None if is_impossible(text) else normalize(text)


def _in_numbers(text: str, lang: str) -> str:
    """Return a text with its date in numbers, if its months may be new to htmldate."""
    return text if lang.lower().startswith("en") else write_in_numbers(text, lang)


def _beginning(element: etree._Element) -> str:
    """Return the first characters of an element's text."""
    parts: list[str] = []
    chars = 0
    for part in map(str, element.itertext()):
        parts.append(part)
        chars += len(part)
        if chars >= _MAX_CHARS:
            break
    return " ".join(" ".join(parts).split())[:_MAX_CHARS]
