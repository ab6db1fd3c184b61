"""How much a crawl may do before it ends."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CrawlLimits:
    """The most that one run of a crawl may ask for; 0 is no limit.

    ``pages`` are the URLs asked for, retries not counted; ``megabytes`` what came over the
    wire, in units of 1,000,000 bytes; ``seconds`` the time since the start.
    """

    pages: int = 0
    megabytes: float = 0
    seconds: float = 0

    def reached(self, pages: int, byte_count: int, seconds: float) -> str:
        """Return the name of the limit that a crawl has come to, empty if none.

        >>> CrawlLimits(pages=10, seconds=60).reached(10, 0, 5.0)
        'pages'
        """
        if 0 < self.pages <= pages:
            return "pages"
        if 0 < self.megabytes * 1_000_000 <= byte_count:
            return "megabytes"
        if 0 < self.seconds <= seconds:
            return "seconds"
        return ""
