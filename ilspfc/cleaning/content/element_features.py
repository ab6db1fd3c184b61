"""What the elements around a block are like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ilspfc.cleaning.content.scales import log_scaled
from ilspfc.cleaning.content.surroundings import FAMILIES, LEVELS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ilspfc.cleaning.content.surroundings import Surroundings
    from ilspfc.cleaning.content.text_features import Basics

    Row = NDArray[Any]

_LEVELS_SUMMED = (0, 1, 2, 3, 4, 6)
_ROOT_SHARES = (0.55, 0.75, 0.9)


def element_rows(surroundings: Surroundings, basics: Basics) -> list[Row]:
    """Return features of the elements around each block."""
    around, words = surroundings.around, basics.words
    values = np.stack(
        [words, basics.link_density * words, np.ones(len(words)), basics.prose]
    )
    sums = surroundings.sums_inside(values)
    totals = np.maximum(sums[:, :1], 1)
    inside, linked, blocks, prose = sums
    rows = []
    for level in _LEVELS_SUMMED:
        at = around[level]
        rows += [
            inside[at] / totals[0],
            linked[at] / np.maximum(inside[at], 1),
            log_scaled(blocks[at], 500),
            prose[at] / np.maximum(inside[at], 1),
            prose[at] / totals[3],
            log_scaled(inside[at], 5000),
        ]
    for share in _ROOT_SHARES:
        root = int(np.flatnonzero(prose >= share * prose[0])[-1])
        within = (around[0] >= root) & (around[0] < surroundings.ends[root])
        rows += [
            within,
            (surroundings.depths[around[0]] - surroundings.depths[root]) / 40 + 0.5,
        ]
    for paths in (
        surroundings.paths[around[0]],
        surroundings.paths[around[1]],
        surroundings.paths[around[2]],
    ):
        groups = np.stack([np.bincount(paths, row)[paths] for row in values])
        rows += [
            log_scaled(groups[2], 200),
            log_scaled(groups[0] / groups[2], 200),
            groups[1] / groups[0],
            groups[3] / totals[3],
            groups[0] / totals[0],
        ]
    return [*rows, *_family_rows(surroundings)]


def _family_rows(surroundings: Surroundings) -> Row:
    """Return how near the next element of each family is around each block."""
    bits = np.arange(FAMILIES)[:, None]
    near = np.zeros((FAMILIES, surroundings.around.shape[1]))
    near[(surroundings.outer[surroundings.around[0]] >> bits) & 1 > 0] = 1 / (
        LEVELS + 1
    )
    for level in range(LEVELS - 1, -1, -1):
        here = (surroundings.families[surroundings.around[level]] >> bits) & 1 > 0
        near[here] = 1 - level / (LEVELS + 1)
    return near
