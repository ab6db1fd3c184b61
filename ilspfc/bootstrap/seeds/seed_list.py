"""URLs to a list for review: each once, no more than a few of a site, best first."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ilspfc.bootstrap.concepts import Seed
from ilspfc.bootstrap.losses import SeedReason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ilspfc.bootstrap.concepts import Concept, Ledger

# An archived copy has the original's URL behind its own.
_ARCHIVED_RE = re.compile(
    r"https?://(?:web\.)?archive\.(?:org|today|is|ph)/(?:web/)?(?:\d{4,14}\w*|\*)/"
    r"(?=https?://)"
)
_WIKIS = frozenset(
    "wikipedia.org wikimedia.org wikidata.org wiktionary.org wikisource.org wikiquote.org"
    " wikibooks.org wikivoyage.org wikinews.org wikiversity.org wikispecies.org"
    " mediawiki.org toolforge.org wmflabs.org wmcloud.org".split()
)
# Catalogues that articles cite: a page there is about a publication, not on the subject.
_CITATIONS = frozenset(
    "doi.org jstor.org worldcat.org viaf.org d-nb.info loc.gov bnf.fr isni.org archive.org"
    " books.google.com scholar.google.com semanticscholar.org pubmed.ncbi.nlm.nih.gov"
    " ncbi.nlm.nih.gov issn.org id.loc.gov openlibrary.org hathitrust.org crossref.org"
    " handle.net zdb-katalog.de orcid.org".split()
)


@dataclass(frozen=True, slots=True)
class SeedRules:
    """What URLs are compared and bounded by.

    ``canonicalize`` gives the one spelling of a URL (ValueError for what is none),
    ``site_of`` the site of one. 0 is no limit.
    """

    canonicalize: Callable[[str], str]
    site_of: Callable[[str], str]
    max_seeds: int = 0
    max_site_seeds: int = 0


class LinkSeeds:
    """The links out of the encyclopedia from the articles of a subject.

    ``name_of`` is what a language is called in the reasons; ``own`` are hosts of the wikis.
    """

    def __init__(
        self,
        concepts: Sequence[Concept],
        weights: Sequence[int],
        name_of: Callable[[str], str],
    ) -> None:
        self._concepts = concepts
        self._weights = weights
        self._name_of = name_of

    def iter_seeds(self) -> Iterator[Seed]:
        """Yield each link with the article that has it."""
        for concept, weight in zip(self._concepts, self._weights, strict=True):
            if concept.is_disambiguation:
                continue
            for lang, urls in concept.urls.items():
                article = concept.names.get(lang, concept.identity)
                for url in urls:
                    reason = f"link of {article} ({self._name_of(lang)})"
                    yield Seed(url, reason, weight)


class ListSeeds:
    """URLs of a list of the user's own; they come before all others."""

    def __init__(self, urls: Iterable[str], name: str) -> None:
        self._urls = tuple(urls)
        self._name = name

    def iter_seeds(self) -> Iterator[Seed]:
        """Yield the URLs in their order."""
        for url in self._urls:
            yield Seed(url, f"from {self._name}", float("inf"))


def select_seeds(
    seeds: Iterable[Seed], rules: SeedRules, own_hosts: Iterable[str], ledger: Ledger
) -> list[Seed]:
    """Return the URLs that are worth a look, best first; the others are counted.

    ``own_hosts`` are those of the wikis that were asked, with their ports.
    """
    kept: list[Seed] = []
    known: set[str] = set()
    per_site: Counter[str] = Counter()
    wikis = frozenset(own_hosts)
    for seed in sorted(seeds, key=lambda seed: -seed.score):
        url = _ARCHIVED_RE.sub("", seed.url.strip())
        try:
            key = rules.canonicalize(url)
        except ValueError:
            ledger.drop(SeedReason.NOT_WEB, seed.url)
            continue
        reason = _judge(key, known, wikis, rules, per_site)
        if reason is None and 0 < rules.max_seeds <= len(kept):
            reason = SeedReason.SEED_LIMIT
        if reason is not None:
            ledger.drop(reason, seed.url)
            continue
        known.add(key)
        per_site[rules.site_of(key)] += 1
        kept.append(Seed(url, seed.reason, seed.score))
    return kept


def _judge(
    key: str,
    known: set[str],
    wikis: frozenset[str],
    rules: SeedRules,
    per_site: Counter[str],
) -> SeedReason | None:
    host = urlsplit(key).netloc
    site = rules.site_of(key)
    if key in known:
        return SeedReason.DUPLICATE_URL
    if site in _WIKIS or host in wikis:
        return SeedReason.WIKI
    if _CITATIONS & {site, host.removeprefix("www.")}:
        return SeedReason.CITATION
    if 0 < rules.max_site_seeds <= per_site[site]:
        return SeedReason.SITE_LIMIT
    return None
