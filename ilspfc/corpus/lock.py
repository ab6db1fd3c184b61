"""One writer at a time in a corpus folder."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Self

from ilspfc.exceptions import CorpusError, CorpusLockedError

try:
    import fcntl
except ImportError:  # Windows: SQLite's own locks have to do
    fcntl = None  # type: ignore[assignment]


class CorpusLock:
    """A lock on a corpus folder, held until it is released or the process ends.

    The file of the lock has the number of the process that holds it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / ".lock"
        self._file: IO[bytes] | None = None
        self._is_new = False

    def __enter__(self) -> Self:
        """Take the lock."""
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        """Give the lock back."""
        self.release()

    def acquire(self) -> None:
        """Take the lock; CorpusLockedError where another process has it.

        CorpusError where no file can be made.
        """
        while self._file is None:
            try:
                self._is_new = self._is_new or not self._folder.exists()
                self._folder.mkdir(parents=True, exist_ok=True)
                file = self._path.open("a+b")
            except OSError as error:
                raise CorpusError(
                    f"{self._folder}: no corpus can be written there ({error.strerror});"
                    " give another CORPUS_DIR"
                ) from error
            if fcntl is not None:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError as error:
                    with file:
                        raise self._locked(file) from error
            if self._is_current(file):
                self._file = file
            else:
                file.close()
        with suppress(OSError):  # on a full disk the lock holds without its number
            self._file.truncate(0)
            self._file.write(b"%d\n" % os.getpid())
            self._file.flush()

    @contextmanager
    def unless_failed(self) -> Iterator[Self]:
        """Take the lock, and give it back only where the block raises."""
        self.acquire()
        try:
            yield self
        except BaseException:
            self.release()
            raise

    def _is_current(self, file: IO[bytes]) -> bool:
        """Test whether no holder has removed the file since it was opened."""
        try:
            return os.path.samestat(os.fstat(file.fileno()), self._path.stat())
        except FileNotFoundError:
            return False

    def _locked(self, file: IO[bytes]) -> CorpusLockedError:
        file.seek(0)
        holder = file.read(20).decode("ascii", "replace").strip()
        process = f"process {holder}" if holder.isdigit() else "another process"
        kill = f" (kill -INT {holder})" if holder.isdigit() else ""
        return CorpusLockedError(
            f"{self._folder}: {process} is writing there; wait for its end, stop it{kill},"
            " or give another folder"
        )

    def release(self) -> None:
        """Give the lock back; remove a folder that was made for it alone."""
        if self._file is not None:
            with suppress(OSError):  # a disk that has turned read-only
                self._path.unlink(missing_ok=True)
                if self._is_new:
                    self._folder.rmdir()  # fails where anything is in it
            with suppress(OSError):
                self._file.close()
            self._file = None

    @staticmethod
    def check(folder: Path) -> None:
        """Raise CorpusError where the lock could not be taken; leave nothing behind."""
        if not folder.exists():
            parent = next(p for p in folder.absolute().parents if p.exists())
            try:
                with tempfile.TemporaryDirectory(prefix=".ilspfc-", dir=parent):
                    return
            except OSError as error:
                raise CorpusError(
                    f"{folder}: no corpus can be written there ({parent} is no folder that"
                    " may be written); give another CORPUS_DIR"
                ) from error
        with CorpusLock(folder):
            pass
