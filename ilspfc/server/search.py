"""Full-text search in documents and units, in ``search.db`` beside the index of a corpus.

The files of the corpus hold the text of documents, and the index has units by pair alone: the
search file has what a page needs at once. It may be deleted at any time.
"""

from __future__ import annotations

import math
import re
import sqlite3
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

from ilspfc.corpus.corpus import Corpus
from ilspfc.database import Database, marks
from ilspfc.exceptions import ArgumentError, CorpusError
from ilspfc.exports.filters import ExportReason, find_words
from ilspfc.exports.selection import hash_unit

_MAX_WORDS = 32
_MAX_CHARS = 500
_PASSAGE_CHARS = 160
_LEAD_CHARS = 40
_CONTEXT_CHARS = 90
_MAX_PLACES = 50
# Between the clean text of a document and all other paragraphs.
_OTHER_TEXT = "\f"


def split_words(text: str) -> list[str]:
    """Return the distinct words of a search; ArgumentError for none and for too many.

    >>> split_words("Honig  HONIG Biene")
    ['HONIG', 'Biene']
    """
    # SQLite ends a query at a NUL.
    words = {word.casefold(): word for word in text.replace("\0", " ").split()}
    if not words:
        raise ArgumentError("There is no word to search for.")
    if len(words) > _MAX_WORDS or sum(map(len, words)) > _MAX_CHARS:
        limits = f"{_MAX_WORDS} words and {_MAX_CHARS} characters"
        raise ArgumentError(f"Give at most {limits} to search for.")
    return list(words.values())


class PassageFinder:
    """Finds the passage of a text that has most of some words.

    FTS5 does so too, in a time that grows with the square of the words found: of a page that
    says one word 40,000 times it is half a minute, which nothing can interrupt.
    """

    def __init__(self, words: list[str]) -> None:
        folded = sorted((word.translate(BASES) for word in words), key=len)[::-1]
        self._word_re = re.compile(rf"\b(?:{'|'.join(map(re.escape, folded))})\b")

    def iter_contexts(self, text: str) -> Iterator[tuple[str, str, str]]:
        """Yield the words where they are found, each with the text before and behind it."""
        for match in self._word_re.finditer(text.translate(BASES)):
            start, end = match.span()
            before = text[max(0, start - _CONTEXT_CHARS) : start]
            behind = text[end : end + _CONTEXT_CHARS]
            yield before.replace("\n", " "), text[start:end], behind.replace("\n", " ")

    def find(self, text: str) -> str:
        """Return a passage with the words in brackets, else the beginning of the text."""
        text = text.replace(_OTHER_TEXT, " ")
        matches = self._word_re.finditer(text.translate(BASES))
        found = list(islice(matches, _MAX_PLACES))
        places = [match.start() for match in found]

        def count(start: int) -> int:
            near = range(start, start + _PASSAGE_CHARS)
            return len({match[0] for match in found if match.start() in near})

        first = max(places, key=count, default=0)
        begin = _step_back(text, max(0, first - _LEAD_CHARS))
        end = first + _PASSAGE_CHARS
        end = _step_back(text, end) if end < len(text) else len(text)
        parts, at = ["… " if begin else ""], begin
        for match in found:
            if begin <= match.start() and match.end() <= end:
                parts += [text[at : match.start()], f"[{text[slice(*match.span())]}]"]
                at = match.end()
        return "".join([*parts, text[at:end], " …" if end < len(text) else ""])


def _step_back(text: str, place: int) -> int:
    """Return the beginning of the word at a place, the place itself if that is far."""
    return text.rfind(" ", max(0, place - _LEAD_CHARS), place) + 1 or place


class _Bases(dict[int, str]):
    """Characters in lower case without marks, each as one, as ``str.translate`` takes them."""

    def __missing__(self, code: int) -> str:
        parts = unicodedata.normalize("NFD", chr(code))
        is_marked = all(map(unicodedata.combining, parts[1:]))
        base = (parts[0] if is_marked else chr(code)).lower()
        self[code] = base if len(base) == 1 else chr(code)
        return self[code]


BASES = _Bases()
"""Table of ``str.translate`` by which words are compared as the search compares them."""


