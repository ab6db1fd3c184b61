"""Whole pairs of pages with the alignment of their sentences, as JSON Lines.

For translation beyond the sentence: the order of the text, its paragraphs and the sentences
without a partner are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from ilspfc.atomic import open_atomic
from ilspfc.exports.formats.lines import describe_origin, format_json
from ilspfc.exports.writers import FileWriter

if TYPE_CHECKING:
    from ilspfc.exports.formats.xces import SentenceLink, SplitDocument
    from ilspfc.exports.units import UnitOrigin


class AlignedPages(NamedTuple):
    """Two documents in sentences, and the links between these in reading order."""

    source: SplitDocument
    target: SplitDocument
    links: Sequence[SentenceLink]
    origin: UnitOrigin


class PageWriter(FileWriter[AlignedPages]):
    """Writes an object for each pair of pages.

    ``source`` and ``target`` have the paragraphs, each a list of sentences; ``alignment``
    has for each link the numbers of the source sentences, those of the target sentences,
    both counted from 0 over the page, and the score or null. The other fields are those of units.
    """

    def write(self, pages: AlignedPages) -> None:
        """Add a pair of pages."""
        record = dict(describe_origin(pages.origin))
        for name, document in (("source", pages.source), ("target", pages.target)):
            record[f"{name}_paragraphs"] = list(_iter_paragraphs(document))
        record["alignment"] = [
            [*([number - 1 for number in side] for side in link.sides), link.certainty]
            for link in pages.links
        ]
        self._file.write(f"{format_json(record)}\n".encode())

    def _open(self) -> None:
        self._file = self.enter_context(open_atomic(self.paths[0]))


def _iter_paragraphs(document: SplitDocument) -> Iterator[list[str]]:
    pairs = zip(document.blocks, document.sentences, strict=True)
    for _, group in groupby(pairs, key=lambda pair: pair[0]):
        yield [sentence for _, sentence in group]
