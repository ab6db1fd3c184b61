"""What of a URL varies from page to page: numbers, opaque tokens, dates, parameters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from ilspfc.frontier.traps.url_dates import (
    EXTENSION_RE,
    Date,
    find_path_date,
    find_query_date,
    means_calendar,
)
from ilspfc.web.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Sequence

# Parameters that choose a language or a country; they never make a page one of many views.
LANGUAGE_PARAMETERS = frozenset(
    "lang language lng langid lang_id langcode languageid language_id locale l ln hl"
    " ui_lang uilang uselang setlang setlanguage sprache langue lingua idioma jezik jazyk"
    " lc country region land".split()
)
PAGING_PARAMETERS = frozenset(
    "page paged p pg pageno page_no pagenumber start offset from skip limit per_page"
    " perpage seite pagina pag strana stran".split()
)
# Names that a session or a cache breaker goes by, when the value is an opaque token.
_SESSION_RE = re.compile(
    r"s|sid|ses|sess|\w*session\w*|\w*sess_?id|\w*csid|\w*token|csrf\w*|nonce|ticket|hash"
    r"|cid|uid|zenid|visit\w*|rnd|rand|random|ts|timestamp|no_?cache|_"
)

_LANGUAGE_RE = re.compile(r"[a-z]{2}(?:[-_][a-z]{2,4})?", re.IGNORECASE)

_DIGITS_RE = re.compile(r"\d+")
# A name with its page's number before or behind it.
_NUMBERED_RE = re.compile(r"\d+[:_-][^\d].*")
_NAMED_RE = re.compile(r".*[^\d_-][_-]\d{5,}")
_UUID_RE = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HEX_RE = re.compile(r"(?=.*\d)(?=.*[a-f])[0-9a-f]{8,}", re.IGNORECASE)
_MIXED_RE = re.compile(r"[0-9a-z]{10,}={0,2}", re.IGNORECASE)
_SWITCH_RE = re.compile(r"\d[a-z]|[a-z]\d", re.IGNORECASE)
_MIN_SWITCHES = 3
_LONG_NUMBER_RE = re.compile(r"\d{8,}")
# What joins words in a path, also as it is escaped.
_JOINT_RE = re.compile(r"[+,;|~]|%(?:2[bc]|3b|7[ce])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class UrlShape:
    """A URL taken apart.

    ``segments`` are those of the path, without the empty ones that ``depth`` counts too;
    ``parameters`` the query's by lower-cased name, in order, without those of languages
    and sessions. ``path_pattern`` and ``pattern`` (host included) have numbers, dates and
    opaque tokens masked. ``date`` is the one of a calendar page, not that of an article;
    ``is_calendar`` whether words say so. ``session`` names where an opaque token stands
    that may be no page's own, ``page`` is what the URL is without it; both are empty where
    there is none. ``is_named`` says that the token's name or place is that of a session.
    ``combination`` names where in the path several words are joined, ``words`` are these.
    """

    url: str
    segments: tuple[str, ...]
    depth: int
    parameters: tuple[tuple[str, str], ...]
    path_pattern: str
    pattern: str
    date: Date | None
    is_calendar: bool
    session: str
    page: str
    is_named: bool
    combination: str
    words: tuple[str, ...]

    @property
    def host(self) -> str:
        """The host, with the port where it is not the scheme's own."""
        return self.path_pattern.partition("/")[0]

    @property
    def section(self) -> str:
        """The host and what its path begins with, a language left out."""
        names = (name for name in self.segments if not _LANGUAGE_RE.fullmatch(name))
        return f"{self.host}/{mask(next(names, ''))}"

    @property
    def is_varied(self) -> bool:
        """Whether anything is masked, so that the pattern is not of this URL alone."""
        return "{" in self.pattern


