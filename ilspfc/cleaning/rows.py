"""Rows of tables: which blocks stand in one, and which rows make one paragraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.cleaning.tags import HEADING_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ilspfc.cleaning.blocks import Block

CELL_SEPARATOR = " | "
# Where two cells of a row are longer, in words, they are columns of a layout.
_LONG_CELL = 25
# The lines of a cell of at most so many words are one; longer ones are paragraphs.
_SHORT_CELL = 15


def iter_rows(blocks: Iterable[Block]) -> Iterator[list[Block]]:
    """Yield the blocks in their order, those of a row that is one paragraph together.

    It is one if it has two cells or more with text, each holds a single short paragraph
    and no heading, list or code, and at most one is longer than a column of a table
    of data.
    """
    run: list[Block] = []
    for block in blocks:
        if run and block.row != run[0].row:
            yield from _join(run)
            run = []
        if block.row:
            run.append(block)
        else:
            yield [block]
    yield from _join(run)


def _join(run: list[Block]) -> list[list[Block]]:
    is_row = (
        len(run) > 1
        and len({block.cell for block in run}) == len(run)
        and all(_is_simple(block) for block in run)
        and sum(block.words > _LONG_CELL for block in run) <= 1
    )
    return [run] if is_row else [[block] for block in run]


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
