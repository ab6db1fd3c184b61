"""Rows of an SQL dump, as mysqldump writes them and Wikimedia hands them out.

The file is read in pieces and nothing of it is kept. Columns are found by name in the
CREATE TABLE statement, for their order and number have changed over the years.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING

from ilspfc.bootstrap.losses import SourceReason
from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ilspfc.bootstrap.concepts import Ledger

# A row of a value list; quotes are escaped by a backslash or doubled.
_STRING = rb"'(?:[^'\\]++|\\.|'')*+'"
_VALUE = rb"(?:" + _STRING + rb"|[^,'()]*+)"
# The group for what stands behind a row: another one follows, or none.
_SIGN = "sign"
_COLUMN_RE = re.compile(rb"^\s+`(\w+)`", re.MULTILINE)
_FIRST_LINE_RE = re.compile(rb"(?:/\*.*\*/;?\s*)?-- (?:MySQL|MariaDB) dump")
_CREATE = b"CREATE TABLE"
_LAST_LINE = b"-- Dump completed"
_INSERT_RE = re.compile(rb"INSERT INTO `\w+`(?: \([^)]*\))? VALUES\s*")
_ESCAPE_RE = re.compile(rb"\\(.)|''", re.DOTALL)
_ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"0": b"\0", b"Z": b"\x1a"}

_CHUNK_BYTES = 1 << 20
# zlib reads gzip with its own header when told so.
_GZIP_BITS = 16 + zlib.MAX_WBITS
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
        for chunk in _iter_chunks(path):
            yield from reader.feed(chunk)
        is_whole = reader.is_at_end
    except (EOFError, zlib.error):
        pass
    except OSError as error:
        cause = error.strerror or error
        raise BootstrapError(f"{path}: cannot be read ({cause})") from error
    if is_whole:
        reader.require_header()
    else:
        ledger.drop(SourceReason.TRUNCATED_DUMP, str(path))
        ledger.notice(
            f"{path}: the dump is cut off or damaged; {reader.rows} rows of it were read,"
            " fetch it again for the others"
        )


def _iter_chunks(path: Path) -> Iterator[bytes]:
    """Yield a file in pieces, unpacked; EOFError behind the last one if it is cut off.

    The module gzip would keep back the last piece of a file that is.
    """
    with path.open("rb") as file:
        if path.suffix != ".gz":
            yield from iter(lambda: file.read(_CHUNK_BYTES), b"")
            return
        unpacker = zlib.decompressobj(_GZIP_BITS)
        while data := unpacker.unconsumed_tail or file.read(_CHUNK_BYTES):
            yield unpacker.decompress(data, _CHUNK_BYTES)
            if unpacker.eof and (rest := unpacker.unused_data or file.read(1)):
                unpacker = zlib.decompressobj(_GZIP_BITS)  # another member
                yield unpacker.decompress(rest, _CHUNK_BYTES)
        if not unpacker.eof:
            raise EOFError


class _Reader:
    """Finds rows in a file that comes in pieces."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self._path = path
        self._wanted = tuple(columns)
        self._row_re: re.Pattern[bytes] | None = None
        self._buffer = b""
        self._is_in_values = False
        self._says_its_end = False
        self.rows = 0

    @property
    def is_at_end(self) -> bool:
        """Whether the file may end here: mysqldump says so in its last line."""
        is_said = not self._says_its_end or _LAST_LINE in self._buffer
        return is_said and not self._is_in_values

    def require_header(self) -> None:
        """Raise BootstrapError if no CREATE TABLE was found with the columns."""
        if self._row_re is None:
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
            for match in self._iter_matches(place):
                place = match.end()
                self.rows += 1
                *values, sign = match.group(*self._wanted, _SIGN)
                yield tuple(map(_unquote, values))
                if sign == b";":
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
        if self._row_re is None:
            self._read_header(self._buffer[place : match.start()])
        self._is_in_values = True
        return match.end()

    def _read_header(self, text: bytes) -> None:
        self._says_its_end = _FIRST_LINE_RE.match(text) is not None
        # A table without rows may stand before this one.
        table = text[max(text.rfind(_CREATE), 0) :]
        names = [name.decode() for name in _COLUMN_RE.findall(table)]
        missing = [name for name in self._wanted if name not in names]
        if missing:
            raise BootstrapError(
                f"{self._path}: the table has no column {missing[0]}, only"
                f" {', '.join(names) or 'unnamed ones'}"
            )
        twice = [name for name in self._wanted if names.count(name) > 1]
        if twice:
            raise BootstrapError(
                f"{self._path}: the table has the column {twice[0]} twice; fetch the dump"
                " again"
            )
        self._row_re = _make_row_pattern(names, self._wanted)

    def _iter_matches(self, place: int) -> Iterator[re.Match[bytes]]:
        """Yield the rows that stand one behind the other."""
        pattern = self._row_re
        assert pattern is not None  # noqa: S101 - the header stands before all rows
        while (match := pattern.match(self._buffer, place)) is not None:
            yield match
            place = match.end()


def _make_row_pattern(names: Sequence[str], wanted: Sequence[str]) -> re.Pattern[bytes]:
    """Return an expression for a whole row, with a group for each wanted column."""
    values = [
        rb"(?P<%b>%b)" % (name.encode(), _VALUE) if name in wanted else _VALUE
        for name in names
    ]
    text = rb"\s*\(%b\)(?P<%b>[,;])" % (b",".join(values), _SIGN.encode())
    return re.compile(text, re.DOTALL)


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
        head = next(_iter_chunks(path), b"")
    except (OSError, EOFError, zlib.error) as error:
        raise BootstrapError(f"{path}: cannot be read ({error})") from error
    head = head.partition(b"INSERT INTO")[0]
    names = _COLUMN_RE.findall(head[max(head.rfind(_CREATE), 0) :])
    return frozenset(name.decode() for name in names)
