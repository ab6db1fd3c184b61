"""URLs to a list for review: each once, no more than a few of a site, best first."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from urllib.parse import urlsplit

from ilspfc.bootstrap.concepts import BootstrapLog, Concept, Seed, SeedReason
from ilspfc.text.language_names import language_name
from ilspfc.web.urls import canonicalize, site_of

# An archived copy has the URL of the original behind its own.
_ARCHIVED_RE = re.compile(
    r"https?://(?:web\.)?archive\.(?:org|today|is|ph)/(?:web/)?(?:\d{4,14}\w*|\*)/"
    r"(?=https?://)"
)
_SITES = tomllib.loads(files(__package__).joinpath("seed_list.toml").read_text("utf-8"))
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
        try:
            key = canonicalize(url)
        except ValueError:
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
