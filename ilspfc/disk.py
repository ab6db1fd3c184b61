"""Disks that take no more: full, over a quota or a limit of size, read-only, broken.

A crawl whose disk refuses a write stops at once and writes nothing further: what is on the
disk then is what a kill would have left, from which the next run goes on.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from ilspfc.exceptions import DiskError

try:
    import resource
except ImportError:  # Windows has no limits of a process
    resource = None  # type: ignore[assignment]

_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO})
# SQLite tells full disks apart; every other refusal of the system has one of these codes.
_VAGUE_CODES = {
    sqlite3.SQLITE_IOERR: errno.EIO,
    sqlite3.SQLITE_READONLY: 0,
    sqlite3.SQLITE_CANTOPEN: 0,
}
_FULL_BYTES = 1 << 20  # with less left, a vague error is that of a full disk
_GO_ON = "give the same command again, it goes on where this run has stopped"


class DiskWatch:
    """A context manager for every write of a crawl: the first that is refused is the last.

    Errors of the disk become DiskError, and no block is entered after that. ``refusal`` is
    the line for the user, empty while all is well; ``on_refusal`` is called once.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.refusal = ""
        self.on_refusal: Callable[[], object] = lambda: None

    def __enter__(self) -> None:
        """Raise DiskError where an earlier write was refused."""
        if self.refusal:
            raise DiskError(self.refusal)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Raise DiskError in place of an error of the disk."""
        if error is None:
            return
        if line := describe_refusal(self._folder, error):
            if not self.refusal:
                self.refusal = line
                self.on_refusal()
            raise DiskError(self.refusal) from error


def flush(folder: Path) -> None:
    """Write everything of a folder's file system to the disk, so that it survives a power cut.

    Elsewhere than on Linux all file systems are written.
    """
    if sys.platform == "linux":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            ctypes.CDLL(None).syncfs(descriptor)
        finally:
            os.close(descriptor)
    elif hasattr(os, "sync"):  # not on Windows
        os.sync()


def describe_refusal(folder: Path, error: BaseException | None) -> str:
    """Return a line on a disk that refused a write; empty for any other error."""
    if isinstance(error, DiskError):
        return str(error)
    number = _errno(folder, error) if error is not None else 0
    if not number:
        return ""
    place = folder
    if isinstance(error, OSError) and isinstance(error.filename, str):
        place = Path(error.filename).parent
    mount = _mount_point(place)
    free = f"{shutil.disk_usage(mount).free / 1e6:.1f} MB free"
    cause, remedy = {
        errno.ENOSPC: (f"is full ({free})", "make room"),
        errno.EDQUOT: (f"has no room left in your quota ({free})", "make room"),
        errno.EFBIG: (
            f"has room ({free}), but a file may not exceed {_file_limit()} (ulimit -f)",
            "raise the limit",
        ),
        errno.EROFS: ("is read-only", "make it writable"),
        errno.EIO: ("fails (input/output error)", "see to the disk"),
    }[number]
    return f"{folder}: the file system {mount} {cause}; {remedy}, then {_GO_ON}"


def _errno(folder: Path, error: BaseException) -> int:
    """Return the number of the system's error; 0 if the disk did not cause it."""
    if isinstance(error, OSError):
        return error.errno if error.errno in _ERRNOS else 0
    # The primary result code is in the low byte of an extended one.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return errno.ENOSPC
    return _errno_of_state(folder, code) if code in _VAGUE_CODES else 0


def _errno_of_state(folder: Path, code: int) -> int:
    """Return the system error behind an unspecific SQLite code, by the state of the file system."""
    mount = _mount_point(folder)
    if hasattr(os, "statvfs") and os.statvfs(mount).f_flag & os.ST_RDONLY:
        return errno.EROFS
    if shutil.disk_usage(mount).free < _FULL_BYTES:
        return errno.ENOSPC
    if code == sqlite3.SQLITE_IOERR and _file_limit():
        return errno.EFBIG
    return _VAGUE_CODES[code]


def _mount_point(folder: Path) -> Path:
    path = folder.resolve()
    return next(p for p in (path, *path.parents) if p.is_mount() or p.parent == p)


def _file_limit() -> str:
    """Return the file size limit of this process, empty if there is none."""
    if resource is None:
        return ""
    limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    return "" if limit == resource.RLIM_INFINITY else f"{limit / 1e6:.1f} MB"
