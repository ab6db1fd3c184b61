"""SQLite file of the frontier: opening, checks and lookups of the URL table."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Any

from ilspfc.database import describe_problem, find_damage, marks
from ilspfc.documents.figures import HeldBack
from ilspfc.exceptions import CorpusError
from ilspfc.frontier.reasons import PASSING, TRAPS
from ilspfc.frontier.store.candidates import Candidate
from ilspfc.frontier.traps.url_patterns import read_shape

CANDIDATE_COLUMNS = ", ".join(Candidate._fields)
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
    base REAL NOT NULL,          -- the score before learning
    gain REAL,                   -- what the visit paid
    surprise REAL,               -- bits of perplexity expected above the bound of MEDIUM
    place INTEGER NOT NULL       -- where on its page the link is
);
CREATE INDEX IF NOT EXISTS queued_by_host ON urls (host, score DESC, id)
    WHERE state = 'queued';
CREATE INDEX IF NOT EXISTS refused_urls ON urls (host) WHERE state = 'refused';
CREATE TABLE IF NOT EXISTS visits (
    url INTEGER PRIMARY KEY,     -- id of the row in urls
    visited_at REAL NOT NULL,    -- seconds since the epoch, UTC
    etag TEXT NOT NULL,          -- validators as the server gave them
    last_modified TEXT NOT NULL,
    content TEXT NOT NULL,       -- digest of what was sent
    rules TEXT NOT NULL          -- digest of the rules that it was read by
);
"""
# Size of the write-ahead log, in pages of 4 kB, at which it is checkpointed, which waits for
# the disk. SQLite's default of 1,000 is reached after some 50 pages of a crawl.
_CHECKPOINT_PAGES = 4000
# Maximum number of example URLs per held-back pattern.
_EXAMPLES = 3
_REMEDY = "`scrapy reindex {folder}` rebuilds it: what is done stays done"


class WatchedConnection(sqlite3.Connection):
    """Connection that runs all statements within ``watch``."""

    watch: AbstractContextManager[None] = nullcontext()

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Run a statement."""
        with self.watch:
            return super().execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> sqlite3.Cursor:
        """Run a statement once for each row of parameters."""
        with self.watch:
            return super().executemany(sql, parameters)


def open_table(
    path: Path | str, watch: AbstractContextManager[None]
) -> WatchedConnection:
    """Return a connection to the file, within a transaction.

    The tables are created. URLs leased by an earlier process are requeued, and
    so are URLs that failed for a temporary reason.
    """
    # Transactions are explicit, so that commits are in one place.
    connection = sqlite3.connect(path, isolation_level=None, factory=WatchedConnection)
    connection.watch = watch
    try:
        with watch:
            _prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: WatchedConnection) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute(f"PRAGMA wal_autocheckpoint={_CHECKPOINT_PAGES}")
    connection.executescript(_SCHEMA)
    connection.execute("BEGIN")
    connection.execute(
        "UPDATE urls SET state = 'queued', reason = '' WHERE state = 'leased'"
        " OR (state IN ('failed', 'refused')"
        f" AND reason IN ({marks(len(PASSING))}))",
        PASSING,
    )


def _iter_rows(path: Path, sql: str, parameters: Iterable[Any] = ()) -> Iterator[Any]:
    """Yield the rows of a query, none without the file; CorpusError if it is damaged.

    A crawl may be writing to the file at the same time.
    """
    if not path.is_file():
        return
    try:
        # A read-only connection would leave the write-ahead log files behind.
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA query_only = ON")
            yield from connection.execute(sql, tuple(parameters))
    except sqlite3.DatabaseError as error:
        raise _unreadable(path, error) from error


def read_history(path: Path, key: str) -> tuple[Candidate, str, str] | None:
    """Return a canonical URL's row, state and reason from a file, None for an unknown URL."""
    sql = f"SELECT {CANDIDATE_COLUMNS}, state, reason FROM urls WHERE key = ?"
    rows = _iter_rows(path, sql, (key,))
    return next(((Candidate(*row[:-2]), *row[-2:]) for row in rows), None)


def held_back(path: Path) -> list[HeldBack]:
    """Return the groups of held-back URLs in a frontier file, the largest first."""
    numbers: Counter[tuple[str, str, str]] = Counter()
    examples: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for key, host, reason in _iter_rows(
        path,
        "SELECT key, host, reason FROM urls WHERE state = 'refused' AND reason IN"
        f" ({marks(len(TRAPS))}) ORDER BY host",
        sorted(TRAPS),
    ):
        group = host, read_shape(key).label, reason
        numbers[group] += 1
        if len(examples[group]) < _EXAMPLES:
            examples[group].append(key)
    return [
        HeldBack(host, pattern, number, tuple(examples[host, pattern, reason]), reason)
        for (host, pattern, reason), number in numbers.most_common()
    ]


def count_urls(path: Path) -> dict[tuple[str, str, str], int]:
    """Return the numbers of URLs by host, state and reason, empty if the file is unreadable."""
    sql = "SELECT host, state, reason, count(*) FROM urls GROUP BY 1, 2, 3"
    try:
        return {tuple(group): number for *group, number in _iter_rows(path, sql)}
    except CorpusError:
        return {}


def check_frontier(path: Path, *, has_pages: bool) -> None:
    """Raise CorpusError if the file cannot be read or written.

    ``has_pages`` is True if the index has pages of the crawl: without its frontier, the
    crawl would fetch all of them again.
    """
    if not path.is_file() or not path.stat().st_size:
        if has_pages:
            state = "empty" if path.is_file() else "missing"
            remedy = _REMEDY.format(folder=path.parent)
            raise CorpusError(f"{path}: the frontier is {state}; {remedy}")
        return
    error = find_damage(path)
    if error is not None:
        raise _unreadable(path, error)


def _unreadable(path: Path, error: sqlite3.Error) -> CorpusError:
    return CorpusError(describe_problem(path, "frontier", error, _REMEDY))
