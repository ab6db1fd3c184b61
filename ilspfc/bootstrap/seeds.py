"""Seeds: links of articles, results of searches, pages of an index; a list of them for review.

In the list each URL stands once, no more than a few of a site, the best first.
"""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Any
from urllib.parse import unquote, urlsplit

from ilspfc.bootstrap.api_client import NOT_FOUND, ApiClient, StatusError
from ilspfc.bootstrap.concepts import (
    BootstrapLog,
    Concept,
    Seed,
    SeedReason,
    SourceReason,
)
from ilspfc.bootstrap.definition_terms import Definition
from ilspfc.exceptions import BootstrapError
from ilspfc.text.codes import language_name, to_bcp47
from ilspfc.text.word_split import fold_accents
from ilspfc.web.urls import find_key, site_of

# An archived copy has the URL of the original behind its own.
_ARCHIVED_RE = re.compile(
    r"https?://(?:web\.)?archive\.(?:org|today|is|ph)/(?:web/)?(?:\d{4,14}\w*|\*)/"
    r"(?=https?://)"
)
_SITES = tomllib.loads(files(__package__).joinpath("seeds.toml").read_text("utf-8"))
_WIKIS = frozenset(_SITES["wikis"].split())
_CITATIONS = frozenset(_SITES["citations"].split())


def iter_link_seeds(
    concepts: Sequence[Concept], weights: Sequence[int]
) -> Iterator[Seed]:
    """Yield the external links of articles, with the article as the reason."""
    for concept, weight in zip(concepts, weights, strict=True):
        if concept.is_disambiguation:
            continue
        for lang, urls in concept.urls.items():
            article = concept.names.get(lang, concept.identity)
            reason = f"link of {article} ({language_name(lang)})"
            yield from (Seed(url, reason, weight) for url in urls)


def select_seeds(
    seeds: Iterable[Seed],
    own_hosts: Iterable[str],
    log: BootstrapLog,
    *,
    max_seeds: int = 0,
    max_site_seeds: int = 0,
) -> list[Seed]:
    """Return the URLs worth a review, best first; the others are counted.

    ``own_hosts`` are those of the wikis that were asked, with their ports. A maximum of 0
    is no limit.
    """
    kept: dict[str, Seed] = {}
    per_site: Counter[str] = Counter()
    wikis = frozenset(own_hosts)
    for seed in sorted(seeds, key=lambda seed: -seed.score):
        url = _ARCHIVED_RE.sub("", seed.url.strip())
        if not (key := find_key(url)):
            log.drop(SeedReason.NOT_WEB, seed.url)
            continue
        host, site = urlsplit(key).netloc, site_of(key)
        if key in kept:
            reason = SeedReason.DUPLICATE_URL
        elif site in _WIKIS or host in wikis:
            reason = SeedReason.WIKI
        elif _CITATIONS & {site, host.removeprefix("www.")}:
            reason = SeedReason.CITATION
        elif 0 < max_site_seeds <= per_site[site]:
            reason = SeedReason.SITE_LIMIT
        elif 0 < max_seeds <= len(kept):
            reason = SeedReason.SEED_LIMIT
        else:
            per_site[site] += 1
            kept[key] = seed._replace(url=url)
            continue
        log.drop(reason, seed.url)
    return list(kept.values())


# -- searches ----------------------------------------------------------------------------

# BootCaT's default: three terms a query.
TUPLE_TERMS = 3
QUERIES = 10
# Terms of a language from which queries are made, by weight.
_QUERY_TERMS = 30
_RANDOM_SEED = 1
_SEARCH_SCORE = 50.0
# Status of an instance that does not allow JSON.
_FORBIDDEN = 403


def iter_search_seeds(
    client: ApiClient, url: str, definition: Definition, log: BootstrapLog
) -> Iterator[Seed]:
    """Yield the results of a SearXNG instance for tuples of terms, language by language.

    Baroni and Bernardini, "BootCaT: Bootstrapping corpora and terms from the web" (2004):
    a few terms of a subject together are found on pages about it, and hardly on others.
    """
    url = url.rstrip("/").removesuffix("/search") + "/search"
    for lang in definition.langs:
        tag = to_bcp47(lang)
        for terms in make_tuples(definition.terms_in(lang), QUERIES):
            query = " ".join(f'"{term}"' if " " in term else term for term in terms)
            results = _search(client, url, query, tag)
            if not results:
                log.drop(SourceReason.NOT_ANSWERED, query, lang)
            reason = f"search for {query} ({tag})"
            for rank, result in enumerate(results, 1):
                if isinstance(found := result.get("url"), str):
                    yield Seed(found, reason, _SEARCH_SCORE / rank)


