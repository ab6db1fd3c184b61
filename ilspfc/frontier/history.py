"""What the frontier remembers of one URL, for those who ask why."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class UrlHistory:
    """A URL with its state, its score and where it was found."""

    url: str
    state: str
    score: float
    depth: int
    referrer: str
    anchor: str
    reason: str


def read_history(path: Path, key: str) -> UrlHistory | None:
    """Return what the frontier in a file knows of a canonical URL, None if nothing.

    The file is read only; a crawl may be writing to it.
    """
    if not path.is_file():
        return None
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        row = connection.execute(
            "SELECT url, state, score, depth, referrer, anchor, reason FROM urls"
            " WHERE key = ?",
            (key,),
        ).fetchone()
    return UrlHistory(*row) if row else None
