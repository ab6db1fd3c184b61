"""Vertical text: a token a line, for corpus managers (NoSketch Engine, CWB)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import IO
from xml.sax.saxutils import escape, quoteattr

from ilspfc.atomic import open_atomic
from ilspfc.documents import Document, Paragraph
from ilspfc.exports.writers import FileWriter
from ilspfc.text.sentences import split_sentences
from ilspfc.text.tokens import WORD_PATTERN
from ilspfc.text.xml_text import clean_text

# A word, a number with its separators, or a single character.
_TOKEN_RE = re.compile(rf"{WORD_PATTERN}|\d+(?:[.,:]\d+)*|\S")
GLUE = "<g/>"
"""Line between two tokens without a space between them."""


class VerticalWriter(FileWriter["Document"]):
    """Writes the clean text of documents; without documents there is no file.

    Structures are ``doc``, ``p`` and ``s``; ``doc`` and ``p`` have attributes.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def write(self, document: Document) -> None:
        """Add a document."""
        lines = list(_format_document(document))
        tokens = sum(not line.startswith("<") for line in lines)
        self.counts["exports/vertical_tokens"] += tokens
        self._file.write("".join(f"{line}\n" for line in lines).encode())

    @cached_property
    def _file(self) -> IO[bytes]:
        self.paths.append(self._path)
        return self.enter_context(open_atomic(self._path))


def _format_document(document: Document) -> Iterator[str]:
    metadata = document.metadata
    yield _open_tag(
        "doc",
        id=document.id,
        url=document.url,
        title=metadata.title,
        author=metadata.author,
        date=metadata.date,
        license=metadata.license,
        genre=document.genre,
        subdomains="|".join(document.subdomains),
        fetched=document.fetched_at,
        **{f"score_{name}": f"{value:.4f}" for name, value in document.scores.items()},
    )
    for paragraph in document.clean_paragraphs:
        yield from _format_paragraph(paragraph, document.lang)
    yield "</doc>"


def _format_paragraph(paragraph: Paragraph, lang: str) -> Iterator[str]:
    yield _open_tag("p", type=paragraph.type or "text", topic="|".join(paragraph.topic))
    for sentence in split_sentences(paragraph.text, lang):
        yield "<s>"
        yield from split_tokens(sentence)
        yield "</s>"
    yield "</p>"


def split_tokens(sentence: str) -> Iterator[str]:
    """Yield the tokens of a sentence, escaped, with glue between those without a space.

    >>> list(split_tokens("L'arte, 3.5 <b>"))[:7]
    ['L', '<g/>', "'", '<g/>', 'arte', '<g/>', ',']
    """
    end = None
    for match in _TOKEN_RE.finditer(sentence):
        if match.start() == end:
            yield GLUE
        yield escape(match[0])
        end = match.end()


def _open_tag(name: str, **values: str) -> str:
    attributes = (
        f" {key}={quoteattr(' '.join(clean_text(value).split()))}"
        for key, value in values.items()
    )
    return f"<{name}{''.join(attributes)}>"
