"""A corpus of two languages that tests of the stages fill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from scrapy.settings import BaseSettings

from ilspfc import settings as defaults
from ilspfc.corpus.corpus import Corpus, open_corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.records import DocumentEntry, LinkEntry
from ilspfc.corpus.xml import format_document
from ilspfc.documents import Document, Metadata, Paragraph


class SmallCorpus:
    """A corpus folder; the id of a document is its name."""

    def __init__(self, root: Path) -> None:
        self.files = CorpusFiles(root)
        self.files.documents.mkdir(parents=True)
        with CorpusIndex(self.files.index) as index:
            index.add_run({"langs": ["deu", "ita"]})

    def add(
        self,
        name: str,
        lang: str,
        texts: Sequence[str],
        *,
        title: str = "",
        license_id: str = "",
        genre: str = "",
        relevance: float = 0.0,
        tokens: int = 0,
        cleaning_score: float | None = None,
        fetched_at: str = "",
        links: Sequence[LinkEntry] = (),
        declared_lang: str = "",
    ) -> None:
        """Add a document of one paragraph a text; without ``tokens`` they are counted."""
        url, file = f"http://a.org/{name}", self.files.document_name(lang, name)
        document = Document(name, url, [Paragraph(text) for text in texts], lang=lang)
        document.genre = genre
        document.metadata = Metadata(declared_lang=declared_lang)
        (self.files.documents / file).write_bytes(format_document(document))
        tokens = tokens or sum(len(text.split()) for text in texts)
        rest = (
            title,
            len(texts),
            len(texts),
            tokens,
            relevance,
            0,
            "",
            "",
            "utf-8",
            "",
        )
        entry = DocumentEntry(name, lang, url, "a.org", "a.org", 1, file, *rest)
        entry = replace(
            entry, license_id=license_id, fetched_at=fetched_at, genre=genre
        )
        with CorpusIndex(self.files.index) as index:
            index.add_document(entry, links, [], cleaning_score=cleaning_score)

    @contextmanager
    def open(self, **settings: object) -> Iterator[Corpus]:
        """Open the corpus, with settings beside the defaults."""
        values = {k: v for k, v in vars(defaults).items() if k.isupper()}
        with open_corpus(self.files.root, BaseSettings({**values, **settings})) as it:
            yield it
