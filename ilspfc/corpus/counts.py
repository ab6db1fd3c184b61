"""Counts over the corpus index, each by one query: for report, web application and crawl."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import combinations
from typing import Any

from ilspfc.corpus.index import KEPT, CorpusIndex
from ilspfc.database import marks
from ilspfc.documents.figures import (
    CorpusCounts,
    HostCount,
    LanguageCount,
    PairCount,
    RunCount,
)

PAGES = "SELECT fate AS code, url, '' AS id, '' AS title, lang AS more FROM pages"
"""Rows of the pages: fate, URL, nothing, nothing, language (ISO 639-3, or empty)."""
LOST = {
    "fetch": (
        "SELECT 'fetch/' || reason AS code, url, '' AS id, '' AS title, cause AS more"
        " FROM failures"
    ),
    "dedup": (
        "SELECT 'dedup/' || reason AS code, url, id, title, lang AS more"
        " FROM duplicates JOIN documents ON id = document WHERE duplicate_of != ''"
    ),
    "decisions": (
        "SELECT 'decisions/' || reason AS code, url, id, title, lang AS more"
        " FROM subject JOIN documents ON id = document"
        " WHERE reason != '' AND duplicate_of = ''"
    ),
    "pairing": (
        "SELECT 'pairing/' || reason AS code, url, id, title, lang AS more"
        " FROM unpaired JOIN kept_documents ON id = document"
    ),
    "alignment": (
        "SELECT 'alignment/' || reason AS code, url, source || '-' || target AS id, title,"
        " number AS more FROM losses JOIN candidates USING (source, target)"
        " JOIN documents ON id = iif(reason = 'unaligned_target', target, source)"
        " WHERE number > 0"
        " AND (state = 'not_parallel' OR state = 'pair' AND reason != 'not_parallel')"
    ),
}
"""Rows that a stage has lost, as those of the pages, which other stages lose: reason, URL, id
and title of the document if there is one, its language or the cause. Alignment loses segments
of pairs: their ids, and how many of them."""


# Test of a page for being a document that is not put apart.
_IS_DOCUMENT = "id IN (SELECT id FROM kept_documents)"


def count_corpus(index: CorpusIndex, langs: Sequence[str]) -> CorpusCounts:
    """Return pages, documents, pairs and units of a crawl in some languages (ISO 639-3)."""
    rows = index.rows(
        "SELECT lang, count(*), sum(paragraphs), sum(clean_paragraphs), sum(tokens)"
        " FROM kept_documents GROUP BY lang ORDER BY lang"
    )
    return CorpusCounts(
        langs=tuple(langs),
        pages_fetched=count_pages(index),
        documents=tuple(LanguageCount(*row) for row in rows),
        pairs=tuple(count_pairs(index, *two) for two in combinations(langs, 2)),
    )


def count_pairs(index: CorpusIndex, source_lang: str, target_lang: str) -> PairCount:
    """Return the counts of the pairs of two languages (ISO 639-3).

    Pairs of documents that dedup has put apart since are left out.
    """
    langs = source_lang, target_lang
    pairs = (
        "pairs JOIN documents_to_pair s ON s.id = source"
        " JOIN documents_to_pair t ON t.id = target"
        " WHERE source_lang = ? AND target_lang = ?"
    )
    sums = (
        "SELECT count(*), ifnull(sum(s.tokens), 0), ifnull(sum(t.tokens), 0),"
        f" avg(null_share) FROM {pairs}"
    )
    number, source_tokens, target_tokens, null_share = next(index.rows(sums, langs))
    evidence = f"SELECT evidence, count(*) FROM {pairs} GROUP BY 1 ORDER BY 2 DESC, 1"
    units = f"units WHERE (source, target) IN (SELECT source, target FROM {pairs})"
    return PairCount(
        *langs,
        pairs=number,
        units=count_rows(index, units, langs),
        source_tokens=source_tokens,
        target_tokens=target_tokens,
        evidence=dict(index.rows(evidence, langs)),
        null_share=null_share,
    )


def count_pages(index: CorpusIndex) -> int:
    """Return the number of pages fetched."""
    return count_rows(index, "pages")


def list_runs(index: CorpusIndex) -> list[RunCount]:
    """Return the crawls that wrote into the corpus, in their order.

    A killed one has left neither end nor counts: they are those of its pages.
    """
    sql = (
        "WITH r AS (SELECT number, ifnull(description ->> '$.started', '') AS begun,"
        " description ->> '$.finished' AS ended, description -> '$.stats' AS stats,"
        " lead(description ->> '$.started', 1, '~') OVER (ORDER BY number) AS next"
        " FROM runs) SELECT begun, coalesce(ended, max(fetched_at), ''),"
        """ iif(count(url), count(url), ifnull(stats ->> '$."fetch/pages"', 0)),"""
        " iif(count(url), count(url) FILTER (WHERE fate = ?),"
        """ ifnull(stats ->> '$."export/documents"', 0)), ended IS NULL AND begun != ''"""
        " FROM r LEFT JOIN pages ON ended IS NULL AND begun != ''"
        " AND fetched_at >= begun AND fetched_at < next GROUP BY number ORDER BY number"
    )
    return [RunCount(*row) for row in index.rows(sql, (KEPT,))]


def count_drops(index: CorpusIndex) -> dict[str, int]:
    """Return the counts of losses by ``stage/reason``: URLs, pages, documents, segments."""
    rows = index.rows(
        "SELECT 'fetch/' || reason, count(*) FROM failures GROUP BY reason"
        " UNION ALL SELECT fate, count(*) FROM pages WHERE fate != ? GROUP BY fate"
        " UNION ALL SELECT stage || '/' || reason, number FROM drops WHERE number > 0",
        (KEPT,),
    )
    return dict(sorted(dict(rows).items()))


def lost_codes(index: CorpusIndex) -> set[str]:
    """Return the ``stage/reason`` of all losses whose addresses are known."""
    return {
        code
        for rows in (PAGES, *LOST.values())
        for (code,) in index.rows(f"SELECT DISTINCT code FROM ({rows})")
    }


def sample_drops(index: CorpusIndex, number: int) -> dict[str, tuple[str, ...]]:
    """Return at most ``number`` URLs for each reason that lost whole pages."""
    samples: dict[str, list[str]] = {}
    for rows in (PAGES, *LOST.values()):
        sql = f"SELECT code, url FROM ({rows}) WHERE code != ? ORDER BY 1, 2"
        for code, url in index.rows(sql, (KEPT,)):
            urls = samples.setdefault(code, [])
            if len(urls) < number:
                urls.append(url)
    return {code: tuple(urls) for code, urls in samples.items()}


def count_hosts(index: CorpusIndex) -> list[HostCount]:
    """Return the counts of the hosts, those with most pages first."""
    rows = index.rows(
        "SELECT host, sum(fetched), sum(kept), sum(failed) FROM ("
        f" SELECT host, 1 AS fetched, {_IS_DOCUMENT} AS kept, 0 AS failed FROM pages"
        " UNION ALL SELECT host, 0, 0, 1 FROM failures)"
        " GROUP BY host ORDER BY 2 DESC, 1"
    )
    return [HostCount(*row) for row in rows]


def count_hosts_losing(index: CorpusIndex, fate: str) -> list[tuple[str, int]]:
    """Return the hosts that lost pages or addresses for a reason, and how many, the most first."""
    sql = (
        "SELECT host, count(*) FROM (SELECT host, fate FROM pages"
        " UNION ALL SELECT host, 'fetch/' || reason FROM failures)"
        " WHERE fate = ? GROUP BY host ORDER BY 2 DESC, 1"
    )
    return list(index.rows(sql, (fate,)))


def count_buckets(index: CorpusIndex) -> list[tuple[str, str, int, int]]:
    """Return language, bucket of perplexity, pages and documents kept."""
    sql = (
        "SELECT lang, bucket, count(*), sum(fate = ?) FROM pages WHERE bucket != ''"
        " GROUP BY lang, bucket ORDER BY lang, bucket"
    )
    return list(index.rows(sql, (KEPT,)))


def list_perplexities(index: CorpusIndex) -> dict[str, list[float]]:
    """Return the perplexities of the pages that have one, rising, by language."""
    values: dict[str, list[float]] = {}
    for lang, perplexity in index.rows(
        "SELECT lang, perplexity FROM pages WHERE perplexity IS NOT NULL"
        " ORDER BY lang, perplexity"
    ):
        values.setdefault(lang, []).append(perplexity)
    return values


def count_subdomains(index: CorpusIndex) -> list[tuple[str, int]]:
    """Return the subdomains with the number of their documents, the largest first."""
    counts: Counter[str] = Counter()
    for (names,) in index.rows("SELECT subdomains FROM kept_documents"):
        counts.update(filter(None, names.split(";")))
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


# Value of :func:`count_values` for licenses: the identifier, else the URL.
LICENSE = "ifnull(nullif(license_id, ''), license)"


def count_values(index: CorpusIndex, value: str) -> list[tuple[str, int]]:
    """Return the values of an SQL expression that are not empty, most frequent first."""
    sql = (
        f"SELECT {value}, count(*) FROM kept_documents WHERE {value} != ''"
        " GROUP BY 1 ORDER BY 2 DESC, 1"
    )
    return list(index.rows(sql))


def count_optouts(index: CorpusIndex) -> list[tuple[str, int]]:
    """Return the kinds of signals on text and data mining, and on how many pages."""
    counts: Counter[str] = Counter()
    for lines, number in index.rows(
        "SELECT optouts, count(*) FROM pages WHERE optouts != '' GROUP BY optouts"
    ):
        for kind in {line.partition("=")[0] for line in lines.split("\n")}:
            counts[kind] += number
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def count_reserved(index: CorpusIndex) -> int:
    """Return the number of pages whose owner reserves text and data mining."""
    return count_rows(index, "pages WHERE reserved")


def harvest_curve(index: CorpusIndex) -> list[tuple[int, int]]:
    """Return, page by page in the order of the crawl, pages fetched and documents kept.

    What is put apart is no document, as in all other counts.
    """
    curve, kept = [(0, 0)], 0
    rows = index.rows(f"SELECT {_IS_DOCUMENT} FROM pages ORDER BY fetched_at, url")
    for number, (is_kept,) in enumerate(rows, 1):
        kept += is_kept
        curve.append((number, kept))
    return curve


def latest_pages(index: CorpusIndex, limit: int) -> list[tuple[str, str, str]]:
    """Return URL, fate and language (ISO 639-3, or empty) of the pages fetched last."""
    sql = "SELECT url, fate, lang FROM pages ORDER BY fetched_at DESC, url LIMIT ?"
    return list(index.rows(sql, (limit,)))


def last_visit(index: CorpusIndex) -> float:
    """Return the time of the last visit, in seconds since the epoch; 0 for none."""
    (last,) = next(index.rows("SELECT max(fetched_at) FROM pages"))
    return datetime.fromisoformat(last).timestamp() if last else 0.0


def find_page_file(index: CorpusIndex, urls: Sequence[str]) -> str | None:
    """Return the file of a page by its URLs: empty without a document, None without a page."""
    sql = (
        "SELECT ifnull(file, '') FROM pages LEFT JOIN documents ON documents.id = pages.id"
        f" WHERE pages.url IN ({marks(len(urls))})"
    )
    row = next(index.rows(sql, urls), None)
    return None if row is None else str(row[0])


def judged_pages(index: CorpusIndex) -> Iterator[tuple[str, str]]:
    """Yield the document id and language of the pages whose terms were counted.

    They were kept, or dropped by classification.
    """
    yield from index.rows(
        "SELECT id, lang FROM pages WHERE fate = ? OR fate LIKE 'classification/%'",
        (KEPT,),
    )


def subject_probabilities(index: CorpusIndex) -> list[float]:
    """Return the probabilities of being about the domain, rising; duplicates have none."""
    rows = index.rows(
        "SELECT probability FROM subject JOIN documents ON id = document"
        " WHERE duplicate_of = '' AND probability IS NOT NULL ORDER BY 1"
    )
    return [probability for (probability,) in rows]


def count_unpaired(index: CorpusIndex) -> dict[str, int]:
    """Return the counts of documents without a pair, by reason."""
    sql = (
        "SELECT reason, count(*) FROM unpaired JOIN kept_documents ON id = document"
        " GROUP BY reason ORDER BY reason"
    )
    return dict(index.rows(sql))


def count_rows(index: CorpusIndex, rows: str, values: Any = ()) -> int:
    """Return the number of rows of a table under conditions, ``table WHERE …`` in SQL."""
    ((number,),) = index.rows(f"SELECT count(*) FROM {rows}", values)
    return int(number)


def count_image_documents(index: CorpusIndex) -> list[int]:
    """Return the number of documents that have each image."""
    sql = (
        "SELECT count(*) FROM images JOIN kept_documents ON id = document GROUP BY name"
    )
    return [number for (number,) in index.rows(sql)]


def count_pairs_by_site(index: CorpusIndex) -> list[tuple[str, int, int]]:
    """Return sites, their pairs, and those of them that no pattern of addresses gives.

    Addresses of the others differ in a language mark alone. Sites with most pairs are first.
    """
    sql = (
        "SELECT s.site, count(*), sum(NOT ifnull(evidence_values ->> '$.urls', evidence = 'urls'))"
        " FROM pairs JOIN documents_to_pair s ON s.id = source"
        " JOIN documents_to_pair t ON t.id = target GROUP BY 1 ORDER BY 2 DESC, 1"
    )
    return list(index.rows(sql))


def list_sites(index: CorpusIndex) -> list[str]:
    """Return the sites that have documents, those with most first."""
    sql = "SELECT site FROM kept_documents GROUP BY site ORDER BY count(*) DESC, site"
    return [site for (site,) in index.rows(sql)]


def score_histogram(
    index: CorpusIndex, bins: int, value: str = "score", rows: str = "kept_units"
) -> list[int]:
    """Return the number of rows, by default of units, by a score in equal bins over [0, 1]."""
    counts = [0] * bins
    found = index.rows(
        f"SELECT min(cast({value} * ? AS INTEGER), ?), count(*) FROM {rows} GROUP BY 1",
        (bins, bins - 1),
    )
    for place, number in found:
        counts[max(place, 0)] = number
    return counts


def failed_seeds(index: CorpusIndex) -> dict[str, tuple[str, str]]:
    """Return reason and cause for each seed that could not be fetched."""
    rows = index.rows("SELECT url, reason, cause FROM failures WHERE is_seed")
    return {url: (reason, cause) for url, reason, cause in rows}
