"""How much a term weighs: the more central its concept, the more."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ilspfc.bootstrap.concepts import Concept

MAX_WEIGHT = 100
# A variant, or a title that needs a qualifier to be clear, weighs this part of the name.
VARIANT_SHARE = 0.5


def weigh_concepts(concepts: Sequence[Concept]) -> list[int]:
    """Return the weight of each concept, from 1 to 100.

    Half of it is the nearness of its category to the subject's, falling evenly with each
    step; half the logarithm of how many other articles link to it, for a few articles are
    linked to by nearly all. Where no links are known nearness is all; a weight that the
    source gives stands.
    """
    deepest = max((concept.depth for concept in concepts), default=0)
    most = _most_links(concepts)
    weights = []
    for concept in concepts:
        nearness = 1 - concept.depth / (deepest + 1)
        share = nearness
        if most:
            linked = math.log1p(concept.links or 0) / math.log1p(most)
            share = (nearness + linked) / 2
        weight = MAX_WEIGHT * share if concept.weight is None else concept.weight
        weights.append(max(round(weight), 1) if weight > 0 else round(weight) or 1)
    return weights


def _most_links(concepts: Iterable[Concept]) -> int:
    return max((concept.links or 0 for concept in concepts), default=0)
