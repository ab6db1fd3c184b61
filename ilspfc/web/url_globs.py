"""Glob patterns for URLs: for path and query, or for the host too."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import translate
from urllib.parse import urlsplit

from ilspfc.web.urls import host_of


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
