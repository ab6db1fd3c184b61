"""Exports over a corpus: the files that other tools take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.alignment import PageText
from ilspfc.crawl.language_texts import language_options
from ilspfc.exports.cesalign import write_cesalign
from ilspfc.exports.filters import ExportReason, neighbor_scores
from ilspfc.exports.lines import (
    JsonlWriter,
    LineWriter,
    MosesWriter,
    SampleWriter,
    TsvWriter,
)
from ilspfc.exports.plain_text import TextDocument, write_texts
from ilspfc.exports.resource_info import ResourceInfo, write_resource_info
from ilspfc.exports.selection import Action, Selection, SelectionCounts
from ilspfc.exports.tables import ParquetWriter, SheetWriter, write_card
from ilspfc.exports.tmx_writer import TmxHeader, TmxWriter, write_tmx
from ilspfc.exports.units import ExportUnit, PageOrigin, UnitOrigin
from ilspfc.exports.views import VIEW_SUFFIX, ViewWriter, write_view
from ilspfc.exports.writers import find_files, remove_stale
from ilspfc.exports.xces import (
    SplitDocument,
    locate_units,
    open_links,
    write_document,
)
from ilspfc.language.identification import page_identifier
from ilspfc.language.labels import is_identifiable
from ilspfc.language.segment_filter import SegmentJudge
from ilspfc.stages.exports.archived_pages import write_pages
from ilspfc.stages.exports.document_exports import (
    DOCUMENT_FORMATS,
    folder_of,
    write_documents,
)
from ilspfc.stages.exports.export_options import ExportOptions, export_options
from ilspfc.text.codes import to_bcp47
from ilspfc.text.language_names import language_name

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ilspfc.corpus.corpus import Corpus
    from ilspfc.corpus.records import DocumentEntry, PairEntry
    from ilspfc.documents import TranslationUnit
    from ilspfc.exports.writers import UnitWriter
    from ilspfc.exports.xces import LinkSink

# Languages are identified for so many units at a time: at a third of the cost of one.
_BATCH_UNITS = 1_000
_DAY_CHARS = len("2026-01-31")
_LINE_WRITERS: dict[str, type[LineWriter]] = {
    "moses": MosesWriter,
    "tsv": TsvWriter,
    "jsonl": JsonlWriter,
    "views": ViewWriter,
}
_TABLE_WRITERS = {"xlsx": SheetWriter, "parquet": ParquetWriter}
# Formats that are written pair by pair.
_BY_PAIR = frozenset({"pair-tmx", "xces"})
UNIT_FORMATS = frozenset(
    {"tmx", "pair-tmx", "xces", "sample", *_LINE_WRITERS, *_TABLE_WRITERS}
)
"""The formats that hold translation units."""
UNLICENSED = "unlicensed"
"""Reason of units and documents without a license, where only licensed ones are exported."""
OTHER_EVIDENCE = "other_evidence"
"""Reason of units of pairs by kinds of evidence that are not exported."""
_DESCRIPTION = "Crawled from the web by ilspfc"
_SUFFIXES = {
    "tmx": ("tmx", "translation memory"),
    "tsv": ("sent.gz", "units as TSV with Bitextor's columns"),
    "jsonl": ("jsonl", "units as JSON Lines"),
    "sample": ("sample.tsv", "sample of the units as TSV"),
    "views": ("html", "units as a table for a browser"),
    "metadata": ("md.xml", "metadata"),
    "xlsx": ("xlsx", "units as a workbook, with a column for verdicts"),
    "parquet": ("parquet", "units as Parquet"),
}


def run_exports(corpus: Corpus) -> None:
    """Write the files that other tools take, in place of those of an earlier run.

    Files of formats that are not asked for stay as they are.
    """
    export = _Export(corpus)
    formats, files = export.options.formats, corpus.files
    written: set[Path] = set()
    for langs in corpus.language_pairs:
        entries = export.choose_pairs(langs)
        if "cesalign" in formats:
            written |= {export.write_cesalign(entry) for entry in entries}
        if formats & (UNIT_FORMATS | {"metadata"}):
            written |= export.write_units(langs, entries)
    for format_, folder in (
        ("cesalign", files.alignments),
        ("pair-tmx", files.memories),
    ):
        if format_ in formats and folder.is_dir():
            for path in set(folder.iterdir()) - written:
                if path.with_suffix("") not in written:  # a view
                    path.unlink()
    for format_, write in (
        ("text", export.write_texts),
        ("html", export.write_pages),
        ("views", export.write_views),
        ("metadata", export.write_metadata),
        ("parquet", export.write_card),
        ("xces", export.remove_old_sentences),
    ):
        if format_ in formats:
            write()
    export.write_documents()
    export.keep_counts()


class _Export:
    """The exports of a corpus, and the counts of what is written and dropped."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.options = export_options(corpus.settings)
        self._gz = ".gz" if self.options.compress else ""
        self._domain = corpus.run.get("domain", "")
        finished = corpus.run.get("finished") or datetime.now(UTC).isoformat()
        self._created = datetime.fromisoformat(finished)
        self._stats: Counter[str] = Counter()
        self._dropped: Counter[str] = Counter()
        self._pairs: dict[tuple[str, str], list[PairEntry]] = {}
        self._units: dict[tuple[str, str], tuple[int, int]] = {}
        # The files of the format xces that were written.
        self.split_documents: set[Path] = set()

    def keep_counts(self) -> None:
        """Write the counts down, in place of those of the last run of the stage."""
        index, stats = self.corpus.index, self.corpus.run.setdefault("stats", {})
        index.set_drops("exports", +self._dropped)
        old = {name: None for name in stats if name.startswith("exports/")}
        new = +self._stats
        index.finish_run({"stats": {**old, **new}})
        for name in old:
            del stats[name]
        stats.update(new)

    def write_views(self) -> None:
        """Write documents and cesAlign files as pages for a browser, beside them."""
        files = self.corpus.files
        for folder in (*files.document_folders, files.alignments):
            written = {write_view(path) for path in sorted(folder.glob("*.xml"))}
            self._stats["exports/views"] += len(written)
            for stale in set(folder.glob(f"*.xml{VIEW_SUFFIX}")) - written:
                stale.unlink()

    def write_metadata(self) -> None:
        """Write the metadata of each merged export beside it."""
        for langs in self.corpus.language_pairs:
            sides = ((pair.source, pair.target) for pair in self._pairs[langs])
            pages = {entry.id: entry for entry in chain.from_iterable(sides)}
            units, words = self._units[langs]
            sizes = {"texts": len(pages), "translationUnits": units, "words": words}
            info = describe_export(self.corpus, langs, pages.values(), sizes)
            name = "-".join(map(to_bcp47, langs))
            write_resource_info(self.corpus.files.root / f"{name}.md.xml", info)
        for lang in self.corpus.langs if "text" in self.options.formats else ():
            pages = {entry.id: entry for entry in self._documents if entry.lang == lang}
            tokens = sum(entry.tokens for entry in pages.values())
            sizes = {"texts": len(pages), "tokens": tokens}
            info = describe_export(self.corpus, (lang,), pages.values(), sizes)
            path = self.corpus.files.texts / f"{to_bcp47(lang)}.md.xml"
            write_resource_info(path, info)

    def write_card(self) -> None:
        """Write the dataset card of the Parquet files."""
        root, langs = self.corpus.files.root, map(to_bcp47, self.corpus.langs)
        write_card(root / "README.md", langs, root.glob("*.parquet"))

    def write_documents(self) -> None:
        """Write the documents in the formats of single documents, if any is asked for."""
        if formats := self.options.formats & DOCUMENT_FORMATS.keys():
            self._stats += write_documents(self.corpus, formats, self._documents)

    def choose_pairs(self, langs: tuple[str, str]) -> list[PairEntry]:
        """Return the pairs that are exported; the units of others are counted."""
        self._pairs[langs] = kept = []
        for entry in self.corpus.bitext.pairs(*langs):
            if reason := self._find_reason(entry):
                units = self.corpus.bitext.units(entry.pair)
                self._dropped[reason] += sum(1 for _ in units)
            else:
                kept.append(entry)
        return kept

    def _find_reason(self, entry: PairEntry) -> str:
        """Return the reason for which a pair is not exported, empty for one that is."""
        evidence = self.options.evidence
        if evidence and entry.pair.evidence not in evidence:
            return OTHER_EVIDENCE
        is_licensed = entry.source.is_licensed and entry.target.is_licensed
        return UNLICENSED if self.options.licensed and not is_licensed else ""

    @cached_property
    def _documents(self) -> list[DocumentEntry]:
        """Return the documents whose text is exported, as :meth:`choose_pairs`."""
        entries = self.corpus.index.documents()
        if not self.options.licensed:
            return entries
        kept = [entry for entry in entries if entry.is_licensed]
        self._dropped[UNLICENSED] += len(entries) - len(kept)
        return kept

    def write_pages(self) -> None:
        """Write the pages of all documents, as fetched, beside their XML."""
        self._stats["exports/pages"] += write_pages(self.corpus)

    def write_cesalign(self, entry: PairEntry) -> Path:
        """Write the cesAlign file of a pair of pages."""
        source, target = entry.source, entry.target
        path = self.corpus.files.alignments / f"{_pair_name(entry)}.xml"
        write_cesalign(
            path,
            (f"../{source.path}", source.lang),
            (f"../{target.path}", target.lang),
            confidence=entry.pair.probability,
            method=entry.pair.evidence,
        )
        return path

    def write_units(
        self, langs: tuple[str, str], entries: list[PairEntry]
    ) -> set[Path]:
        """Write the units of a language pair in all formats; return the memories of pairs."""
        options, units_of = self.options, self.corpus.bitext.units
        judged = (
            judged
            for entry in entries
            for judged in with_neighbors(units_of(entry.pair))
        )
        selection = judge_units(judged, langs, self.corpus.settings)
        found = selection.finish()
        self._count(found)
        self._units[langs] = found.units, sum(found.words)
        memories = set()
        with ExitStack() as stack:
            writers = {
                format_: stack.enter_context(self._make_writer(format_, langs, found))
                for format_ in sorted(options.formats & UNIT_FORMATS - _BY_PAIR)
            }
            links = (
                self._open_links(langs, stack) if "xces" in options.formats else None
            )
            infos = selection.infos()
            for entry in entries:
                kept = list(self._iter_kept(entry, infos))
                units = [unit for _, unit in kept]
                for unit in units:
                    for writer in writers.values():
                        writer.write(unit)
                if links is not None:
                    self._link_sentences(entry, [found for found, _ in kept], links)
                if "pair-tmx" in options.formats:
                    memories.add(self._write_memory(entry, units))
        for format_, writer in writers.items():
            for path in self._paths(langs, format_):
                remove_stale(path, writer.paths)
        return memories

    def _count(self, found: SelectionCounts) -> None:
        self._stats["exports/units"] += found.units
        for preset, number in found.presets.items():
            self._stats[f"exports/kept/{preset}"] += number
        for reason, number in found.annotated.items():
            self._stats[f"exports/annotated/{reason}"] += number
        self._dropped.update({str(reason): n for reason, n in found.dropped.items()})

    def _iter_kept(
        self, entry: PairEntry, infos: Iterator[tuple[str, ...] | None]
    ) -> Iterator[tuple[TranslationUnit, ExportUnit]]:
        """Yield the units of a pair that stay, as aligned and with the remarks on them."""
        origin = make_origin(entry, self._domain)
        units = self.corpus.bitext.units(entry.pair)
        # The units first: where they end, no verdict is taken.
        for unit, info in zip(units, infos, strict=False):
            if info is not None:
                texts = unit.source, unit.target
                yield unit, ExportUnit(*texts, unit.kind, unit.score, info, origin)

    def remove_old_sentences(self) -> None:
        """Remove the files of the format xces that earlier runs have left."""
        folder = self.corpus.files.sentences
        for path in set(folder.rglob("*.xml*")) - self.split_documents:
            path.unlink()

    def _open_links(self, langs: tuple[str, str], stack: ExitStack) -> LinkSink:
        """Return the function that adds links to the XCES file of two languages."""
        name = f"{'-'.join(map(to_bcp47, langs))}.xml{self._gz}"
        path = self.corpus.files.sentences / name
        self.split_documents.add(path)
        return stack.enter_context(open_links(path))

    def _link_sentences(
        self, entry: PairEntry, units: list[TranslationUnit], links: LinkSink
    ) -> None:
        """Write the sentences of a pair of documents, and the links between them."""
        documents = [self._split(one) for one in (entry.source, entry.target)]
        found, lost = locate_units(documents[0], documents[1], units)
        links((documents[0].name, documents[1].name), found)
        if lost:
            self._dropped["unlocated"] += lost

    def _split(self, entry: DocumentEntry) -> SplitDocument:
        """Return a document in sentences, which are written unless they are there."""
        page = PageText.of(self.corpus.read(entry))
        name = f"{to_bcp47(entry.lang)}/{entry.id}.xml{self._gz}"
        document = SplitDocument(name, page.sentences, page.blocks, page.glue)
        path = self.corpus.files.sentences / name
        if path not in self.split_documents:
            write_document(path, document)
            self.split_documents.add(path)
        return document

    def _make_writer(
        self, format_: str, langs: tuple[str, str], found: SelectionCounts
    ) -> UnitWriter:
        """Return the writer of a format for two languages (ISO 639-3)."""
        paths = self._paths(langs, format_)
        if format_ == "sample":
            return SampleWriter(found.units, *paths)
        if format_ in _TABLE_WRITERS:
            return _TABLE_WRITERS[format_](paths[0])
        if format_ != "tmx":
            return _LINE_WRITERS[format_](*paths)
        more = {"availability": "unknown", "domain": self._domain}
        header = make_header(langs, self._created, _DESCRIPTION, found, **more)
        return TmxWriter(paths[0], header, self.options.tmx)

    def _write_memory(self, entry: PairEntry, units: list[ExportUnit]) -> Path:
        """Write the memory of one pair of pages."""
        name = f"{_pair_name(entry)}.tmx{self._gz}"
        path = self.corpus.files.memories / name
        header = TmxHeader(
            entry.source.lang,
            entry.target.lang,
            created=self._created,
            description=_DESCRIPTION,
            domain=self._domain,
            source_file=f"../{entry.source.path}",
            target_file=f"../{entry.target.path}",
            units=len(units),
        )
        form = replace(self.options.tmx, max_units=0, max_bytes=0)
        write_tmx(path, units, header, form)
        return path

    def _paths(self, langs: tuple[str, str], format_: str) -> list[Path]:
        """Return the files of a format for two languages (ISO 639-3)."""
        codes = [to_bcp47(lang) for lang in langs]
        suffixes = codes if format_ == "moses" else [_SUFFIXES[format_][0]]
        names = [f"{'-'.join(codes)}.{suffix}" for suffix in suffixes]
        # No browser shows a compressed file; the tables are compressed.
        end = "" if format_ in {"views", *_TABLE_WRITERS} else self._gz
        root = self.corpus.files.root
        return [root / f"{name.removesuffix(end)}{end}" for name in names]

    def write_texts(self) -> None:
        """Write the text of each language."""
        entries = self._documents
        for lang in self.corpus.langs:
            path = self.corpus.files.texts / f"{to_bcp47(lang)}.txt{self._gz}"
            documents = (
                TextDocument(
                    entry.url,
                    entry.file,
                    [p.text for p in self.corpus.read(entry).clean_paragraphs],
                )
                for entry in entries
                if entry.lang == lang
            )
            found = write_texts(path, documents, lang, self.options.text_level)
            remove_stale(path, [path])
            self._stats["exports/texts"] += found.lines
            self._dropped.update({str(r): n for r, n in found.dropped.items()})


