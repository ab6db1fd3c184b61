"""Queries of the web application on the index of a corpus: lists by page, facts of one thing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ilspfc.corpus.index import CorpusIndex

PAGE_ROWS = 50


class Listing(NamedTuple):
    """Page of a list: rows, and the place from which the next page goes on, empty at the end."""

    rows: list[Any]
    after: str = ""


_DOCUMENT_ROWS = (
    "SELECT id, lang, url, title, tokens, relevance, subdomains, license_id"
    " FROM kept_documents"
)
# Filters of documents: the condition that each sets.
_DOCUMENT_FILTERS = {
    "lang": "lang = :lang",
    "site": "site = :site",
    "subdomain": "instr(';' || subdomains || ';', ';' || :subdomain || ';')",
    "license": "license_id = :license",
    "relevance": "relevance >= CAST(:relevance AS REAL)",
}


def list_documents(
    index: CorpusIndex, filters: Mapping[str, str], after: str = ""
) -> Listing:
    """Return documents that meet all filters, by id."""
    given, condition = _find_conditions(filters)
    sql = (
        f"{_DOCUMENT_ROWS} WHERE id > :after AND {condition}"
        f" ORDER BY id LIMIT {PAGE_ROWS + 1}"
    )
    rows = list(index.rows(sql, {**given, "after": after}))  # type: ignore[arg-type]
    return _cut(rows, lambda row: str(row[0]))


def _find_conditions(filters: Mapping[str, str]) -> tuple[dict[str, str], str]:
    """Return the filters that are given, and the condition that they set."""
    given = {name: text for name, text in filters.items() if text}
    set_ = [text for name, text in _DOCUMENT_FILTERS.items() if name in given]
    return given, " AND ".join(set_) or "true"


def find_documents(
    index: CorpusIndex, ids: list[str], filters: Mapping[str, str]
) -> list[Any]:
    """Return those of some documents that meet all filters, in the order of the ids."""
    given, condition = _find_conditions(filters)
    sql = f"{_DOCUMENT_ROWS} WHERE id IN (SELECT value FROM json_each(:ids)) AND {condition}"
    values = {**given, "ids": json.dumps(ids)}
    found = {row[0]: row for row in index.rows(sql, values)}  # type: ignore[arg-type]
    return [found[one] for one in ids if one in found]


class PairFilter(NamedTuple):
    """Conditions on candidates: languages (ISO 639-3), state, evidence, probability."""

    langs: tuple[str, str]
    state: str = "pair"
    evidence: str = ""
    bounds: tuple[float, float] = (0.0, 1.0)


def list_pairs(
    index: CorpusIndex, wanted: PairFilter, after: tuple[float, str] = (-2.0, "")
) -> Listing:
    """Return candidates that meet all conditions, the most probable first.

    ``after`` has the negative probability and the ids of the last one of the page before.
    """
    sql = (
        "SELECT c.source, c.target, probability, evidence, null_share, mean_score,"
        " s.title, t.title, s.url, t.url FROM candidates c"
        " JOIN documents s ON s.id = c.source JOIN documents t ON t.id = c.target"
        " WHERE source_lang = ? AND target_lang = ? AND state = ?"
        " AND ? IN ('', evidence) AND probability BETWEEN ? AND ?"
        " AND (-probability, c.source || '-' || c.target) > (?, ?)"
        f" ORDER BY -probability, c.source || '-' || c.target LIMIT {PAGE_ROWS + 1}"
    )
    values = (*wanted.langs, *wanted[1:3], *wanted.bounds, *after)
    return _cut(
        list(index.rows(sql, values)), lambda row: f"{-row[2]!r} {row[0]}-{row[1]}"
    )


def _cut(rows: list[Any], place_of: Any) -> Listing:
    """Return a page, with the place of its last row if more follow."""
    more = len(rows) > PAGE_ROWS
    kept = rows[:PAGE_ROWS]
    return Listing(kept, place_of(kept[-1]) if more else "")


def list_pages(index: CorpusIndex, fate: str, after: str = "") -> Listing:
    """Return the pages with a fate, ``kept`` or ``stage/reason``, or all, by address."""
    condition = "fate = :fate AND" if fate else ""
    sql = (
        f"SELECT url, lang, fate FROM pages WHERE {condition} url > :after"
        f" ORDER BY url LIMIT {PAGE_ROWS + 1}"
    )
    values = {"fate": fate, "after": after}
    rows = list(index.rows(sql, values))  # type: ignore[arg-type]
    return _cut(rows, lambda row: str(row[0]))


def list_failures(index: CorpusIndex, reason: str, after: str = "") -> Listing:
    """Return addresses that never became a page, with the cause."""
    sql = (
        "SELECT url, cause, is_seed FROM failures WHERE reason = ? AND url > ?"
        f" ORDER BY url LIMIT {PAGE_ROWS + 1}"
    )
    return _cut(list(index.rows(sql, (reason, after))), lambda row: str(row[0]))


def list_unpaired(index: CorpusIndex, reason: str, after: str = "") -> Listing:
    """Return the documents without a pair for a reason."""
    sql = (
        "SELECT u.document, d.lang, d.url, d.title FROM unpaired u"
        " JOIN documents d ON d.id = u.document WHERE reason = ? AND u.document > ?"
        f" ORDER BY u.document LIMIT {PAGE_ROWS + 1}"
    )
    return _cut(list(index.rows(sql, (reason, after))), lambda row: str(row[0]))


def choices(index: CorpusIndex, column: str, limit: int = 100) -> list[str]:
    """Return the most frequent values of a column of documents: lang, site or license_id."""
    sql = (
        f"SELECT {column} FROM kept_documents WHERE {column} != '' GROUP BY 1"
        " ORDER BY count(*) DESC, 1 LIMIT ?"
    )
    return [text for (text,) in index.rows(sql, (limit,))]


def partners(index: CorpusIndex, document: str) -> list[tuple[Any, ...]]:
    """Return the candidates of a document, the most probable first."""
    sql = (
        "SELECT source, target, probability, evidence, state FROM candidates"
        " WHERE source = :id OR target = :id ORDER BY probability DESC LIMIT 20"
    )
    return list(index.rows(sql, {"id": document}))  # type: ignore[arg-type]


def rivals(index: CorpusIndex, documents: tuple[str, str]) -> list[tuple[Any, ...]]:
    """Return the best partners that documents did not get: document, rival, probability."""
    sql = (
        "SELECT document, rival, probability FROM rivals WHERE document IN (?, ?)"
        " ORDER BY probability DESC"
    )
    return list(index.rows(sql, documents))


def latest_pages(index: CorpusIndex, limit: int) -> list[tuple[Any, ...]]:
    """Return the pages fetched last: address, fate, language, time."""
    sql = (
        "SELECT url, fate, lang, fetched_at FROM pages ORDER BY fetched_at DESC LIMIT ?"
    )
    return list(index.rows(sql, (limit,)))
