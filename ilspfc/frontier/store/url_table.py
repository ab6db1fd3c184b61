"""The table of URLs in the frontier's SQLite file."""

from __future__ import annotations

import sqlite3
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from ilspfc.frontier.reasons import FetchReason
from ilspfc.frontier.store.visits import SCHEMA as VISITS_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager
    from pathlib import Path

_SCHEMA = """
CREATE TABLE IF NOT EXISTS urls (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,    -- canonical URL
    url TEXT NOT NULL,           -- as requested
    host TEXT NOT NULL,
    state TEXT NOT NULL,         -- queued, leased, done, failed, refused, gone
    score REAL NOT NULL,
    depth INTEGER NOT NULL,      -- links from a seed
    distance INTEGER NOT NULL,   -- irrelevant pages in a row before it
    referrer TEXT NOT NULL,
    anchor TEXT NOT NULL,
    reason TEXT NOT NULL,        -- why it failed or was refused
    base REAL NOT NULL DEFAULT 0,  -- the score before learning
    gain REAL                    -- what the visit paid
);
CREATE INDEX IF NOT EXISTS queued_by_host ON urls (host, score DESC, id)
    WHERE state = 'queued';
"""
# Columns that files of an earlier version do not have.
_ADDED_COLUMNS = {"base": "REAL NOT NULL DEFAULT 0", "gain": "REAL"}
# Reasons that a later run may find gone.
_PASSING = (
    FetchReason.DEAD_HOST.value,
    FetchReason.ROBOTS_UNREACHABLE.value,
    FetchReason.NOT_ARCHIVED.value,
    FetchReason.HOST_LIMIT.value,
)
# Pages of the write-ahead log (4 kB each) after which it is copied into the file, which
# waits for the disk. SQLite's own 1,000 are some 50 pages of a crawl.
_CHECKPOINT_PAGES = 4000


class WatchedConnection(sqlite3.Connection):
    """A connection whose statements run within ``watch``."""

    watch: AbstractContextManager[None] = nullcontext()

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Run a statement."""
        with self.watch:
            return super().execute(sql, parameters)

    def executescript(self, sql: str, /) -> sqlite3.Cursor:
        """Run statements that are separated by semicolons."""
        with self.watch:
            return super().executescript(sql)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        """Run a statement with each of several rows of parameters."""
        with self.watch:
            return super().executemany(sql, parameters)


def open_table(
    path: Path | str, watch: AbstractContextManager[None]
) -> WatchedConnection:
    """Return a connection to the file, inside a transaction.

    The table is made or brought up to date. Queued again are the leases of an earlier
    process, which did not end them, and URLs of hosts that may be back by now.
    """
    # Autocommit is off by an explicit BEGIN, so that a commit is one place.
    connection = sqlite3.connect(path, isolation_level=None, factory=WatchedConnection)
    connection.watch = watch
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute(f"PRAGMA wal_autocheckpoint={_CHECKPOINT_PAGES}")
    connection.executescript(_SCHEMA + VISITS_SCHEMA)
    known = {row[1] for row in connection.execute("PRAGMA table_info(urls)")}
    for name, kind in _ADDED_COLUMNS.items():
        if name not in known:
            connection.execute(f"ALTER TABLE urls ADD COLUMN {name} {kind}")
    connection.execute("BEGIN")
    connection.execute(
        "UPDATE urls SET state = 'queued', reason = '' WHERE state = 'leased'"
        " OR (state IN ('failed', 'refused')"
        f" AND reason IN ({', '.join('?' * len(_PASSING))}))",
        _PASSING,
    )
    return connection
