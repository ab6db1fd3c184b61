"""Objects in a temporary file, so that memory does not grow with their number."""

from __future__ import annotations

import os
import pickle
import weakref
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import mkstemp
from typing import Generic, TypeVar

Item = TypeVar("Item")

# Of later protocols an array keeps a description of its buffer for as long as it lives, and
# comes back as three objects.
_PROTOCOL = 4


class SpoolFile:
    """Temporary file that several spools can share; removed with the last of them.

    Another process that is sent a spool reads the same file: on another machine, in a folder
    that ``TMPDIR`` names. In any other folder nothing of it outlives a kill.
    """

    def __init__(self) -> None:
        self._number, path = mkstemp(prefix="ilspfc-")
        self._end = 0
        self._path = f"/proc/{os.getpid()}/fd/{self._number}"
        if "TMPDIR" in os.environ or not Path(self._path).exists():
            self._path = path
            weakref.finalize(self, _remove, path, os.getpid())
        else:
            Path(path).unlink()
        weakref.finalize(self, os.close, self._number)

    def __getstate__(self) -> str:
        return self._path

    def __setstate__(self, path: str) -> None:
        self._number, self._path = os.open(path, os.O_RDONLY), path
        weakref.finalize(self, os.close, self._number)

    def append(self, data: bytes) -> tuple[int, int]:
        """Write data at the end; return its offset and its size in bytes."""
        place = self._end, len(data)
        while data:
            written = os.pwrite(self._number, data, self._end)
            self._end += written
            data = data[written:]
        return place

    def read(self, offset: int, size: int) -> bytes:
        """Return data; processes that are forked may read side by side."""
        return os.pread(self._number, size, offset)


def _remove(path: str, owner: int) -> None:
    if os.getpid() == owner:  # not a process forked from it
        Path(path).unlink()


def pack(item: object) -> bytes:
    """Return an object as a spool keeps it."""
    return pickle.dumps(item, _PROTOCOL)


class Spool(Generic[Item]):
    """List of objects on disk; each is made anew whenever it is asked for.

    >>> spool = Spool(["a", "b"])
    >>> spool.append("c")
    >>> len(spool), spool[1], list(spool)
    (3, 'b', ['a', 'b', 'c'])
    """

    def __init__(
        self, items: Iterable[Item] = (), file: SpoolFile | None = None
    ) -> None:
        self._file = file or SpoolFile()
        self._offsets, self._sizes = array("q"), array("q")
        for item in items:
            self.append(item)

    def __len__(self) -> int:
        return len(self._offsets)

    def __getitem__(self, number: int) -> Item:
        item: Item = pickle.loads(self.packed(number))  # noqa: S301 - of append()
        return item

    def __iter__(self) -> Iterator[Item]:
        for number in range(len(self)):
            yield self[number]

    @property
    def size(self) -> int:
        """Number of bytes of all objects."""
        return sum(self._sizes)

    def append(self, item: Item) -> None:
        """Write an object behind the others."""
        self.append_packed(pack(item))

    def packed(self, number: int) -> bytes:
        """Return an object as :func:`pack` does."""
        return self._file.read(self._offsets[number], self._sizes[number])

    def append_packed(self, data: bytes) -> None:
        """Write what :func:`pack` returned behind the others."""
        offset, size = self._file.append(data)
        self._offsets.append(offset)
        self._sizes.append(size)
