"""What has to last of traps: the URLs that were refused, and what past visits gave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.frontier.store.protocol import Candidate

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

_SCHEMA = (
    """
-- Refused as a trap, the first of each host and reason; they may be queued yet.
CREATE TABLE IF NOT EXISTS refused (
    key TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    host TEXT NOT NULL,
    score REAL NOT NULL,
    depth INTEGER NOT NULL,
    referrer TEXT NOT NULL,
    anchor TEXT NOT NULL,
    distance INTEGER NOT NULL,
    base REAL NOT NULL,
    reason TEXT NOT NULL
) WITHOUT ROWID
""",
    "CREATE INDEX IF NOT EXISTS refused_by_host ON refused (host, score DESC)",
)
# So many refused URLs are kept of a host for one reason: a trap has no end.
MAX_REFUSED = 1000
# Longer ones are counted, but not kept.
_MAX_URL_CHARS = 4096


class TrapMemory:
    """The frontier's database as far as traps go; its owner commits."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        for statement in _SCHEMA:  # executescript would end the owner's transaction
            connection.execute(statement)
        rows = connection.execute(
            "SELECT host, reason, count(*) FROM refused GROUP BY host, reason"
        )
        self._counts = {(host, reason): number for host, reason, number in rows}

    def add(self, candidate: Candidate, reason: str) -> None:
        """Write a refused URL down, unless there are enough of its host."""
        place = candidate.host, reason
        number = self._counts.get(place, 0)
        if number >= MAX_REFUSED or len(candidate.url) > _MAX_URL_CHARS:
            return
        cursor = self._connection.execute(
            "INSERT OR IGNORE INTO refused VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                candidate.key,
                candidate.url,
                candidate.host,
                candidate.score,
                candidate.depth,
                candidate.referrer,
                candidate.anchor,
                candidate.distance,
                candidate.base,
                reason,
            ),
        )
        self._counts[place] = number + cursor.rowcount

    def discard(self, key: str) -> None:
        """Forget a URL, if it was refused."""
        if not self._counts:
            return
        row = self._connection.execute(
            "DELETE FROM refused WHERE key = ? RETURNING host, reason", (key,)
        ).fetchone()
        if row is not None:
            self._counts[row] -= 1

    @property
    def hosts(self) -> set[str]:
        """The hosts of which refused URLs are kept."""
        return {host for (host, _), number in self._counts.items() if number}

    def refused(self, host: str) -> list[tuple[Candidate, str]]:
        """Return the refused URLs of a host, best first, each with its reason."""
        rows = self._connection.execute(
            "SELECT key, url, host, score, depth, referrer, anchor, distance, base,"
            " reason"
            " FROM refused WHERE host = ? ORDER BY score DESC, key",
            (host,),
        )
        return [(Candidate(*row[:-1]), row[-1]) for row in rows]

    def visits(self, number: int) -> Iterator[tuple[str, str, str, str]]:
        """Yield key, state, reason and referrer of the last URLs to be found and visited."""
        yield from self._connection.execute(
            "SELECT key, state, reason, referrer FROM (SELECT * FROM urls WHERE state IN"
            " ('done', 'failed') ORDER BY id DESC LIMIT ?) ORDER BY id",
            (number,),
        )
