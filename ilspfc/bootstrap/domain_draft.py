"""One bootstrap: sources to concepts, concepts to a definition, links to seeds, files."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from ilspfc.bootstrap.concepts import BootstrapLog
from ilspfc.bootstrap.definition_terms import define, weigh_concepts
from ilspfc.bootstrap.output_files import BootstrapResult, OutputFiles
from ilspfc.bootstrap.seed_list import iter_link_seeds, select_seeds
from ilspfc.bootstrap.sources import iter_more_seeds, make_client, term_sources
from ilspfc.exceptions import BootstrapError
from ilspfc.text.codes import to_bcp47

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ilspfc.bootstrap.concepts import Concept
    from ilspfc.bootstrap.definition_terms import Definition
    from ilspfc.bootstrap.sources import BootstrapOptions

T = TypeVar("T")
# Seeds of one site.
_MAX_SITE_SEEDS = 5


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
            for source in term_sources(options, settings, client, log):
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
        hosts = {
            urlsplit(url).netloc for url in (options.wiki_api, *options.named_urls)
        }
        found = list(iter_link_seeds(concepts, weigh_concepts(concepts)))
        select = partial(
            select_seeds,
            found,
            hosts,
            max_seeds=settings.getint("BOOTSTRAP_MAX_SEEDS"),
            max_site_seeds=_MAX_SITE_SEEDS,
        )
        known = partial(select, BootstrapLog())
        more = iter_more_seeds(options, client, definition, known, log)
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
