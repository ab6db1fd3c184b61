"""Last visits of URLs, and the requeuing of URLs that are due for another visit.

A visit is written in the transaction that ends the URL's lease. Written earlier, the links
of the page could be lost in a crash: asked with the new validators, the server would answer
that the page had not changed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import astuple, dataclass
from pathlib import Path

from ilspfc.web.urls import canonicalize

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
    """Last visit of a URL that was answered.

    ``visited_at`` is in seconds since the epoch; ``etag`` and ``last_modified`` are the
    values of the header fields (RFC 9110, section 8.8), ``content`` is a digest of the
    response, ``rules`` one of the rules by which it was read. All four are empty for a
    response that was not read to its end: the next visit is then like a first one.
    """

    visited_at: float
    etag: str = ""
    last_modified: str = ""
    content: str = ""
    rules: str = ""


class SQLiteVisits:
    """Last visits in the SQLite file of the frontier; the store commits."""

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


def requeue_older(path: Path, visited_before: float) -> int:
    """Queue again, with their scores, the URLs visited before a time; return how many.

    ``visited_before`` is in seconds since the epoch. URLs that were never answered keep
    their state; visits without a time (of an older file) count as old. To be called before
    the store is opened.
    """
    return _requeue(
        path,
        "(state = 'done' AND id NOT IN (SELECT url FROM visits)) OR (state NOT IN"
        " ('queued', 'leased') AND id IN (SELECT url FROM visits WHERE visited_at < ?))",
        (visited_before,),
    )


def requeue_without_document(
    path: Path, visited_before: float, is_exported: Callable[[str], bool]
) -> int:
    """Queue again the URLs visited before a time that gave no document; return how many.

    ``is_exported`` tells whether a canonical URL has a document. Seeds and their redirect
    targets are queued again in any case. To be called before the store is opened.
    """
    return _requeue(
        path,
        "state = 'done' AND (depth = 0 OR NOT is_exported(key)) AND id NOT IN"
        " (SELECT url FROM visits WHERE visited_at >= ?)",
        (visited_before,),
        is_exported,
    )


def _requeue(
    path: Path,
    condition: str,
    values: tuple[float, ...],
    is_exported: Callable[[str], bool] | None = None,
) -> int:
    if not path.is_file():
        return 0
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA journal_mode=WAL")
        if not _has_urls(connection):
            return 0
        connection.executescript(SCHEMA)
        if is_exported is not None:
            connection.create_function("is_exported", 1, is_exported)
        cursor = connection.execute(
            f"UPDATE urls SET state = 'queued', reason = '' WHERE {condition}", values
        )
        return cursor.rowcount


def _has_urls(connection: sqlite3.Connection) -> bool:
    sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'urls'"
    return connection.execute(sql).fetchone() is not None


def moved_to(path: Path, seeds: Iterable[str]) -> list[str]:
    """Return the URLs that seeds were redirected to on earlier visits, step by step."""
    if not path.is_file():
        return []
    with closing(sqlite3.connect(path)) as connection:
        if not _has_urls(connection):
            return []
        # Only a redirect of a seed leads to a URL that is not deeper than its referrer.
        steps = connection.execute(
            "SELECT referrer, url FROM urls WHERE depth = 0 AND referrer != ''"
        ).fetchall()
    targets: dict[str, list[str]] = {}
    for source, target in steps:
        targets.setdefault(canonicalize(source), []).append(target)
    found: dict[str, None] = {}
    waiting = list(seeds)
    while waiting:
        for target in targets.get(canonicalize(waiting.pop()), ()):
            if target not in found:
                found[target] = None
                waiting.append(target)
    return list(found)
