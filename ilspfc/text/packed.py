"""Packed files of others: what comes out of them is bounded before it is parsed.

A file of some kilobytes may unpack to gigabytes. Bounds are on unpacked bytes, for memory and
time follow from these.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

MAX_LINE_BYTES = 64 << 20
"""Bytes of a line; those of a dump of a database have 1 MB, of all other formats a few kB."""
MAX_FILE_BYTES = 256 << 20
"""Bytes of a file that is held in memory as a whole: links of millions of sentences."""
_PIECE_BYTES = 1 << 16


class TooLargeError(OSError):
    """Contents larger than a reader takes."""


def iter_part(archive: ZipFile, part: ZipInfo | str, max_bytes: int) -> Iterator[bytes]:
    """Yield a part of a ZIP file in pieces of 64 KiB.

    TooLargeError once there are more than ``max_bytes``, and for a compression other than that
    of office files, which may unpack to gigabytes at once; KeyError without such a part.
    """
    info = archive.getinfo(part) if isinstance(part, str) else part
    if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        raise TooLargeError(f"{info.filename} is not compressed by deflate")
    with archive.open(info) as stream:
        while piece := stream.read(_PIECE_BYTES):
            max_bytes -= len(piece)
            if max_bytes < 0:
                raise TooLargeError(f"{info.filename} is too large when unpacked")
            yield piece


def iter_lines(lines: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file; TooLargeError for one of more than ``MAX_LINE_BYTES``."""
    while line := lines.readline(MAX_LINE_BYTES + 1):
        if len(line) > MAX_LINE_BYTES:
            raise TooLargeError(f"a line of more than {MAX_LINE_BYTES >> 20} MiB")
        yield line


def open_packed(path: Path) -> IO[bytes]:
    """Open a file for reading, decompressed where its name ends in ``.gz``."""
    if path.suffix == ".gz":
        return cast("IO[bytes]", gzip.open(path))
    return path.open("rb")


def unpack(path: Path) -> bytes:
    """Return the contents of a gzip file; TooLargeError beyond ``MAX_FILE_BYTES``."""
    with gzip.open(path) as file:
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise TooLargeError(f"more than {MAX_FILE_BYTES >> 20} MiB when unpacked")
    return data
