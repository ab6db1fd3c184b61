"""Files that are either whole or not there."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

_CHUNK_BYTES = 1 << 20


@contextmanager
def open_atomic(path: Path, *, sync: bool = True) -> Iterator[IO[bytes]]:
    """Open a binary file that takes the place of ``path`` when the block ends well.

    The bytes go to a temporary file in the same folder, which is made if need be; an
    error leaves what was at ``path`` untouched. A name that ends in ``.gz`` is
    compressed, with no name or time in the header: same content, same bytes. A file that
    would be replaced by the same bytes is left alone, its time with it. Without ``sync``
    the bytes may be lost in a power cut, though not when the process is killed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.unlink(missing_ok=True)
    try:
        with temporary.open("xb") as raw:
            if path.suffix == ".gz":
                with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
                    yield cast("IO[bytes]", packed)
            else:
                yield raw
            raw.flush()
            # A file that has its name must have its content too, even after a crash.
            if sync:
                os.fsync(raw.fileno())
        if _is_same(temporary, path):
            temporary.unlink()
        else:
            temporary.replace(path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename == str(temporary):
            error.filename = str(path)  # nobody has given the other name
        raise


def write_bytes(path: Path, data: bytes, *, sync: bool = True) -> None:
    """Write a file by :func:`open_atomic`, whole or not at all."""
    with open_atomic(path, sync=sync) as file:
        file.write(data)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines of text in UTF-8, all or none."""
    with open_atomic(path) as file:
        file.writelines(f"{line}\n".encode("utf-8", "replace") for line in lines)


def _is_same(new: Path, old: Path) -> bool:
    """Test whether two files have the same bytes; False where there is no old one."""
    if not old.is_file() or new.stat().st_size != old.stat().st_size:
        return False
    with new.open("rb") as left, old.open("rb") as right:
        while chunk := left.read(_CHUNK_BYTES):
            if chunk != right.read(_CHUNK_BYTES):
                return False
    return True
