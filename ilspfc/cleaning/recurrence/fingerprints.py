"""Fingerprints of blocks, and boilerplate by recurrence on the pages of a site."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ilspfc.cleaning.blocks.rows import data_tables
from ilspfc.cleaning.blocks.tags import HEADING_TAGS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ilspfc.cleaning.blocks.parsed import Block, ParsedPage

# Of a page with more blocks those that are most like content are counted.
_MAX_BLOCKS = 500
_NUMBER_RE = re.compile(r"\d+")


class RecurringTexts(NamedTuple):
    """Recurring texts of a site as sorted fingerprints.

    ``doubtful`` are those of ``all`` that are boilerplate on most of their pages.
    """

    all: NDArray[np.uint64]
    doubtful: NDArray[np.uint64]


class PagePrints(NamedTuple):
    """Distinct fingerprints of a page, sorted, with a mask of those of content."""

    prints: NDArray[np.uint64]
    content: NDArray[np.bool_]


def _fingerprint(block: Block) -> int:
    """Return a 64-bit key of a block's text, its numbers left out, and of its element.

    The heading of a page is another block than the link to it in a table of contents.
    """
    is_link = 2 * block.link_words > block.words
    text = _NUMBER_RE.sub("0", block.text.casefold())
    data = f"{block.tag} {is_link:d} {text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest())


def read_prints(blocks: Sequence[Block]) -> tuple[NDArray[np.uint64], PagePrints]:
    """Return the fingerprint of each block, and those of the page.

    Blocks beyond the limit that are no content have the fingerprint 0.
    """
    content = _content_of(blocks)
    scores = np.array([block.score or 0.0 for block in blocks])
    order = np.lexsort((-scores, ~content))[: max(_MAX_BLOCKS, int(content.sum()))]
    prints = np.zeros(len(blocks), np.uint64)
    chosen = (_fingerprint(blocks[place]) for place in order.tolist())
    prints[order] = np.fromiter(chosen, np.uint64, len(order))
    counted = order[:_MAX_BLOCKS]
    different, first = np.unique(prints[counted], return_index=True)
    return prints, PagePrints(different, content[counted][first])


def _content_of(blocks: Sequence[Block]) -> NDArray[np.bool_]:
    return np.fromiter((block.is_content for block in blocks), np.bool_, len(blocks))


def site_blocks(
    blocks: Sequence[Block], prints: NDArray[np.uint64], known: RecurringTexts
) -> NDArray[np.intp]:
    """Return the places of the content blocks that are boilerplate of the site.

    The page's own text is content that does not recur. Recurring blocks before and behind
    it are boilerplate; within it, where labels and headings of the text recur, only blocks
    that are boilerplate on most of their pages and neither a heading nor in a table of data. The title stays, headings stay with the text that they
    head, list items and cells with those beside them. A page without text of its own, a
    copy of others, stays as it is.
    """
    content = _content_of(blocks)
    recurs = content & np.isin(prints, known.all)
    if not recurs.any():
        return np.zeros(0, np.intp)
    own = np.flatnonzero(content & ~recurs)
    if not len(own):
        return own
    doubtful = recurs & np.isin(prints, known.doubtful)
    tables = data_tables(blocks)
    own_groups = {_group(blocks[place], tables) for place in own.tolist()} - {None}
    first, last = int(own[0]), int(own[-1])
    while first and blocks[first - 1].tag in HEADING_TAGS and not doubtful[first - 1]:
        first -= 1
    found = []
    for place in np.flatnonzero(recurs).tolist():
        block = blocks[place]
        if block.is_title or _group(block, tables) in own_groups:
            continue
        is_inside = first <= place <= last
        is_label = block.tag in HEADING_TAGS or block.table in tables
        if not is_inside or (doubtful[place] and not is_label):
            found.append(place)
    return np.array(found, np.intp)


def _group(block: Block, tables: frozenset[int]) -> tuple[str, int] | None:
    """Return the list of a block, its table of data, or its row in another table."""
    if block.list_number > 0:
        return "list", block.list_number
    if block.table in tables:
        return "table", block.table
    return ("row", block.row) if block.row else None


class SiteReviser:
    """Reviser that marks recurring blocks as boilerplate after a backend.

    Made for one page. ``page`` then has its fingerprints with what was content before,
    ``marked`` the number of blocks that were content and are no more.
    """

    def __init__(self, known: RecurringTexts | None) -> None:
        self._known = known
        self.page: PagePrints | None = None
        self.marked = 0

    def revise(self, parsed: ParsedPage) -> None:
        """Read the fingerprints of a page and mark its recurring blocks as boilerplate."""
        blocks = parsed.blocks
        if not blocks:
            return
        prints, self.page = read_prints(blocks)
        if self._known is None:
            return
        for place in site_blocks(blocks, prints, self._known).tolist():
            blocks[place].is_content = False
            self.marked += 1