def describe_export(
    corpus: Corpus,
    langs: Sequence[str],
    pages: Iterable[DocumentEntry],
    sizes: Mapping[str, int],
) -> ResourceInfo:
    """Return the metadata of an export of some pages in one language or two (ISO 639-3)."""
    run = corpus.run
    topic, domain = run.get("topic") or {}, run.get("domain", "")
    names = " and ".join(map(language_name, langs))
    subject = topic.get("title") or domain
    licenses = {entry.license_id for entry in pages} - {""}
    return ResourceInfo(
        langs=langs,
        title=f"{subject}: {names}" if subject else names,
        description=topic.get("description") or _DESCRIPTION,
        domain=subject,
        author=topic.get("author", ""),
        contact=corpus.settings["FETCH_CONTACT"],
        started=str(run.get("started", ""))[:_DAY_CHARS],
        finished=str(run.get("finished", ""))[:_DAY_CHARS],
        licenses=sorted(licenses),
        sizes=sizes,
    )


def with_neighbors(
    units: Iterable[TranslationUnit],
) -> Iterator[tuple[TranslationUnit, float]]:
    """Yield the units of a pair, in their order, with the mean score of their neighbors."""
    found = list(units)
    means = neighbor_scores([unit.score for unit in found]).tolist()
    yield from zip(found, means, strict=True)


