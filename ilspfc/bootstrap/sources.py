"""Sources of terms and seeds for the options of a bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ilspfc import __version__
from ilspfc.bootstrap.api_client import ApiClient
from ilspfc.bootstrap.api_transport import GuardedTransport
from ilspfc.bootstrap.concepts import Seed, Subject
from ilspfc.bootstrap.keyness import iter_key_terms
from ilspfc.bootstrap.mediawiki import iter_mediawiki
from ilspfc.bootstrap.seed_searches import iter_index_seeds, iter_search_seeds
from ilspfc.bootstrap.skos import iter_skos, iter_skosmos
from ilspfc.bootstrap.tbx import iter_tbx
from ilspfc.bootstrap.term_lists import iter_term_list
from ilspfc.classification.perplexity.page_perplexity import text_files
from ilspfc.classification.terms import StemmingTokenizer
from ilspfc.crawl.arguments import read_seeds
from ilspfc.crawl.domain_texts import find_domain_texts
from ilspfc.exceptions import ArgumentError, BootstrapError
from ilspfc.middlewares.guard import AddressGuard
from ilspfc.text.codes import to_bcp47

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ilspfc.bootstrap.concepts import BootstrapLog, Concept
    from ilspfc.bootstrap.definition_terms import Definition

# Terms of a language that are taken from texts.
_MAX_TERMS = 300
WIKIPEDIA = "https://{lang}.wikipedia.org/w/api.php"


@dataclass(frozen=True, slots=True)
class BootstrapOptions:
    """Options of a bootstrap; ``langs`` are ISO 639-3, an empty source is not used."""

    subject: str
    langs: tuple[str, ...]
    out: Path
    depth: int = 2
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


def term_sources(
    options: BootstrapOptions,
    settings: BaseSettings,
    client: ApiClient,
    log: BootstrapLog,
) -> list[Iterator[Concept]]:
    """Return the sources of terms in the order in which their terms are taken."""
    langs = options.langs
    most = settings.getint("BOOTSTRAP_MAX_PAGES")
    subject = Subject(options.subject, langs, options.depth, most)
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
        sources.append(iter_key_terms(texts, others, _stemmer, _MAX_TERMS, log))
    if url := options.wiki_api:
        sources.append(iter_mediawiki(client, url, subject, log))
    return sources


def iter_more_seeds(
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


def _stemmer(lang: str) -> Callable[[str], str]:
    return StemmingTokenizer(lang).stem


def find_text_files(
    option: str, folder: str, langs: tuple[str, ...]
) -> dict[str, Sequence[Path]]:
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
    return {lang: text_files(path) for lang, path in found.items()}
