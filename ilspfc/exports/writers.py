"""Base of the writers of exports, their options, and the names of files in parts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from ilspfc.atomic import open_atomic, write_bytes
from ilspfc.exports.selection import Action, SelectionCounts
from ilspfc.exports.split import PARTS
from ilspfc.exports.units import ExportUnit

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus
    from ilspfc.exports.filters import ExportReason, Thresholds

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TmxForm:
    """Form of a TMX file.

    With ``max_units`` (0: no limit) a memory is split into ``NAME.001.tmx`` and so on, each with
    the header of the whole and a property that gives its number. ``lang_map`` sets xml:lang
    for ISO 639-3 codes (deu: de-CH). ``props`` are the properties of units, most of
    a file: ``all``, ``score`` or ``none``.
    """

    lang_map: Mapping[str, str] = field(default_factory=dict)
    max_units: int = 0
    props: str = "all"


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Formats of the exports, their form, and the treatment of doubtful units."""

    formats: frozenset[str]
    preset: str  # with the filters that differ from it
    actions: Mapping[ExportReason, Action]
    limits: Thresholds
    tmx: TmxForm
    compress: bool
    licensed: bool
    evidence: frozenset[str]
    split: tuple[float, ...] = ()  # shares of the parts, which sum up to 1


@dataclass(frozen=True, slots=True)
class Target:
    """Files of a format for one language or two (ISO 639-3), and what their writer may need.

    ``paths`` are those of formats with a file a language or language pair, ``folder`` holds all
    files of a format; ``found`` counts the units to be written.
    """

    paths: list[Path]
    folder: Path
    langs: tuple[str, ...]
    corpus: Corpus
    options: ExportOptions
    found: SelectionCounts = field(default_factory=SelectionCounts)


class FileWriter(ExitStack, Generic[T]):
    """Writes items of one kind to files; a context manager.

    Files are compressed if their name ends in ``.gz`` and replace old ones when the block ends
    without an error; ``paths`` are those that were written. ``counts`` are stats of written
    items, ``dropped`` numbers of others by reason.
    """

    def __init__(self, *paths: Path) -> None:
        super().__init__()
        self.paths = list(paths)
        self.counts: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()

    @classmethod
    def open(cls, to: Target) -> FileWriter[T]:
        """Return the writer of some files of a corpus."""
        return cls(*to.paths)

    def __enter__(self) -> Self:
        """Open the files."""
        self._open()
        self.push(lambda error, *_: None if error else self._finish())
        return super().__enter__()

    def write(self, item: T, /) -> None:
        """Add an item."""
        raise NotImplementedError

    def _open(self) -> None:
        """Open the files, none for writers of a file an item; some write a beginning."""
        self._files = [self.enter_context(open_atomic(path)) for path in self.paths]

    def _finish(self) -> None:
        """Write what is known only after the last item."""


class FolderWriter(FileWriter[T]):
    """Writes a file for each item into a folder."""

    def __init__(self, to: Target) -> None:
        super().__init__()
        self._to, self._folder = to, to.folder

    @classmethod
    def open(cls, to: Target) -> FileWriter[T]:
        """Return the writer of the files in a folder of a corpus."""
        return cls(to)

    def _write_file(self, name: str, text: str) -> None:
        """Write a text as a file of the folder."""
        self.paths.append(self._folder / name)
        write_bytes(self.paths[-1], text.encode())


class UnitWriter(FileWriter[ExportUnit]):
    """Writes translation units to files."""


# The part of a split and the number of a part, if it is one.
_PART_RE = rf"(?:\.(?:\d{{3,}}|{'|'.join(PARTS)}))*"


def part_path(path: Path, number: int) -> Path:
    """Return the path of a part: its number, of three digits or more, before the suffixes.

    >>> from pathlib import Path
    >>> part_path(Path("de-it.tmx.gz"), 2).name
    'de-it.002.tmx.gz'
    """
    stem, dot, suffixes = path.name.partition(".")
    return path.with_name(f"{stem}.{number:03}{dot}{suffixes}")


def find_files(path: Path) -> list[Path]:
    """Return the files of an export: whole, in parts, compressed or not; in order."""
    stem, _, suffixes = path.name.removesuffix(".gz").partition(".")
    pattern = re.compile(
        rf"{re.escape(stem)}{_PART_RE}\.{re.escape(suffixes)}(?:\.gz)?"
    )
    if not path.parent.is_dir():
        return []
    return sorted(p for p in path.parent.iterdir() if pattern.fullmatch(p.name))
