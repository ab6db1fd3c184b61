"""Arguments and settings of the crawl that made a corpus, read from its manifest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ilspfc.crawl.arguments import CrawlArguments, parse_arguments
from ilspfc.crawl.job_file import manifest_arguments
from ilspfc.exceptions import ArgumentError, CorpusError
from ilspfc.frontier.scope import Scope
from ilspfc.report.manifest import read_json

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ilspfc.corpus.files import CorpusFiles

# Settings that decide on the text of a page and on its links.
_PREFIXES = (
    *("CLASSIFICATION_", "CLEANING_", "DEDUP_", "FRONTIER_", "LANGUAGE_", "OPTOUT_"),
    *("DOWNLOAD_MAXSIZE", "FETCH_MEDIA_TYPES", "USER_AGENT"),
)


def find_arguments(files: CorpusFiles, given: Mapping[str, str]) -> CrawlArguments:
    """Return the arguments of the last crawl: those of the manifest, changed by ``given``.

    CorpusError where there is no manifest and ``given`` names no languages.
    """
    manifest = read_json(files.manifest)
    told: dict[str, str] = manifest.get("arguments", {})
    raw = {**(manifest_arguments(told) if told.get("langs") else {}), **given}
    if not raw.keys() & {"lang", "langs"}:
        raise CorpusError(
            f"{files.manifest}: does not tell the arguments of the crawl; give them as they"
            f" were: scrapy reindex {files.root} -a langs=de,it -a seeds=URL"
        )
    if told.get("domain_texts") and "domain_texts" not in given:
        raise ArgumentError(
            f"domain_texts: the crawl had some ({told['domain_texts']}); give"
            " -a domain_texts= as it was"
        )
    raw.pop("delta", None)
    is_single = "lang" in given or ("lang" in raw and "langs" not in given)
    name, scope = ("lang", Scope.ANY) if is_single else ("langs", Scope.SITE)
    raw.pop("langs" if is_single else "lang", None)
    return parse_arguments(raw, lang_name=name, default_scope=scope)


def use_settings(files: CorpusFiles, settings: BaseSettings) -> None:
    """Give the settings of the last crawl to a command, but not over those given to it."""
    for name, value in read_json(files.manifest).get("settings", {}).items():
        if name.startswith(_PREFIXES):
            settings.set(name, value, priority="spider")


def describe_run(files: CorpusFiles, arguments: CrawlArguments) -> dict[str, Any]:
    """Return the description of the last crawl, for the index."""
    manifest = read_json(files.manifest)
    known = {
        name: manifest[name]
        for name in ("spider", "settings", "versions", "started", "finished", "groups")
        if manifest.get(name)
    }
    return {**arguments.describe(), **known, "stats": read_json(files.stats)}
