"""Vertical text: a token a line, for corpus managers (NoSketch Engine, CWB).

Beside it is the file that NoSketch Engine registers a corpus by.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar
from xml.sax.saxutils import escape, quoteattr, unescape

from ilspfc.atomic import open_atomic, write_lines
from ilspfc.documents import Document
from ilspfc.exports.formats.plain_text import describe_metadata
from ilspfc.exports.writers import FileWriter
from ilspfc.text.sentences import split_sentences
from ilspfc.text.word_split import WORD_PATTERN
from ilspfc.text.xml_text import clean_text

# A word, a number with its separators, or a single character.
_TOKEN_RE = re.compile(rf"{WORD_PATTERN}|\d+(?:[.,:]\d+)*|\S")
# Languages that ``simplemma`` has one list for.
_MACROLANGUAGES = dict.fromkeys(("bs", "hr", "sr"), "hbs")
GLUE = "<g/>"
"""Line between two tokens without a space between them."""


class VerticalWriter(FileWriter["Document"]):
    """Writes the clean text of documents; without documents there is no file.

    Structures are ``doc``, ``p`` and ``s``; ``doc`` and ``p`` have attributes. The file
    ``LANGUAGE.vert.registry`` names them.
    """

    columns: ClassVar[tuple[str, ...]] = ("word",)
    counter: ClassVar[str] = "exports/vertical_tokens"

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def write(self, document: Document) -> None:
        """Add a document."""
        attributes = describe_metadata(document)
        if not self.paths:
            self._file = self.enter_context(open_atomic(self._path))
            registry = self._path.with_name(f"{self._path.name}.registry")
            named = _registry_lines(self._path, self.columns, attributes)
            write_lines(registry, named)
            self.paths += self._path, registry
        self._write_lines(_open_tag("doc", **attributes))
        for paragraph in document.clean_paragraphs:
            topic = "|".join(paragraph.topic)
            self._write_lines(
                _open_tag("p", type=paragraph.type or "text", topic=topic)
            )
            for sentence in split_sentences(paragraph.text, document.lang):
                lines = [self._to_line(token) for token in split_tokens(sentence)]
                self.counts[self.counter] += len(lines) - lines.count(GLUE)
                self._write_lines("<s>", *lines, "</s>")
            self._write_lines("</p>")
        self._write_lines("</doc>")

    def _to_line(self, token: str) -> str:
        return token

    def _write_lines(self, *lines: str) -> None:
        self._file.write("".join(f"{line}\n" for line in lines).encode())


class LemmaWriter(VerticalWriter):
    """Writes vertical text with the lemma of each token in a second column.

    Lemmas are those of the library ``simplemma``; words of languages that it does not know, and
    words that it does not know, are their own, in lower case. Needs the extra ``words``.
    """

    columns = ("word", "lemma")
    counter = "exports/lemma_tokens"

    def _to_line(self, token: str) -> str:
        return token if token == GLUE else f"{token}\t{self._lemma(token)}"

    @cached_property
    def _lemma(self) -> Callable[[str], str]:
        from simplemma import lemmatize  # noqa: PLC0415 - an extra
        from simplemma.strategies.dictionaries.dictionary_factory import (  # noqa: PLC0415
            SUPPORTED_LANGUAGES,
        )

        code = _MACROLANGUAGES.get(self._path.stem, self._path.stem)

        @lru_cache(maxsize=100_000)
        def find(token: str) -> str:
            word = unescape(token)
            if code not in SUPPORTED_LANGUAGES:
                return escape(word.lower())
            return escape(lemmatize(word, lang=code))

        return find


def _registry_lines(
    path: Path, columns: Iterable[str], attributes: Iterable[str]
) -> Iterator[str]:
    yield f'NAME "{path.parents[1].name} {path.stem}"'
    yield f'PATH "manatee/{path.stem}"'
    yield f'VERTICAL "{path.name}"'
    yield 'ENCODING "utf-8"'
    for column in columns:
        yield f"ATTRIBUTE {column}"
    for structure, names in (("doc", attributes), ("p", ("type", "topic"))):
        yield f"STRUCTURE {structure} {{"
        for name in names:
            # Subdomains and topics may be several.
            is_list = name in {"subdomains", "topic"}
            values = ' {\n    MULTIVALUE y\n    MULTISEP "|"\n  }' if is_list else ""
            yield f"  ATTRIBUTE {name}{values}"
        yield "}"
    yield "STRUCTURE s"
    yield "STRUCTURE g"


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
