"""SQLite files: opening with one error for whatever goes wrong, transactions, queries."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any, ClassVar, Self

from ilspfc.disk import describe_refusal
from ilspfc.exceptions import DiskError, IlspfcError

_BUSY_TIMEOUT_SECONDS = 30.0
_NO_CODE = -1
# Primary result codes (https://www.sqlite.org/rescode.html): state of the file, and the
# remedy where it is not the one of the kind of file.
_FREE_REMEDY = "another process has it: wait for its end"
_WRITE_REMEDY = "give the right to write it and its folder"
_STATES = {
    sqlite3.SQLITE_BUSY: ("locked", _FREE_REMEDY),
    sqlite3.SQLITE_LOCKED: ("locked", _FREE_REMEDY),
    sqlite3.SQLITE_READONLY: ("read-only", _WRITE_REMEDY),
    sqlite3.SQLITE_PERM: ("read-only", _WRITE_REMEDY),
    sqlite3.SQLITE_CANTOPEN: ("cannot be opened", _WRITE_REMEDY),
    sqlite3.SQLITE_CORRUPT: ("damaged", ""),
    sqlite3.SQLITE_NOTADB: ("damaged", ""),
}


class Database:
    """A connection to a file, whose folder is made.

    Use it in one thread; close it, or use it in ``with``. A subclass says what the file is
    (``kind``), which error is raised where it cannot be read or written (``error_type``),
    what the user should do where it is damaged (``remedy``; ``{folder}`` is that of the
    file), and the ``schema`` of its tables. Writes run within ``watch``.
    """

    kind: ClassVar[str]
    remedy: ClassVar[str]
    error_type: ClassVar[type[IlspfcError]]
    schema: ClassVar[str] = ""

    def __init__(
        self, path: Path, watch: AbstractContextManager[None] | None = None
    ) -> None:
        self.path = path
        self._is_writing = False
        self._watch = watch or nullcontext()
        try:
            self._connection = self._connect()
        except (OSError, sqlite3.Error) as error:
            raise self._unreadable(error) from error
        try:
            with self._connection as connection:
                self._prepare(connection)
        except (sqlite3.Error, UnicodeDecodeError, IlspfcError) as error:
            self._connection.close()
            if isinstance(error, IlspfcError):
                raise
            raise self._unreadable(error) from error

    def _connect(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return sqlite3.connect(self.path, timeout=_BUSY_TIMEOUT_SECONDS)

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Check that the file is what it should be, and make what it lacks."""
        connection.executescript(self.schema)

    def _unreadable(self, error: Exception) -> IlspfcError:
        if line := describe_refusal(self.path.parent, error):
            return DiskError(line)
        text = describe_problem(self.path, self.kind, error, self.remedy)
        return self.error_type(text)

    def check(self) -> None:
        """Read the whole file; raise an error where it is damaged anywhere."""
        for (said,) in self.rows("PRAGMA quick_check(1)"):
            if said != "ok":
                raise self._unreadable(_damage(said))

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Raise an error of the project for one that lies in the file, not in a statement."""
        try:
            yield
        except UnicodeDecodeError as error:
            raise self._unreadable(error) from error
        except sqlite3.Error as error:
            # Text that is no UTF-8 is an error of Python's module, without a code.
            is_text = isinstance(error, sqlite3.OperationalError)
            is_text = is_text and _primary_code(error) == _NO_CODE
            if not is_text and _primary_code(error) not in _STATES:
                raise
            raise self._unreadable(error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
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
            with self._telling(), self._watch, self._connection:
                yield self._connection
        finally:
            self._is_writing = False

    def change(self, sql: str, rows: Iterable[Sequence[Any]] = ((),)) -> None:
        """Run a statement for each row of values: all of them or none."""
        with self.transaction() as connection:
            connection.executemany(sql, rows)

    def set_rows(
        self, table: str, rows: Iterable[Sequence[Any]], where: str = "", *values: Any
    ) -> None:
        """Write rows in place of those of a table that meet a condition, or of all."""
        condition = where and f" WHERE {where}"
        written = list(rows)
        with self.transaction() as connection:
            connection.execute(f"DELETE FROM {table}{condition}", values)
            if written:
                columns = marks(len(written[0]))
                connection.executemany(
                    f"INSERT INTO {table} VALUES ({columns})", written
                )

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[Any]:
        """Yield the rows of a query, streaming."""
        with (
            self._telling(),
            closing(self._connection.execute(sql, parameters)) as cursor,
        ):
            yield from cursor


def describe_problem(path: Path, kind: str, error: Exception, remedy: str) -> str:
    """Return one line on a file that cannot be used: its state and what to do.

    ``remedy`` is that of a damaged file, see :class:`Database`.
    """
    state, own_remedy = _STATES.get(_primary_code(error), ("unreadable", ""))
    remedy = own_remedy or remedy.format(folder=path.parent)
    return f"{path}: no readable {kind}: {state} ({error}); {remedy}"


def is_damage(error: sqlite3.Error) -> bool:
    """Test whether an error says that the file itself is no good."""
    return _primary_code(error) in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def find_damage(path: Path) -> sqlite3.Error | None:
    """Return the error that keeps a file from being read as a database, if any.

    The whole file is read.
    """
    try:
        with closing(
            sqlite3.connect(path, timeout=_BUSY_TIMEOUT_SECONDS)
        ) as connection:
            (said,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            # Writing shows whether it may be written.
            connection.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        return error
    return None if said == "ok" else _damage(said)


def _damage(said: str) -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError(said.replace("\n", " "))
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def _primary_code(error: Exception) -> int:
    """Return the primary result code of an error, -1 where SQLite gave none."""
    code = getattr(error, "sqlite_errorcode", None)
    return _NO_CODE if code is None else code & 0xFF


def marks(number: int) -> str:
    """Return the placeholders for a number of values.

    >>> marks(3)
    '?, ?, ?'
    """
    return ", ".join("?" * number)