_BATCH = 500
T = TypeVar("T")
# Hits beyond which documents are not ranked: that would look at all of them.
_MAX_RANKED = 5_000
# Steps of SQLite between two looks at the clock.
_STEPS = 1_000
# Characters of a document in which a passage is looked for.
_MAX_PASSAGE_PLACE = 200_000


class Hit(NamedTuple):
    """Document found: its id, and a passage with the words in brackets."""

    document: str
    passage: str


class Line(NamedTuple):
    """Line of a concordance: the document, the text before a word, the word, that behind it."""

    document: str
    left: str
    word: str
    right: str


class UnitRow(NamedTuple):
    """Unit found: the ids of its documents, its number in the pair, and of the search."""

    source: str
    target: str
    number: int
    id: int
    score: float
    place: float


# What units can be sorted by; by chance, the order is always the same.
UNIT_ORDERS = {
    "by chance": "(id * 2654435761) % 4294967296",
    "lowest score": "r.score",
    "highest score": "-r.score",
}


ALL_SCORES = (0.0, 1.0)


class UnitFilter(NamedTuple):
    """Conditions on units: languages, range of scores, words, a reason; and their order."""

    langs: str
    scores: tuple[float, float] = ALL_SCORES
    words: str = ""
    reason: str = ""
    sort: str = "lowest score"


