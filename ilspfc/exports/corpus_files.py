"""Exports over a corpus: the files that other tools take."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.corpus.exclusions import EXCLUDED, Exclusions
from ilspfc.exports.archived_pages import write_pages
from ilspfc.exports.descriptions import describe_export, pair_name
from ilspfc.exports.document_exports import (
    DOCUMENT_FORMATS,
    folder_of,
    write_documents,
)
from ilspfc.exports.export_options import export_options
from ilspfc.exports.filters import ExportReason
from ilspfc.exports.formats.cesalign import write_cesalign
from ilspfc.exports.formats.plain_text import TextDocument, write_texts
from ilspfc.exports.formats.resource_info import write_resource_info
from ilspfc.exports.formats.tables import write_card
from ilspfc.exports.own_scorers import Scores
from ilspfc.exports.privacy import Privacy
from ilspfc.exports.unit_files import SUFFIXES, UNIT_FORMATS, UnitFiles
from ilspfc.exports.writers import find_files, remove_stale
from ilspfc.text.codes import to_bcp47

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus
    from ilspfc.corpus.records import DocumentEntry, PairEntry
    from ilspfc.documents import Document

UNLICENSED = "unlicensed"
"""Reason of units and documents without a license, where only licensed ones are exported."""
OTHER_EVIDENCE = "other_evidence"
"""Reason of units of pairs by kinds of evidence that are not exported."""


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
            written |= export.units.write(langs, entries)
    for format_, folder in (
        ("cesalign", files.alignments),
        ("pair-tmx", files.memories),
    ):
        if format_ in formats and folder.is_dir():
            for path in set(folder.iterdir()) - written:
                path.unlink()
    for format_, write in (
        ("text", export.write_texts),
        ("html", export.write_pages),
        ("metadata", export.write_metadata),
        ("parquet", export.write_card),
        ("xces", export.units.remove_old_sentences),
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
        self._privacy = Privacy(corpus.settings)
        self._exclusions = Exclusions(corpus.files.exclusions)
        self._scores = Scores(corpus.settings)
        self.units = UnitFiles(
            corpus, self.options, self._privacy, self._exclusions, self._scores
        )
        self._stats, self._dropped = self.units.stats, self.units.dropped
        self._pairs: dict[tuple[str, str], list[PairEntry]] = {}
        self._document_scores: dict[str, dict[str, float]] = {}

    def keep_counts(self) -> None:
        """Write the counts down, in place of those of the last run of the stage."""
        index, stats = self.corpus.index, self.corpus.run.setdefault("stats", {})
        index.set_drops("exports", +self._dropped)
        self._stats.update(self._privacy.counts)
        old = {name: None for name in stats if name.startswith("exports/")}
        new = +self._stats
        index.finish_run({"stats": {**old, **new}})
        for name in old:
            del stats[name]
        stats.update(new)

    def write_metadata(self) -> None:
        """Write the metadata of each merged export beside it."""
        for langs in self.corpus.language_pairs:
            sides = ((pair.source, pair.target) for pair in self._pairs[langs])
            pages = {entry.id: entry for entry in chain.from_iterable(sides)}
            units, words = self.units.sizes[langs]
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
            self._stats.update(
                write_documents(
                    self.corpus,
                    formats,
                    self._documents,
                    self._privacy,
                    self._document_scores,
                )
            )

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
        if self._exclusions.has_pair(entry):
            return EXCLUDED
        evidence = self.options.evidence
        if evidence and entry.pair.evidence not in evidence:
            return OTHER_EVIDENCE
        is_licensed = entry.source.is_licensed and entry.target.is_licensed
        return UNLICENSED if self.options.licensed and not is_licensed else ""

    @cached_property
    def _documents(self) -> list[DocumentEntry]:
        """Return the documents whose text is exported, as :meth:`choose_pairs`."""
        kept = []
        for entry in self.corpus.index.documents():
            if self._exclusions.has_host(entry):
                self._dropped[EXCLUDED] += 1
            elif self.options.licensed and not entry.is_licensed:
                self._dropped[UNLICENSED] += 1
            elif self._scores.are_low(self._score_document(entry)):
                self._dropped[str(ExportReason.SCORER)] += 1
            else:
                kept.append(entry)
        return kept

    def _score_document(self, entry: DocumentEntry) -> dict[str, float]:
        """Return the scores of a document by the user's scorers, and remember them."""
        if not self._scores.has_document_scorers:
            return {}
        texts = [one.text for one in self.corpus.read(entry).clean_paragraphs]
        found = self._scores.score_document(entry.lang, "\n".join(texts))
        self._document_scores[entry.id] = found
        return found

    def write_pages(self) -> None:
        """Write the pages of all documents, as fetched, beside their XML."""
        self._stats["exports/pages"] += write_pages(self.corpus)

    def write_cesalign(self, entry: PairEntry) -> Path:
        """Write the cesAlign file of a pair of pages."""
        source, target = entry.source, entry.target
        path = self.corpus.files.alignments / f"{pair_name(entry)}.xml"
        write_cesalign(
            path,
            (f"../{source.path}", source.lang),
            (f"../{target.path}", target.lang),
            confidence=entry.pair.probability,
            method=entry.pair.evidence,
        )
        return path

    def _read(self, entry: DocumentEntry) -> Document:
        return self._privacy.treat(self.corpus.read(entry))

    def write_texts(self) -> None:
        """Write the text of each language."""
        entries = self._documents
        for lang in self.corpus.langs:
            path = self.corpus.files.texts / f"{to_bcp47(lang)}.txt{self._gz}"
            documents = (
                TextDocument(
                    entry.url,
                    entry.file,
                    [p.text for p in self._read(entry).clean_paragraphs],
                )
                for entry in entries
                if entry.lang == lang
            )
            found = write_texts(path, documents)
            remove_stale(path, [path])
            self._stats["exports/texts"] += found.lines
            self._dropped.update({str(r): n for r, n in found.dropped.items()})


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
        meanings = dict(SUFFIXES.values())
        meanings |= {code: f"segments in {code}" for code in codes}
        for suffix, meaning in meanings.items():
            for path in find_files(files.root / f"{'-'.join(codes)}.{suffix}"):
                yield path, f"{meaning}, {codes[0]} and {codes[1]}"
