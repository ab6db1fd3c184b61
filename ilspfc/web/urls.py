"""URLs: one spelling for each page, its host and its site; glob patterns for them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import translate
from functools import lru_cache
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from w3lib.url import canonicalize_url

from ilspfc.exceptions import ArgumentError
from ilspfc.web.address import Address, resolve_dots, split_address

if TYPE_CHECKING:
    from tldextract import TLDExtract

# A segment's parameter that names a visit by its value: long, of letters and digits, perhaps
# with the name of a server (PHP: 26 characters, Java and phpBB: 32).
_SESSION = (
    r"(?:sid|sess_?id|session_?id)="
    r"(?=[a-z,]*[0-9])(?=[0-9,]*[a-z])[0-9a-z,]{26,}=*(?:[.!][0-9a-z.!_-]*)?"
)
# Query parameters that name a visit, not a page, or the words sought, which are only marked on
# it (hilit of phpBB, expressions of MoinMoin; other values may choose what is shown). Parameters
# that may choose a language or a country must never stand here, nor those that name a story on
# one site and a session on the next (sid): the frontier sees whether they change the text.
_TRACKING_RE = re.compile(
    r"(?:utm_\w+|fbclid|gclid|dclid|msclkid|yclid|mc_[ce]id|igshid|_ga|_gl|ref_src"
    r"|jsessionid|phpsessid|aspsessionid\w*|cfid|cftoken|hilit)(?:=.*)?"
    r"|highlight=(?:%28%5Cb.*)?"
    r"|(?:sid|sess_?id|session_?id)=?",
    re.IGNORECASE | re.DOTALL,
)
_PATH_SESSION_RE = re.compile(
    rf";(?:(?:jsessionid|phpsessid)=[^/?;]*|{_SESSION}(?=[/;]|$))"
    r"|\(S\([a-z0-9]{24}\)\)/?",
    re.IGNORECASE,
)
_SLASHES_RE = re.compile(r"/{2,}")
_BARE_PERCENT_RE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_BYTE = r"(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])"
# A URL that is its own canonical form, as most are; group 1 is its host. Where host or
# label may be too long, or a number may stand for an address, a closer look is taken.
_PLAIN_RE = re.compile(
    rf"https?://((?:(?:{_BYTE}\.){{3}}{_BYTE}"
    r"|(?![^/.]{64}|[^/]{254}|[^/]*\.[^/.:]{64}|(?:[^/]*\.)?[0-9][^/.]*/)"
    r"[a-z0-9]+(?:[.-][a-z0-9]+)*)(?::(?:[1-9][0-9]{3}|[1-5][0-9]{4}))?)/(?![./])"
    r"(?:[A-Za-z0-9._~-]++|/(?![./]))*+"
)


@lru_cache(maxsize=1)
def _extractor() -> TLDExtract:
    """Return an extractor with the bundled public suffix list."""
    # Imported late: it brings a library for fetching the list, which is never done.
    from tldextract import TLDExtract  # noqa: PLC0415

    return TLDExtract(suffix_list_urls=(), cache_dir=None)


def canonicalize(url: str) -> str:
    """Return the canonical spelling of a URL, which identifies duplicates.

    Host in lower case without default port, dot segments resolved, slashes in a row as one,
    percent signs escaped, query sorted, fragment, session ids and tracking parameters left out;
    language parameters stay, and so does ``sid``, which names a story on many sites. Raises AddressError, a ValueError, for what cannot be asked for.

    >>> canonicalize("HTTP://Example.org:80/a/../b?utm_source=x&lang=it&a=1#top")
    'http://example.org/b?a=1&lang=it'
    """
    if _PLAIN_RE.fullmatch(url):
        return url
    address = split_address(url.strip())
    parts = address.parts
    path = resolve_dots(_PATH_SESSION_RE.sub("", parts.path)) or "/"
    path = _SLASHES_RE.sub("/", path)
    spelled = urlunsplit((parts.scheme, _netloc(address), path, parts.query, ""))
    spelled = canonicalize_url(_BARE_PERCENT_RE.sub("%25", spelled))
    # Only now is every letter of a name or a value spelled out.
    plain, _, query = spelled.partition("?")
    if ";" in plain and "%" in parts.path and _PATH_SESSION_RE.search(plain):
        return canonicalize(spelled)
    kept = [pair for pair in query.split("&") if not _TRACKING_RE.fullmatch(pair)]
    return f"{plain}?{'&'.join(kept)}" if any(kept) else plain


def canonicalize_given(url: str) -> str:
    """Return the canonical spelling of a URL that a user gave; ArgumentError for a wrong one."""
    try:
        return canonicalize(url)
    except ValueError as error:
        raise ArgumentError(f"{error}; give it as https://www.example.org/") from error


def find_key(url: str) -> str:
    """Return the canonical spelling of a URL, empty for what cannot be asked for.

    >>> find_key("http://Example.org/a"), find_key("file:///a"), find_key("http://[")
    ('http://example.org/a', '', '')
    """
    try:
        return canonicalize(url)
    except ValueError:
        return ""


def is_usable(url: str) -> bool:
    """Test whether an address can be asked for."""
    return bool(find_key(url))


def _netloc(address: Address) -> str:
    """Return host and port of a URL: lower case, the default port left out."""
    parts, host, port = address
    if ":" in host:
        host = f"[{host}]"
    if port is None or port == _DEFAULT_PORTS[parts.scheme]:
        return host
    return f"{host}:{port}"


def host_of(url: str) -> str:
    """Return the host of a URL, with the port where it is not the scheme's own.

    Raises AddressError, a ValueError, for what cannot be asked for.

    >>> host_of("https://WWW.Suva.ch/de-ch"), host_of("http://127.0.0.1:8000/")
    ('www.suva.ch', '127.0.0.1:8000')
    """
    plain = _PLAIN_RE.fullmatch(url)
    return plain[1] if plain else _netloc(split_address(url.strip()))


def origin_of(url: str) -> str:
    """Return scheme, host and port of a URL, in its spelling.

    >>> origin_of("https://example.org/de?page=2")
    'https://example.org'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def site_of(url: str) -> str:
    """Return the site of a URL: its registered domain.

    Where there is none (an address, a name inside a network) the host is the site, with
    its port: servers on two ports of one machine have nothing to do with each other.

    >>> site_of("https://www.suva.ch/de-ch"), site_of("http://127.0.0.1:8000/a")
    ('suva.ch', '127.0.0.1:8000')
    """
    return site_of_host(host_of(url))


