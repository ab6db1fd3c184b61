"""Queries of the web application on the index of a corpus: lists by page, facts of one thing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ilspfc.corpus import counts
from ilspfc.corpus.records import PairEntry

if TYPE_CHECKING:
    from ilspfc.corpus.index import CorpusIndex

PAGE_ROWS = 50


class Listing(NamedTuple):
    """Page of a list: rows, and the place from which the next page goes on, empty at the end."""

    rows: list[Any]
    after: str = ""


_DOCUMENTS = "kept_documents LEFT JOIN cleaning_scores ON document = id"
_DOCUMENT_ROWS = (
    "SELECT id, lang, url, title, tokens, relevance, subdomains, license_id, score"
    f" FROM {_DOCUMENTS}"
)
# What documents can be sorted by.
DOCUMENT_ORDERS = {
    "address": "url",
    "tokens": "-tokens",
    "relevance": "-relevance",
    "cleaning": "coalesce(score, 2)",
}
# Filters of documents: the condition that each sets.
_DOCUMENT_FILTERS = {
    "lang": "lang = :lang",
    "site": "site = :site",
    "subdomain": "instr(';' || subdomains || ';', ';' || :subdomain || ';')",
    "license": "license_id = :license",
    "genre": "genre = :genre",
    "relevance": "relevance >= CAST(:relevance AS REAL)",
    "cleaning": "score <= CAST(:cleaning AS REAL)",
}


def _list(
    index: CorpusIndex,
    sql: str,
    values: Any,
    place_of: Callable[[Any], str] = lambda row: str(row[0]),
) -> Listing:
    """Return the first rows of a query, with the place of the last one if more follow."""
    rows = list(index.rows(f"{sql} LIMIT {PAGE_ROWS + 1}", values))
    kept = rows[:PAGE_ROWS]
    return Listing(kept, place_of(kept[-1]) if len(rows) > PAGE_ROWS else "")


def list_documents(
    index: CorpusIndex, filters: Mapping[str, str], after: str = ""
) -> Listing:
    """Return documents that meet all filters, in the order ``sort`` (one of DOCUMENT_ORDERS).

    ``after`` is the id of the last document of the page before.
    """
    order = DOCUMENT_ORDERS.get(filters.get("sort", ""), "url")
    place = "true"
    if after:
        last = f"SELECT {order}, id FROM {_DOCUMENTS} WHERE id = :after"
        place = f"({order}, id) > ({last})"
    where = f"WHERE {place} AND {_condition(filters)}"
    sql = f"{_DOCUMENT_ROWS} {where} ORDER BY {order}, id"
    return _list(index, sql, {**filters, "after": after})


def count_documents(index: CorpusIndex, filters: Mapping[str, str]) -> int:
    """Return the number of documents that meet all filters."""
    rows = f"{_DOCUMENTS} WHERE {_condition(filters)}"
    return counts.count_rows(index, rows, dict(filters))


def _condition(filters: Mapping[str, str]) -> str:
    """Return the condition that the filters set which are given."""
    conditions = (text for name, text in _DOCUMENT_FILTERS.items() if filters.get(name))
    return " AND ".join(conditions) or "true"


def find_documents(
    index: CorpusIndex, ids: list[str], filters: Mapping[str, str]
) -> list[Any]:
    """Return those of some documents that meet all filters, in the order of the ids."""
    chosen = "id IN (SELECT value FROM json_each(:ids))"
    sql = f"{_DOCUMENT_ROWS} WHERE {chosen} AND {_condition(filters)}"
    values: Any = {**filters, "ids": json.dumps(ids)}
    found = {row[0]: row for row in index.rows(sql, values)}
    return [found[one] for one in ids if one in found]


class PairFilter(NamedTuple):
    """Conditions on candidates: languages (ISO 639-3), state, evidence, probability."""

    langs: tuple[str, str]
    state: str = "pair"
    evidence: str = ""
    bounds: tuple[float, float] = (0.0, 1.0)

    @property
    def values(self) -> tuple[object, ...]:
        """Values of the conditions in ``_CANDIDATES``."""
        return (*self.langs, self.state, self.evidence, *self.bounds)


_CANDIDATES = (
    "candidates WHERE source_lang = ? AND target_lang = ? AND state = ?"
    " AND ? IN ('', evidence) AND probability BETWEEN ? AND ?"
)
_PLACE = "(-probability, source || '-' || target)"


def list_pairs(
    index: CorpusIndex, wanted: PairFilter, after: tuple[float, str] = (-2.0, "")
) -> Listing:
    """Return candidates that meet all conditions, the most probable first.

    ``after`` has the negative probability and the ids of the last one of the page before.
    """
    order = "ORDER BY -probability, source || '-' || target"
    sql = (
        "SELECT c.*, s.title, t.title, s.url, t.url FROM (SELECT source, target, probability,"
        f" evidence, null_share, mean_score FROM {_CANDIDATES} AND {_PLACE} > (?, ?) {order}"
        f" LIMIT {PAGE_ROWS + 1}) c JOIN documents s ON s.id = source"
        f" JOIN documents t ON t.id = target {order}"
    )
    values = (*wanted.values, *after)
    return _list(index, sql, values, lambda row: f"{-row[2]!r} {row[0]}-{row[1]}")


def all_pairs(index: CorpusIndex, wanted: PairFilter) -> list[tuple[str, str]]:
    """Return the ids of all candidates that meet all conditions."""
    sql = f"SELECT source, target FROM {_CANDIDATES}"
    return list(index.rows(sql, wanted.values))


def count_pairs(index: CorpusIndex, wanted: PairFilter) -> int:
    """Return the number of candidates that meet all conditions."""
    return counts.count_rows(index, _CANDIDATES, wanted.values)


def neighbors(index: CorpusIndex, entry: PairEntry) -> tuple[str | None, str | None]:
    """Return the ids of the pairs before and behind a pair in the list of its languages."""
    pair, langs = entry.pair, (entry.source.lang, entry.target.lang)
    place = -pair.probability, f"{pair.source}-{pair.target}"
    found = []
    for sign, order in (("<", "DESC"), (">", "ASC")):
        sql = (
            "SELECT source || '-' || target FROM candidates"
            " WHERE source_lang = ? AND target_lang = ? AND state = ?"
            f" AND {_PLACE} {sign} (?, ?)"
            f" ORDER BY -probability {order}, source || '-' || target {order} LIMIT 1"
        )
        row = next(index.rows(sql, (*langs, entry.state, *place)), None)
        found.append(str(row[0]) if row else None)
    return found[0], found[1]


def list_lost(index: CorpusIndex, code: str, after: str = "") -> Listing:
    """Return the losses for a reason, ``stage/reason``; all pages, where none is given.

    Rows are the URL, the reason, id and title of the document if there is one, its language
    or the cause.
    """
    rows = counts.LOST.get(code.partition("/")[0], counts.PAGES)
    sql = (
        f"SELECT url, code, id, title, more FROM ({rows})"
        " WHERE ? IN ('', code) AND url > ? ORDER BY url"
    )
    return _list(index, sql, (code, after))


def partners(index: CorpusIndex, document: str) -> list[tuple[Any, ...]]:
    """Return the candidates of a document, the most probable first.

    Rows are both ids, probability, evidence and state, and language and title of the other
    document.
    """
    sql = (
        "SELECT source, target, probability, evidence, state, lang, title FROM candidates"
        " JOIN documents ON id = iif(source = ?1, target, source)"
        " WHERE source = ?1 OR target = ?1 ORDER BY probability DESC LIMIT 20"
    )
    return list(index.rows(sql, (document,)))


def rivals(index: CorpusIndex, documents: tuple[str, str]) -> list[tuple[Any, ...]]:
    """Return the best partners that documents did not get: id, probability, language, title."""
    sql = (
        "SELECT rival, probability, lang, title FROM rivals JOIN documents ON id = rival"
        " WHERE document IN (?, ?) ORDER BY probability DESC"
    )
    return list(index.rows(sql, documents))
