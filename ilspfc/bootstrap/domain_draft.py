"""One bootstrap: sources to concepts, concepts to a definition, links to seeds, files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from scrapy.settings import BaseSettings

from ilspfc import __version__
from ilspfc.bootstrap.api_client import ApiClient, GuardedTransport
from ilspfc.bootstrap.concepts import BootstrapLog, Concept, Seed, Subject
from ilspfc.bootstrap.definition_terms import Definition, define, weigh_concepts
from ilspfc.bootstrap.keyness import find_text_files, iter_key_terms
from ilspfc.bootstrap.mediawiki import iter_mediawiki
from ilspfc.bootstrap.output_files import BootstrapResult, OutputFiles
from ilspfc.bootstrap.seeds import (
    iter_index_seeds,
    iter_link_seeds,
    iter_search_seeds,
    select_seeds,
)
from ilspfc.bootstrap.skos import iter_skos, iter_skosmos
from ilspfc.bootstrap.term_files import iter_tbx, iter_term_list
from ilspfc.crawl.arguments import read_seeds
from ilspfc.exceptions import ArgumentError, BootstrapError
from ilspfc.middlewares.guard import AddressGuard
from ilspfc.text.codes import to_bcp47

T = TypeVar("T")
# Seeds of one site.
_MAX_SITE_SEEDS = 5
# Terms of a language that are taken from texts.
_MAX_TERMS = 300
WIKIPEDIA = "https://{lang}.wikipedia.org/w/api.php"


@dataclass(frozen=True, slots=True)
class BootstrapOptions:
    """Options of a bootstrap; ``langs`` are ISO 639-3, an empty source is not used.

    ``max_pages`` bounds the articles or concepts that are read, the nearest first,
    ``max_seeds`` the seeds that are proposed; 0 seeds: no limit.
    """

    subject: str
    langs: tuple[str, ...]
    out: Path
    depth: int = 2
    max_pages: int = 5000
    max_seeds: int = 1000
    contact: str = ""
    api: str = ""
    skos: str = ""
    skosmos: str = ""
    tbx: str = ""
    terms: str = ""
    texts: str = ""
    background: str = ""
    searxng: str = ""
    cc_index: str = ""
    urls: str = ""
    keeps_names: bool = False
    overwrites: bool = False

    @property
    def wiki_api(self) -> str:
        """API of the first wiki: without another source, Wikipedia in the first language."""
        files = (self.skos, self.tbx, self.terms, self.texts)
        if self.api or self.skosmos or any(files):
            return self.api
        return WIKIPEDIA.format(lang=to_bcp47(self.langs[0]))

    @property
    def named_urls(self) -> list[str]:
        """URLs of APIs that the user named."""
        return [u for u in (self.api, self.skosmos, self.searxng, self.cc_index) if u]


def run_bootstrap(
    options: BootstrapOptions, settings: BaseSettings, log: BootstrapLog
) -> BootstrapResult:
    """Collect terms and seeds and write them.

    The part collected before a source failed is written too, under other names. Raises
    ArgumentError or BootstrapError where nothing can be written.
    """
    out = OutputFiles(options.out)
    if not options.overwrites:
        out.check()
    with make_client(options, out.cache, settings, log) as client:
        concepts: list[Concept] = []
        failure: BootstrapError | None = None
        try:
            for source in _term_sources(options, client, log):
                failure = failure or _extend(concepts, source)
            if failure is not None and not concepts:
                raise failure
            definition = _define(concepts, options, log)
        except BootstrapError as error:
            if not out.cache.exists():
                raise
            raise BootstrapError(
                f"{error}; {out.cache} keeps what was answered, for the next try"
            ) from error
        asked = options.wiki_api, *options.named_urls
        hosts = {urlsplit(url).netloc for url in asked}
        found = list(iter_link_seeds(concepts, weigh_concepts(concepts)))
        select = partial(
            select_seeds,
            found,
            hosts,
            max_seeds=options.max_seeds,
            max_site_seeds=_MAX_SITE_SEEDS,
        )
        known = partial(select, BootstrapLog())
        more = _iter_more_seeds(options, client, definition, known, log)
        seed_failure = _extend(found, more)
    log.count("requests", client.requests)
    result = BootstrapResult(definition, select(log), log, failure or seed_failure)
    out.write(result, options.subject)
    return result


def _extend(found: list[T], source: Iterable[T]) -> BootstrapError | None:
    """Append the items of a source; return the error that ended it early."""
    try:
        for item in source:
            found.append(item)  # noqa: PERF402 - kept if a later one fails
    except BootstrapError as error:
        return error
    return None


def _define(
    concepts: list[Concept], options: BootstrapOptions, log: BootstrapLog
) -> Definition:
    """Return the definition; BootstrapError where no term is left."""
    definition = define(concepts, options.langs, log, keeps_names=options.keeps_names)
    if not definition.terms:
        losses = ", ".join(log.describe_losses()) or "nothing was found"
        raise BootstrapError(
            f"{options.subject}: no term in {', '.join(map(to_bcp47, options.langs))}"
            f" ({losses}); take another subject, source or --langs"
        )
    return definition


def make_client(
    options: BootstrapOptions, cache: Path, settings: BaseSettings, log: BootstrapLog
) -> ApiClient:
    """Return the client for APIs; BootstrapError if one is used without a contact."""
    for url in options.named_urls:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ArgumentError(f"{url}: no http(s) URL; give the address of an API")
    contact = (options.contact or settings.get("FETCH_CONTACT") or "").strip()
    if not contact and (options.wiki_api or options.named_urls):
        raise BootstrapError(
            "no contact: who runs an API wants to know whom to ask; give --contact"
            " you@example.org, or set FETCH_CONTACT"
        )
    return ApiClient(
        GuardedTransport(options.named_urls, AddressGuard.from_settings(settings)),
        f"ilspfc/{__version__} (text corpus crawler; {contact})",
        cache=cache,
        timeout_seconds=settings.getfloat("DOWNLOAD_TIMEOUT"),
        max_bytes=settings.getint("DOWNLOAD_MAXSIZE"),
        tell=log.notice,
    )


def _term_sources(
    options: BootstrapOptions, client: ApiClient, log: BootstrapLog
) -> list[Iterator[Concept]]:
    """Return the sources of terms in the order in which their terms are taken."""
    langs = options.langs
    subject = Subject(options.subject, langs, options.depth, options.max_pages)
    sources: list[Iterator[Concept]] = []
    if options.tbx:
        sources.append(iter_tbx(Path(options.tbx), langs))
    if options.terms:
        sources.append(iter_term_list(Path(options.terms), langs, log))
    if options.skos:
        sources.append(iter_skos(Path(options.skos), subject, log))
    if url := options.skosmos:
        sources.append(iter_skosmos(client, url, subject, log))
    if options.texts:
        texts = find_text_files("--texts", options.texts, langs)
        others = find_text_files("--background", options.background, langs)
        sources.append(iter_key_terms(texts, others, _MAX_TERMS, log))
    if url := options.wiki_api:
        sources.append(iter_mediawiki(client, url, subject, log))
    return sources


def _iter_more_seeds(
    options: BootstrapOptions,
    client: ApiClient,
    definition: Definition,
    known: Callable[[], Sequence[Seed]],
    log: BootstrapLog,
) -> Iterator[Seed]:
    """Yield the seeds that are no links of articles.

    ``known`` returns the seeds found so far.
    """
    if options.urls:
        groups = read_seeds(Path(options.urls), f"--urls={options.urls}")
        for url in chain.from_iterable(groups):
            yield Seed(url, f"from {options.urls}", float("inf"))
    if url := options.searxng:
        yield from iter_search_seeds(client, url, definition, log)
    if url := options.cc_index:
        yield from iter_index_seeds(client, url, definition, known(), log)
