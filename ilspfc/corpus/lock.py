"""One crawl at a time in a corpus folder."""

from __future__ import annotations

import tempfile
from typing import IO, TYPE_CHECKING

from ilspfc.exceptions import CorpusError

if TYPE_CHECKING:
    from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: SQLite's own locks have to do
    fcntl = None  # type: ignore[assignment]


class CorpusLock:
    """A lock on a corpus folder, held until it is released or the process ends."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: IO[bytes] | None = None

    def acquire(self) -> None:
        """Take the lock; CorpusError where another crawl has it or no file can be made."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            file = (self._folder / ".lock").open("ab")
        except OSError as error:
            raise CorpusError(
                f"{self._folder}: no corpus can be written there ({error.strerror}); give"
                " another CORPUS_DIR"
            ) from error
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                file.close()
                raise CorpusError(
                    f"{self._folder}: another crawl is writing there; wait for its end, or"
                    " give another CORPUS_DIR"
                ) from error
        self._file = file

    def release(self) -> None:
        """Give the lock back."""
        if self._file is not None:
            (self._folder / ".lock").unlink(missing_ok=True)
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
        lock = CorpusLock(folder)
        lock.acquire()
        lock.release()
