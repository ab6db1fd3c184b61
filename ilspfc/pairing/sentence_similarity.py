"""How much of aligned sentences a lexicon bears out: paper 002, equations 4 to 6."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scipy.sparse import csr_array

    from ilspfc.text.arrays import IdArray


UNTRANSLATED_COST = 0.2
"""What a word without a translation in the other sentence costs (equation 4)."""

MIN_SENTENCE = 0.05
"""No sentence counts for less, lest one decide alone."""


def list_translations(lexicon: csr_array) -> list[set[int]]:
    """Return the translations of each word of the left."""
    bounds = zip(lexicon.indptr, lexicon.indptr[1:], strict=False)
    return [set(lexicon.indices[a:b].tolist()) for a, b in bounds]


def page_similarity(
    segments: Iterable[tuple[IdArray, IdArray]],
    translations: list[set[int]],
) -> float:
    """Return the geometric mean of the similarities of aligned sentences, in [0, 1].

    Equations 5 and 6; 0 where nothing is aligned.
    """
    logs = [math.log(_similarity(a, b, translations)) for a, b in segments]
    return math.exp(sum(logs) / len(logs)) if logs else 0.0


def _similarity(
    source: IdArray, target: IdArray, translations: list[set[int]]
) -> float:
    """Return equation 4, at least a small number."""
    words = set(target.tolist())
    count = 0.0
    for word in source.tolist():
        known = translations[word]
        if known:
            count += 1.0 if known & words else -UNTRANSLATED_COST
    return min(max(count / max(len(source), len(target)), MIN_SENTENCE), 1.0)
