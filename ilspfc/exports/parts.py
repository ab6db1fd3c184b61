"""Names of the files that a large export is split into."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

# The number of a part, if it is one.
_PART_RE = r"(?:\.\d{3,})?"


def part_path(path: Path, number: int) -> Path:
    """Return the path of a part: its number, of three digits or more, before the suffixes.

    >>> from pathlib import Path
    >>> part_path(Path("de-it.tmx.gz"), 2).name
    'de-it.002.tmx.gz'
    """
    stem, dot, suffixes = path.name.partition(".")
    return path.with_name(f"{stem}.{number:03}{dot}{suffixes}")


def find_files(path: Path) -> list[Path]:
    """Return what there is of an export: whole, in parts, compressed or not; in order."""
    stem, _, suffixes = path.name.removesuffix(".gz").partition(".")
    pattern = re.compile(
        rf"{re.escape(stem)}{_PART_RE}\.{re.escape(suffixes)}(?:\.gz)?"
    )
    if not path.parent.is_dir():
        return []
    return sorted(p for p in path.parent.iterdir() if pattern.fullmatch(p.name))


def remove_stale(path: Path, written: Iterable[Path]) -> None:
    """Remove what earlier runs left of an export, but for what was written."""
    for old in set(find_files(path)) - set(written):
        old.unlink()
