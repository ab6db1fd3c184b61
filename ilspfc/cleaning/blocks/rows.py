"""Rows of tables of data, each of which is one paragraph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from ilspfc.cleaning.blocks.tags import HEADING_TAGS
from ilspfc.text.cells import CELL_SEPARATOR

if TYPE_CHECKING:
    from ilspfc.cleaning.blocks.parsed import Block

# Where two cells of a row are longer, in words, they are columns of a layout.
_LONG_CELL = 25
# Lines of a cell are joined up to this many words; longer ones are paragraphs.
_SHORT_CELL = 15


def iter_rows(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Yield the blocks in their order, grouped by rows that are one paragraph.

    It is one if it has two cells or more with text, each holds a single short paragraph
    and no heading, list or code, and at most one is longer than a column of a table of
    data. Its table has headers or a caption, or another such row, and no more rows of
    another kind: tables that lay out a page are left as they are.
    """
    runs = [list(run) for _, run in groupby(blocks, key=lambda block: block.row)]
    rows = Counter(run[0].table for run in runs if _is_row(run))
    others = Counter(
        run[0].table
        for run in runs
        if len({b.cell for b in run}) > 1 and not _is_row(run)
    )
    headed = data_tables(blocks)
    for run in runs:
        table = run[0].table
        is_data = table in headed or rows[table] > max(1, others[table])
        if is_data and _is_row(run):
            yield run
        else:
            yield from ([block] for block in run)


def _is_row(run: Sequence[Block]) -> bool:
    return (
        run[0].row != 0
        and len(run) > 1
        and len({block.cell for block in run}) == len(run)
        and all(_is_simple(block) for block in run)
        and sum(block.words > _LONG_CELL for block in run) <= 1
    )


def _is_simple(block: Block) -> bool:
    return (
        block.kind is None
        and not block.is_list_item
        and not block.is_title
        and block.cell != 0
        and block.tag not in HEADING_TAGS
        and ("\n" not in block.text or block.words <= _SHORT_CELL)
    )


def data_tables(blocks: Iterable[Block]) -> frozenset[int]:
    """Return the numbers of the tables that hold data, by their captions and headers."""
    return frozenset(
        block.table
        for block in blocks
        if block.table and block.tag in {"th", "caption", "thead"}
    )


def join_cells(row: Sequence[Block]) -> str:
    """Return the text of a row that is one paragraph."""
    return CELL_SEPARATOR.join(" ".join(block.text.split()) for block in row)