class SearchIndex(Database):
    """Search over the documents and units of one corpus."""

    kind = "search file"
    remedy = "delete it: it is made anew"
    error_type = CorpusError
    schema = files("ilspfc.server").joinpath("search.sql").read_text("utf-8")

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._end = math.inf
        # Pages read while the file is renewed. A switch of the mode does not wait for others
        # that have a new file open; the last of them makes it.
        with suppress(sqlite3.OperationalError):
            self._connection.execute("PRAGMA journal_mode = WAL")

    def renew(self, corpus: Corpus) -> None:
        """Add the documents and units that are new, in steps; remove those that are gone."""
        self._renew_documents(corpus)
        self._renew_units(corpus)

    def _renew_documents(self, corpus: Corpus) -> None:
        sql = "SELECT document, digest FROM known_documents"
        known = dict(self.rows(sql))
        digests = dict(
            corpus.index.rows(
                "SELECT id, ifnull(digest, '') FROM kept_documents"
                " LEFT JOIN texts ON document = id"
            )
        )
        gone = [name for name in known if name not in digests]
        new = [name for name, digest in digests.items() if known.get(name) != digest]
        for some in _batched([*gone, *new]):
            rows = []
            for name in some:
                if name in digests and (entry := corpus.index.document(name)):
                    document = corpus.read(entry)
                    clean = [p.text for p in document.clean_paragraphs]
                    rest = [p.text for p in document.paragraphs if p.crawlinfo]
                    text = "\n".join([*clean, _OTHER_TEXT, *rest])
                    rows.append((entry.title, text, name))
            with self.transaction() as connection:
                names = [(name,) for name in some]
                connection.executemany(
                    "DELETE FROM texts WHERE rowid ="
                    " (SELECT id FROM known_documents WHERE document = ?)",
                    names,
                )
                connection.executemany(
                    "DELETE FROM known_documents WHERE document = ?", names
                )
                connection.executemany(
                    "INSERT INTO known_documents (document, digest) VALUES (?, ?)",
                    [(name, digests[name]) for _, _, name in rows],
                )
                connection.executemany(
                    "INSERT INTO texts (rowid, title, text) SELECT id, ?, ?"
                    " FROM known_documents WHERE document = ?",
                    rows,
                )

    def _renew_units(self, corpus: Corpus) -> None:
        """Write all units anew, if a stage has made others or documents have gone."""
        (state,) = corpus.index.rows(
            "SELECT ifnull((SELECT group_concat(stage || signature) FROM signatures), '')"
            " || ' ' || count(*) || ' ' || total(mean_score)"
            " FROM candidates WHERE state = 'pair'"
        )
        known = next(self.rows("SELECT value FROM state WHERE name = 'units'"), ("",))
        if known == state:
            return
        with self.transaction() as connection:
            connection.execute("DELETE FROM units")
            connection.execute("DELETE FROM unit_reasons")
            connection.execute(
                "INSERT INTO unit_texts (unit_texts) VALUES ('delete-all')"
            )
            for units in _batched(_iter_units(corpus)):
                first = connection.execute("SELECT ifnull(max(id), 0) FROM units")
                start = first.fetchone()[0] + 1
                connection.executemany(
                    "INSERT INTO units (source, target, number, langs, score)"
                    " VALUES (?, ?, ?, ?, ?)",
                    [row for row, _, _ in units],
                )
                connection.executemany(
                    "INSERT INTO unit_reasons VALUES (?, ?, ?, ?)",
                    [
                        (reason, *row[3:], number)
                        for number, (row, reasons, _) in enumerate(units, start)
                        for reason in reasons
                    ],
                )
                connection.executemany(
                    "INSERT INTO unit_texts (rowid, source, target) VALUES (?, ?, ?)",
                    [(n, *texts) for n, (_, _, texts) in enumerate(units, start)],
                )
            connection.execute("DELETE FROM state")
            connection.execute("INSERT INTO state VALUES ('units', ?)", state)
            connection.execute(
                "INSERT INTO state SELECT 'units ' || langs, count(*) FROM units GROUP BY langs"
            )

    @contextmanager
    def limited(self, seconds: float) -> Iterator[Self]:
        """End what is asked for in the block after a time, by ArgumentError."""
        self._end = time.monotonic() + seconds
        self._connection.set_progress_handler(self._is_late, _STEPS)
        try:
            yield self
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", 0) != sqlite3.SQLITE_INTERRUPT:
                raise
            text = f"The search took more than {seconds:g} seconds; give rarer words."
            raise ArgumentError(text) from error
        finally:
            self._connection.set_progress_handler(None, 0)

    def _is_late(self) -> bool:
        return time.monotonic() > self._end

    def find_documents(self, words: str, limit: int, offset: int = 0) -> list[Hit]:
        """Return documents with all of some words, the best first unless very many have them.

        ``offset`` are to be left out. Passages stay empty where there is no time for them.
        ArgumentError for too many words.
        """
        known = split_words(words)
        query = _quote(known)
        order = "texts.rowid" if self._has_many("texts", query) else "rank"
        sql = (
            "SELECT document, id FROM texts JOIN known_documents ON id = texts.rowid"
            f" WHERE texts MATCH ? ORDER BY {order} LIMIT ? OFFSET ?"
        )
        rows = list(self.rows(sql, (query, limit, offset)))
        finder = PassageFinder(known)
        sql = f"SELECT substr(text, 1, {_MAX_PASSAGE_PLACE}) FROM texts WHERE rowid = ?"
        return [
            Hit(
                name,
                ""
                if self._is_late()
                else finder.find(*next(self.rows(sql, (id_,)), ("",))),
            )
            for name, id_ in rows
        ]

    def find_lines(self, phrase: str, limit: int) -> list[Line]:
        """Return the places of a word or phrase in the clean text of the first documents with it.

        ArgumentError for too many words.
        """
        split_words(phrase)
        words = " ".join(phrase.replace("\0", " ").split())
        finder = PassageFinder([words])
        sql = (
            f"SELECT document, substr(text, 1, {_MAX_PASSAGE_PLACE}) FROM texts"
            " JOIN known_documents ON id = texts.rowid WHERE texts MATCH ?"
            " ORDER BY texts.rowid"
        )
        lines = (
            Line(document, *context)
            for document, text in self.rows(sql, (_quote([words]),))
            for context in finder.iter_contexts(text.partition(_OTHER_TEXT)[0])
        )
        return list(islice(lines, limit))

    def find_ids(self, phrases: Iterable[str], limit: int) -> list[str]:
        """Return the ids of documents that have all phrases, in their clean text or elsewhere on the page."""
        sql = (
            "SELECT document FROM texts JOIN known_documents ON id = texts.rowid"
            " WHERE texts MATCH ? LIMIT ?"
        )
        return [name for (name,) in self.rows(sql, (_quote(phrases), limit))]

    def find_units(
        self, wanted: UnitFilter, after: tuple[float, int], limit: int
    ) -> list[UnitRow]:
        """Return units that meet all conditions, in the order asked for.

        ``after`` are place and id of the last unit of the page before.
        """
        order = UNIT_ORDERS[wanted.sort]
        rows, values = self._select_units(wanted)
        sql = (
            f"SELECT source, target, number, id, r.score, {order} {rows}"
            f" AND ({order}, id) > (?, ?) ORDER BY {order}, id LIMIT ?"
        )
        return [UnitRow(*row) for row in self.rows(sql, (*values, *after, limit))]

    def count_units(self, wanted: UnitFilter) -> int | None:
        """Return the number of units that meet all conditions, None if very many have the words."""
        langs, scores, words, reason, _ = wanted
        if words and self._has_many("unit_texts", _quote(split_words(words))):
            return None
        if not (words or reason):
            # Those outside a range are fewer, as a rule.
            outside = "(SELECT count(*) FROM units WHERE langs = ? AND score {} ?)"
            sql = (
                f"SELECT value - {outside.format('<')} - {outside.format('>')} FROM state"
                " WHERE name = ?"
            )
            low, high = scores
            given = langs, low, langs, high, f"units {langs}"
            for (number,) in self.rows(sql, given):
                return int(number)
        rows, values = self._select_units(wanted)
        ((number,),) = self.rows(f"SELECT count(*) {rows}", values)
        return int(number)

    def _has_many(self, table: str, query: str) -> bool:
        """Test whether too many rows have some words to look at all of them."""
        sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ? LIMIT ?"
        return sum(1 for _ in self.rows(sql, (query, _MAX_RANKED + 1))) > _MAX_RANKED

    def _select_units(self, wanted: UnitFilter) -> tuple[str, list[object]]:
        """Return the end of a query for the units that meet all conditions, and its values."""
        langs, scores, words, reason, sort = wanted
        query = _quote(split_words(words)) if words else ""
        is_rare = bool(query) and not self._has_many("unit_texts", query)
        # The reasons name the few units that have one; without any all units are gone through,
        # in their order, unless rare words name a few. A plus sign keeps an index from use.
        first = "unit_reasons r CROSS JOIN units u USING (id)" if reason else "units r"
        by_lang = "+r.langs" if is_rare else "r.langs"
        by_score = "+r.score" if is_rare or sort != "lowest score" else "r.score"
        sql = f"FROM {first} WHERE {by_lang} = ? AND {by_score} BETWEEN ? AND ?"
        values: list[object] = [langs, *scores]
        if words:
            having = "SELECT rowid FROM unit_texts WHERE unit_texts MATCH ?"
            is_member = (
                f"id IN ({having})" if is_rare else f"EXISTS ({having} AND rowid = id)"
            )
            sql += f" AND {is_member}"
            values.append(query)
        if reason:
            sql += " AND reason = ?"
            values.append(reason)
        return sql, values

    def find_reasons(self, ids: Sequence[int]) -> dict[int, list[str]]:
        """Return the reasons against units, by the ids that the search gave them."""
        found: dict[int, list[str]] = {one: [] for one in ids}
        sql = f"SELECT id, reason FROM unit_reasons WHERE id IN ({marks(len(ids))})"
        for one, reason in self.rows(sql, ids):
            found[one].append(reason)
        return found


