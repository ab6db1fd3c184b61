"""Queries of the web application on the index of a corpus: lists by page, facts of one thing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from ilspfc.corpus import counts
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.records import PairEntry

PAGE_ROWS = 50


class Listing(NamedTuple):
    """Page of a list: rows, and the place from which the next page goes on, empty at the end."""

    rows: list[Any]
    after: str = ""


_DOCUMENTS = "kept_documents LEFT JOIN cleaning_scores ON document = id"
_DOCUMENT_ROWS = (
    "SELECT id, lang, url, title, tokens, relevance, subdomains, license_id, score"
    f" FROM {_DOCUMENTS} WHERE id IN"
)
# Columns by which lists can be sorted, with their values; rows without one (:last) come last.
DOCUMENT_ORDERS = {
    "address": "url",
    "language": "lang",
    "tokens": "tokens",
    "relevance": "relevance",
    "cleaning": "coalesce(score, :last)",
    "license": "license_id",
}
PAIR_ORDERS = {
    "probability": "probability",
    "evidence": "evidence",
    "unaligned": "coalesce(null_share, :last)",
    "score": "coalesce(mean_score, :last)",
}
# Scores and shares are at most 1.
_LAST = {"ASC": 2, "DESC": -1}
# Filters of documents: the condition that each sets. A plus sign keeps the index of languages
# from use, which has nothing else of a document.
_DOCUMENT_FILTERS = {
    "lang": "+lang = :lang",
    "site": "site = :site",
    "subdomain": "instr(';' || subdomains || ';', ';' || :subdomain || ';')",
    "license": "license_id = :license",
    "genre": "genre = :genre",
    "relevance": "relevance >= CAST(:relevance AS REAL)",
    "cleaning": "score <= CAST(:cleaning AS REAL)",
}


class _Order(NamedTuple):
    """Order of a list: its clause, the condition of rows behind the row of some keys, values."""

    by: str
    behind: str
    values: dict[str, Any]


def _order(value: str, direction: str, table: str, keys: Mapping[str, str]) -> _Order:
    """Return an order by a value, then by the keys; without a key all rows are behind."""
    columns, sign = ", ".join([value, *keys]), ">" if direction == "ASC" else "<"
    row = " AND ".join(f"{name} = :{name}" for name in keys)
    behind = f"({columns}) {sign} (SELECT {columns} FROM {table} WHERE {row})"
    return _Order(
        "ORDER BY " + ", ".join(f"{one} {direction}" for one in (value, *keys)),
        behind if all(keys.values()) else "true",
        {**keys, "last": _LAST[direction]},
    )


def _read_sort(sort: str, orders: Mapping[str, str]) -> tuple[str, str]:
    """Return value and direction of a sort key, which a minus sign turns around."""
    value = orders.get(sort.removeprefix("-"), next(iter(orders.values())))
    return value, "DESC" if sort.startswith("-") else "ASC"


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
    """Return documents that meet all filters, in the order ``sort`` (of DOCUMENT_ORDERS).

    ``after`` is the id of the last document of the page before.
    """
    value, direction = _read_sort(filters.get("sort", ""), DOCUMENT_ORDERS)
    order = _order(value, direction, _DOCUMENTS, {"id": after})
    where = f"WHERE {order.behind} AND {_condition(filters)}"
    # An index has all that chooses; whole rows are read for the page alone.
    ids = f"SELECT id FROM {_DOCUMENTS} {where} {order.by} LIMIT {PAGE_ROWS + 1}"
    sql = f"{_DOCUMENT_ROWS} ({ids}) {order.by}"
    return _list(index, sql, {**filters, **order.values})


def all_documents(index: CorpusIndex, filters: Mapping[str, str]) -> list[str]:
    """Return the ids of all documents that meet all filters."""
    sql = f"SELECT id FROM {_DOCUMENTS} WHERE {_condition(filters)}"
    values: Any = filters
    return [name for (name,) in index.rows(sql, values)]


def sample_pages(
    index: CorpusIndex, fates: Iterable[str], size: int
) -> tuple[int, dict[str, str]]:
    """Return the number of pages of some fates, and the languages of a sample by URL."""
    # Ids are digests: the first ones are a sample.
    sql = (
        "SELECT url, lang, count(*) OVER () FROM pages"
        " WHERE fate IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT ?"
    )
    rows = list(index.rows(sql, (json.dumps([*fates]), size)))
    return rows[0][2] if rows else 0, {url: lang for url, lang, _ in rows}


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
) -> dict[str, Any]:
    """Return those of some documents that meet all filters, by id, in the order of the ids."""
    chosen = "(SELECT value FROM json_each(:ids))"
    sql = f"{_DOCUMENT_ROWS} {chosen} AND {_condition(filters)}"
    values: Any = {**filters, "ids": json.dumps(ids)}
    found = {row[0]: row for row in index.rows(sql, values)}
    return {one: found[one] for one in ids if one in found}


def find_langs(index: CorpusIndex, ids: Iterable[str]) -> dict[str, str]:
    """Return the languages of those of some documents that are kept, by id."""
    sql = "SELECT id, lang FROM kept_documents WHERE id IN (SELECT value FROM json_each(?))"
    return dict(index.rows(sql, (json.dumps([*ids]),)))


class PairFilter(NamedTuple):
    """Conditions on candidates: languages (ISO 639-3), state, evidence, probability."""

    langs: tuple[str, str]
    state: str = "pair"
    evidence: str = ""
    bounds: tuple[float, float] = (0.0, 1.0)

    @property
    def values(self) -> Any:
        """Values of the conditions in ``_CANDIDATES``."""
        names = "source_lang target_lang state evidence low high".split()
        values = (*self.langs, self.state, self.evidence, *self.bounds)
        return dict(zip(names, values, strict=True))


_CANDIDATES = (
    "candidates WHERE source_lang = :source_lang AND target_lang = :target_lang"
    " AND state = :state AND :evidence IN ('', evidence)"
    " AND probability BETWEEN :low AND :high"
)
_BEST_FIRST = "-probability"


def _order_pairs(sort: str, ids: Iterable[str]) -> _Order:
    value, direction = _read_sort(sort, PAIR_ORDERS)
    keys = dict(zip(("source", "target"), ids, strict=True))
    return _order(value, direction, "candidates", keys)


def list_pairs(
    index: CorpusIndex, wanted: PairFilter, sort: str = "", after: str = ""
) -> Listing:
    """Return candidates that meet all conditions, in the order ``sort`` (of PAIR_ORDERS).

    Without one the most probable come first. ``after`` has the ids of the last candidate of
    the page before.
    """
    order = _order_pairs(sort or _BEST_FIRST, after.partition("-")[::2])
    sql = (
        "SELECT c.*, s.title, t.title, s.url, t.url FROM (SELECT source, target, probability,"
        f" evidence, null_share, mean_score FROM {_CANDIDATES} AND {order.behind} {order.by}"
        f" LIMIT {PAGE_ROWS + 1}) c JOIN documents s ON s.id = source"
        f" JOIN documents t ON t.id = target {order.by}"
    )
    values = {**wanted.values, **order.values}
    return _list(index, sql, values, lambda row: f"{row[0]}-{row[1]}")


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
    found = []
    for sort in ("probability", _BEST_FIRST):
        order = _order_pairs(sort, (pair.source, pair.target))
        sql = (
            f"SELECT source || '-' || target FROM {_CANDIDATES} AND {order.behind}"
            f" {order.by} LIMIT 1"
        )
        values: Any = {**PairFilter(langs, entry.state).values, **order.values}
        row = next(index.rows(sql, values), None)
        found.append(str(row[0]) if row else None)
    return found[0], found[1]


def list_lost(index: CorpusIndex, code: str, after: str = "") -> Listing:
    """Return the losses for a reason, ``stage/reason``; all pages, where none is given.

    Rows are the URL, the reason, id and title of the document or ids of the pair if there is
    one, and its language, the cause or the number of segments.
    """
    rows = counts.LOST.get(code.partition("/")[0], counts.PAGES)
    sql = (
        f"SELECT url, code, id, title, more FROM ({rows})"
        " WHERE ? IN ('', code) AND (url, id) > (?, ?) ORDER BY url, id"
    )
    url, _, identity = after.rpartition(" ")
    return _list(index, sql, (code, url, identity), lambda row: f"{row[0]} {row[2]}")


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
