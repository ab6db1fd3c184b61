"""What can be checked of a crawl before it starts, so that nothing is lost by a slip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.cleaning import FORMATS, Backend, is_installed, readable
from ilspfc.corpus import counts
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.lock import CorpusLock
from ilspfc.crawl.domain_terms import LEARNED, RELEVANCE_MODELS, location_weights
from ilspfc.crawl.domain_texts import load_models
from ilspfc.crawl.job import corpus_folder
from ilspfc.crawl.language_texts import check_languages
from ilspfc.crawl.scorers import perplexity_bounds, scorer_name
from ilspfc.exceptions import CorpusError, CorpusLockedError, SettingError
from ilspfc.exports import LEVELS
from ilspfc.frontier.store.url_table import check_frontier
from ilspfc.middlewares.guard import AddressGuard
from ilspfc.middlewares.handler import insecure_hosts
from ilspfc.optout.policy import OptOutPolicy
from ilspfc.pairing.methods import PAIRING_METHODS
from ilspfc.setting_values import check_values, is_asked_for
from ilspfc.stages.alignment import METHODS
from ilspfc.stages.export_options import export_options
from ilspfc.stages.lexicon import check_store

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ilspfc.crawl.arguments import CrawlArguments

_CHOICES = {
    "ALIGNMENT_METHOD": METHODS,
    "CLASSIFICATION_MODEL": RELEVANCE_MODELS,
    "CLEANING_BACKEND": tuple(Backend),
    "EXPORTS_TEXT_LEVEL": LEVELS,
    "PAIRING_METHOD": PAIRING_METHODS,
}


def check_settings(settings: BaseSettings) -> None:
    """Raise SettingError for the first setting that cannot be used."""
    check_values(settings)
    for name, choices in _CHOICES.items():
        if settings.get(name) not in choices:
            raise SettingError(
                f"{name}={settings.get(name)}: no such choice; known are"
                f" {', '.join(choices)}"
            )
    _check_formats(settings)
    if not is_installed(settings["CLEANING_BACKEND"]):
        raise SettingError(
            "CLEANING_BACKEND=trafilatura: trafilatura is not installed; install it with"
            " pip install ilspfc[trafilatura], or choose another"
        )
    AddressGuard.from_settings(settings)
    insecure_hosts(settings)
    OptOutPolicy.from_setting("OPTOUT_POLICY", settings["OPTOUT_POLICY"])
    location_weights(settings)
    perplexity_bounds(settings)
    check_store(settings)
    export_options(settings)


def _check_formats(settings: BaseSettings) -> None:
    """Raise SettingError for a format that nobody reads, or that was asked for in vain."""
    formats = settings.getlist("CLEANING_FORMATS")
    for name in formats:
        if name not in FORMATS:
            raise SettingError(
                f"CLEANING_FORMATS={','.join(formats)}: no such format: {name}; known are"
                f" {', '.join(FORMATS)}"
            )
    missing = [name for name in formats if name not in readable(formats)]
    if missing and is_asked_for(settings, "CLEANING_FORMATS"):
        raise SettingError(
            f"CLEANING_FORMATS={','.join(formats)}: {FORMATS[missing[0]].package} is not"
            f" installed; pip install 'ilspfc[{missing[0]}]', or leave {missing[0]} out"
        )


def check_crawl(spider: str, arguments: CrawlArguments, settings: BaseSettings) -> None:
    """Raise SettingError or CorpusError for what would keep a crawl from starting."""
    check_settings(settings)
    scorer_name(arguments, settings)
    if settings["CLASSIFICATION_MODEL"] == LEARNED and arguments.domain is None:
        raise SettingError(
            f"CLASSIFICATION_MODEL={LEARNED}: no terms define the domain; give -a domain="
        )
    check_languages(arguments.langs, settings)
    load_models(arguments.domain_texts)
    folder = corpus_folder(spider, arguments, settings)
    try:
        CorpusLock.check(folder)
    except CorpusLockedError:
        raise
    except CorpusError as error:
        if settings.get("CORPUS_DIR"):
            raise SettingError(f"CORPUS_DIR={error}") from error
        raise
    check_databases(CorpusFiles(folder), arguments.langs)


def check_databases(files: CorpusFiles, langs: tuple[str, ...]) -> None:
    """Raise CorpusError for an index or frontier that a crawl cannot go on from.

    Both files are read whole: what is damaged in the middle of a crawl ends it.
    """
    if not files.index.is_file():
        files.require_known(is_blank=True)
        return
    with CorpusIndex(files.index) as corpus:
        corpus.check()
        files.require_known(is_blank=corpus.is_blank)
        has_pages = counts.count_pages(corpus) > 0
        earlier = tuple(corpus.last_run().get("langs", langs))
    if earlier != langs:
        raise CorpusError(
            f"{files.root}: holds a corpus in {', '.join(earlier)}, not in"
            f" {', '.join(langs)}; give another CORPUS_DIR"
        )
    check_frontier(files.frontier, has_pages=has_pages)
