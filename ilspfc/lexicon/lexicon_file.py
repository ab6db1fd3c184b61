"""SQLite store of learned lexicons, across sites and crawls.

Every site has its own contribution to a language pair; relearning a site replaces it.
Entries are computed from all contributions, so they do not depend on their order.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from importlib.resources import files
from itertools import groupby
from math import fsum
from operator import mul
from typing import Any

from ilspfc.database import Database
from ilspfc.exceptions import LexiconError
from ilspfc.lexicon.entries import Entry

# "ilsl" in ASCII: distinguishes a store from other SQLite files of the project.
_APPLICATION_ID = 0x696C736C
_VERSION = 1


class LexiconStore(Database):
    """The lexicons of all language pairs in one file.

    Languages are ISO 639-3 codes; a pair is stored once, with sorted codes, and returned
    in the order requested. Every method that writes also commits. LexiconError if the file
    is not a store, or is locked by another process.
    """

    kind = "lexicon store"
    remedy = "give another file"
    error_type = LexiconError

    def _prepare(self, connection: sqlite3.Connection) -> None:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and (application, version) != (_APPLICATION_ID, _VERSION):
            raise LexiconError(
                f"{self.path}: another SQLite file, or a store of another version; give"
                " another file"
            )
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {_VERSION}")
        schema = files(__package__).joinpath("lexicon.sql").read_text("utf-8")
        connection.executescript(schema)

    def put(
        self, langs: tuple[str, str], site: str, entries: Iterable[Entry], date: str
    ) -> None:
        """Record the contribution of a site to a language pair, replacing the previous one.

        ``date`` is when it was learned (ISO 8601). The site is removed if there are no
        entries.
        """
        if langs[0] > langs[1]:
            langs, entries = langs[::-1], [entry.transpose() for entry in entries]
        rows = [(e.source, e.target, e.score, e.segments, e.documents) for e in entries]
        key = (*langs, site)
        with self.transaction() as connection:
            connection.execute(
                "DELETE FROM sites WHERE source_lang = ? AND target_lang = ? AND site = ?",
                key,
            )
            if not rows:
                return
            cursor = connection.execute(
                "INSERT INTO sites (source_lang, target_lang, site, date)"
                " VALUES (?, ?, ?, ?)",
                (*key, date),
            )
            connection.executemany(
                "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?)",
                ((cursor.lastrowid, *row) for row in rows),
            )

    def entries(self, langs: tuple[str, str], *, without_site: str = "") -> list[Entry]:
        """Return the entries of a language pair from all sites but one, sorted by words.

        The score is the mean over the sites, weighted by segments; counts are sums.
        ``without_site`` excludes the contribution of a site, lest it confirm itself.
        """
        rows = self.rows(
            "SELECT source, target, score, segments, documents"
            " FROM entries JOIN sites ON sites.id = entries.site"
            " WHERE source_lang = ? AND target_lang = ? AND sites.site != ?"
            " ORDER BY source, target",
            (*sorted(langs), without_site),
        )
        found = [
            sum_up(*words, list(group))
            for words, group in groupby(rows, key=lambda row: (row[0], row[1]))
        ]
        if langs[0] < langs[1]:
            return found
        transposed = (entry.transpose() for entry in found)
        return sorted(transposed, key=lambda entry: (entry.source, entry.target))


def sum_up(source: str, target: str, rows: list[tuple[Any, ...]]) -> Entry:
    """Return the entry of two words: mean score and summed counts of rows, one per site."""
    weights = [max(segments, 1) for *_, segments, _ in rows]
    # fsum gives the same bits whatever the order of the sites.
    score = fsum(map(mul, (row[2] for row in rows), weights)) / sum(weights)
    segments, documents = sum(row[3] for row in rows), sum(row[4] for row in rows)
    return Entry(source, target, score, segments, documents, len(rows))
