"""Which blocks of a page are the site's and not the page's own, by what recurs on the site."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ilspfc.cleaning.rows import data_tables
from ilspfc.cleaning.tags import HEADING_TAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ilspfc.cleaning.parsed import Block, ParsedPage

# Of a page with more different blocks those that are most like content are counted.
_MAX_BLOCKS = 500
_NUMBER_RE = re.compile(r"\d+")


class RecurringTexts(NamedTuple):
    """What recurs on a site, by sorted fingerprints.

    ``doubtful`` are those of ``all`` that are boilerplate on most of their pages.
    """

    all: NDArray[np.uint64]
    doubtful: NDArray[np.uint64]


class PagePrints(NamedTuple):
    """The different fingerprints of a page, and which of them are content."""

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


def read_prints(blocks: Sequence[Block]) -> NDArray[np.uint64]:
    """Return the fingerprint of each block."""
    return np.fromiter(map(_fingerprint, blocks), np.uint64, len(blocks))


def _choose(blocks: Sequence[Block], prints: NDArray[np.uint64]) -> PagePrints:
    """Return the different fingerprints of a page; content is what is content once."""
    content = np.fromiter((block.is_content for block in blocks), np.bool_, len(blocks))
    scores = np.array([block.score or 0.0 for block in blocks])
    order = np.lexsort((-scores, ~content))
    different, first = np.unique(prints[order], return_index=True)
    if len(first) > _MAX_BLOCKS:
        chosen = np.sort(np.argpartition(first, _MAX_BLOCKS)[:_MAX_BLOCKS])
        different, first = different[chosen], first[chosen]
    return PagePrints(different, content[order][first])


def site_blocks(
    blocks: Sequence[Block], prints: NDArray[np.uint64], known: RecurringTexts
) -> NDArray[np.intp]:
    """Return the places of the content blocks that are boilerplate of the site.

    The page's own text is what is content and does not recur. Before its first and behind
    its last block what recurs is boilerplate; amid them, where labels and headings recur
    that belong to the text, only what is boilerplate on most of its pages. The title
    stays, headings stay with the text that they head, list items and cells with those
    beside them. A page without text of its own, a copy of others, stays as it is.
    """
    content = np.fromiter((block.is_content for block in blocks), np.bool_, len(blocks))
    recurs = content & np.isin(prints, known.all)
    if not recurs.any():
        return np.zeros(0, np.intp)
    own = np.flatnonzero(content & ~recurs)
    if not len(own):
        return own
    doubtful = recurs & np.isin(prints, known.doubtful)
    groups = _read_groups(blocks)
    own_groups = {groups[place] for place in own.tolist()} - {None}
    first, last = int(own[0]), int(own[-1])
    while first and blocks[first - 1].tag in HEADING_TAGS and not doubtful[first - 1]:
        first -= 1
    found = []
    for place in np.flatnonzero(recurs).tolist():
        block = blocks[place]
        if block.is_title or groups[place] in own_groups:
            continue
        is_inside = first <= place <= last
        is_label = block.tag in HEADING_TAGS
        if not is_inside or (doubtful[place] and not is_label):
            found.append(place)
    return np.array(found, np.intp)


def _read_groups(blocks: Sequence[Block]) -> list[tuple[str, int] | None]:
    """Return for each block its list, its table of data, or its row in another table."""
    tables = data_tables(blocks)
    return [_group(block, tables) for block in blocks]


def _group(block: Block, tables: frozenset[int]) -> tuple[str, int] | None:
    if block.list_number > 0:
        return "list", block.list_number
    if block.table in tables:
        return "table", block.table
    return ("row", block.row) if block.row else None


class SiteReviser:
    """Marks what recurs on the site as boilerplate, after a backend has marked the blocks.

    Made for one page. ``page`` then has its fingerprints with what was content before,
    ``marked`` the number of blocks that were content and are no more.
    """

    def __init__(self, known: RecurringTexts | None) -> None:
        self._known = known
        self.page: PagePrints | None = None
        self.marked = 0

    def revise(self, parsed: ParsedPage) -> None:
        """Take the fingerprints of a page and mark what recurs."""
        blocks = parsed.blocks
        if not blocks:
            return
        prints = read_prints(blocks)
        self.page = _choose(blocks, prints)
        if self._known is None:
            return
        for place in site_blocks(blocks, prints, self._known).tolist():
            blocks[place].is_content = False
            self.marked += 1
