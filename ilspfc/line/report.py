"""Report stage: report.html, stats.json and manifest.json of a corpus, with samples of it."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

from ilspfc.add_ons import has_add_on, load
from ilspfc.classification.perplexity.buckets import BUCKET_NAMES
from ilspfc.cleaning.page import CleaningReason
from ilspfc.corpus import counts as figures
from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.records import DocumentEntry, PairEntry
from ilspfc.crawl.arguments import ARGUMENTS
from ilspfc.crawl.index_records import count_addresses
from ilspfc.documents import TranslationUnit
from ilspfc.exports.filters import ExportReason
from ilspfc.exports.registry import iter_export_files
from ilspfc.exports.selection import PRESETS, Action
from ilspfc.frontier.reasons import FetchReason, TrapReason
from ilspfc.frontier.store.url_table import held_back
from ilspfc.optout.policy import OptOutReason
from ilspfc.report import data as records
from ilspfc.report.data import ReportData
from ilspfc.report.html import render_html
from ilspfc.report.manifest import (
    build_manifest,
    collect_versions,
    write_json,
    write_text,
)
from ilspfc.report.numbers import elapsed_seconds
from ilspfc.report.reason_texts import explain
from ilspfc.setting_table import read_table
from ilspfc.text.codes import language_name, to_bcp47
from ilspfc.web.urls import canonicalize, site_of

# Number of example URLs for each reason of a loss.
_DROP_EXAMPLES = 5
# Percentiles of perplexity to show.
_QUANTILES = (5, 25, 50, 75, 95)


def run_report(corpus: Corpus) -> ReportData:
    """Write the report, the counts and the manifest; return their data."""
    data = collect_report(corpus)
    files = corpus.files
    dropped = {c.replace("/", "/dropped/", 1): n for c, n in data.dropped.items()}
    stats = {
        **corpus.run.get("stats", {}),
        **dropped,
        "content/restored": corpus.index.last_run().get("restored", 0),
        "fetch/pages": data.pages_fetched,
        "export/documents": data.document_count,
        "pairing/pairs": data.pair_count,
        "alignment/units": data.unit_count,
    }
    write_json(files.stats, stats)
    write_text(files.report, render_html(data))
    results = [files.root / path for path, _ in data.files]
    # Digests of the index and of the manifest itself would soon be invalid.
    results = [p for p in results if p not in {files.index, files.manifest}]
    write_json(files.manifest, build_manifest(data, results))
    return data


def collect_report(corpus: Corpus) -> ReportData:
    """Return the data for report, summary and manifest of a corpus."""
    data = count_report(corpus)
    pairs = [one for two in corpus.language_pairs for one in corpus.bitext.pairs(*two)]
    samples = tuple(draw_pairs(corpus, pairs))
    return replace(
        data,
        dropped_samples=figures.sample_drops(corpus.index, _DROP_EXAMPLES),
        doubtful=tuple(find_doubtful(corpus)),
        pair_samples=samples,
        presets=tuple(count_presets(corpus, samples)),
        unit_groups=tuple(draw_units(corpus, pairs, data.dropped)),
        judged=tuple(judged_tables(corpus)),
        files=tuple(_iter_files(corpus)),
    )


def count_report(corpus: Corpus) -> ReportData:
    """Return the data of a report that are counts, without samples, verdicts and files."""
    index, run, langs = corpus.index, corpus.run, corpus.langs
    counted = figures.count_corpus(index, langs)
    addresses = count_addresses(corpus.files.frontier)
    dropped = count_losses(corpus, addresses)
    runs = figures.list_runs(index)
    sites = figures.list_sites(index)
    used = {**run.get("settings", {}), **run.get("stages", {}).get("exports", {})}
    preset = used.get("EXPORTS_PRESET", read_table()["EXPORTS_PRESET"].default)
    losing = partial(figures.count_hosts_losing, index)
    return ReportData(
        title=_title(corpus),
        corpus_dir=str(corpus.files.root),
        spider=run.get("spider", ""),
        langs=langs,
        domain=run.get("domain", ""),
        started=run.get("started", ""),
        finished=run.get("finished", ""),
        seconds=sum(elapsed_seconds(run.started, run.finished) for run in runs),
        limit=run.get("stats", {}).get("frontier/limit_reached") or "",
        pages_fetched=counted.pages_fetched,
        seeds=tuple(_iter_seeds(corpus, counted.pages_fetched)),
        groups=tuple(map(tuple, run.get("groups", ()))),
        documents=counted.documents,
        held_back=tuple(held_back(corpus.files.frontier)),
        dropped=dropped,
        addresses=addresses,
        hosts=tuple(figures.count_hosts(index)),
        scripted=tuple(losing(f"cleaning/{CleaningReason.NEEDS_JAVASCRIPT}")),
        paid=tuple(losing(f"fetch/{FetchReason.PAYMENT_REQUIRED}")),
        perplexity=tuple(_count_perplexity(corpus)),
        subdomains=tuple(figures.count_subdomains(index)),
        licenses=tuple(figures.count_values(index, figures.LICENSE)),
        license_places=tuple(figures.count_values(index, "license_place")),
        optouts=tuple(figures.count_optouts(index)),
        pages_reserved=figures.count_reserved(index),
        pages_skipped=dropped.get(f"optout/{OptOutReason.RESERVED}", 0),
        pairs=counted.pairs,
        harvest=tuple(figures.harvest_curve(index)),
        score_histogram=tuple(figures.score_histogram(index, records.HISTOGRAM_BINS)),
        images=_count_images(corpus, counted.document_count),
        pairs_by_site=tuple(figures.count_pairs_by_site(index)),
        sites=tuple(sites),
        sites_beyond_seeds=len(set(sites) - set(map(site_of, run.get("seeds", ())))),
        subject=records.subject_bounds(
            figures.subject_probabilities(index),
            corpus.settings.getfloat("DECISIONS_MIN_RELEVANCE"),
        ),
        runs=tuple(runs),
        arguments=_arguments(corpus),
        settings=run.get("settings", {}),
        preset=",".join(filter(None, (preset, used.get("EXPORTS_FILTERS")))),
        stages={name: of for name, of in run.get("stages", {}).items() if of},
        versions=run.get("versions") or collect_versions(),
        language_names={lang: language_name(lang) for lang in langs},
        recrawl=_count_recrawl(run) if len(runs) > 1 else None,
    )


def _count_recrawl(run: Mapping[str, Any]) -> records.RecrawlCounts:
    """Return the counts of a run over an earlier corpus."""
    stats = run.get("stats", {})
    same = ("fetch/not_modified", "fetch/identical", "export/unchanged")
    return records.RecrawlCounts(
        new=stats.get("export/documents", 0),
        changed=stats.get("export/changed", 0),
        revisits=stats.get("fetch/revisits", 0),
        unchanged=sum(stats.get(name, 0) for name in same),
        gone=stats.get("fetch/gone", 0),
        failed=stats.get("fetch/revisits_failed", 0),
        withdrawn=stats.get("export/withdrawn", 0),
    )


def count_losses(
    corpus: Corpus, addresses: records.AddressCounts | None = None
) -> dict[str, int]:
    """Return the losses of a corpus by ``stage/reason``: URLs, pages, units.

    URLs are counted in the frontier, failures in the index: a kept page that fails at a
    revisit is not a loss. Dropped links, which the frontier does not store, are those of the
    last run.
    """
    addresses = addresses or count_addresses(corpus.files.frontier)
    links = {
        key.replace("/dropped/", "/"): int(number)
        for key, number in corpus.run.get("stats", {}).items()
        if key.startswith("frontier/dropped/")
        and not (addresses.known and key.rpartition("/")[2] in {*TrapReason})
    }
    return {**links, **addresses.lost, **figures.count_drops(corpus.index)}


def _count_perplexity(corpus: Corpus) -> Iterator[records.PerplexityCount]:
    """Yield page counts by perplexity bucket, languages with domain texts first."""
    bounds = corpus.run.get("perplexity_bounds", {})
    values = figures.list_perplexities(corpus.index)
    counts: dict[str, dict[str, tuple[str, int, int]]] = {}
    for lang, bucket, pages, kept in figures.count_buckets(corpus.index):
        counts.setdefault(lang, {})[bucket] = bucket, pages, kept
    for lang in sorted(counts, key=lambda lang: (lang not in bounds, lang)):
        found = counts[lang]
        buckets = tuple(found[name] for name in BUCKET_NAMES if name in found)
        last = len(values.get(lang, ())) - 1
        shares = _QUANTILES if last >= 0 else ()
        quantiles = tuple((one, values[lang][last * one // 100]) for one in shares)
        of_lang = tuple(bounds.get(lang, ()))
        yield records.PerplexityCount(lang, buckets, of_lang, quantiles)


def _title(corpus: Corpus) -> str:
    names = " – ".join(language_name(lang) for lang in corpus.langs)
    domain = corpus.run.get("domain")
    return f"{names}: {domain}" if domain else names


def _arguments(corpus: Corpus) -> dict[str, str]:
    run = corpus.run
    return {
        name: ", ".join(value) if isinstance(value, (list, tuple)) else str(value)
        for name in (*ARGUMENTS, "domain_file")
        if (value := run.get(name))
    }


def _count_images(corpus: Corpus, documents: int) -> records.ImageCount | None:
    """Return the images by the share of documents that have them, None without pairs to find."""
    # Loads SciPy.
    from ilspfc.pairing.evidence.images import critical_bound  # noqa: PLC0415

    numbers = figures.count_image_documents(corpus.index)
    if not numbers or len(corpus.langs) < 2:
        return None
    bound = critical_bound(numbers, documents)
    bins = [0] * records.HISTOGRAM_BINS
    for number in numbers:
        bins[min(number * len(bins) // documents, len(bins) - 1)] += 1
    critical = sum(number <= bound for number in numbers)
    return records.ImageCount(tuple(bins), min(bound / documents, 1.0), critical)


def _iter_seeds(corpus: Corpus, pages: int) -> Iterator[records.SeedStatus]:
    failures = figures.failed_seeds(corpus.index)
    # A crawl that was stopped before its first page has reached none.
    other = ("", "" if pages or failures else "no answer before the crawl ended")
    # The URL of a request may be spelled differently from its seed.
    failed = {canonicalize(url): failure for url, failure in failures.items()}
    for seed in corpus.run.get("seeds", ()):
        reason, cause = failed.get(canonicalize(seed), other)
        text = cause or (reason and f"fetch/{reason}")
        yield records.SeedStatus(seed, not text, text)


def judged_tables(corpus: Corpus) -> list[records.JudgedTable]:
    """Return the tables of human verdicts on samples, none without the add-on."""
    if not has_add_on("judging"):
        return []
    read = load("judging.samples.judged_tables", "report")
    return cast("list[records.JudgedTable]", read(corpus))


def _iter_files(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """Yield the relative path and the description of each existing file of the corpus."""
    files = corpus.files
    known = [
        (files.documents, "documents as cesDoc XML"),
        (files.duplicates, "duplicates as cesDoc XML, kept apart"),
        (
            files.off_topic,
            "documents that are probably not about the domain, kept apart",
        ),
        (files.archive, "the responses of the sites, WARC 1.1"),
        (files.index, "the corpus index (SQLite)"),
        (files.stats, "counts of the run"),
        (files.manifest, "provenance: arguments, settings, versions, digests"),
        (files.report, "the report"),
    ]
    for source, target in corpus.language_pairs:
        codes = to_bcp47(source), to_bcp47(target)
        meaning = f"pairs of documents, {codes[0]} and {codes[1]}"
        known.append((files.pairs_file(*codes), meaning))
    known += iter_export_files(corpus)
    written_now = {files.stats, files.manifest, files.report}
    for path, meaning in known:
        if path in written_now or path.exists():
            name = path.relative_to(files.root).as_posix()
            yield (f"{name}/" if path.is_dir() else name), meaning


# -- samples -----------------------------------------------------------------------------

# Fixed seed, so that the same corpus has the same samples.
_SEED = 1
# Pairs that the report shows: some minutes of reading. For judgments: `scrapy sample`.
_PAIRS = 20
# Maximum numbers of doubtful documents, of units in a group, and of pairs to search for units
# with a remark.
_DOUBTFUL_DOCUMENTS = 10
_GROUP_UNITS = 10
_SEARCHED_PAIRS = 200


def draw_pairs(
    corpus: Corpus, pairs: Sequence[PairEntry]
) -> Iterator[records.PairSample]:
    """Yield a random sample of pairs, each with one of its units."""
    choose_pair, choose_unit = (random.Random(_SEED) for _ in range(2))  # noqa: S311 - no secret
    number = min(_PAIRS, len(pairs))
    for entry in choose_pair.sample(pairs, number):
        source, target = (
            _make_document(document) for document in (entry.source, entry.target)
        )
        units = list(corpus.bitext.judged_units(entry.pair))
        unit, reasons = choose_unit.choice(units) if units else (None, ())
        presets = _find_presets(reasons) if unit else ()
        of_pair = entry.pair.probability, entry.pair.evidence
        yield records.PairSample(source, target, *of_pair, unit, presets)


def _make_document(entry: DocumentEntry) -> records.DocumentSample:
    return records.DocumentSample(entry.lang, entry.url, entry.title, entry.path)


def find_doubtful(corpus: Corpus) -> Iterator[tuple[float, records.DocumentSample]]:
    """Yield the documents with the lowest expected F1 of cleaning, the lowest first."""
    rows = corpus.index.rows(
        "SELECT score, id FROM cleaning_scores JOIN kept_documents ON id = document"
        " ORDER BY score, id LIMIT ?",
        (_DOUBTFUL_DOCUMENTS,),
    )
    for score, identity in list(rows):
        if entry := corpus.index.document(identity):
            yield score, _make_document(entry)


def _find_presets(reasons: Iterable[str]) -> tuple[str, ...]:
    """Return the presets that keep a unit with the given reasons, ignoring duplicates."""
    found = list(map(ExportReason, reasons))
    return tuple(
        name
        for name, actions in PRESETS.items()
        if all(actions[reason] is not Action.DROP for reason in found)
    )


def count_presets(
    corpus: Corpus, samples: Iterable[records.PairSample]
) -> Iterator[records.PresetCount]:
    """Yield the numbers that each preset keeps, of all units and of the sample."""
    stats = corpus.run.get("stats", {})
    units = [(pair.unit, pair.presets) for pair in samples if pair.unit]
    # Counts of 0 are not stored, but the preset ``off`` always has one.
    if "exports/kept/off" in stats:
        for name in PRESETS:
            scores = [unit.score for unit, presets in units if name in presets]
            number = stats.get(f"exports/kept/{name}", 0)
            yield records.PresetCount(name, number, len(scores), sum(scores))


def draw_units(
    corpus: Corpus, pairs: Sequence[PairEntry], dropped: Mapping[str, int]
) -> Iterator[records.UnitGroup]:
    """Yield the most instructive units: the lowest scores, and some with each remark.

    ``dropped`` are the losses of the corpus by ``stage/reason``. Units with a remark are
    from at most 200 random pairs. Duplicates, which depend on all exported units, have no
    examples.
    """
    if not pairs:
        return
    by_ids = {(entry.pair.source, entry.pair.target): entry for entry in pairs}
    rows = corpus.index.rows(
        "SELECT source, target, source_text, target_text, kind, score FROM kept_units"
        " ORDER BY score, source, target, number LIMIT ?",
        (_GROUP_UNITS,),
    )
    lowest = [
        _make_sample(by_ids[source, target], TranslationUnit(*unit))
        for source, target, *unit in rows
        if (source, target) in by_ids
    ]
    if lowest:
        yield records.UnitGroup("The lowest scores", tuple(lowest))
    examples = _find_examples(corpus, pairs)
    for reason in ExportReason:
        code = f"exports/{reason}"
        noted = corpus.run.get("stats", {}).get(f"exports/annotated/{reason}", 0)
        if noted or code in dropped:
            units = tuple(examples.get(reason, ()))
            yield records.UnitGroup(explain(code), units, noted, dropped.get(code, 0))


def _find_examples(
    corpus: Corpus, pairs: Sequence[PairEntry]
) -> Mapping[ExportReason, Sequence[records.UnitSample]]:
    """Return example units for each reason, from random pairs."""
    choose = random.Random(_SEED)  # noqa: S311 - no secret
    found: dict[ExportReason, list[records.UnitSample]] = defaultdict(list)
    for entry in choose.sample(pairs, min(_SEARCHED_PAIRS, len(pairs))):
        for unit, reasons in corpus.bitext.judged_units(entry.pair):
            for reason in map(ExportReason, reasons):
                if len(found[reason]) < _GROUP_UNITS:
                    found[reason].append(_make_sample(entry, unit))
    return found


def _make_sample(entry: PairEntry, unit: TranslationUnit) -> records.UnitSample:
    langs = entry.source.lang, entry.target.lang
    urls = entry.source.url, entry.target.url
    return records.UnitSample(langs, urls, unit)
