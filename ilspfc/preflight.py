"""Checks of arguments, parts and corpus before a crawl starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.utils.conf import build_component_list
from scrapy.utils.misc import load_object
from scrapy.utils.reactor import _asyncio_reactor_path

from ilspfc.add_ons import load
from ilspfc.corpus import counts
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.lock import CorpusLock
from ilspfc.crawl.arguments import CrawlArguments, use_deltafetch
from ilspfc.crawl.domain_texts import load_models
from ilspfc.crawl.job import find_files
from ilspfc.crawl.learned_relevance import is_learning
from ilspfc.crawl.scorers import scorer_name
from ilspfc.crawl.text_options import check_languages
from ilspfc.exceptions import CorpusError, CorpusLockedError, SettingError
from ilspfc.extensions.ledger import PageLedger
from ilspfc.frontier.store.url_table import check_frontier
from ilspfc.pipelines.cleaning import CleaningPipeline
from ilspfc.scheduler import FrontierScheduler
from ilspfc.setting_table import check_settings, split_list

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ilspfc.corpus.files import CorpusFiles

# What every crawl needs; a class derived from it will do.
_NEEDED_PARTS = {
    "SCHEDULER": FrontierScheduler,
    "EXTENSIONS": PageLedger,
    "ITEM_PIPELINES": CleaningPipeline,
}


def check_crawl(spider: str, arguments: CrawlArguments, settings: BaseSettings) -> None:
    """Raise SettingError or CorpusError for what would keep a crawl from starting."""
    check_settings(settings)
    _check_parts(settings)
    use_deltafetch(arguments, settings)
    if arguments.comparable:
        load("papers.comparable.COMPARABLE", "comparable=1")
    scorer_name(arguments, settings)
    if is_learning(settings) and arguments.domain is None:
        raise SettingError(
            f"CLASSIFICATION_DECIDES_BY={settings['CLASSIFICATION_DECIDES_BY']}: no terms"
            " define the domain; give -a domain="
        )
    is_archived = settings.getbool("ARCHIVE_WARC") or bool(arguments.warc)
    if "html" in split_list(settings, "EXPORTS_FORMATS") and not is_archived:
        raise SettingError(
            "EXPORTS_FORMATS=html: pages are written from the WARC files, and ARCHIVE_WARC is"
            " off; leave one of both out"
        )
    check_languages(arguments.langs, settings)
    if settings["EXPORTS_LANG_MAP"]:
        from ilspfc.exports.export_options import check_lang_map  # noqa: PLC0415 - loads the formats

        check_lang_map(settings, arguments.langs)
    load_models(arguments.domain_texts)
    files = find_files(spider, arguments, settings)
    folder = files.root
    if settings["FRONTIER_STORE"] and arguments.is_offline:
        raise SettingError(
            "FRONTIER_STORE: crawlers that share a frontier read the web; leave it out, or"
            " warc=, folder= and cc="
        )
    try:
        CorpusLock.check(folder)
    except CorpusLockedError:
        raise
    except CorpusError as error:
        if settings.get("CORPUS_DIR"):
            raise SettingError(f"CORPUS_DIR={error}") from error
        raise
    check_databases(files, arguments.langs, is_shared=bool(settings["FRONTIER_STORE"]))


def _check_parts(settings: BaseSettings) -> None:
    """Raise SettingError for a part of the crawler without which no page is ever done."""
    for name, needed in _NEEDED_PARTS.items():
        given = settings[name]
        paths = [given] if name == "SCHEDULER" else build_component_list(given)
        try:
            parts = [load_object(path) for path in paths]
        except (ImportError, NameError, ValueError) as error:
            raise SettingError(f"{name}: {error}; give the path of a class") from error
        if not any(
            isinstance(part, type) and issubclass(part, needed) for part in parts
        ):
            raise SettingError(
                f"{name}={', '.join(map(str, paths))}: a corpus cannot be crawled without"
                f" {needed.__module__}.{needed.__name__}; add it, or leave {name} out"
            )
    reactor = settings["TWISTED_REACTOR"]
    if reactor != _asyncio_reactor_path or not settings.getbool(
        "TWISTED_REACTOR_ENABLED"
    ):
        raise SettingError(
            f"TWISTED_REACTOR={reactor}: a corpus is crawled in the reactor of asyncio alone;"
            " leave TWISTED_REACTOR and TWISTED_REACTOR_ENABLED out"
        )


def check_databases(
    files: CorpusFiles, langs: tuple[str, ...], *, is_shared: bool = False
) -> None:
    """Raise CorpusError for an index or frontier that a crawl cannot go on from.

    ``is_shared``: the frontier is elsewhere.

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
    if not is_shared:
        check_frontier(files.frontier, has_pages=has_pages)
