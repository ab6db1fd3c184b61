"""Monolingual text: the clean text of documents, deduplicated, as ILSP-FC's monomerge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from statistics import median
from typing import NamedTuple

from ilspfc.atomic import open_atomic
from ilspfc.exports.filters import find_words
from ilspfc.text.cells import to_cell

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


class TextDocument(NamedTuple):
    """The clean paragraphs of a document, its URL and the name of its cesDoc file."""

    url: str
    file: str
    paragraphs: list[str]


@dataclass(slots=True)
class TextExportCounts:
    """Numbers of the texts of a language that were written and dropped."""

    lines: int = 0
    dropped: Counter[TextReason] = field(default_factory=Counter)


def write_texts(
    path: Path,
    documents: Iterable[TextDocument],
) -> TextExportCounts:
    """Write a paragraph a line, with the document's URL and file name, separated by tabs.

    Paragraphs with the letters of an earlier one, and those that are hardly text, are left out.
    The file is written atomically, compressed if its name ends in ``.gz``.
    """
    counts = TextExportCounts()
    seen: set[bytes] = set()
    with open_atomic(path) as file:
        for document in documents:
            for text in document.paragraphs:
                reason = _find_reason(text, seen)
                if reason:
                    counts.dropped[reason] += 1
                    continue
                counts.lines += 1
                cells = text, document.url, document.file
                file.write(("\t".join(map(to_cell, cells)) + "\n").encode())
    return counts


def _find_reason(text: str, seen: set[bytes]) -> TextReason | None:
    """Return the reason against a text, None to export it; it is then one that was seen."""
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
