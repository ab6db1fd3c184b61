"""The sources that a bootstrap was asked for, made of its options and settings."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict
from urllib.parse import urlsplit

from ilspfc.bootstrap.api.asking import Asker
from ilspfc.bootstrap.seeds.common_crawl import CommonCrawlSeeds
from ilspfc.bootstrap.seeds.searching import SearxngSeeds
from ilspfc.bootstrap.seeds.seed_list import ListSeeds
from ilspfc.bootstrap.terms.own_texts import TextSource
from ilspfc.bootstrap.terms.tbx import TbxSource
from ilspfc.bootstrap.terms.term_lists import TermListSource
from ilspfc.bootstrap.thesauri.skos import SkosSource
from ilspfc.bootstrap.thesauri.skosmos import SkosmosSource
from ilspfc.bootstrap.wikipedia.dumps import DumpSource
from ilspfc.bootstrap.wikipedia.mediawiki import MediaWikiSource
from ilspfc.classification.terms import StemmingTokenizer, snowball_name
from ilspfc.crawl.domain_texts import find_domain_texts
from ilspfc.crawl.seed_files import read_seeds
from ilspfc.exceptions import ArgumentError, BootstrapError
from ilspfc.middlewares.guard import AddressGuard
from ilspfc.stages.bootstrap.transport import ApiTransport
from ilspfc.text.codes import to_bcp47, to_iso639_3
from ilspfc.text.language_names import language_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scrapy.settings import BaseSettings

    from ilspfc.bootstrap.api.asking import Answer, Transport
    from ilspfc.bootstrap.concepts import Ledger, Seed, SeedSource, TermSource
    from ilspfc.bootstrap.terms.definition_terms import Definition

# Terms of a language that are taken from texts.
_MAX_TERMS = 300
WIKIPEDIA = "https://{lang}.wikipedia.org/w/api.php"


@dataclass(frozen=True, slots=True)
class BootstrapOptions:
    """What a bootstrap was asked for; ``langs`` are ISO 639-3, what is empty is not wanted."""

    subject: str
    langs: tuple[str, ...]
    out: Path
    depth: int = 2
    contact: str = ""
    api: str = ""
    dumps: str = ""
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
    def api_urls(self) -> tuple[str, ...]:
        """The URLs that the user named."""
        given = (self.api, self.skosmos, self.searxng, self.cc_index)
        return tuple(filter(None, given))


class _Bounds(TypedDict):
    """What the sources of thesauri have in common."""

    depth: int
    max_concepts: int
    ledger: Ledger
    to_code: Callable[[str], str]


def resolve_api(options: BootstrapOptions) -> str:
    """Return the API of the wiki to begin with, empty if none is wanted.

    Without any other source of terms it is the Wikipedia in the first language.
    """
    files = (options.dumps, options.skos, options.tbx, options.terms, options.texts)
    if options.api or options.skosmos or any(files):
        return options.api
    return WIKIPEDIA.format(lang=to_bcp47(options.langs[0]))


def make_asker(
    options: BootstrapOptions, settings: BaseSettings, ledger: Ledger
) -> Asker:
    """Return what asks the APIs; BootstrapError without a contact, if one is asked."""
    for url in options.api_urls:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ArgumentError(f"{url}: no http(s) URL; give the address of an API")
    transport: Transport = _ask_nothing
    if resolve_api(options) or options.api_urls:
        transport = ApiTransport(
            options.contact or settings.get("FETCH_CONTACT") or "",
            options.api_urls,
            AddressGuard.from_settings(settings),
            timeout_seconds=settings.getfloat("DOWNLOAD_TIMEOUT"),
            max_bytes=settings.getint("DOWNLOAD_MAXSIZE"),
        )
    return Asker(
        transport,
        pause=settings.getfloat("BOOTSTRAP_DELAY"),
        max_wait=settings.getfloat("BOOTSTRAP_MAX_WAIT"),
        attempts=settings.getint("BOOTSTRAP_ATTEMPTS"),
        tell=ledger.notice,
    )


def _ask_nothing(url: str) -> Answer:
    """Stand in for a transport where all sources are files."""
    raise BootstrapError(f"{url}: no API was to be asked; name it in an option")


def iter_term_sources(
    options: BootstrapOptions, settings: BaseSettings, asker: Asker, ledger: Ledger
) -> Iterator[TermSource]:
    """Yield the sources of terms, in the order in which their terms are taken."""
    if options.tbx:
        yield TbxSource(Path(options.tbx), to_iso639_3)
    bounds: _Bounds = {
        "depth": options.depth,
        "max_concepts": settings.getint("BOOTSTRAP_MAX_PAGES"),
        "ledger": ledger,
        "to_code": to_iso639_3,
    }
    if options.terms:
        yield TermListSource(Path(options.terms), to_iso639_3, ledger)
    if options.skos:
        yield SkosSource(Path(options.skos), **bounds)
    if options.skosmos:
        yield SkosmosSource(asker, options.skosmos, **bounds)
    if options.dumps:
        yield DumpSource(Path(options.dumps), **bounds)
    if options.texts:
        yield TextSource(
            _find_texts("--texts", options.texts, options.langs),
            _find_texts("--background", options.background, options.langs),
            _make_stemmer,
            _MAX_TERMS,
            ledger,
        )
    if api := resolve_api(options):
        yield MediaWikiSource(
            asker,
            api,
            depth=options.depth,
            max_pages=settings.getint("BOOTSTRAP_MAX_PAGES"),
            ledger=ledger,
            to_code=to_iso639_3,
        )


def iter_seed_sources(
    options: BootstrapOptions,
    settings: BaseSettings,
    asker: Asker,
    definition: Definition,
    *,
    known: Callable[[], Sequence[Seed]],
    ledger: Ledger,
) -> Iterator[SeedSource]:
    """Yield the sources of seeds beside the links of the articles.

    ``known`` gives the seeds that were found before.
    """
    if options.urls:
        groups = read_seeds(Path(options.urls), f"--urls={options.urls}")
        yield ListSeeds(chain.from_iterable(groups), options.urls)
    if options.searxng:
        queries = settings.getint("BOOTSTRAP_QUERIES")
        yield SearxngSeeds(
            asker,
            options.searxng,
            definition,
            queries=queries,
            to_tag=to_bcp47,
            ledger=ledger,
        )
    if options.cc_index:
        sites = settings.getint("BOOTSTRAP_MAX_INDEX_SITES")
        yield CommonCrawlSeeds(
            asker,
            options.cc_index,
            definition,
            known=known,
            max_sites=sites,
            ledger=ledger,
        )


def _make_stemmer(lang: str) -> Callable[[str], str]:
    return StemmingTokenizer(lang, snowball_name(language_name(lang))).stem


def _find_texts(
    option: str, folder: str, langs: tuple[str, ...]
) -> dict[str, list[Path]]:
    """Return the files of texts in a folder by language; ArgumentError without any."""
    if not folder:
        raise ArgumentError(
            "--texts: nothing to compare with; give texts on other subjects with"
            " --background DIR"
        )
    try:
        found = find_domain_texts(folder, langs)
    except ArgumentError as error:
        raise ArgumentError(
            str(error).replace("domain_texts=", f"{option}=")
        ) from error
    return {
        lang: sorted(path.glob("*.txt")) if path.is_dir() else [path]
        for lang, path in found.items()
    }
