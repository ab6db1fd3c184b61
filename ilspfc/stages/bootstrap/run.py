"""One bootstrap: sources to concepts, concepts to a definition, links to seeds, to files."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ilspfc.bootstrap import output_files as files
from ilspfc.bootstrap.api.cache import AnswerCache
from ilspfc.bootstrap.concepts import Ledger
from ilspfc.bootstrap.seeds.seed_list import LinkSeeds, SeedRules, select_seeds
from ilspfc.bootstrap.terms.definition_terms import Definition, TermRules, define
from ilspfc.bootstrap.terms.weights import weigh_concepts
from ilspfc.exceptions import BootstrapError
from ilspfc.stages.bootstrap.output import BootstrapResult, OutputFiles, write_result
from ilspfc.stages.bootstrap.sources import (
    iter_seed_sources,
    iter_term_sources,
    make_asker,
    resolve_api,
)
from ilspfc.text.codes import to_bcp47
from ilspfc.text.language_names import language_name
from ilspfc.web.urls import canonicalize, site_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.settings import BaseSettings

    from ilspfc.bootstrap.concepts import Concept, Seed, SeedSource, TermSource
    from ilspfc.stages.bootstrap.sources import BootstrapOptions

# Seeds of one site.
_MAX_SITE_SEEDS = 5


def run_bootstrap(
    options: BootstrapOptions, settings: BaseSettings, ledger: Ledger
) -> BootstrapResult:
    """Collect terms and seeds and write them.

    What was collected before a source failed is written too, under other names. Raises
    ArgumentError or BootstrapError where nothing can be written.
    """
    out = OutputFiles(options.out)
    out.check(overwrites=options.overwrites)
    asker = make_asker(options, settings, ledger)
    sources = list(iter_term_sources(options, settings, asker, ledger))
    days = settings.getfloat("BOOTSTRAP_CACHE_DAYS")
    with AnswerCache(out.cache, days) as asker.cache:
        try:
            concepts, failure = collect(sources, options)
            definition = make_definition(concepts, options, ledger)
        except BootstrapError as error:
            if not out.cache.exists():
                raise
            raise BootstrapError(
                f"{error}; {out.cache} keeps what was answered, for the next try"
            ) from error
        links = LinkSeeds(concepts, weigh_concepts(concepts), language_name)
        found = list(links.iter_seeds())
        own = filter(None, [resolve_api(options), *options.api_urls])
        hosts = {urlsplit(url).netloc for url in own}
        rules = seed_rules(settings)
        more = iter_seed_sources(
            options,
            settings,
            asker,
            definition,
            known=lambda: select_seeds(found, rules, hosts, Ledger()),
            ledger=ledger,
        )
        seed_failure = add_seeds(found, more)
    seeds = select_seeds(found, rules, hosts, ledger)
    ledger.count("requests", asker.requests)
    result = BootstrapResult(definition, seeds, ledger, failure or seed_failure)
    write_result(result, out, options.subject)
    return result


def collect(
    sources: Iterable[TermSource], options: BootstrapOptions
) -> tuple[list[Concept], BootstrapError | None]:
    """Return the concepts of all sources, and why there are no more of them."""
    concepts: list[Concept] = []
    try:
        for source in sources:
            for concept in source.iter_concepts(options.subject, options.langs):
                concepts.append(concept)  # noqa: PERF402 - kept if a later one fails
    except BootstrapError as error:
        if not concepts:
            raise
        return concepts, error
    return concepts, None


def seed_rules(settings: BaseSettings) -> SeedRules:
    """Return the bounds of a list of seeds."""
    return SeedRules(
        canonicalize,
        site_of,
        max_seeds=settings.getint("BOOTSTRAP_MAX_SEEDS"),
        max_site_seeds=_MAX_SITE_SEEDS,
    )


def make_definition(
    concepts: list[Concept], options: BootstrapOptions, ledger: Ledger
) -> Definition:
    """Return the definition; BootstrapError where no term is left."""
    rules = TermRules(options.langs, keeps_names=options.keeps_names)
    definition = define(concepts, rules, ledger)
    if not definition.terms:
        losses = ", ".join(files.describe_losses(ledger.counts)) or "nothing was found"
        raise BootstrapError(
            f"{options.subject}: no term in {', '.join(map(to_bcp47, options.langs))}"
            f" ({losses}); take another subject, source or --langs"
        )
    return definition


def add_seeds(
    found: list[Seed], sources: Iterable[SeedSource]
) -> BootstrapError | None:
    """Add the seeds of sources to those found; return why there are no more of them."""
    try:
        for source in sources:
            for seed in source.iter_seeds():
                found.append(seed)  # noqa: PERF402 - kept if a later one fails
    except BootstrapError as error:
        return error
    return None
