"""The sources that a bootstrap was asked for, made of its options and settings."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ilspfc.api_transport import ApiTransport
from ilspfc.bootstrap.asking import Asker
from ilspfc.bootstrap.mediawiki import MediaWikiSource
from ilspfc.bootstrap.seeds import ListSeeds
from ilspfc.bootstrap.tbx import TbxSource
from ilspfc.exceptions import ArgumentError
from ilspfc.language.codes import to_bcp47, to_iso639_3
from ilspfc.middlewares.guard import AddressGuard
from ilspfc.spiders.seeds import read_seeds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings

    from ilspfc.bootstrap.definition import Definition
    from ilspfc.bootstrap.records import Ledger, SeedSource, TermSource

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
    """Return what asks the APIs; BootstrapError without a contact."""
    for url in options.api_urls:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ArgumentError(f"{url}: no http(s) URL; give the address of an API")
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


def iter_term_sources(
    options: BootstrapOptions, settings: BaseSettings, asker: Asker, ledger: Ledger
) -> Iterator[TermSource]:
    """Yield the sources of terms, in the order in which their terms are taken."""
    if options.tbx:
        yield TbxSource(Path(options.tbx), to_iso639_3)
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
    ledger: Ledger,
) -> Iterator[SeedSource]:
    """Yield the sources of seeds beside the links of the articles."""
    if options.urls:
        groups = read_seeds(Path(options.urls), f"--urls={options.urls}")
        yield ListSeeds(chain.from_iterable(groups), options.urls)
