"""Answers of APIs, kept in a file: what was asked once is not asked again."""

from __future__ import annotations

import sqlite3
import time
import zlib
from typing import TYPE_CHECKING, Self

from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from pathlib import Path

_DAY_SECONDS = 86_400


class AnswerCache:
    """An SQLite file of answers by URL, for use in ``with``.

    Each is written through as it comes, so that a run that was killed goes on where it
    was. Answers older than ``days`` are asked for again. There is no file before there
    is an answer.
    """

    def __init__(self, path: Path, days: float) -> None:
        self._after = time.time() - days * _DAY_SECONDS
        self._path = path
        self._connection = self._open() if path.exists() else None

    def _open(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(self._path, isolation_level=None)
            connection.execute(
                "CREATE TABLE IF NOT EXISTS answers"
                " (url TEXT PRIMARY KEY, fetched_at REAL, body BLOB) WITHOUT ROWID"
            )
        except sqlite3.Error as error:
            raise BootstrapError(
                f"{self._path}: cannot be used to keep answers ({error}); remove it"
            ) from error
        return connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._connection is not None:
            self._connection.close()

    def get(self, url: str) -> bytes | None:
        """Return what was answered, None if nothing or too long ago."""
        if self._connection is None:
            return None
        row = self._connection.execute(
            "SELECT body FROM answers WHERE url = ? AND fetched_at >= ?",
            (url, self._after),
        ).fetchone()
        return zlib.decompress(row[0]) if row else None

    def put(self, url: str, body: bytes) -> None:
        """Keep an answer."""
        if self._connection is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = self._open()
        self._connection.execute(
            "INSERT OR REPLACE INTO answers VALUES (?, ?, ?)",
            (url, time.time(), zlib.compress(body)),
        )
