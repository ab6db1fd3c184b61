"""An open corpus: files, index, settings, description of its last run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from ilspfc.corpus.bitext import Bitext
from ilspfc.corpus.counts import count_values
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.reading import (
    Reading,
    StoredReading,
    encode_reading,
    encode_verdicts,
)
from ilspfc.corpus.records import DocumentEntry, PairEntry
from ilspfc.corpus.xml import read_document
from ilspfc.documents import Document, TranslationUnit
from ilspfc.exceptions import ArgumentError
from ilspfc.tasks import RunTasks, run_here
from ilspfc.text.codes import to_bcp47, to_iso639_3


@dataclass(frozen=True, slots=True)
class Corpus:
    """An open corpus.

    ``settings`` are Scrapy's, which this room does not import; ``run`` describes the crawl
    that made the corpus; ``progress`` is called with the steps done, and with all steps, by
    stages that take long; ``run_tasks`` runs what is independent in them.
    ``dictionaries`` are the entries that a user gives beside it, by
    language pair; ``out`` is the folder of the exports, if it is another one.
    """

    files: CorpusFiles
    index: CorpusIndex
    bitext: Bitext
    settings: Any
    run: dict[str, Any]
    progress: Callable[[int, int], object] = lambda done, total: None
    run_tasks: RunTasks = run_here
    dictionaries: Mapping[tuple[str, str], Sequence[Any]] = field(default_factory=dict)
    out: Path | None = None

    @property
    def export_root(self) -> Path:
        """The folder of the exports."""
        return self.out or self.files.root

    @property
    def langs(self) -> tuple[str, ...]:
        """The languages of the crawl in their order; those of the documents without one."""
        if langs := self.run.get("langs"):
            return tuple(langs)
        return tuple(sorted({entry.lang for entry in self.index.documents()}))

    @property
    def language_pairs(self) -> list[tuple[str, str]]:
        """All pairs of languages, in the order of the crawl's."""
        return list(combinations(self.langs, 2))

    def path_of(self, entry: DocumentEntry) -> Path:
        """Return the path of a document's file.

        Dedup and the decisions move a file before the index knows: after a kill in between,
        the file is in another folder until they are run again.
        """
        path = self.files.root / entry.path
        if path.exists():
            return path
        places = (folder / entry.file for folder in self.files.document_folders)
        return next(filter(Path.exists, places), path)

    def read(self, entry: DocumentEntry) -> Document:
        """Return a document with the text of its file.

        That of a side of a pair within a page has the text in the language of the side.
        """
        document = read_document(self.path_of(entry))
        if any(p.lang == entry.lang for p in document.paragraphs):
            document.turn_to(entry.lang)
        return document

    def documents(self, lang: str = "") -> Iterator[Document]:
        """Return the documents with their text, those of a language (ISO 639-1 or 639-3).

        ArgumentError for a language that the corpus does not have.
        """
        code = self._find_lang(lang) if lang else ""
        entries = self.index.documents()
        return (self.read(entry) for entry in entries if code in {"", entry.lang})

    def units(self, first: str, second: str) -> Iterator[TranslationUnit]:
        """Return the translation units of two languages, the most probable pairs first.

        Their sources are in the first one. ArgumentError for a language that the corpus does
        not have.
        """
        pairs, is_turned = self._find_pairs(first, second)
        units = (unit for entry in pairs for unit in self.bitext.units(entry.pair))
        return (unit.exchanged() for unit in units) if is_turned else units

    def pairs(
        self, first: str, second: str
    ) -> Iterator[tuple[Document, Document, float]]:
        """Return the pairs of documents of two languages, the most probable first.

        Each is the documents with their text, that in the first language first, and the
        probability that they translate each other. ArgumentError for a language that the
        corpus does not have.
        """
        pairs, is_turned = self._find_pairs(first, second)
        sides = (
            (entry.target, entry.source) if is_turned else (entry.source, entry.target)
            for entry in pairs
        )
        return (
            (self.read(one), self.read(other), entry.pair.probability)
            for (one, other), entry in zip(sides, pairs, strict=True)
        )

    def _find_pairs(self, first: str, second: str) -> tuple[list[PairEntry], bool]:
        """Return the pairs of two languages, and whether they are in the other order."""
        langs = self._find_lang(first), self._find_lang(second)
        is_turned = langs[::-1] in self.language_pairs
        return self.bitext.pairs(*langs[:: -1 if is_turned else 1]), is_turned

    def _find_lang(self, lang: str) -> str:
        """Return the ISO 639-3 code of a language of the corpus."""
        code = to_iso639_3(lang)
        known = {*self.langs, *dict(count_values(self.index, "lang"))}
        if code not in known:
            there = ", ".join(map(to_bcp47, sorted(known)))
            raise ArgumentError(
                f"{lang}: the corpus has no such language; known are {there}"
            )
        return code

    def reading(self, entry: DocumentEntry, *, is_decided: bool = True) -> Reading:
        """Return the text of a document, as decided or as cleaning left it.

        That of a side of a pair within a page is the text in the language of the side.
        The stages before the decision take it as cleaning left it: a second run of them gives
        the same.
        """
        return self.stored_reading(entry).decode(is_decided=is_decided)

    def stored_reading(self, entry: DocumentEntry) -> StoredReading:
        """Return the text of a document for another process to decode.

        A reading that is missing, such as that of a document that was imported, is made
        from the XML and stored.
        """
        data, signs = self.index.reading_of(entry.id)
        if not data:
            document = self.read(entry)
            data, signs = encode_reading(document), encode_verdicts(document.paragraphs)
            if not self.index.is_read_only:
                with self.index.transaction():
                    self.index.set_reading(entry.id, data)
                    self.index.set_verdicts([(entry.id, signs)])
        return StoredReading(entry.id, entry.lang, data, signs)


@contextmanager
def open_corpus(root: Path, settings: Any) -> Iterator[Corpus]:
    """Open the corpus in a folder; CorpusError where there is none, or an unknown one."""
    files = CorpusFiles(root).require()
    with CorpusIndex(files.index) as index:
        files.require_known(is_blank=index.is_blank)
        yield Corpus(files, index, Bitext(index), settings, index.last_run())