def make_tuples(terms: Sequence[str], number: int) -> list[tuple[str, ...]]:
    """Return a number of combinations of terms, the same ones for the same terms.

    >>> make_tuples(["honey", "hive", "bee", "wax"], 2)
    [('honey', 'hive', 'bee'), ('hive', 'bee', 'wax')]
    """
    chosen = list(dict.fromkeys(terms))[:_QUERY_TERMS]
    if len(chosen) < TUPLE_TERMS:
        return [tuple(chosen)] if chosen else []
    draw = random.Random(_RANDOM_SEED)  # noqa: S311 - a sample, no secret
    places: set[tuple[int, ...]] = set()
    for _ in range(number * 20):
        if len(places) == number:
            break
        places.add(tuple(sorted(draw.sample(range(len(chosen)), TUPLE_TERMS))))
    return [tuple(chosen[place] for place in found) for found in sorted(places)]


def _search(client: ApiClient, url: str, query: str, tag: str) -> list[dict[str, Any]]:
    params = {"q": query, "format": "json", "language": tag}
    try:
        return client.results(url, params, "SearXNG", "the address of an instance")
    except StatusError as error:
        if error.status == _FORBIDDEN:
            raise BootstrapError(
                f"{url}: HTTP 403; allow JSON in the instance's settings.yml: search:"
                " formats: [html, json]"
            ) from error
        raise


# -- Common Crawl ------------------------------------------------------------------------

MAX_INDEX_SITES = 20
_MAX_LINES = "1000"
_INDEX_SCORE = 10.0
_MIN_TERM_CHARS = 4


def iter_index_seeds(
    client: ApiClient,
    url: str,
    definition: Definition,
    known: Sequence[Seed],
    log: BootstrapLog,
) -> Iterator[Seed]:
    """Yield pages of the sites of known seeds that have a term in their URL.

    ``url`` is an index such as ``…/CC-MAIN-2026-30-index``, which answers in lines of JSON,
    as the CDX server of pywb does.
    """
    terms = {}
    for lang in definition.langs:
        slugs = map(_slug, definition.terms_in(lang))
        terms[lang] = [slug for slug in slugs if len(slug) >= _MIN_TERM_CHARS]
    hosts = dict.fromkeys(urlsplit(seed.url).netloc for seed in known)
    for host in list(hosts)[:MAX_INDEX_SITES]:
        for entry in _iter_entries(client, url, host, log):
            # The index names up to three languages of a page, the main one first.
            lang = str(entry.get("languages") or "").split(",")[0]
            path = _slug(unquote(urlsplit(entry["url"]).path))
            found = (
                (own, term)
                for own in ([lang] if lang else terms)
                for term in terms.get(own, ())
                if f"-{term}" in f"-{path}"
            )
            for own, term in list(found)[:1]:
                reason = (
                    f"Common Crawl: page of {host} in {own} with {term!r} in its URL"
                )
                yield Seed(entry["url"], reason, _INDEX_SCORE)


def _iter_entries(
    client: ApiClient, url: str, host: str, log: BootstrapLog
) -> Iterator[dict[str, Any]]:
    params = {
        "url": f"{host}/*",
        "output": "json",
        "fl": "url,languages,status",
        "filter": "=status:200",
        "limit": _MAX_LINES,
    }
    try:
        lines = client.text(url, params, "lines of JSON").splitlines()
    except StatusError as error:
        if error.status != NOT_FOUND:
            raise
        lines = []
    if not lines:
        log.drop(SourceReason.NOT_ANSWERED, host)
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:
            log.drop(SourceReason.BROKEN_ROW, line[:100])
            continue
        if isinstance(entry, dict) and isinstance(entry.get("url"), str):
            yield entry


def _slug(text: str) -> str:
    """Return words as they are spelled in URLs: without accents, with hyphens.

    >>> _slug("Flügel_der Biene.html")
    'flugel-der-biene-html'
    """
    return re.sub(r"[\W_]+", "-", fold_accents(text)).strip("-")
