"""What the frontier remembers of one URL, for those who ask why."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ilspfc.database import describe_problem, find_damage
from ilspfc.exceptions import CorpusError

if TYPE_CHECKING:
    from pathlib import Path

_QUERIES = (
    "SELECT url, state, score, depth, referrer, anchor, reason FROM urls WHERE key = ?",
    """SELECT url, 'refused', score, depth, referrer, anchor, reason
    FROM refused WHERE key = ?""",
)
_REMEDY = "`scrapy reindex {folder}` rebuilds it: what is done stays done"


@dataclass(frozen=True, slots=True)
class UrlHistory:
    """A URL with its state, its score and where it was found."""

    url: str
    state: str
    score: float
    depth: int
    referrer: str
    anchor: str
    reason: str


def read_history(path: Path, key: str) -> UrlHistory | None:
    """Return what the frontier in a file knows of a canonical URL, None if nothing.

    A crawl may be writing to the file meanwhile.
    """
    if not path.is_file():
        return None
    try:
        # Not opened read-only: such a connection leaves the files of the log behind.
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA query_only = ON")
            for query in _QUERIES:
                with suppress(
                    sqlite3.OperationalError
                ):  # the file of an earlier version
                    if row := connection.execute(query, (key,)).fetchone():
                        return UrlHistory(*row)
    except sqlite3.DatabaseError as error:
        raise _unreadable(path, error) from error
    return None


def check_frontier(path: Path, *, has_pages: bool) -> None:
    """Raise CorpusError for a file that cannot be read or written.

    ``has_pages`` tells that the index knows pages of the crawl. Without its frontier the
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
