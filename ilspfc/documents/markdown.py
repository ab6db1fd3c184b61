"""A document as Markdown (CommonMark, with the tables of GitHub)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from ilspfc.documents import LISTING_TYPES, Document, Paragraph, ParagraphType
from ilspfc.text.cells import CELL_SEPARATOR

# Characters that begin or enclose markup anywhere in a line, and what does so at its start.
_MARKUP_RE = re.compile(r"([\\`*_\[\]])")
_START_RE = re.compile(r"([#+\-~>]|\d+(?=[.)](?:\s|$)))")
_ENTITY_RE = re.compile(r"&(?=#?\w+;)")
_FENCE_RE = re.compile(r"`{3,}")
_MAX_LEVEL = 6


def to_markdown(document: Document) -> str:
    """Return the content of a document as Markdown, without boilerplate.

    Lists, tables, code and quotations stay together; all else is a block of its own.
    """
    kept = (one for one in document.paragraphs if one.is_content)
    blocks = [
        block
        for kind, run in groupby(kept, key=lambda one: one.type)
        for block in _render(kind, run)
    ]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _render(kind: ParagraphType | None, run: Iterable[Paragraph]) -> Iterator[str]:
    """Yield the blocks of neighboring paragraphs of one type."""
    paragraphs = list(run)
    texts = [one.text for one in paragraphs]
    if kind in LISTING_TYPES:
        lines = ("\n" * one.gap + " " * one.indent + one.text for one in paragraphs)
        text = "\n".join(lines).lstrip("\n")
        longest = max((len(found) for found in _FENCE_RE.findall(text)), default=2)
        fence = "`" * (longest + 1)
        yield f"{fence}\n{text}\n{fence}"
    elif kind is ParagraphType.LISTITEM:
        yield "\n".join(f"- {_escape(text)}" for text in texts)
    elif kind is ParagraphType.ROW:
        yield from _render_rows([text.split(CELL_SEPARATOR) for text in texts])
    elif kind is ParagraphType.QUOTE:
        yield "\n>\n".join(f"> {_escape(text)}" for text in texts)
    else:
        for one in paragraphs:
            level = 1 if kind is ParagraphType.TITLE else one.level
            marks = "#" * min(level, _MAX_LEVEL)
            yield f"{marks} {_escape(one.text)}" if marks else _escape(one.text)


def _render_rows(rows: list[list[str]]) -> Iterator[str]:
    """Yield tables, each of the rows with as many cells; the first row is the head."""
    for width, same in groupby(rows, key=len):
        lines = [f"| {' | '.join(map(_escape_cell, row))} |" for row in same]
        yield "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])


def _escape_cell(text: str) -> str:
    return _escape(text).replace("|", "\\|")


def _escape(text: str) -> str:
    """Return a text in one line, in which nothing is markup."""
    line = _MARKUP_RE.sub(r"\\\1", " ".join(text.split()))
    line = _ENTITY_RE.sub("&amp;", line).replace("<", "&lt;")
    if (start := _START_RE.match(line)) is None:
        return line
    place = start.end() if start[0].isdecimal() else 0
    return f"{line[:place]}\\{line[place:]}"
