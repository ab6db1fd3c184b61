"""Exports over a corpus: the files for other tools."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import cached_property
from itertools import chain

from ilspfc.add_ons import load
from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.records import DocumentEntry, PairEntry
from ilspfc.corpus.removals import EXCLUDED, Exclusions
from ilspfc.exports.archived_pages import write_pages
from ilspfc.exports.export_options import Privacy, check_lang_map, export_options
from ilspfc.exports.filters import ExportReason
from ilspfc.exports.formats.cards import write_dataset_card, write_training_summary
from ilspfc.exports.formats.resource_info import write_resource_info
from ilspfc.exports.formats.xces import write_packages
from ilspfc.exports.own_scorers import Scores
from ilspfc.exports.registry import (
    FORMATS,
    ExportFile,
    Format,
    find_exports,
    open_formats,
)
from ilspfc.exports.unit_files import UnitFiles
from ilspfc.exports.units import DAY_CHARS
from ilspfc.report.numbers import count_noun
from ilspfc.text.codes import to_bcp47

UNLICENSED = "unlicensed"
"""Reason of units and documents without a license, if only licensed ones are exported."""
OTHER_EVIDENCE = "other_evidence"
"""Reason of units of pairs found by other kinds of evidence."""


def run_exports(corpus: Corpus) -> None:
    """Write the files for other tools, in place of those of an earlier run.

    Files of other formats stay as they are. In another folder than the corpus nothing is
    removed. ``corpus.run["written"]`` has a line for each file or folder of files.
    """
    export = _Export(corpus)
    formats = [FORMATS[name] for name in export.options.formats]
    kinds = {one.of for one in formats}
    for langs in corpus.language_pairs if kinds & {"pair", "unit", "corpus"} else ():
        export.write_pairs(langs)
    if "document" in kinds:
        export.write_documents()
    if "site" in export.options.formats:
        write_site = load("server.site.write_site", "EXPORTS_FORMATS=site")
        export.units.written.update(dict.fromkeys(write_site(corpus), 0))
    if "opus" in export.options.formats:
        name = corpus.files.root.resolve().name
        folder = corpus.export_root / FORMATS["xces"].folder
        files = [path for path in export.units.written if folder in path.parents]
        packages = write_packages(corpus.export_root / "opus", name, files)
        export.units.written.update(dict.fromkeys(packages, 0))
    for one in formats:
        if (one.of != "corpus" or one.is_apart) and not corpus.out:
            for path in set(one.files(corpus)) - export.units.written.keys():
                path.unlink()
    export.write_of_corpus()
    export.list_files(formats)
    if not corpus.out:
        export.keep_counts()


class _Export:
    """The exports of a corpus, and counts of written and dropped units and documents."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.options = export_options(corpus.settings)
        check_lang_map(corpus.settings, corpus.langs)
        self._privacy = Privacy(corpus.settings)
        self._exclusions = Exclusions(corpus.files.exclusions)
        self._scores = Scores(corpus.settings)
        self.units = UnitFiles(
            corpus, self.options, self._privacy, self._exclusions, self._scores
        )
        self.stats, self._dropped = self.units.stats, self.units.dropped
        self._pairs: dict[tuple[str, str], list[PairEntry]] = {}
        self._document_scores: dict[str, dict[str, float]] = {}

    def write_of_corpus(self) -> None:
        """Write the formats of the whole corpus, and the card of those that have one."""
        corpus, formats = self.corpus, self.options.formats
        if "hf" in formats and corpus.language_pairs:
            write_dataset_card(corpus, self.options.preset)
        if "html" in formats:
            self.stats["exports/pages"] += write_pages(corpus)
        if "metadata" in formats:
            self._write_metadata()
        if "training-summary" in formats:
            self.units.written[write_training_summary(corpus)] = 0

    def keep_counts(self) -> None:
        """Store the counts, in place of those of the last run of the stage."""
        index, stats = self.corpus.index, self.corpus.run.setdefault("stats", {})
        index.set_drops("exports", +self._dropped)
        self.stats.update(self._privacy.counts)
        old = {name: None for name in stats if name.startswith("exports/")}
        new = +self.stats
        index.finish_run(
            {"stats": {**old, **new}, "exported": self.corpus.run["exported"]}
        )
        for name in old:
            del stats[name]
        stats.update(new)

    def list_files(self, formats: Sequence[Format]) -> None:
        """Describe the files that were written, and name the formats without any."""
        run, lines, missing = self.corpus.run, [], dict.fromkeys(formats)
        notes = run.setdefault("exported", {})
        for found in find_exports(self.corpus):
            paths = self.units.written
            files = sum(found.path in {path, *path.parents} for path in paths)
            if found.format in formats and files:
                missing.pop(found.format, None)
                note = self._describe(found, files)
                notes[found.path.relative_to(self.corpus.export_root).as_posix()] = note
                lines.append(f"{found.path}: {found.title}; {note}")
        for one in missing:
            if pages := self.stats["exports/pages"] * (one.name == "html"):
                folder = self.corpus.files.documents
                lines.append(f"{folder}: {one.title}; {count_noun(pages, 'page')}")
            else:
                why = "the corpus has nothing for it"
                if one.of not in {"document", "corpus"} and len(self.corpus.langs) < 2:
                    why = "it is of pairs, and the corpus has one language"
                lines.append(f"{one.name}: no file: {why}")
        run["written"] = lines

    def _describe(self, found: ExportFile, files: int) -> str:
        """Return the number of units or documents in files of an export, and the preset."""
        if found.format.name in {"training-summary", "site", "opus"}:
            return count_noun(files, "file")
        if found.format.of == "document":
            return count_noun(self.stats["exports/documents"], "document")
        number = self.units.written.get(found.path)
        if number is None:
            number = sum(units for units, _ in self.units.sizes.values())
        text = f"{count_noun(number, 'unit')}, preset {self.options.preset}"
        is_part = found.format.name == "sample" or (
            found.format.name == "tmx" and self.options.tmx.max_units
        )
        if not found.langs:
            return f"{count_noun(files, 'file')}, {text}"
        return f"of {text}" if is_part else text

    def write_pairs(self, langs: tuple[str, str]) -> None:
        """Write the pairs that are exported; the units of others are counted."""
        self._pairs[langs] = kept = []
        for entry in self.corpus.bitext.pairs(*langs):
            if reason := self._find_reason(entry):
                units = self.corpus.bitext.units(entry.pair)
                self._dropped[reason] += sum(1 for _ in units)
            else:
                kept.append(entry)
        self.units.write(langs, kept)

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
        """The documents whose text is exported; others are counted."""
        kept = []
        for entry in self.corpus.index.documents():
            if self._exclusions.has_document(entry):
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

    def write_documents(self) -> None:
        """Write the text of the documents, each read once, in all formats of documents."""
        for lang in self.corpus.langs:
            with ExitStack() as stack:
                writers = open_formats(
                    "document", self.corpus, self.options, (lang,), stack
                )
                for entry in self._documents:
                    if entry.lang == lang:
                        self.stats["exports/documents"] += 1
                        document = self._privacy.treat(self.corpus.read(entry))
                        document.fetched_at = entry.fetched_at[:DAY_CHARS]
                        document.relevance = entry.relevance
                        document.tokens = entry.tokens
                        document.scores = self._document_scores.get(entry.id, {})
                        names = entry.subdomains.split(";")
                        document.subdomains = tuple(filter(None, names))
                        for writer in writers:
                            writer.write(document)
            for writer in writers:
                self.units.written.update(dict.fromkeys(writer.paths, 0))
                self.stats.update(writer.counts)
                self._dropped.update(writer.dropped)

    def _write_metadata(self) -> None:
        """Write the metadata of each merged export beside it."""
        root = self.corpus.export_root
        for langs in self.corpus.language_pairs:
            sides = ((pair.source, pair.target) for pair in self._pairs[langs])
            pages = {entry.id: entry for entry in chain.from_iterable(sides)}
            units, words = self.units.sizes[langs]
            sizes = {"texts": len(pages), "translationUnits": units, "words": words}
            path = root / f"{'-'.join(map(to_bcp47, langs))}.md.xml"
            write_resource_info(path, self.corpus, langs, pages.values(), sizes)
            self.units.written[path] = units
        for lang in self.corpus.langs if "text" in self.options.formats else ():
            entries = [entry for entry in self._documents if entry.lang == lang]
            tokens = sum(entry.tokens for entry in entries)
            sizes = {"texts": len(entries), "tokens": tokens}
            path = root / FORMATS["text"].folder / f"{to_bcp47(lang)}.md.xml"
            write_resource_info(path, self.corpus, (lang,), entries, sizes)