@lru_cache(maxsize=4096)
def read_shape(url: str) -> UrlShape:
    """Return the shape of a URL. Raises ValueError for what is no URL with a host.

    >>> read_shape("http://a.org/shop/42?sort=up&id=7").pattern
    'a.org/shop/{n}?id={n}&sort=up'
    >>> read_shape("http://a.org/events/2031/05?lang=it").date
    Date(year=2031, month=5, day=0)
    >>> read_shape("http://a.org/2024/05/17/a-slug").date is None
    True
    """
    host = host_of(url)
    if not host:
        raise ValueError(f"{url!r} has no host")
    parts = urlsplit(url)
    segments = tuple(segment for segment in parts.path.split("/") if segment)
    pairs = _read_query(parts.query)
    parameters = tuple(pair for pair in pairs if _is_own(*pair))
    is_calendar = means_calendar(parts.path)
    start, end, path_date = find_path_date(segments, is_calendar=is_calendar)
    query_date, date_names = find_query_date(parameters, is_calendar=is_calendar)
    masked = [mask(segment) for segment in segments]
    session, page, is_named = _find_session(host, segments, masked, pairs)
    combination, words = _find_combination(host, segments)
    masked[start:end] = ["{date}"] if path_date else []
    path_pattern = "/".join([host, *masked])
    query = (
        f"{name}={'{date}' if name in date_names else mask(value)}"
        for name, value in pairs
    )
    return UrlShape(
        url=url,
        segments=segments,
        depth=len(parts.path.removesuffix("/").split("/")) - 1,
        parameters=parameters,
        path_pattern=path_pattern,
        pattern=f"{path_pattern}?{'&'.join(query)}",
        date=query_date or path_date,
        is_calendar=is_calendar,
        session=session,
        page=page,
        is_named=is_named,
        combination=combination,
        words=words,
    )


def _read_query(query: str) -> list[tuple[str, str]]:
    """Return the parameters of a query, sorted, their names in lower case."""
    pairs = parse_qsl(query, keep_blank_values=True)
    return sorted((name.lower(), value) for name, value in pairs)


def mask(token: str) -> str:
    """Return a path segment or a value with its numbers and opaque tokens masked.

    >>> [mask(token) for token in ("page12", "12-a-title", "5f3a9c21d0", "covid-19.html")]
    ['page{n}', '{n}-{slug}', '{x}', 'covid-{n}.html']
    """
    if _DIGITS_RE.search(token) is None:
        return token
    if _is_opaque(token):
        return "{x}"
    if _NUMBERED_RE.fullmatch(token):
        return "{n}-{slug}"
    if _NAMED_RE.fullmatch(EXTENSION_RE.sub("", token)):
        return "{slug}-{n}"
    return _DIGITS_RE.sub("{n}", token)


def _is_opaque(token: str) -> bool:
    """Return whether a token is made by a machine: hexadecimal, or letters amid digits."""
    token = EXTENSION_RE.sub("", token)
    if _UUID_RE.fullmatch(token) or _HEX_RE.fullmatch(token):
        return True
    is_mixed = _MIXED_RE.fullmatch(token) is not None
    return is_mixed and len(_SWITCH_RE.findall(token)) >= _MIN_SWITCHES


def _is_token(value: str) -> bool:
    return _is_opaque(value) or _LONG_NUMBER_RE.fullmatch(value) is not None


def _is_session(name: str, value: str) -> bool:
    return _is_token(value) and _SESSION_RE.fullmatch(name) is not None


def _is_own(name: str, value: str) -> bool:
    return name not in LANGUAGE_PARAMETERS and not _is_session(name, value)


def _find_session(
    host: str,
    segments: Sequence[str],
    masked: Sequence[str],
    pairs: Sequence[tuple[str, str]],
) -> tuple[str, str, bool]:
    """Return where a token stands that is no page's own, and the page without it.

    In a path a page's name follows it; what ends in a number or token is a page's own.
    Last, whether its name or place tells: a parameter of another name may hold an id.
    """
    names = [name for name, value in pairs if _is_session(name, value)]
    if "{x}" in masked and masked[-1] == segments[-1]:
        index = masked.index("{x}")
        before, after = "/".join(masked[:index]), "/".join(segments[index + 1 :])
        query = [pair for pair in pairs if pair[0] not in names]
        session = f"{host}?{names[0]}" if names else f"{host}/{before}/{{x}}"
        return session, f"{before}/{after} {query}", True
    is_named = bool(names)
    if not names:
        names = [name for name, value in pairs if _is_token(value)][:1]
    if not names:
        return "", "", False
    query = [pair for pair in pairs if pair[0] not in names]
    return f"{host}?{names[0]}", f"{'/'.join(segments)} {query}", is_named


def _find_combination(
    host: str, segments: Sequence[str]
) -> tuple[str, tuple[str, ...]]:
    """Return where words are joined into one segment, as tags are, and the words.

    >>> _find_combination("a.org", ["tags", "dust+noise"])
    ('a.org/tags/', ('dust', 'noise'))
    """
    for index, segment in enumerate(segments):
        words = tuple(filter(None, _JOINT_RE.split(segment)))
        if len(words) > 1:
            return "/".join([host, *segments[:index], ""]), words
    return "", ()
