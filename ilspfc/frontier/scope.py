"""Scope of a crawl: the URLs that it may visit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from urllib.parse import urlsplit

from ilspfc.web.urls import UrlPatterns, host_of, origin_of, site_of, site_of_host

# File suffixes of URLs that are not pages.
IGNORED_SUFFIXES = (
    "7z aac apk avi avif bin bmp bz2 css csv deb dmg doc docx epub exe flac gif gz ico iso"
    " jar jpeg jpg json m4a m4v midi mid mkv mov mp3 mp4 mpeg mpg odp ods odt ogg ogv otf"
    " pdf png ppt pptx ps rar rpm rtf svg svgz swf tar tgz tif tiff ttf wav webm webp wma"
    " wmv woff woff2 xls xlsx xz zip"
).split()
# Suffixes of the sources that Sphinx links on each page.
_SOURCE_SUFFIXES = (".rst.txt", ".md.txt", ".ipynb.txt")
_CACHED_URLS = 1 << 14


class Scope(StrEnum):
    """Extent of a crawl around its seeds."""

    SITE = "site"
    HOST = "host"
    PATH = "path"
    ANY = "any"


def directory_url(url: str) -> str:
    """Return the host and directory of a URL.

    >>> directory_url("http://example.org/de/news/a.html")
    'example.org/de/news/'
    """
    path = urlsplit(url).path or "/"
    return f"{host_of(url)}{path[: path.rindex('/') + 1]}"


class ScopeFilter:
    """Filter of URLs by the scope of the seeds and by path patterns.

    The scope is the seeds' sites, hosts or directories, or anywhere. A pattern of ``allow``
    must match, and none of ``deny`` (:class:`~ilspfc.web.urls.UrlPatterns`; ``-filter``
    of ILSP-FC's manual). Paths with one of ``ignored_suffixes`` (lowercase, without dot) are
    not pages, nor are robots.txt and the sources that Sphinx links. ``refuses`` can reject
    any other URL.
    """

    def __init__(
        self,
        scope: Scope,
        seeds: Iterable[str],
        *,
        allow: Sequence[str] = (),
        deny: Sequence[str] = (),
        ignored_suffixes: Collection[str] = (),
        refuses: Callable[[str], bool] = lambda _: False,
    ) -> None:
        keys: dict[Scope, Callable[[str], str]] = {
            Scope.SITE: site_of,
            Scope.HOST: host_of,
            Scope.PATH: directory_url,
        }
        self._scope = scope
        self._key = keys.get(scope)
        seeds = list(seeds)
        self._allowed = set(map(self._key, seeds)) if self._key else set()
        self._seed_origins = set(map(origin_of, seeds))
        self._allow = UrlPatterns(allow) if allow else None
        self._deny = UrlPatterns(deny)
        self._refuses = refuses
        self._ignored_suffixes = frozenset(ignored_suffixes)
        # Pages of a site repeat links.
        self._accepts = lru_cache(_CACHED_URLS)(self._check)

    def add(self, url: str) -> None:
        """Add the site, host or directory of a URL that a seed has moved to."""
        self._seed_origins.add(origin_of(url))
        if self._key is not None:
            self._allowed.add(self._key(url))
            self._accepts.cache_clear()

    def accept(self, url: str) -> bool:
        """Test whether the URL may be visited."""
        return self._accepts(url)

    def has_seed(self, url: str) -> bool:
        """Test whether a seed has the origin of a URL, or has moved there."""
        return origin_of(url) in self._seed_origins

    def covers_host(self, url: str) -> bool:
        """Test whether the host of a URL has pages in scope.

        For sitemaps and the like, to which directories, patterns and suffixes do not apply.
        """
        if self._scope is not Scope.PATH:
            return self._in_scope(url)
        host = f"{host_of(url)}/"
        return any(directory.startswith(host) for directory in self._allowed)

    def _check(self, url: str) -> bool:
        try:
            return (
                self._in_scope(url) and self._is_wanted(url) and not self._refuses(url)
            )
        except ValueError:  # links from a user's pipeline; found links are valid
            return False

    def _in_scope(self, url: str) -> bool:
        if self._key is None:
            return True
        place = self._key(url)
        if self._scope is Scope.PATH:
            return any(place.startswith(directory) for directory in self._allowed)
        return place in self._allowed

    def _is_wanted(self, url: str) -> bool:
        parts = urlsplit(url)
        name = parts.path.rpartition("/")[2]
        if "." in name and name.rpartition(".")[2].lower() in self._ignored_suffixes:
            return False
        if name.endswith(_SOURCE_SUFFIXES) or parts.path == "/robots.txt":
            return False
        if self._allow is not None and not self._allow.match(url):
            return False
        return not self._deny.match(url)


class SiteGroups:
    """Groups of sites that belong together, such as German on one, Italian on another.

    ``groups`` hold URLs of the sites of a group; any other site is its own group.
    """

    def __init__(self, groups: Iterable[Iterable[str]]) -> None:
        self._first: dict[str, str] = {}
        for group in groups:
            sites = [site_of(url) for url in group]
            for site in sites:
                self._first.setdefault(site, self._first.get(sites[0], sites[0]))

    def of_host(self, host: str) -> str:
        """Return the group of a host, named by the first site of the group."""
        site = site_of_host(host)
        return self._first.get(site, site)
