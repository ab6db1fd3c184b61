"""Dates with the name of a month, in the words of a page's language (CLDR)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import date
from functools import lru_cache

from ilspfc.text.codes import find_locale

_OTHER_DIGIT_RE = re.compile(r"[^\D0-9]")
_YEAR_RE = re.compile(r"\d{4}")
_NUMBER_RE = re.compile(r"\d+")
# In "15. 3. 2014".
_SPACE_RE = re.compile(r"(?<=\d\.) (?=\d)")
# A month is one character here, whatever its name: "3月" and "tháng 3" have digits.
_MONTHS = 0xE000
# Words between the parts are short: "3 d'octubre del 2019", "2019. gada 3. oktobris".
_PART_RE = re.compile(r"[\ue001-\ue00c]|\d+|[^\W\d\ue001-\ue00c]{5,}")
_DAY_DIGITS = 2
# Years in Thai are 543 more.
_BUDDHIST_ERA = 543
_LAST_YEAR = 2400


def write_in_numbers(text: str, lang: str) -> str:
    """Return the first date of a text whose month is a word, in ISO 8601, else the text.

    Digits of other scripts are those of ASCII in it. ``lang`` is the code of the language.

    >>> write_in_numbers("Publicado el 3 de octubre de 2019 a las 12:30", "es")
    '2019-10-03'
    >>> write_in_numbers("१५ मार्च २०१४", "hi"), write_in_numbers("vor 3 Tagen", "de")
    ('2014-03-15', 'vor 3 Tagen')
    """
    text = _OTHER_DIGIT_RE.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)
    if not _YEAR_RE.search(text):
        return text
    name_re, numbers = _read_names(lang)
    coded = name_re.sub(
        lambda name: chr(_MONTHS + numbers[name[1] or name[2]]), _spread(text)
    )
    parts = _PART_RE.findall(coded)
    dates = map(_read, zip(parts, parts[1:], parts[2:], strict=False))
    return next(filter(None, dates), _SPACE_RE.sub("", text))


def _spread(text: str) -> str:
    """Return a text in lower case with spaces for full stops and around numbers."""
    return " ".join(
        _NUMBER_RE.sub(r" \g<0> ", text.casefold().replace(".", " ")).split()
    )


@lru_cache(maxsize=64)
def _read_names(lang: str) -> tuple[re.Pattern[str], dict[str, int]]:
    """Return an expression for the names of months, and the number of each."""
    locale = find_locale(lang)
    styles = locale.months.values() if locale is not None else ()
    wide, short = (
        {
            _spread(name): number
            for style in styles
            for number, name in style[width].items()
            if not name.isdigit()
        }
        for width in ("wide", "abbreviated")
    )
    # Names have endings in some languages, and a preposition before them in Hebrew.
    name_re = rf"(?<!\w)ב?(?:({_any_of(wide)})[^\W\d]{{0,4}}|({_any_of(short)}))(?!\w)"
    return re.compile(name_re), short | wide


def _any_of(names: Iterable[str]) -> str:
    """Return an expression for any of the names, the longest first; of none, for nothing."""
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True))) or "(?!)"


def _read(parts: Iterable[str]) -> str:
    """Return a date in ISO 8601 if the parts are a day, a month and a year, in any order."""
    year = month = day = 0
    for part in parts:
        if not part.isdigit():
            month = ord(part[0]) - _MONTHS
        elif len(part) > _DAY_DIGITS:
            year = int(part)
        else:
            day = int(part)
    try:
        return f"{date(year - _BUDDHIST_ERA * (year > _LAST_YEAR), month, day)}"
    except (ValueError, OverflowError):
        return ""
