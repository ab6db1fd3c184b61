"""The links and images of a document, as the index stores them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ilspfc.database import marks

if TYPE_CHECKING:
    from ilspfc.corpus.records import LinkEntry


def put_links(
    connection: sqlite3.Connection,
    identity: str,
    links: Iterable[LinkEntry],
    images: Iterable[str],
) -> None:
    """Store the links and images of a document, in place of those it had."""
    connection.execute("DELETE FROM links WHERE source = ?", (identity,))
    connection.executemany(
        f"INSERT INTO links VALUES ({marks(6)})",
        ((identity, position, *link) for position, link in enumerate(links)),
    )
    connection.execute("DELETE FROM images WHERE document = ?", (identity,))
    connection.executemany(
        "INSERT OR IGNORE INTO images VALUES (?, ?)",
        ((identity, name) for name in images),
    )
