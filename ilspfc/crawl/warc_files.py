"""WARC files of a crawl's argument, checked before anything is written."""

from __future__ import annotations

from glob import glob
from pathlib import Path

from ilspfc.corpus.warc.reader import find_problem
from ilspfc.exceptions import ArgumentError


def find_warc_files(value: str) -> tuple[Path, ...]:
    """Return the files that ``-a warc=`` names, each once.

    ``value`` holds paths and patterns, separated by commas. Raises ArgumentError for a
    file that is missing or does not begin with a WARC record.
    """
    paths: dict[Path, None] = {}
    for name in filter(None, (part.strip() for part in value.split(","))):
        is_literal = Path(name).exists()
        # Path.glob knows no absolute patterns.
        found = [name] if is_literal else sorted(glob(name, recursive=True))  # noqa: PTH207
        for path in map(Path, found or [name]):
            if problem := find_problem(path):
                raise ArgumentError(
                    f"warc={value}: {path}: {problem}; give WARC files, or patterns such as"
                    " warc/*.warc.gz, separated by commas"
                )
            paths[path] = None
    return tuple(paths)