@lru_cache(maxsize=65536)
def site_of_host(host: str) -> str:
    """Return the site of a host, which may have a port; see :func:`site_of`."""
    try:
        ip_address(host.rsplit(":", 1)[0].strip("[]"))
    except ValueError:
        return _extractor()(host).top_domain_under_public_suffix or host
    return host


def depth_of(url: str) -> int:
    """Return the depth of a page on its site: the segments of its path (000, section 3.9).

    >>> depth_of("http://domain.org/d1/d2/d3/page.html"), depth_of("http://domain.org/")
    (4, 0)
    """
    return sum(1 for segment in urlsplit(url).path.split("/") if segment)


def hide_password(url: str) -> str:
    """Return an address without its password.

    >>> hide_password("postgresql://me:secret@db:5432/crawls")
    'postgresql://me@db:5432/crawls'
    """
    parts = urlsplit(url)
    user, _, host = parts.netloc.rpartition("@")
    name = user.split(":")[0]
    return parts._replace(netloc=f"{name}@{host}" if name else host).geturl()


# -- glob patterns, for path and query, or for the host too


class UrlPatterns:
    """Patterns of which one must match a URL from start to end; none match without any.

    ``*`` stands for any characters, ``?`` for one. A pattern is for path and query; one that
    begins with ``//`` is for host, path and query.

    >>> patterns = UrlPatterns(["/news/*", "//*.example.org/de/*"])
    >>> patterns.match("http://a.org/news/1"), patterns.match("http://www.example.org/de/")
    (True, True)
    >>> patterns.match("http://example.com/de/news/")
    False
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        patterns = tuple(patterns)
        self._paths = _compile(p for p in patterns if not p.startswith("//"))
        self._addresses = _compile(p[2:] for p in patterns if p.startswith("//"))

    def match(self, url: str) -> bool:
        """Test whether one of the patterns matches; ValueError for what is no URL."""
        parts = urlsplit(url)
        path = parts.path or "/"
        if parts.query:
            path += f"?{parts.query}"
        if self._paths is not None and self._paths.fullmatch(path):
            return True
        if self._addresses is None:
            return False
        return bool(self._addresses.fullmatch(host_of(url) + path))


def _compile(patterns: Iterable[str]) -> re.Pattern[str] | None:
    """Return one expression for glob patterns, None if there are none."""
    found = "|".join(map(translate, patterns))
    return re.compile(found) if found else None
