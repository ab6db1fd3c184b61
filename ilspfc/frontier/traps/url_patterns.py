"""URL patterns: numbers, opaque tokens and dates masked, parameters taken apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import parse_qsl, urlsplit

from ilspfc.frontier.traps.url_dates import (
    EXTENSION_RE,
    Date,
    find_path_date,
    find_query_date,
    means_calendar,
)
from ilspfc.web.urls import host_of

# Parameters that choose a language or a country; they are no facets.
LANGUAGE_PARAMETERS = frozenset(
    "lang language lng langid lang_id langcode languageid language_id locale l ln hl"
    " ui_lang uilang uselang setlang setlanguage sprache langue lingua idioma jezik jazyk"
    " lc country region land".split()
)
PAGING_PARAMETERS = frozenset(
    "page paged p pg pageno page_no pagenumber start offset from skip limit per_page"
    " perpage seite pagina pag strana stran".split()
)
# Names of sessions and cache breakers, if the value is an opaque token.
_SESSION_RE = re.compile(
    r"s|sid|ses|sess|\w*session\w*|\w*sess_?id|\w*csid|\w*token|csrf\w*|nonce|ticket|hash"
    r"|cid|uid|zenid|visit\w*|rnd|rand|random|ts|timestamp|no_?cache|_"
)

_LANGUAGE_RE = re.compile(r"[a-z]{2}(?:[-_][a-z]{2,4})?", re.IGNORECASE)

_DIGITS_RE = re.compile(r"\d+")
# A name with the number of its page before or behind it.
_NUMBERED_RE = re.compile(r"\d+[:_-][^\d].*")
_NAMED_RE = re.compile(r".*[^\d_-][_-]\d{5,}")
_UUID_RE = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HEX_RE = re.compile(r"(?=.*\d)(?=.*[a-f])[0-9a-f]{8,}", re.IGNORECASE)
_MIXED_RE = re.compile(r"[0-9a-z]{10,}={0,2}", re.IGNORECASE)
_SWITCH_RE = re.compile(r"\d[a-z]|[a-z]\d", re.IGNORECASE)
_MIN_SWITCHES = 3
_LONG_NUMBER_RE = re.compile(r"\d{8,}")
# Separators of words in a path, escaped ones included.
JOINT_RE = re.compile(r"[+,;|~]|%(?:2[bc]|3b|7[ce])", re.IGNORECASE)
OPAQUE = "{x}"


@dataclass(frozen=True, slots=True)
class UrlShape:
    """Parts of a URL that the trap rules look at.

    ``segments`` are those of the path without the empty ones, which ``depth`` counts too;
    ``parameters`` are those of the query, sorted, names in lower case, without those of
    languages and sessions. ``path_pattern`` and ``pattern`` begin with the host; numbers,
    dates and opaque tokens are masked. ``date`` is that of a calendar page, not of an
    article; ``is_calendar``: words of the path name a calendar. ``session`` is the place of
    a session token, ``page`` the URL without it; both are empty for a URL without one.
    """

    url: str
    host: str
    segments: tuple[str, ...]
    depth: int
    parameters: tuple[tuple[str, str], ...]
    path_pattern: str
    pattern: str
    date: Date | None
    is_calendar: bool
    session: str
    page: str

    @property
    def section(self) -> str:
        """Host and first segment of the path, a language left out."""
        names = (name for name in self.segments if not _LANGUAGE_RE.fullmatch(name))
        return f"{self.host}/{mask(next(names, ''))}"

    @property
    def is_varied(self) -> bool:
        """True if anything is masked, so that other URLs have the same pattern."""
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
    query = parse_qsl(parts.query, keep_blank_values=True)
    pairs = sorted((name.lower(), value) for name, value in query)
    parameters = tuple(pair for pair in pairs if _is_own(*pair))
    is_calendar = means_calendar(parts.path)
    start, end, path_date = find_path_date(segments, is_calendar=is_calendar)
    query_date, date_names = find_query_date(parameters, is_calendar=is_calendar)
    masked = [mask(segment) for segment in segments]
    session, page = _find_session(host, segments, masked, pairs)
    masked[start:end] = ["{date}"] if path_date else []
    path_pattern = "/".join([host, *masked])
    values = (
        f"{name}={'{date}' if name in date_names else mask(value)}"
        for name, value in pairs
    )
    return UrlShape(
        url=url,
        host=host,
        segments=segments,
        depth=len(parts.path.removesuffix("/").split("/")) - 1,
        parameters=parameters,
        path_pattern=path_pattern,
        pattern=f"{path_pattern}?{'&'.join(values)}",
        date=query_date or path_date,
        is_calendar=is_calendar,
        session=session,
        page=page,
    )


def mask(token: str) -> str:
    """Return a path segment or a value with its numbers and opaque tokens masked.

    >>> [mask(token) for token in ("page12", "12-a-title", "5f3a9c21d0", "covid-19.html")]
    ['page{n}', '{n}-{slug}', '{x}', 'covid-{n}.html']
    """
    if _DIGITS_RE.search(token) is None:
        return token
    if _is_opaque(token):
        return OPAQUE
    if _NUMBERED_RE.fullmatch(token):
        return "{n}-{slug}"
    if _NAMED_RE.fullmatch(EXTENSION_RE.sub("", token)):
        return "{slug}-{n}"
    return _DIGITS_RE.sub("{n}", token)


def _is_opaque(token: str) -> bool:
    """Test whether a token is generated: hexadecimal, or letters and digits mixed."""
    token = EXTENSION_RE.sub("", token)
    if _UUID_RE.fullmatch(token) or _HEX_RE.fullmatch(token):
        return True
    is_mixed = _MIXED_RE.fullmatch(token) is not None
    return is_mixed and len(_SWITCH_RE.findall(token)) >= _MIN_SWITCHES


def _is_session(name: str, value: str) -> bool:
    is_token = _is_opaque(value) or _LONG_NUMBER_RE.fullmatch(value) is not None
    return is_token and _SESSION_RE.fullmatch(name) is not None


def _is_own(name: str, value: str) -> bool:
    return name not in LANGUAGE_PARAMETERS and not _is_session(name, value)


def _find_session(
    host: str,
    segments: Sequence[str],
    masked: Sequence[str],
    pairs: Sequence[tuple[str, str]],
) -> tuple[str, str]:
    """Return the place of a session token and the page without it, empty if none.

    In a path the name of a page follows the token; a number or token at the end identifies
    the page itself.
    """
    names = [name for name, value in pairs if _is_session(name, value)]
    query = [pair for pair in pairs if pair[0] not in names]
    if OPAQUE in masked and masked[-1] == segments[-1]:
        index = masked.index(OPAQUE)
        before, after = "/".join(masked[:index]), "/".join(segments[index + 1 :])
        session = f"{host}?{names[0]}" if names else f"{host}/{before}/{OPAQUE}"
        return session, f"{before}/{after} {query}"
    if names:
        return f"{host}?{names[0]}", f"{'/'.join(segments)} {query}"
    return "", ""
