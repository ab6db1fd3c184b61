"""What a further stage of the model is told: the probabilities of the stage before it, in context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ilspfc.cleaning.content.scales import quantized, shifted, windowed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ilspfc.cleaning.content.surroundings import Surroundings

    Row = NDArray[Any]

_NEIGHBORS = 5
_WINDOWS = (3, 7, 15, 31)
_LEVELS = (0, 1, 2, 3, 4, 6)
_LIKELY = 0.9
"""The quantile of a page's probabilities that stands for its surest blocks."""


def read_stage_features(
    probabilities: Row, words: Row, surroundings: Surroundings
) -> NDArray[np.uint8]:
    """Return features from the probabilities of a page's blocks, one column a block.

    They are the block's own and its neighbors', means weighted by words over windows, over
    the elements around it and over the blocks with the same path, and where the block
    stands among what is probably content.
    """
    count = len(words)
    mass = probabilities * words
    total, total_words = mass.sum(), words.sum()
    steps = [k for k in range(-_NEIGHBORS, _NEIGHBORS + 1) if k]
    own = probabilities[None]
    rows = [*own, *shifted(own, _NEIGHBORS, steps)]
    both = np.stack([mass, words])
    for width in _WINDOWS:
        near, near_words = windowed(both, width)
        rows.append(near / near_words)
    inside, inside_words = surroundings.sums_inside(both)
    for level in _LEVELS:
        at = surroundings.around[level]
        rows += [
            inside[at] / np.maximum(inside_words[at], 1),
            inside[at] / max(total, 1),
        ]
    for level in (0, 1):
        paths = surroundings.paths[surroundings.around[level]]
        sums, sums_words = (np.bincount(paths, row)[paths] for row in both)
        rows.append(sums / sums_words)
    before = (np.cumsum(mass) - mass / 2) / max(total, 1e-9)
    places = np.arange(count)
    center = (mass * places).sum() / max(total, 1e-9)
    spread = np.sqrt((mass * (places - center) ** 2).sum() / max(total, 1e-9)) + 1
    rows += [
        before,
        np.abs(places - center) / count,
        (places - center) / spread / 6 + 0.5,
        *(
            np.full(count, value)
            for value in (
                total / total_words,
                np.quantile(probabilities, _LIKELY),
                probabilities.max(),
                min(np.log1p(total) / np.log1p(5000), 1),
            )
        ),
    ]
    return quantized(np.stack(rows))
