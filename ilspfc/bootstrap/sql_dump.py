"""Rows of an SQL dump, as mysqldump writes them and Wikimedia hands them out.

The file is read in pieces and nothing of it is kept. Columns are found by name in the
CREATE TABLE statement, for their order and number have changed over the years.
"""

from __future__ import annotations

import gzip
import re
import zlib
from typing import IO, TYPE_CHECKING, cast

from ilspfc.bootstrap.reasons import SourceReason
from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ilspfc.bootstrap.records import Ledger

# A row of a value list; quotes are escaped by a backslash or doubled.
_STRING = rb"'(?:[^'\\]++|\\.|'')*+'"
_ROW_RE = re.compile(
    rb"\s*\(([^'()]*+(?:" + _STRING + rb"[^'()]*+)*+)\)([,;])", re.DOTALL
)
_VALUE_RE = re.compile(rb"(" + _STRING + rb"|[^,']*+)(?:,|$)", re.DOTALL)
_COLUMN_RE = re.compile(rb"^\s+`(\w+)`", re.MULTILINE)
_INSERT_RE = re.compile(rb"INSERT INTO `\w+`(?: \([^)]*\))? VALUES\s*")
_ESCAPE_RE = re.compile(rb"\\(.)|''", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"0": b"\0", b"Z": b"\x1a"}

_CHUNK_BYTES = 1 << 20
# A single row is never longer; what is has lost its end.
_MAX_ROW_BYTES = 1 << 24

Row = tuple[bytes, ...]


def iter_rows(path: Path, columns: Sequence[str], ledger: Ledger) -> Iterator[Row]:
    """Yield some columns of each row: numbers as written, text unescaped, NULL as empty.

    A dump whose end is missing, or that is damaged, is read as far as it goes, and that is
    counted and told. BootstrapError: the file cannot be opened, or is no dump of a table
    with these columns.
    """
    reader = _Reader(path, columns)
    is_whole = False
    try:
        with _open(path) as file:
            for chunk in iter(lambda: file.read(_CHUNK_BYTES), b""):
                yield from reader.feed(chunk)
            is_whole = reader.is_at_end
    except (EOFError, zlib.error, gzip.BadGzipFile):
        pass
    except OSError as error:
        cause = error.strerror or error
        raise BootstrapError(f"{path}: cannot be read ({cause})") from error
    reader.require_header()
    if not is_whole:
        ledger.drop(SourceReason.TRUNCATED_DUMP, str(path))
        ledger.notice(
            f"{path}: the dump is cut off or damaged; {reader.rows} rows of it were read,"
            " fetch it again for the others"
        )


def _open(path: Path) -> IO[bytes]:
    return (
        cast("IO[bytes]", gzip.open(path)) if path.suffix == ".gz" else path.open("rb")
    )


class _Reader:
    """Finds rows in a file that comes in pieces."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self._path = path
        self._wanted = columns
        self._places: list[int] = []
        self._last = 0
        self._buffer = b""
        self._is_in_values = False
        self.rows = 0

    @property
    def is_at_end(self) -> bool:
        """Whether the file may end here: no row or statement is begun."""
        return not self._is_in_values and b"INSERT INTO" not in self._buffer

    def require_header(self) -> None:
        """Raise BootstrapError if no CREATE TABLE was found with the columns."""
        if not self._places:
            raise BootstrapError(
                f"{self._path}: no SQL dump of a table with {', '.join(self._wanted)};"
                " give a file such as enwiki-latest-page.sql.gz"
            )

    def feed(self, chunk: bytes) -> Iterator[Row]:
        """Yield the rows that are whole with a further piece."""
        self._buffer += chunk
        place = 0
        while True:
            if not self._is_in_values:
                start = self._find_values(place)
                if start is None:
                    break
                place = start
            for match in _iter_from(self._buffer, place):
                place = match.end()
                self.rows += 1
                yield self._read_row(match[1])
                if match[2] == b";":
                    self._is_in_values = False
                    break
            else:
                break
        self._buffer = self._buffer[place:]
        if len(self._buffer) > _MAX_ROW_BYTES:
            raise EOFError

    def _find_values(self, place: int) -> int | None:
        """Return where rows begin, None if they do not begin in what is there."""
        match = _INSERT_RE.search(self._buffer, place)
        if match is None:
            return None
        if not self._places:
            self._read_header(self._buffer[place : match.start()])
        self._is_in_values = True
        return match.end()

    def _read_header(self, text: bytes) -> None:
        names = [name.decode() for name in _COLUMN_RE.findall(text)]
        missing = [name for name in self._wanted if name not in names]
        if missing:
            raise BootstrapError(
                f"{self._path}: the table has no column {missing[0]}, only"
                f" {', '.join(names) or 'unnamed ones'}"
            )
        self._places = [names.index(name) for name in self._wanted]
        self._last = max(self._places)

    def _read_row(self, text: bytes) -> Row:
        values: list[bytes] = []
        for match in _VALUE_RE.finditer(text):
            values.append(match[1])
            if len(values) > self._last:
                break
        values += [b""] * (self._last + 1 - len(values))
        return tuple(_unquote(values[place]) for place in self._places)


def _iter_from(buffer: bytes, place: int) -> Iterator[re.Match[bytes]]:
    """Yield the rows that stand one behind the other."""
    while (match := _ROW_RE.match(buffer, place)) is not None:
        yield match
        place = match.end()


def _unquote(value: bytes) -> bytes:
    if value[:1] != b"'":
        return b"" if value == b"NULL" else value
    text = value[1:-1]
    if b"\\" not in text and b"''" not in text:
        return text
    return _ESCAPE_RE.sub(
        lambda m: b"'" if m[1] is None else _ESCAPES.get(m[1], m[1]), text
    )


def read_columns(path: Path) -> frozenset[str]:
    """Return the columns of the table in a dump, by its first megabyte."""
    try:
        with _open(path) as file:
            head = file.read(_CHUNK_BYTES)
    except (OSError, EOFError, zlib.error) as error:
        raise BootstrapError(f"{path}: cannot be read ({error})") from error
    names = _COLUMN_RE.findall(head.partition(b"INSERT INTO")[0])
    return frozenset(name.decode() for name in names)
