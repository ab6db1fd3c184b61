"""Which URLs a crawl may visit."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from ilspfc.frontier.url import host_of, site_of

if TYPE_CHECKING:
    from collections.abc import Iterable


class Scope(StrEnum):
    """How far a crawl goes from its seeds."""

    SITE = "site"
    HOST = "host"
    ANY = "any"


class ScopeFilter:
    """Decides whether a URL lies on the seeds' sites or hosts, or anywhere."""

    def __init__(self, scope: Scope, seeds: Iterable[str]) -> None:
        self._key = {Scope.SITE: site_of, Scope.HOST: host_of}.get(scope)
        self._allowed = set(map(self._key, seeds)) if self._key else set()

    def add(self, url: str) -> None:
        """Take the site or host of a URL into the scope."""
        if self._key is not None:
            self._allowed.add(self._key(url))

    def accept(self, url: str) -> bool:
        """Return whether the URL may be visited."""
        return self._key is None or self._key(url) in self._allowed
