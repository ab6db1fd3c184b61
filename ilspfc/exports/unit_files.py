"""Files of translation units: every format of a language pair in one pass over its units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import filterfalse
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.alignment import PageText
from ilspfc.corpus.exclusions import EXCLUDED
from ilspfc.exports.descriptions import (
    DESCRIPTION,
    make_header,
    make_origin,
    pair_name,
)
from ilspfc.exports.filters import ExportReason
from ilspfc.exports.formats.aligned_pages import AlignedPages, PageWriter
from ilspfc.exports.formats.lines import (
    JsonlWriter,
    LineWriter,
    MosesWriter,
    SampleWriter,
    TsvWriter,
)
from ilspfc.exports.formats.tables import ParquetWriter, SheetWriter
from ilspfc.exports.formats.xces import (
    SplitDocument,
    locate_units,
    open_links,
    write_document,
)
from ilspfc.exports.formats.xliff import XliffWriter
from ilspfc.exports.interchange.tmx_writer import TmxHeader, TmxWriter, write_tmx
from ilspfc.exports.selection import Selection
from ilspfc.exports.units import ExportUnit
from ilspfc.exports.writers import remove_stale
from ilspfc.text.codes import to_bcp47
from ilspfc.text.xml_text import to_xml_lang

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus
    from ilspfc.corpus.exclusions import Exclusions
    from ilspfc.corpus.records import DocumentEntry, PairEntry
    from ilspfc.documents import TranslationUnit
    from ilspfc.exports.export_options import ExportOptions
    from ilspfc.exports.formats.xces import LinkSink
    from ilspfc.exports.own_scorers import Scores
    from ilspfc.exports.privacy import Privacy
    from ilspfc.exports.selection import SelectionCounts
    from ilspfc.exports.writers import UnitWriter

_LINE_WRITERS: dict[str, type[LineWriter]] = {
    "moses": MosesWriter,
    "tsv": TsvWriter,
    "jsonl": JsonlWriter,
}
_TABLE_WRITERS: dict[str, type[SheetWriter | ParquetWriter]] = {
    "xlsx": SheetWriter,
    "parquet": ParquetWriter,
}
# Formats that are written pair by pair.
_BY_PAIR = frozenset({"pair-tmx", "xces", "pages"})
UNIT_FORMATS = _BY_PAIR | {"tmx", "xliff", "sample", *_LINE_WRITERS, *_TABLE_WRITERS}
"""The formats that hold translation units."""
SUFFIXES = {
    "tmx": ("tmx", "translation memory"),
    "tsv": ("sent.gz", "units as TSV with Bitextor's columns"),
    "jsonl": ("jsonl", "units as JSON Lines"),
    "sample": ("sample.tsv", "sample of the units as TSV"),
    "metadata": ("md.xml", "metadata"),
    "pages": ("pages.jsonl", "pairs of pages with their alignment as JSON Lines"),
    "xlsx": ("xlsx", "units as a workbook, with a column for verdicts"),
    "xliff": ("xlf", "units as XLIFF"),
    "parquet": ("parquet", "units as Parquet"),
}
"""Ends of the names of formats with a file a language pair, with their meaning."""


class UnitFiles:
    """Writes the units of a corpus, and counts them.

    ``sizes`` are units and words by language pair, ``dropped`` counts units by reason.
    """

    def __init__(
        self,
        corpus: Corpus,
        options: ExportOptions,
        privacy: Privacy,
        exclusions: Exclusions,
        scores: Scores,
    ) -> None:
        self._corpus, self._options, self._privacy = corpus, options, privacy
        self._exclusions, self._scores = exclusions, scores
        self._gz = ".gz" if options.compress else ""
        self._domain = corpus.run.get("domain", "")
        finished = corpus.run.get("finished") or datetime.now(UTC).isoformat()
        self._created = datetime.fromisoformat(finished)
        self.stats: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()
        self.sizes: dict[tuple[str, str], tuple[int, int]] = {}
        # The files of the format xces that were written.
        self._split_documents: set[Path] = set()

    def write(self, langs: tuple[str, str], entries: list[PairEntry]) -> set[Path]:
        """Write the units of a language pair in all formats; return the memories of pairs."""
        options = self._options
        selection = Selection(options.actions, options.limits)
        for one, reasons in self._iter_wanted(entries):
            selection.add(one.source, one.target, one.score, reasons)
        found = selection.finish()
        self._count(found)
        self.sizes[langs] = found.units, sum(found.words)
        memories = set()
        with ExitStack() as stack:
            writers = {
                format_: stack.enter_context(self._make_writer(format_, langs, found))
                for format_ in sorted(options.formats & UNIT_FORMATS - _BY_PAIR)
            }
            writers_of_pages = self._open_aligned(langs, stack)
            infos = selection.infos()
            for entry in entries:
                kept = list(self._iter_kept(entry, infos))
                units = [unit for _, unit in kept]
                for unit in units:
                    for writer in writers.values():
                        writer.write(unit)
                if writers_of_pages:
                    aligned = self._align(entry, [found for found, _ in kept])
                    for write_pages in writers_of_pages:
                        write_pages(aligned)
                if "pair-tmx" in options.formats:
                    memories.add(self._write_memory(entry, units))
        for format_, writer in writers.items():
            for path in self._paths(langs, format_):
                remove_stale(path, writer.paths)
        return memories

    def _count(self, found: SelectionCounts) -> None:
        self.stats["exports/units"] += found.units
        for preset, number in found.presets.items():
            self.stats[f"exports/kept/{preset}"] += number
        for reason, number in found.annotated.items():
            self.stats[f"exports/annotated/{reason}"] += number
        self.dropped.update({str(reason): n for reason, n in found.dropped.items()})

    def _iter_wanted(
        self, entries: Iterable[PairEntry]
    ) -> Iterator[tuple[TranslationUnit, list[ExportReason]]]:
        """Yield the units that are not excluded, with the reasons against them."""
        for entry in entries:
            for unit, reasons in self._corpus.bitext.judged_units(entry.pair):
                if self._is_excluded(unit):
                    self.dropped[EXCLUDED] += 1
                    continue
                if ExportReason.PERSONAL_DATA in reasons:  # for the counts
                    self._privacy.is_dropped(unit.source, entry.source.lang)
                    self._privacy.is_dropped(unit.target, entry.target.lang)
                yield unit, list(map(ExportReason, reasons))

    def _is_excluded(self, unit: TranslationUnit) -> bool:
        return self._exclusions.has_unit(unit.source, unit.target)

    def _iter_kept(
        self, entry: PairEntry, infos: Iterator[tuple[str, ...] | None]
    ) -> Iterator[tuple[TranslationUnit, ExportUnit]]:
        """Yield the units of a pair that stay, as aligned and with the remarks on them."""
        origin = make_origin(entry, self._domain)
        units = filterfalse(self._is_excluded, self._corpus.bitext.units(entry.pair))
        # The units first: where they end, no verdict is taken.
        judged = zip(units, infos, strict=False)
        kept = [(unit, info) for unit, info in judged if info is not None]
        langs = entry.source.lang, entry.target.lang
        texts = [(unit.source, unit.target) for unit, _ in kept]
        scores = self._scores.score_units(langs, texts)
        for (unit, info), own in zip(kept, scores, strict=True):
            yield (
                unit,
                ExportUnit(
                    self._privacy.mask(unit.source, langs[0]),
                    self._privacy.mask(unit.target, langs[1]),
                    unit.kind,
                    unit.score,
                    info,
                    origin,
                    scores=tuple(own.items()),
                ),
            )

    def _open_aligned(
        self, langs: tuple[str, str], stack: ExitStack
    ) -> list[Callable[[AlignedPages], None]]:
        """Return the functions that add a pair of pages in each format of such pairs."""
        functions: list[Callable[[AlignedPages], None]] = []
        if "xces" in self._options.formats:
            links = self._open_links(langs, stack)
            functions.append(partial(self._link_sentences, add_links=links))
        if "pages" in self._options.formats:
            paths = self._paths(langs, "pages")
            remove_stale(paths[0], paths)
            functions.append(stack.enter_context(PageWriter(*paths)).write)
        return functions

    def _open_links(self, langs: tuple[str, str], stack: ExitStack) -> LinkSink:
        """Return the function that adds links to the XCES file of two languages."""
        name = f"{'-'.join(map(to_bcp47, langs))}.xml{self._gz}"
        path = self._corpus.files.sentences / name
        self._split_documents.add(path)
        return stack.enter_context(open_links(path))

    def _align(self, entry: PairEntry, units: list[TranslationUnit]) -> AlignedPages:
        """Return the sentences of a pair of documents, and the links between them."""
        source, target = (self._split(one) for one in (entry.source, entry.target))
        links, lost = locate_units(source, target, units)
        if lost:
            self.dropped["unlocated"] += lost
        source, target = (
            self._conceal(source, entry.source),
            self._conceal(target, entry.target),
        )
        return AlignedPages(source, target, links, make_origin(entry, self._domain))

    def _split(self, entry: DocumentEntry) -> SplitDocument:
        """Return a document in sentences."""
        reading = self._corpus.reading(entry)
        page = PageText.of(reading.clean_sentences(), entry.lang)
        name = f"{to_bcp47(entry.lang)}/{entry.id}.xml{self._gz}"
        return SplitDocument(name, page.sentences, page.blocks, page.glue)

    def _conceal(self, document: SplitDocument, entry: DocumentEntry) -> SplitDocument:
        conceal = self._privacy.conceal
        sentences = [conceal(text, entry.lang) for text in document.sentences]
        return replace(document, sentences=sentences)

    def _link_sentences(self, pages: AlignedPages, add_links: LinkSink) -> None:
        """Write a pair of documents that are not there yet, and the links between them."""
        for document in (pages.source, pages.target):
            path = self._corpus.files.sentences / document.name
            if path not in self._split_documents:
                write_document(path, document)
                self._split_documents.add(path)
        add_links((pages.source.name, pages.target.name), pages.links)

    def _make_writer(
        self, format_: str, langs: tuple[str, str], found: SelectionCounts
    ) -> UnitWriter:
        """Return the writer of a format for two languages (ISO 639-3)."""
        paths = self._paths(langs, format_)
        if format_ == "sample":
            return SampleWriter(found.units, *paths)
        if writer := _TABLE_WRITERS.get(format_):
            return writer(paths[0])
        if format_ == "xliff":
            tags = [to_xml_lang(lang, self._options.tmx.lang_map) for lang in langs]
            return XliffWriter(paths[0], tags)
        if format_ != "tmx":
            return _LINE_WRITERS[format_](*paths)
        more = {"availability": "unknown", "domain": self._domain}
        header = make_header(langs, self._created, DESCRIPTION, found, **more)
        return TmxWriter(paths[0], header, self._options.tmx)

    def _write_memory(self, entry: PairEntry, units: list[ExportUnit]) -> Path:
        """Write the memory of one pair of pages."""
        name = f"{pair_name(entry)}.tmx{self._gz}"
        path = self._corpus.files.memories / name
        header = TmxHeader(
            entry.source.lang,
            entry.target.lang,
            created=self._created,
            description=DESCRIPTION,
            domain=self._domain,
            source_file=f"../{entry.source.path}",
            target_file=f"../{entry.target.path}",
            units=len(units),
        )
        form = replace(self._options.tmx, max_units=0)
        write_tmx(path, units, header, form)
        return path

    def _paths(self, langs: tuple[str, str], format_: str) -> list[Path]:
        """Return the files of a format for two languages (ISO 639-3)."""
        codes = [to_bcp47(lang) for lang in langs]
        suffixes = codes if format_ == "moses" else [SUFFIXES[format_][0]]
        names = [f"{'-'.join(codes)}.{suffix}" for suffix in suffixes]
        # The tables are compressed.
        end = "" if format_ in _TABLE_WRITERS else self._gz
        root = self._corpus.files.root
        return [root / f"{name.removesuffix(end)}{end}" for name in names]

    def remove_old_sentences(self) -> None:
        """Remove the files of the format xces that earlier runs have left."""
        folder = self._corpus.files.sentences
        for path in set(folder.rglob("*.xml*")) - self._split_documents:
            path.unlink()
