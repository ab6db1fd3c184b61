"""Files of a language pair: every format of units and pairs of pages in one pass over the units."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property, partial
from itertools import filterfalse
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.alignment.page_units import PageText
from ilspfc.corpus.records import DocumentEntry, PairEntry
from ilspfc.corpus.removals import EXCLUDED, Exclusions
from ilspfc.documents import TranslationUnit
from ilspfc.exports.filters import ExportReason
from ilspfc.exports.formats.xces import locate_units
from ilspfc.exports.registry import open_formats
from ilspfc.exports.selection import Selection, SelectionCounts
from ilspfc.exports.split import PARTS, HeldOutSegments, split_documents
from ilspfc.exports.units import (
    AlignedPages,
    ExportUnit,
    PairOfPages,
    SplitDocument,
    make_origin,
)
from ilspfc.text.codes import to_bcp47

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus
    from ilspfc.exports.export_options import Privacy
    from ilspfc.exports.own_scorers import Scores
    from ilspfc.exports.writers import ExportOptions


class UnitFiles:
    """Writes the pairs of pages and units of a corpus, and counts them.

    ``sizes`` are units and words by language pair, ``dropped`` counts units by reason;
    ``written`` are the files, each with the units of its language pair and part.
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
        self._domain = corpus.run.get("domain", "")
        folder = corpus.export_root.resolve() / "folder"
        to_corpus = os.path.relpath(corpus.files.root.resolve(), folder)
        self._to_corpus = Path(to_corpus).as_posix()
        self.stats: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()
        self.sizes: dict[tuple[str, str], tuple[int, int]] = {}
        self.written: dict[Path, int] = {}

    def write(self, langs: tuple[str, str], entries: list[PairEntry]) -> None:
        """Write the pairs of pages in two languages (ISO 639-3), by parts if there is a split.

        No part has a segment of the pages of those before it.
        """
        self._held = HeldOutSegments()
        for part in reversed(PARTS) if self._options.split else ("",):
            some = [
                one for one in entries if self._parts.get(one.source.id, "") == part
            ]
            self._write(langs, some, part)
            for entry in some if part in PARTS[1:] else ():
                for unit in self._corpus.bitext.units(entry.pair):
                    self._held.add(unit.source, unit.target)

    @cached_property
    def _parts(self) -> dict[str, str]:
        """The part of each document, none without a split; duplicates are with their originals."""
        if not self._options.split:
            return {}
        sql = (
            "SELECT source, target FROM candidates WHERE state = 'pair' UNION ALL"
            " SELECT id, duplicate_of FROM documents WHERE duplicate_of != ''"
        )
        linked = self._corpus.index.rows(sql)
        return split_documents(linked, self._options.split)

    def _write(
        self, langs: tuple[str, str], entries: list[PairEntry], part: str
    ) -> None:
        selection = self._select(entries)
        found = selection.finish()
        self._count(found)
        units, words = self.sizes.get(langs, (0, 0))
        self.sizes[langs] = units + found.units, words + sum(found.words)
        infos = selection.infos()
        with ExitStack() as stack:
            of_pairs, of_units = (
                open_formats(
                    of, self._corpus, self._options, langs, stack, found, part=part
                )
                for of in ("pair", "unit")
            )
            for entry in entries:
                pages = self._make_pair(entry, infos)
                for unit in pages.units:
                    for writer in of_units:
                        writer.write(unit)
                for writer in of_pairs:
                    writer.write(pages)
        for writer in of_pairs + of_units:
            self.written.update(dict.fromkeys(writer.paths, found.units))

    def _select(self, entries: Iterable[PairEntry]) -> Selection:
        """Return the selection of the units, which are not excluded, of some pairs of pages."""
        selection = Selection(self._options.actions, self._options.limits)
        for entry in entries:
            for unit, reasons in self._corpus.bitext.judged_units(entry.pair):
                if reason := self._find_reason(unit):
                    self.dropped[reason] += 1
                    continue
                if ExportReason.PERSONAL_DATA in reasons:  # for the counts
                    self._privacy.is_dropped(unit.source, entry.source.lang)
                    self._privacy.is_dropped(unit.target, entry.target.lang)
                selection.add(
                    unit.source, unit.target, unit.score, map(ExportReason, reasons)
                )
        return selection

    def _find_reason(self, unit: TranslationUnit) -> str:
        """Return the reason for which a unit is left out before any filter, else nothing."""
        if self._exclusions.has_unit(unit.source, unit.target):
            return EXCLUDED
        is_held = self._held.has(unit.source, unit.target)
        return str(ExportReason.TEST_SET) if is_held else ""

    def _count(self, found: SelectionCounts) -> None:
        self.stats["exports/units"] += found.units
        for preset, number in found.presets.items():
            self.stats[f"exports/kept/{preset}"] += number
        for reason, number in found.annotated.items():
            self.stats[f"exports/annotated/{reason}"] += number
        self.dropped.update({str(reason): n for reason, n in found.dropped.items()})

    def _make_pair(
        self, entry: PairEntry, infos: Iterator[tuple[str, ...] | None]
    ) -> PairOfPages:
        """Return a pair of pages with the units that stay and the remarks on them."""
        origin = make_origin(entry, self._domain)
        units = filterfalse(self._find_reason, self._corpus.bitext.units(entry.pair))
        # The units come first, so that their end takes no verdict of the next pair.
        judged = zip(units, infos, strict=False)
        kept = [(unit, info) for unit, info in judged if info is not None]
        langs = entry.source.lang, entry.target.lang
        texts = [(unit.source, unit.target) for unit, _ in kept]
        scores = self._scores.score_units(langs, texts)
        exported = [
            ExportUnit(
                self._privacy.mask(unit.source, langs[0]),
                self._privacy.mask(unit.target, langs[1]),
                unit.kind,
                unit.score,
                info,
                origin,
                scores=tuple(own.items()),
            )
            for (unit, info), own in zip(kept, scores, strict=True)
        ]
        align = partial(self._align, entry, [unit for unit, _ in kept])
        return PairOfPages(entry, origin, exported, align, self._to_corpus)

    def _align(self, entry: PairEntry, units: list[TranslationUnit]) -> AlignedPages:
        """Return the sentences of a pair of documents, and the links between them."""
        source, target = self._split(entry.source), self._split(entry.target)
        links, dropped = locate_units(source, target, units)
        if dropped:
            self.dropped["unlocated"] += dropped
        return AlignedPages(
            self._conceal(source, entry.source),
            self._conceal(target, entry.target),
            links,
        )

    def _split(self, entry: DocumentEntry) -> SplitDocument:
        """Return a document in sentences."""
        reading = self._corpus.reading(entry)
        page = PageText.of(reading.clean_sentences(), entry.lang)
        end = ".gz" if self._options.compress else ""
        name = f"{to_bcp47(entry.lang)}/{entry.id}.xml{end}"
        return SplitDocument(name, page.sentences, page.blocks, page.glue)

    def _conceal(self, document: SplitDocument, entry: DocumentEntry) -> SplitDocument:
        conceal = self._privacy.conceal
        sentences = [conceal(text, entry.lang) for text in document.sentences]
        return replace(document, sentences=sentences)
