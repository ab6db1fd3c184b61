"""The SQLite database of a corpus: opening, transactions, queries."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, Self

from ilspfc.corpus.schema import SCHEMA, SCHEMA_VERSION
from ilspfc.exceptions import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

_BUSY_TIMEOUT_SECONDS = 30.0


class Database:
    """A connection to ``corpus.db``. Use it in one thread; close it, or use it in ``with``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=_BUSY_TIMEOUT_SECONDS)
        except (OSError, sqlite3.Error) as error:
            raise self._unreadable(error) from error
        try:
            self._prepare()
        except (sqlite3.Error, CorpusError) as error:
            self._connection.close()
            if isinstance(error, CorpusError):
                raise
            raise self._unreadable(error) from error

    def _unreadable(self, error: Exception) -> CorpusError:
        return CorpusError(
            f"{self.path}: no readable corpus index ({error}); give another CORPUS_DIR, or"
            " move the file away and crawl again"
        )

    def _prepare(self) -> None:
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=NORMAL")
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if version not in {0, SCHEMA_VERSION}:
            raise CorpusError(
                f"{self.path}: written by another version of ilspfc (schema {version},"
                f" this one reads {SCHEMA_VERSION}); crawl into a new CORPUS_DIR"
            )
        self._connection.executescript(SCHEMA)
        self._connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        self._connection.commit()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Commit and close."""
        self._connection.commit()
        self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run statements that are all written or none."""
        with self._connection:
            yield self._connection

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[Any]:
        """Yield the rows of a query, streaming."""
        with closing(self._connection.execute(sql, parameters)) as cursor:
            yield from cursor


def marks(number: int) -> str:
    """Return the placeholders for a number of values.

    >>> marks(3)
    '?, ?, ?'
    """
    return ", ".join("?" * number)
