"""Which blocks to keep, given how probably each is content."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ilspfc.cleaning.content.block_features import PageFeatures

_LEAST = 1e-6
# Of the words of a menu at least this share is inside anchors.
_MENU_LINK_DENSITY = 0.8


def level_lists(
    probabilities: NDArray[np.float64], page: PageFeatures
) -> NDArray[np.float64]:
    """Return probabilities where all items of a list have their mean, by words.

    So a list is kept or left out as a whole, with the lists inside it. A list of links is
    a menu or a table of contents, and no text.
    """
    items = page.surroundings.items()
    lists = page.surroundings.lists()[items]
    words = page.words[items]
    total = np.bincount(lists, words)
    mean = np.bincount(lists, probabilities[items] * words) / np.maximum(total, 1)
    links = np.bincount(lists, page.link_density[items] * words)
    mean[links > _MENU_LINK_DENSITY * total] = 0
    leveled = probabilities.copy()
    leveled[items] = mean[lists]
    return leveled


def page_scores(
    probabilities: NDArray[np.float64], words: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return scores, 0.5 and more for the blocks whose choice makes the expected F1 best.

    Of a page's blocks, the most probable first, so many are kept that twice the expected
    words of content kept, divided by the words kept and the expected words of content, is
    greatest (Lewis 1995, Ye et al. 2012). That bound differs from page to page; the scores
    are the probabilities with their odds divided by those of the bound.
    """
    sure = np.clip(probabilities, _LEAST, 1 - _LEAST)
    order = np.argsort(-sure, kind="stable")
    mass = sure * words
    kept = np.cumsum(mass[order]) / (np.cumsum(words[order]) + mass.sum())
    bound = sure[order[int(np.argmax(kept))]]
    odds = sure / (1 - sure) * (1 - bound) / bound
    # The bound itself is to have 0.5, whatever the rounding.
    scores = odds / (1 + odds)
    return np.asarray(np.where(sure >= bound, np.maximum(scores, 0.5), scores))
