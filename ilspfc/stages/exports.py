"""Exports over a corpus: the files that other tools take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.crawl.language_texts import language_options
from ilspfc.exports.cesalign import write_cesalign
from ilspfc.exports.filters import ExportReason
from ilspfc.exports.lines import JsonlWriter, LineWriter, MosesWriter, TsvWriter
from ilspfc.exports.plain_text import TextDocument, write_texts
from ilspfc.exports.selection import Action, Selection, SelectionCounts
from ilspfc.exports.tmx_writer import TmxHeader, TmxWriter, write_tmx
from ilspfc.exports.units import ExportUnit, PageOrigin, UnitOrigin
from ilspfc.exports.writers import find_files, remove_stale
from ilspfc.language.identification import page_identifier
from ilspfc.language.labels import is_identifiable
from ilspfc.language.segment_filter import SegmentJudge
from ilspfc.stages.export_options import ExportOptions, export_options
from ilspfc.text.codes import to_bcp47

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ilspfc.corpus.corpus import Corpus
    from ilspfc.corpus.records import DocumentEntry, PairEntry
    from ilspfc.documents import TranslationUnit
    from ilspfc.exports.writers import UnitWriter

# Languages are identified for so many units at a time: at a third of the cost of one.
_BATCH_UNITS = 1_000
_DAY_CHARS = len("2026-01-31")
_LINE_WRITERS: dict[str, type[LineWriter]] = {
    "moses": MosesWriter,
    "tsv": TsvWriter,
    "jsonl": JsonlWriter,
}
UNIT_FORMATS = frozenset({"tmx", "pair-tmx", *_LINE_WRITERS})
"""The formats that hold translation units."""
_DESCRIPTION = "Crawled from the web by ilspfc"
_SUFFIXES = {
    "tmx": ("tmx", "translation memory"),
    "tsv": ("sent.gz", "units as TSV with Bitextor's columns"),
    "jsonl": ("jsonl", "units as JSON Lines"),
}


def run_exports(corpus: Corpus) -> None:
    """Write the files that other tools take, in place of those of an earlier run.

    Files of formats that are not asked for stay as they are.
    """
    options = export_options(corpus.settings)
    counts = _Counts()
    written: set[Path] = set()
    for langs in corpus.language_pairs:
        entries = corpus.bitext.pairs(*langs)
        if "cesalign" in options.formats:
            written |= {_write_cesalign(corpus, entry) for entry in entries}
        if options.formats & UNIT_FORMATS:
            written |= _write_units(corpus, langs, entries, options, counts)
    for format_, folder in (
        ("cesalign", corpus.files.alignments),
        ("pair-tmx", corpus.files.memories),
    ):
        if format_ in options.formats and folder.is_dir():
            for path in set(folder.iterdir()) - written:
                path.unlink()
    if "text" in options.formats:
        _write_texts(corpus, options, counts)
    _keep_counts(corpus, counts)


class _Counts:
    """Counts of units written, annotated and dropped, over all language pairs."""

    def __init__(self) -> None:
        self.stats: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()

    def add(self, counts: SelectionCounts) -> None:
        self.stats["exports/units"] += counts.units
        for reason, number in counts.annotated.items():
            self.stats[f"exports/annotated/{reason}"] += number
        self.dropped.update({str(reason): n for reason, n in counts.dropped.items()})


def _keep_counts(corpus: Corpus, counts: _Counts) -> None:
    """Write the counts down, in place of those of the last run of the stage."""
    corpus.index.set_drops("exports", +counts.dropped)
    stats = corpus.run.setdefault("stats", {})
    old = {name: None for name in stats if name.startswith("exports/")}
    new = +counts.stats
    corpus.index.finish_run({"stats": {**old, **new}})
    for name in old:
        del stats[name]
    stats.update(new)


def _write_cesalign(corpus: Corpus, entry: PairEntry) -> Path:
    source, target = entry.source, entry.target
    path = corpus.files.alignments / f"{pair_name(entry)}.xml"
    write_cesalign(
        path,
        (f"../{source.path}", source.lang),
        (f"../{target.path}", target.lang),
        confidence=entry.pair.probability,
        method=entry.pair.evidence,
    )
    return path


def _write_units(
    corpus: Corpus,
    langs: tuple[str, str],
    entries: list[PairEntry],
    options: ExportOptions,
    counts: _Counts,
) -> set[Path]:
    """Write the units of a language pair in all formats; return the memories of pairs."""
    selection = Selection(options.actions, options.limits)
    judged = (
        (unit, entry.null_share or 0.0)
        for entry in entries
        for unit in corpus.bitext.units(entry.pair)
    )
    judge_units(judged, langs, selection, corpus.settings, options)
    found = selection.finish()
    counts.add(found)
    pairs = set()
    with ExitStack() as stack:
        writers = {
            format_: stack.enter_context(writer)
            for format_, writer in open_writers(corpus, langs, options, found)
        }
        infos = selection.infos()
        for entry in entries:
            units = list(_iter_kept(corpus, entry, infos))
            for unit in units:
                for writer in writers.values():
                    writer.write(unit)
            if "pair-tmx" in options.formats:
                pairs.add(write_memory(corpus, entry, units, options))
    for format_, writer in writers.items():
        for path in export_paths(corpus, langs, format_, compress=options.compress):
            remove_stale(path, writer.paths)
    return pairs


def _iter_kept(
    corpus: Corpus, entry: PairEntry, infos: Iterator[tuple[str, ...] | None]
) -> Iterator[ExportUnit]:
    """Yield the units of a pair that stay, with the remarks on them."""
    origin = make_origin(entry, corpus.run.get("domain", ""))
    # The units first: where they end, no verdict is taken.
    for unit, info in zip(corpus.bitext.units(entry.pair), infos, strict=False):
        if info is not None:
            texts = unit.source, unit.target
            yield ExportUnit(*texts, unit.kind, unit.score, info, origin)


def _write_texts(corpus: Corpus, options: ExportOptions, counts: _Counts) -> None:
    """Write the text of each language."""
    entries = corpus.index.documents()
    for lang in corpus.langs:
        path = text_path(corpus, lang, compress=options.compress)
        documents = (
            TextDocument(
                entry.url,
                entry.file,
                [p.text for p in corpus.read(entry).clean_paragraphs],
            )
            for entry in entries
            if entry.lang == lang
        )
        found = write_texts(path, documents, lang, options.text_level)
        remove_stale(path, [path])
        counts.stats["exports/texts"] += found.lines
        counts.dropped.update({str(r): n for r, n in found.dropped.items()})


def judge_units(
    units: Iterator[tuple[TranslationUnit | ExportUnit, float]],
    langs: tuple[str, str],
    selection: Selection,
    settings: BaseSettings,
    options: ExportOptions,
) -> None:
    """Give units in two languages (ISO 639-3) to a selection, in their order.

    Each comes with the null share of its pages.
    """
    find_foreign = _foreign_finder(settings, langs, options)
    while batch := list(islice(units, _BATCH_UNITS)):
        sources = find_foreign([unit.source for unit, _ in batch], langs[0])
        targets = find_foreign([unit.target for unit, _ in batch], langs[1])
        for (unit, share), *foreign in zip(batch, sources, targets, strict=True):
            selection.add(
                unit.source,
                unit.target,
                unit.kind,
                unit.score,
                null_share=share,
                is_foreign=any(foreign),
            )


def _foreign_finder(
    settings: BaseSettings, langs: tuple[str, str], options: ExportOptions
) -> Callable[[list[str], str], list[bool]]:
    """Return the function that marks texts in another language than theirs."""
    language = language_options(settings)
    taught = {lang for lang, _ in language["texts"]}
    if options.actions[ExportReason.LANGUAGE] is Action.OFF or not all(
        lang in taught or is_identifiable(lang) for lang in langs
    ):
        return lambda texts, _: [False] * len(texts)
    identifier = page_identifier(langs, **language)
    judges = {lang: SegmentJudge(identifier, lang) for lang in langs}
    return lambda texts, lang: judges[lang].find_foreign(texts)


def make_origin(entry: PairEntry, domain: str) -> UnitOrigin:
    """Return the origin that all units of a pair share."""
    return UnitOrigin(
        _page_origin(entry.source),
        _page_origin(entry.target),
        probability=entry.pair.probability,
        evidence=entry.pair.evidence,
        domain=domain,
    )


def _page_origin(entry: DocumentEntry) -> PageOrigin:
    return PageOrigin(
        url=entry.url,
        file=entry.path,
        subdomains=entry.subdomains,
        license=entry.license,
        optouts=tuple(entry.optouts.splitlines()),
        # The day alone: crawls of the same day write the same files.
        fetched_at=entry.fetched_at[:_DAY_CHARS],
    )


def open_writers(
    corpus: Corpus,
    langs: tuple[str, str],
    options: ExportOptions,
    found: SelectionCounts,
) -> Iterator[tuple[str, UnitWriter]]:
    """Yield the writers of two languages (ISO 639-3) by their format."""
    for format_ in sorted(options.formats & UNIT_FORMATS - {"pair-tmx"}):
        paths = export_paths(corpus, langs, format_, compress=options.compress)
        if format_ == "tmx":
            header = make_header(
                langs,
                _created(corpus),
                _DESCRIPTION,
                found,
                availability="unknown",
                domain=corpus.run.get("domain", ""),
            )
            yield format_, TmxWriter(paths[0], header, options.tmx)
        else:
            yield format_, _LINE_WRITERS[format_](*paths)


def make_header(
    langs: tuple[str, str],
    created: datetime,
    description: str,
    found: SelectionCounts,
    **others: str,
) -> TmxHeader:
    """Return the header of a memory with the counts of its units."""
    return TmxHeader(
        *langs,
        created=created,
        description=description,
        units=found.units,
        source_words=found.words[0],
        target_words=found.words[1],
        source_unique_words=found.unique_words[0],
        target_unique_words=found.unique_words[1],
        mean_score=found.mean_score,
        std_score=found.std_score,
        **others,
    )


def _created(corpus: Corpus) -> datetime:
    finished = corpus.run.get("finished") or datetime.now(UTC).isoformat()
    return datetime.fromisoformat(finished)


def write_memory(
    corpus: Corpus, entry: PairEntry, units: list[ExportUnit], options: ExportOptions
) -> Path:
    """Write the memory of one pair of pages."""
    gz = ".gz" if options.compress else ""
    path = corpus.files.memories / f"{pair_name(entry)}.tmx{gz}"
    header = TmxHeader(
        entry.source.lang,
        entry.target.lang,
        created=_created(corpus),
        description=_DESCRIPTION,
        domain=corpus.run.get("domain", ""),
        source_file=f"../{entry.source.path}",
        target_file=f"../{entry.target.path}",
        units=len(units),
    )
    write_tmx(path, units, header, replace(options.tmx, max_units=0, max_bytes=0))
    return path


def export_paths(
    corpus: Corpus, langs: tuple[str, str], format_: str, *, compress: bool
) -> list[Path]:
    """Return the files of a format for two languages (ISO 639-3)."""
    codes = [to_bcp47(lang) for lang in langs]
    stem = "-".join(codes)
    suffixes = codes if format_ == "moses" else [_SUFFIXES[format_][0]]
    gz = ".gz" if compress else ""
    return [
        corpus.files.root / f"{stem}.{suffix}{'' if suffix.endswith('.gz') else gz}"
        for suffix in suffixes
    ]


def pair_name(entry: PairEntry) -> str:
    """Return the base name of the files of a pair of pages."""
    return f"{entry.source.id}_{entry.target.id}_{entry.pair.evidence}"


def text_path(corpus: Corpus, lang: str, *, compress: bool) -> Path:
    """Return the monolingual text of a language (ISO 639-3)."""
    name = f"{to_bcp47(lang)}.txt{'.gz' if compress else ''}"
    return corpus.files.texts / name


def iter_export_files(corpus: Corpus) -> Iterator[tuple[Path, str]]:
    """Yield the exports that there are, in a stable order, and what each is."""
    files = corpus.files
    for folder, meaning in (
        (files.alignments, "cesAlign files, one a pair"),
        (files.memories, "translation memories, one a pair of pages"),
        (files.texts, "monolingual text, deduplicated"),
    ):
        if folder.is_dir() and any(folder.iterdir()):
            yield folder, meaning
    for langs in corpus.language_pairs:
        codes = [to_bcp47(lang) for lang in langs]
        meanings = dict(_SUFFIXES.values())
        meanings |= {code: f"segments in {code}" for code in codes}
        for suffix, meaning in meanings.items():
            for path in find_files(files.root / f"{'-'.join(codes)}.{suffix}"):
                yield path, f"{meaning}, {codes[0]} and {codes[1]}"
