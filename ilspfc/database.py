"""SQLite files: opening with one error for whatever goes wrong, transactions, queries."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ilspfc.disk import describe_refusal
from ilspfc.exceptions import DiskError, IlspfcError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path
    from types import TracebackType

_BUSY_TIMEOUT_SECONDS = 30.0


class Database:
    """A connection to a file, whose folder is made.

    Use it in one thread; close it, or use it in ``with``. A subclass says what the file is
    (``kind``), which error is raised where it cannot be opened (``error_type``), and what
    the user should do then (``remedy``). Whatever is written is written within ``watch``.
    """

    kind: ClassVar[str]
    remedy: ClassVar[str]
    error_type: ClassVar[type[IlspfcError]]

    def __init__(
        self, path: Path, watch: AbstractContextManager[None] | None = None
    ) -> None:
        self.path = path
        self._is_writing = False
        self._watch = watch or nullcontext()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=_BUSY_TIMEOUT_SECONDS)
        except (OSError, sqlite3.Error) as error:
            raise self._unreadable(error) from error
        try:
            with self._connection as connection:
                self._prepare(connection)
        except (sqlite3.Error, IlspfcError) as error:
            self._connection.close()
            if isinstance(error, IlspfcError):
                raise
            raise self._unreadable(error) from error

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Check that the file is what it should be, and make what it lacks."""
        raise NotImplementedError

    def _unreadable(self, error: Exception) -> IlspfcError:
        if line := describe_refusal(self.path.parent, error):
            return DiskError(line)
        return self.error_type(
            f"{self.path}: no readable {self.kind} ({error}); {self.remedy}"
        )

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
        """Close the file; what was written stays."""
        self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run statements that are all written or none.

        A transaction inside another is a part of it.
        """
        if self._is_writing:
            yield self._connection
            return
        self._is_writing = True
        try:
            with self._watch, self._connection:
                yield self._connection
        finally:
            self._is_writing = False

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
