"""Whole pairs of pages with the alignment of their sentences, as JSON Lines.

For translation beyond the sentence, with order, paragraphs and sentences without a partner.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from ilspfc.atomic import open_atomic
from ilspfc.exports.formats.lines import describe_origin, format_json
from ilspfc.exports.writers import FileWriter

if TYPE_CHECKING:
    from ilspfc.exports.formats.xces import SplitDocument
    from ilspfc.exports.units import PairOfPages


class PageWriter(FileWriter["PairOfPages"]):
    """Writes an object for each pair of pages.

    ``source_paragraphs`` and ``target_paragraphs`` are lists of sentences; ``alignment`` has
    for each link the numbers of the source sentences, those of the target sentences, both
    counted from 0 over the page, and the score or null. The other fields are those of units.
    """

    def write(self, pages: PairOfPages) -> None:
        """Add a pair of pages."""
        source, target, links = pages.aligned
        record = describe_origin(pages.origin) | {
            "source_paragraphs": list(_iter_paragraphs(source)),
            "target_paragraphs": list(_iter_paragraphs(target)),
            "alignment": [
                [*([n - 1 for n in side] for side in link.sides), link.certainty]
                for link in links
            ],
        }
        self._file.write(f"{format_json(record)}\n".encode())

    def _open(self) -> None:
        self._file = self.enter_context(open_atomic(self.paths[0]))


def _iter_paragraphs(document: SplitDocument) -> Iterator[list[str]]:
    pairs = zip(document.blocks, document.sentences, strict=True)
    for _, group in groupby(pairs, key=lambda pair: pair[0]):
        yield [sentence for _, sentence in group]
