"""URLs that were refused as traps."""

from __future__ import annotations

import sqlite3

from ilspfc.frontier.store.candidates import Candidate
from ilspfc.web.urls import is_usable

_SCHEMA = (
    """
-- Refused as traps, the first of each host and reason; they may be queued later.
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
# Refused URLs that are kept of a host for one reason: a trap has no end.
MAX_REFUSED = 1000
# Longer URLs are counted, but not kept.
_MAX_URL_CHARS = 4096
# Fields of a candidate that are kept: what is learned of it is not known yet.
_STORED = 9


class TrapMemory:
    """Refused URLs in the SQLite file of the frontier; the store commits."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        for statement in _SCHEMA:  # executescript would end the owner's transaction
            connection.execute(statement)
        rows = connection.execute(
            "SELECT host, reason, count(*) FROM refused GROUP BY host, reason"
        )
        self._counts = {(host, reason): number for host, reason, number in rows}

    def add(self, candidate: Candidate, reason: str) -> bool:
        """Store a refused URL, unless there are enough of its host; return whether it is new."""
        group = candidate.host, reason
        number = self._counts.get(group, 0)
        if number >= MAX_REFUSED or len(candidate.url) > _MAX_URL_CHARS:
            return False
        cursor = self._connection.execute(
            "INSERT OR IGNORE INTO refused VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*candidate[:_STORED], reason),
        )
        self._counts[group] = number + cursor.rowcount
        return cursor.rowcount > 0

    def discard(self, key: str) -> bool:
        """Delete a URL; return whether it was refused."""
        if not self._counts:
            return False
        row = self._connection.execute(
            "DELETE FROM refused WHERE key = ? RETURNING host, reason", (key,)
        ).fetchone()
        if row is not None:
            self._counts[row] -= 1
        return row is not None

    @property
    def hosts(self) -> set[str]:
        """Hosts with refused URLs."""
        return {host for (host, _), number in self._counts.items() if number}

    def refused(self, host: str) -> list[tuple[Candidate, str]]:
        """Return the refused URLs of a host with their reasons, best first."""
        rows = self._connection.execute(
            "SELECT key, url, host, score, depth, referrer, anchor, distance, base,"
            " reason"
            " FROM refused WHERE host = ? ORDER BY score DESC, key",
            (host,),
        )
        return [(Candidate(*row[:-1]), row[-1]) for row in rows if is_usable(row[0])]
