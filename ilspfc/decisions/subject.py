"""Decision on documents: about the domain or not, by terms, neighbors and translations.

The page line keeps a page by its own terms alone, and generously. A page on the subject stands
among others: those that it links to and that link to it say as much as its own terms do.
Topical locality of links is the ground of every focused crawler (Davison, "Topical locality in
the web", 2000); 003 passes a page's score to its links.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.text.log_odds import to_log_odds

if TYPE_CHECKING:
    from ilspfc.text.arrays import FloatArray

# Logistic regression on the density of a document's terms and that of its neighbors, both as
# log(1 + d): python -m evaluation.train_subject, on sites that no evaluation judges by.
DENSITY_WEIGHT = 1.16
NEIGHBOR_WEIGHT = 1.17
INTERCEPT = -5.40
# Weight of links without terms that every document has: few neighbors say little.
NO_NEIGHBORS = 0.5
# Log odds beyond this say more than the model can know.
_MAX_ODDS = 7.0


class SubjectReason(StrEnum):
    """Reasons for putting a document apart."""

    OFF_TOPIC = "off_topic"


def term_evidence(relevance: FloatArray, tokens: FloatArray, unit: float) -> FloatArray:
    """Return log(1 + d), d being the relevance p in median terms by thousand tokens.

    Parameters are one number a document; ``unit`` is the median weight of the terms.
    """
    density = 1000 * np.maximum(relevance, 0) / (unit * np.maximum(tokens, 1))
    evidence: FloatArray = np.log1p(density)
    return evidence


def neighbor_evidence(
    values: FloatArray, links: Iterable[tuple[int, int]]
) -> FloatArray:
    """Return the mean value of the pages that each page links to, or that link to it.

    ``links`` are pairs of places in ``values``, source and target. A link weighs 1 / √(o · i),
    o being the links of its source and i those to its target, so that menus weigh little.
    """
    pairs = np.array(sorted({(a, b) for a, b in links if a != b}), np.int64)
    pairs = pairs.reshape(-1, 2)
    size = len(values)
    sources, targets = pairs[:, 0], pairs[:, 1]
    out_degrees = np.bincount(sources, minlength=size)[sources]
    in_degrees = np.bincount(targets, minlength=size)[targets]
    weights = 1 / np.sqrt(out_degrees * in_degrees)
    sums, total = np.zeros(size), np.full(size, NO_NEIGHBORS)
    for here, there in ((sources, targets), (targets, sources)):
        np.add.at(sums, here, weights * values[there])
        np.add.at(total, here, weights)
    means: FloatArray = sums / total
    return means


def subject_odds(values: FloatArray, neighbors: FloatArray) -> FloatArray:
    """Return the log odds that documents are on the subject, by terms and neighbors."""
    odds: FloatArray = DENSITY_WEIGHT * values + NEIGHBOR_WEIGHT * neighbors + INTERCEPT
    return odds


def pool_odds(odds: FloatArray, learned: FloatArray) -> FloatArray:
    """Return the mean of two opinions in log odds; ``learned`` is NaN where there is none.

    The logarithmic opinion pool with equal weights (Genest and Zidek 1986).
    """
    bounded = np.clip(learned, -_MAX_ODDS, _MAX_ODDS)
    pooled: FloatArray = np.where(np.isnan(learned), odds, (odds + bounded) / 2)
    return pooled


def join_translations(odds: FloatArray, pairs: Iterable[tuple[int, int]]) -> FloatArray:
    """Return the log odds with translations judged together: all have their mean.

    ``pairs`` are places in ``odds``; a pair of pairs with a page in common is one group.
    """
    groups: dict[int, set[int]] = {}
    for first, second in pairs:
        joined = groups.get(first, {first}) | groups.get(second, {second})
        for place in joined:
            groups[place] = joined
    joint = odds.copy()
    for place, group in groups.items():
        joint[place] = odds[sorted(group)].mean()
    return joint


def to_odds(probabilities: Sequence[float | None]) -> FloatArray:
    """Return log odds of probabilities, NaN for None."""
    values = np.array([np.nan if p is None else p for p in probabilities], float)
    return to_log_odds(values)
