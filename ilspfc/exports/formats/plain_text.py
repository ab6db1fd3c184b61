"""Text of a language, deduplicated as by ILSP-FC's monomerge, and documents as text and records."""

from __future__ import annotations

from enum import StrEnum
from hashlib import blake2b
from statistics import median

from ilspfc.documents import Document
from ilspfc.documents.markdown import to_markdown
from ilspfc.exports.filters import find_words
from ilspfc.exports.formats.lines import format_json
from ilspfc.exports.units import SCORE_DIGITS
from ilspfc.exports.writers import FileWriter, FolderWriter
from ilspfc.text.cells import to_cell
from ilspfc.text.codes import to_bcp47

# ILSP-FC's figures.
MIN_LETTERS = 5
MIN_WORDS = 5
MAX_WORD_CHARS = 35
MAX_MEDIAN_CHARS = 28


class TextReason(StrEnum):
    """Reasons against a text."""

    SHORT = "text_short"
    LONG_WORDS = "text_long_words"
    DUPLICATE = "text_duplicate"


class TextWriter(FileWriter["Document"]):
    """Writes a paragraph a line, with the document's URL and file name, separated by tabs.

    Paragraphs with the letters of an earlier one, and those that are hardly text, are left out.
    """

    def write(self, document: Document) -> None:
        """Add the clean paragraphs of a document."""
        file = f"{document.lang}-{document.id}.xml"
        for paragraph in document.clean_paragraphs:
            if reason := _find_reason(paragraph.text, self._seen):
                self.dropped[str(reason)] += 1
                continue
            self.counts["exports/texts"] += 1
            cells = paragraph.text, document.url, file
            self._files[0].write(("\t".join(map(to_cell, cells)) + "\n").encode())

    def _open(self) -> None:
        super()._open()
        self._seen: set[bytes] = set()


class DocumentTextWriter(FolderWriter["Document"]):
    """Writes a file for each document into a folder: a clean paragraph a line."""

    def write(self, document: Document) -> None:
        """Write the file of a document."""
        lines = (f"{one.line}\n" for one in document.clean_paragraphs)
        self._write_file(f"{document.lang}-{document.id}.txt", "".join(lines))


class MarkdownWriter(FolderWriter["Document"]):
    """Writes a file for each document into a folder: Markdown below what is known of it (YAML)."""

    def write(self, document: Document) -> None:
        """Write the file of a document."""
        known = describe_metadata(document) | {"language": to_bcp47(document.lang)}
        names = "url language title author date license fetched".split()
        head = "".join(
            f"{name}: {format_json(known[name])}\n" for name in names if known[name]
        )
        text = f"---\n{head}---\n\n{to_markdown(document)}"
        self._write_file(f"{document.lang}-{document.id}.md", text)


DOCUMENT_TYPES = dict.fromkeys(
    "id url lang title author date license genre subdomains fetched".split(), "string"
) | {"relevance": "float", "tokens": "int32", "text": "string"}
"""Fields of a document as a record, and their types in a table."""


def describe_document(document: Document) -> dict[str, object]:
    """Return a document as a record; paragraphs of its clean text are lines."""
    return {
        "lang": to_bcp47(document.lang),
        **describe_metadata(document),
        "relevance": round(document.relevance, SCORE_DIGITS),
        "tokens": document.tokens,
        "text": "\n".join(one.line for one in document.clean_paragraphs),
    }


def describe_metadata(document: Document) -> dict[str, str]:
    """Return the metadata of a document by name."""
    metadata = document.metadata
    return {
        "id": document.id,
        "url": document.url,
        "title": metadata.title,
        "author": metadata.author,
        "date": metadata.date,
        "license": metadata.license,
        "genre": document.genre,
        "subdomains": "|".join(document.subdomains),
        "fetched": document.fetched_at,
        **{f"score_{name}": f"{value:.4f}" for name, value in document.scores.items()},
    }


class DocumentLinesWriter(FileWriter["Document"]):
    """A JSON object a document: what is known of it, and its clean text."""

    def write(self, document: Document) -> None:
        """Add a document."""
        self._files[0].write(f"{format_json(describe_document(document))}\n".encode())


def _find_reason(text: str, seen: set[bytes]) -> TextReason | None:
    """Return the reason against a text; None to export it, which adds it to the seen ones."""
    words = find_words(text)
    lengths = [len(word) for word in words]
    if len(words) < MIN_WORDS or sum(lengths) < MIN_LETTERS:
        return TextReason.SHORT
    if max(lengths) > MAX_WORD_CHARS or median(lengths) > MAX_MEDIAN_CHARS:
        return TextReason.LONG_WORDS
    digest = blake2b(" ".join(words).encode(), digest_size=8).digest()
    if digest in seen:
        return TextReason.DUPLICATE
    seen.add(digest)
    return None
