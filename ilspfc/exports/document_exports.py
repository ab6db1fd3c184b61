"""Exports of documents: plain text, vertical text and TEI, each document read once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.atomic import open_atomic
from ilspfc.exports.formats.tei import write_tei
from ilspfc.exports.formats.vertical import write_vertical
from ilspfc.text.codes import to_bcp47

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus
    from ilspfc.corpus.records import DocumentEntry
    from ilspfc.documents import Document
    from ilspfc.exports.privacy import Privacy

DOCUMENT_FORMATS = {
    "texts": "plain text, a file a document",
    "vertical": "vertical text, a file a language",
    "tei": "TEI P5, a file a document",
}
"""Formats of documents; each has a folder of its name."""


def write_documents(
    corpus: Corpus,
    formats: Iterable[str],
    entries: Iterable[DocumentEntry],
    privacy: Privacy,
    scores: Mapping[str, Mapping[str, float]],
) -> Counter[str]:
    """Write documents in some formats, in place of earlier files; return the counts.

    ``scores`` are those of the user's scorers, by document.
    """
    writer = _DocumentWriter(corpus, frozenset(formats), privacy, scores)
    by_lang: dict[str, list[DocumentEntry]] = {}
    for entry in entries:
        by_lang.setdefault(entry.lang, []).append(entry)
    for lang, some in sorted(by_lang.items()):
        writer.write(lang, some)
    writer.remove_stale()
    return writer.counts


def folder_of(corpus: Corpus, format_: str) -> Path:
    """Return the folder of a format; that of the texts of whole languages is another."""
    return corpus.files.root / ("plain" if format_ == "texts" else format_)


class _DocumentWriter:
    """Writes documents and remembers the files."""

    def __init__(
        self,
        corpus: Corpus,
        formats: frozenset[str],
        privacy: Privacy,
        scores: Mapping[str, Mapping[str, float]],
    ) -> None:
        self._corpus, self._privacy, self._scores = corpus, privacy, scores
        self._formats = formats & DOCUMENT_FORMATS.keys()
        self._written: set[Path] = set()
        self.counts: Counter[str] = Counter()

    def write(self, lang: str, entries: list[DocumentEntry]) -> None:
        """Write the documents of a language (ISO 639-3)."""
        documents = self._read(entries)
        if "vertical" in self._formats:
            path = self._make("vertical", f"{to_bcp47(lang)}.vert")
            self.counts["exports/vertical_tokens"] += write_vertical(path, documents)
        else:
            for _ in documents:
                pass

    def _read(self, entries: list[DocumentEntry]) -> Iterator[Document]:
        """Yield the documents; each has then been written in the other formats."""
        for entry in entries:
            document = self._privacy.treat(self._corpus.read(entry))
            document.fetched_at = entry.fetched_at
            document.scores = dict(self._scores.get(entry.id, {}))
            document.subdomains = tuple(filter(None, entry.subdomains.split(";")))
            stem = Path(entry.file).stem
            if "tei" in self._formats:
                write_tei(self._make("tei", f"{stem}.xml"), document)
            if "texts" in self._formats:
                with open_atomic(self._make("texts", f"{stem}.txt")) as file:
                    texts = (
                        " ".join(p.text.split()) for p in document.clean_paragraphs
                    )
                    file.write("".join(f"{text}\n" for text in texts).encode())
            self.counts["exports/documents"] += 1
            yield document

    def _make(self, format_: str, name: str) -> Path:
        path = folder_of(self._corpus, format_) / name
        path.parent.mkdir(exist_ok=True)
        self._written.add(path)
        return path

    def remove_stale(self) -> None:
        """Remove the files of documents that are there no more."""
        for format_ in self._formats:
            for path in set(folder_of(self._corpus, format_).glob("*")) - self._written:
                path.unlink()
