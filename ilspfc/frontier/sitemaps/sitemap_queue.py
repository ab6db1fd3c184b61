"""Queue of sitemaps: hosts take turns, each up to a limit."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

# Maximum nesting of sitemap indexes.
_MAX_LEVEL = 2
# Maximum numbers of sitemaps and addresses to accept from a host, including versions and
# repetitions.
MAX_SITEMAPS = 100
MAX_ADDRESSES = 1_000_000


@dataclass(slots=True)
class HostSitemaps:
    """Sitemaps of a host: those waiting, with their levels, and the numbers accepted."""

    origin: str
    waiting: deque[tuple[str, int]] = field(default_factory=deque)
    sitemaps: int = 0
    addresses: int = 0

    @property
    def is_used_up(self) -> bool:
        """True if no more addresses are accepted."""
        return self.addresses >= MAX_ADDRESSES


class SitemapQueue:
    """Queue of the sitemaps of all hosts, one per host at a time.

    ``accept`` tests whether a sitemap may be fetched; ``refused`` is called for each
    sitemap beyond the limit of its host. ``unread`` are the origins with sitemaps that wait or
    are under way.
    """

    def __init__(
        self, accept: Callable[[str], bool], refused: Callable[[], None]
    ) -> None:
        self._accept = accept
        self._refused = refused
        self._origins: set[str] = set()
        self.unread: set[str] = set()
        self._asked: set[str] = set()
        self._ready: deque[HostSitemaps] = deque()

    def __contains__(self, origin: str) -> bool:
        """Test whether a host was opened."""
        return origin in self._origins

    def __bool__(self) -> bool:
        """Test whether a sitemap is ready to be fetched."""
        return bool(self._ready)

    def open(self, origin: str, urls: Iterable[str] = ()) -> None:
        """Queue the sitemaps named by a host."""
        self._origins.add(origin)
        self.unread.add(origin)
        host = HostSitemaps(origin)
        for url in urls:
            self.add(host, url, 0)
        self.release(host)

    def add(self, host: HostSitemaps, url: str, level: int) -> None:
        """Queue a sitemap; ``level`` is the number of indexes that led to it.

        Beyond the limit one with ``sitemap`` in its name takes the place of one without: indexes
        may list hundreds of feeds before it.
        """
        if level > _MAX_LEVEL or url in self._asked or not self._accept(url):
            return
        if host.sitemaps >= MAX_SITEMAPS:
            self._refused()
            others = [one for one in host.waiting if not _is_named(one[0])]
            if not (others and _is_named(url)):
                return
            host.waiting.remove(others[-1])
            host.sitemaps -= 1
        host.sitemaps += 1
        self._asked.add(url)
        host.waiting.append((url, level))

    def pop(self) -> tuple[HostSitemaps, str, int]:
        """Return host, URL and level of the next sitemap; the host stays busy until released."""
        host = self._ready.popleft()
        return host, *host.waiting.popleft()

    def release(self, host: HostSitemaps) -> None:
        """Put a host that is no longer busy at the end of the queue."""
        if host.waiting and not host.is_used_up:
            self._ready.append(host)
            return
        for _ in host.waiting:
            self._refused()
        self.unread.discard(host.origin)


def _is_named(url: str) -> bool:
    return "sitemap" in url.rpartition("/")[2].lower()
