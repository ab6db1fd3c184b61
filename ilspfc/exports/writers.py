"""What all writers of translation units share."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from ilspfc.exports.units import ExportUnit


class UnitWriter:
    """Writes units to files, for use in ``with``.

    Files are compressed where their name ends in ``.gz`` and take the place of old ones
    when the block ends well; ``paths`` are those that were written.
    """

    def __init__(self) -> None:
        self.paths: list[Path] = []
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.__exit__(kind, error, traceback)

    def write(self, unit: ExportUnit) -> None:
        """Add a unit."""
        raise NotImplementedError

    def _open(self) -> None:
        """Open the files, with what stands before the first unit."""
        raise NotImplementedError
