"""What a model is told of each block of a page; nothing of it depends on a language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ilspfc.cleaning.content.element_features import element_rows
from ilspfc.cleaning.content.place_features import (
    neighbor_rows,
    page_rows,
    place_rows,
    tag_codes,
)
from ilspfc.cleaning.content.scales import quantized
from ilspfc.cleaning.content.surroundings import Surroundings, read_surroundings
from ilspfc.cleaning.content.text_features import Basics, boilerpipe_rows, text_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ilspfc.cleaning.blocks.parsed import ParsedPage


class PageFeatures(NamedTuple):
    """The features of a page's blocks, one column a block.

    With them the words of each block, and the share of its characters inside anchors.
    """

    values: NDArray[np.uint8]
    words: NDArray[Any]
    surroundings: Surroundings
    link_density: NDArray[Any]


def read_features(page: ParsedPage, title: str) -> PageFeatures:
    """Return the features of a page with at least one block."""
    blocks = page.blocks
    basics = Basics(blocks)
    surroundings = read_surroundings(
        page.containers, [block.container for block in blocks]
    )
    codes = tag_codes(blocks)
    rows = [
        *text_rows(basics),
        *place_rows(blocks, basics, codes, title),
        *boilerpipe_rows(basics),
        *page_rows(basics, codes),
        *neighbor_rows(basics, codes),
        *element_rows(surroundings, basics),
    ]
    return PageFeatures(
        quantized(np.stack(rows)), basics.words, surroundings, basics.link_density
    )