def judge_units(
    units: Iterator[tuple[TranslationUnit | ExportUnit, float]],
    langs: tuple[str, str],
    settings: BaseSettings,
) -> Selection:
    """Return the selection of units in two languages (ISO 639-3), to be finished.

    Each unit comes with the mean score of its neighbors.
    """
    options = export_options(settings)
    selection = Selection(options.actions, options.limits)
    find_foreign = _foreign_finder(settings, langs, options)
    while batch := list(islice(units, _BATCH_UNITS)):
        sources = find_foreign([unit.source for unit, _ in batch], langs[0])
        targets = find_foreign([unit.target for unit, _ in batch], langs[1])
        for (unit, mean), *foreign in zip(batch, sources, targets, strict=True):
            selection.add(
                unit.source,
                unit.target,
                unit.kind,
                unit.score,
                neighbors=mean,
                is_foreign=any(foreign),
            )
    return selection


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


def _pair_name(entry: PairEntry) -> str:
    """Return the base name of the files of a pair of pages."""
    return f"{entry.source.id}_{entry.target.id}_{entry.pair.evidence}"


def iter_export_files(corpus: Corpus) -> Iterator[tuple[Path, str]]:
    """Yield the exports that there are, in a stable order, and what each is."""
    files = corpus.files
    for folder, meaning in (
        (files.alignments, "cesAlign files, one a pair"),
        (files.memories, "translation memories, one a pair of pages"),
        (files.sentences, "sentences and their links, XCES as in OPUS"),
        (files.texts, "monolingual text, deduplicated"),
        *((folder_of(corpus, name), text) for name, text in DOCUMENT_FORMATS.items()),
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