def _batched(items: Iterable[T]) -> Iterator[list[T]]:
    source = iter(items)
    while batch := list(islice(source, _BATCH)):
        yield batch


def _quote(words: Iterable[str]) -> str:
    """Return words as an expression of FTS5 that each of them must meet."""
    return " ".join('"' + word.replace('"', '""') + '"' for word in words)


def _iter_units(
    corpus: Corpus,
) -> Iterator[tuple[tuple[str, str, int, str, float], list[str], tuple[str, str]]]:
    """Yield the units of all pairs: row of the table, reasons against the unit, texts.

    The first of several alike is no duplicate.
    """
    for langs in corpus.language_pairs:
        known: set[int] = set()
        for entry in corpus.bitext.pairs(*langs):
            pair = entry.pair
            judged = corpus.bitext.judged_units(pair)
            for number, (unit, reasons) in enumerate(judged):
                row = pair.source, pair.target, number, "-".join(langs), unit.score
                texts = unit.source, unit.target
                text, letters = hash_unit(*texts, *map(find_words, texts))
                against: list[str] = list(reasons)
                if text in known:
                    against.append(ExportReason.DUPLICATE)
                elif letters in known:
                    against.append(ExportReason.NEAR_DUPLICATE)
                known |= {text, letters}
                yield row, against, texts
