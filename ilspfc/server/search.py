"""Full-text search in documents and units, in ``search.db`` beside the index of a corpus.

The files of the corpus hold the text of documents, and the index has units by pair alone: the
search file has what a page needs at once. It may be deleted at any time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ilspfc.database import Database
from ilspfc.exceptions import CorpusError
from ilspfc.exports.filters import (
    ExportReason,
    Thresholds,
    find_reasons,
    measure,
    neighbor_scores,
)

if TYPE_CHECKING:
    from pathlib import Path

    from ilspfc.corpus.corpus import Corpus

_SCHEMA = """
CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5(
    title, text, document UNINDEXED, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TABLE IF NOT EXISTS known_documents (
    document TEXT PRIMARY KEY,
    digest TEXT NOT NULL         -- of the text that is in the search
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS units (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    number INTEGER NOT NULL,
    langs TEXT NOT NULL,         -- ISO 639-3, joined by a hyphen
    score REAL NOT NULL,
    reasons INTEGER NOT NULL     -- against it, a bit each
);
CREATE INDEX IF NOT EXISTS units_by_score ON units (langs, score, id);
CREATE VIRTUAL TABLE IF NOT EXISTS unit_texts USING fts5(
    source, target, content = '', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""
_BATCH = 500
T = TypeVar("T")
_BITS = {reason: 1 << number for number, reason in enumerate(ExportReason)}


class Hit(NamedTuple):
    """Document found: its id, and a passage with the words in brackets."""

    document: str
    passage: str


class UnitRow(NamedTuple):
    """Unit found: the ids of its documents, its number in the pair, and of the search."""

    source: str
    target: str
    number: int
    id: int
    score: float


class UnitFilter(NamedTuple):
    """Conditions on units: languages, range of scores, words, a reason against them."""

    langs: str
    scores: tuple[float, float] = (0.0, 1.0)
    words: str = ""
    reason: str = ""


class SearchIndex(Database):
    """Search over the documents and units of one corpus."""

    kind = "search file"
    remedy = "delete it: it is made anew"
    error_type = CorpusError

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        # Pages read while the file is renewed.
        self._connection.execute("PRAGMA journal_mode = WAL")

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.executescript(_SCHEMA)

    def renew(self, corpus: Corpus) -> None:
        """Add the documents and units that are new, in steps; remove those that are gone."""
        self._renew_documents(corpus)
        self._renew_units(corpus)

    def _renew_documents(self, corpus: Corpus) -> None:
        sql = "SELECT document, digest FROM known_documents"
        known = dict(self.rows(sql))
        digests = dict(corpus.index.rows("SELECT document, digest FROM texts"))
        entries = {entry.id: entry for entry in corpus.index.documents()}
        gone = [name for name in known if name not in entries]
        new = [name for name in entries if known.get(name) != digests.get(name, "")]
        for some in _batched([*gone, *new]):
            rows = [
                (entry.title, "\n".join(p.text for p in document.paragraphs), name)
                for name in some
                if (entry := entries.get(name))
                and (document := corpus.read(entry)) is not None
            ]
            with self.transaction() as connection:
                for table in ("texts", "known_documents"):
                    connection.executemany(
                        f"DELETE FROM {table} WHERE document = ?",
                        [(name,) for name in some],
                    )
                connection.executemany("INSERT INTO texts VALUES (?, ?, ?)", rows)
                connection.executemany(
                    "INSERT INTO known_documents VALUES (?, ?)",
                    [(name, digests.get(name, "")) for *_, name in rows],
                )

    def _renew_units(self, corpus: Corpus) -> None:
        """Write all units anew, if any of them has changed."""
        (state,) = corpus.index.rows(
            "SELECT count(*) || ' ' || total(score) || ' ' || total(length(source_text))"
            " FROM units"
        )
        known = next(self.rows("SELECT value FROM state WHERE name = 'units'"), ("",))
        if known == state:
            return
        with self.transaction() as connection:
            connection.execute("DELETE FROM units")
            connection.execute(
                "INSERT INTO unit_texts (unit_texts) VALUES ('delete-all')"
            )
            for rows in _batched(_iter_units(corpus)):
                first = connection.execute("SELECT ifnull(max(id), 0) FROM units")
                start = first.fetchone()[0] + 1
                connection.executemany(
                    "INSERT INTO units (source, target, number, langs, score, reasons)"
                    " VALUES (?, ?, ?, ?, ?, ?)",
                    [row[:6] for row in rows],
                )
                connection.executemany(
                    "INSERT INTO unit_texts (rowid, source, target) VALUES (?, ?, ?)",
                    [(start + n, *row[6:]) for n, row in enumerate(rows)],
                )
            connection.execute(
                "INSERT OR REPLACE INTO state VALUES ('units', ?)", state
            )

    def find_documents(self, words: str, limit: int) -> list[Hit]:
        """Return the documents with all of some words, the best first."""
        sql = (
            "SELECT document, snippet(texts, 1, '[', ']', ' … ', 24) FROM texts"
            " WHERE texts MATCH ? ORDER BY rank LIMIT ?"
        )
        return [Hit(*row) for row in self.rows(sql, (_quote(words), limit))]

    def find_units(
        self, wanted: UnitFilter, after: tuple[float, int], limit: int
    ) -> list[UnitRow]:
        """Return units that meet all conditions, the lowest scores first.

        ``after`` are score and id of the last unit of the page before.
        """
        langs, scores, words, reason = wanted
        sql = (
            "SELECT source, target, number, id, score FROM units WHERE langs = ?"
            " AND score BETWEEN ? AND ? AND (score, id) > (?, ?)"
        )
        values: list[object] = [langs, *scores, *after]
        if words:
            sql += " AND id IN (SELECT rowid FROM unit_texts WHERE unit_texts MATCH ?)"
            values.append(_quote(words))
        if reason in _BITS:
            sql += " AND reasons & ?"
            values.append(_BITS[ExportReason(reason)])
        sql += " ORDER BY score, id LIMIT ?"
        return [UnitRow(*row) for row in self.rows(sql, (*values, limit))]


def _batched(items: Iterable[T]) -> Iterator[list[T]]:
    source = iter(items)
    while batch := list(islice(source, _BATCH)):
        yield batch


def _quote(words: str) -> str:
    """Return words as an expression of FTS5 that each of them must meet."""
    return " ".join('"' + word.replace('"', '""') + '"' for word in words.split())


def _iter_units(corpus: Corpus) -> Iterator[tuple[object, ...]]:
    """Yield the units as rows of the search: of all pairs, with the reasons against them."""
    limits = Thresholds()
    for langs in corpus.language_pairs:
        for entry in corpus.bitext.pairs(*langs):
            pair = entry.pair
            rows = list(
                corpus.index.rows(
                    "SELECT number, kind, score, source_text, target_text FROM units"
                    " WHERE source = ? AND target = ? ORDER BY number",
                    (pair.source, pair.target),
                )
            )
            means = neighbor_scores([row[2] for row in rows]).tolist()
            for (number, kind, score, *texts), mean in zip(rows, means, strict=True):
                reasons: Iterable[ExportReason] = [
                    *find_reasons(measure(*texts), limits),
                    *[ExportReason.QUALITY] * (score < limits.min_score),
                    *[ExportReason.TYPE] * (kind not in limits.kinds),
                    *[ExportReason.UNALIGNED] * (mean < limits.min_neighbors),
                ]
                mask = sum(_BITS[reason] for reason in reasons)
                ids = pair.source, pair.target, number
                yield (*ids, "-".join(langs), score, mask, *texts)
