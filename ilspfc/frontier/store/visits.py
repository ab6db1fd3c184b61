"""Last visits of URLs.

A visit is written in the transaction that ends the URL's lease. If it were written earlier,
a crash could lose the links of the page: given the new validators, the server would respond
that the page has not changed.
"""

from __future__ import annotations

import sqlite3
from dataclasses import astuple, dataclass

SCHEMA = """
CREATE TABLE IF NOT EXISTS visits (
    url INTEGER PRIMARY KEY,     -- id of the row in urls
    visited_at REAL NOT NULL,    -- seconds since the epoch, UTC
    etag TEXT NOT NULL,          -- validators as the server gave them
    last_modified TEXT NOT NULL,
    content TEXT NOT NULL,       -- digest of what was sent
    rules TEXT NOT NULL          -- digest of the rules that it was read by
);
"""


@dataclass(frozen=True, slots=True)
class Visit:
    """Last visit of a URL with a response.

    ``visited_at`` is in seconds since the epoch; ``etag`` and ``last_modified`` are the
    values of the header fields (RFC 9110, section 8.8), ``content`` is a digest of the
    response, ``rules`` one of the rules by which it was processed. All four are empty for
    an incomplete response: the next visit is then like a first one.
    """

    visited_at: float
    etag: str = ""
    last_modified: str = ""
    content: str = ""
    rules: str = ""


class SQLiteVisits:
    """Last visits in the SQLite file of the frontier, committed by the store."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def get(self, key: str) -> Visit | None:
        """Return the last visit of a URL, None if there was none."""
        row = self._connection.execute(
            "SELECT visited_at, etag, last_modified, content, rules FROM visits"
            " WHERE url = (SELECT id FROM urls WHERE key = ?)",
            (key,),
        ).fetchone()
        return Visit(*row) if row else None

    def record(self, key: str, visit: Visit) -> None:
        """Replace the last visit of a URL; an unknown URL is ignored."""
        self._connection.execute(
            "INSERT OR REPLACE INTO visits SELECT id, ?, ?, ?, ?, ? FROM urls"
            " WHERE key = ?",
            (*astuple(visit), key),
        )
