"""The members of a gzip file (RFC 1952, section 2.2): a WARC file has one for each record."""

from __future__ import annotations

import mmap
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAGIC = b"\x1f\x8b\x08"
# So that a member that inflates a thousandfold takes 16 MB at a time, no more.
_CHUNK_BYTES = 16 * 1024
_GZIP_WINDOW_BITS = 16 + zlib.MAX_WBITS


class DamagedError(Exception):
    """Damage: bytes in the place of a member or record that are none, or have no end."""


@dataclass(frozen=True, slots=True)
class Member:
    """A gzip member: its first bytes inflated, its inflated size, where it ends."""

    head: bytes
    size: int
    end: int


@contextmanager
def map_file(path: Path) -> Iterator[mmap.mmap | bytes]:
    """Open a file for reading at any place; OSError where that cannot be done."""
    with path.open("rb") as file:
        try:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # an empty file cannot be mapped
            yield b""
            return
        with data:
            yield data


def read_member(data: mmap.mmap | bytes, offset: int, keep_bytes: int) -> Member:
    """Return the member at ``offset``, with its first ``keep_bytes`` inflated.

    The member is read to its end and its checksum verified. Raises DamagedError.
    """
    inflater = zlib.decompressobj(_GZIP_WINDOW_BITS)
    head, size, position = bytearray(), 0, offset
    while not inflater.eof:
        chunk = data[position : position + _CHUNK_BYTES]
        if not chunk:
            raise DamagedError(f"the member at {offset} has no end")
        position += len(chunk)
        try:
            piece = inflater.decompress(chunk)
        except zlib.error as error:
            raise DamagedError(f"the member at {offset}: {error}") from error
        size += len(piece)
        head += piece[: max(0, keep_bytes - len(head))]
    return Member(bytes(head), size, position - len(inflater.unused_data))


def peek_member(data: mmap.mmap | bytes, offset: int, keep_bytes: int) -> bytes:
    """Return the first bytes of the member at ``offset``, inflated; DamagedError if none."""
    inflater = zlib.decompressobj(_GZIP_WINDOW_BITS)
    try:
        return inflater.decompress(data[offset : offset + _CHUNK_BYTES], keep_bytes)
    except zlib.error as error:
        raise DamagedError(f"the member at {offset}: {error}") from error


def whole_bytes(path: Path) -> int:
    """Return the size of the whole members that a file begins with."""
    end = 0
    with map_file(path) as data:
        while end < len(data):
            try:
                end = read_member(data, end, 0).end
            except DamagedError:
                break
    return end
