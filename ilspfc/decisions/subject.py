"""Decision on whether documents are on the subject, by terms, neighbors and translations.

The page line keeps pages by their own terms alone, and generously. Pages on the subject are
neighbors: the pages that a page links to, and those that link to it, are as informative as
its own terms. Topical locality of links is the basis of every focused crawler (Davison,
"Topical locality in the web", 2000); 003 passes a page's score to its links.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

import numpy as np

from ilspfc.text.arrays import FloatArray
from ilspfc.text.log_odds import to_log_odds

# Logistic regression on the term density d of a document and of its neighbors, as log(1 + d):
# python -m evaluation.train_subject, on sites not used in any evaluation.
DENSITY_WEIGHT = 1.16
NEIGHBOR_WEIGHT = 1.17
INTERCEPT = -5.40
# Pseudocount of neighbors without terms, as few neighbors are little evidence.
NO_NEIGHBORS = 0.5
# Bound on the learned log odds, beyond which the model is overconfident.
_MAX_ODDS = 7.0


class SubjectReason(StrEnum):
    """Reasons for excluding a document."""

    OFF_TOPIC = "off_topic"
    GENRE = "genre"


def term_evidence(relevance: FloatArray, tokens: FloatArray, unit: float) -> FloatArray:
    """Return log(1 + d), where d is the relevance p in median terms per thousand tokens.

    Shapes are (documents,); ``unit`` is the median weight of the terms.
    """
    density = 1000 * np.maximum(relevance, 0) / (unit * np.maximum(tokens, 1))
    evidence: FloatArray = np.log1p(density)
    return evidence


def neighbor_evidence(
    values: FloatArray, links: Iterable[tuple[int, int]]
) -> FloatArray:
    """Return the mean value of the pages that each page links to, or that link to it.

    ``links`` are (source, target), as indices of ``values``. A link has the weight
    1 / √(o · i), for o links of its source and i links to its target, so menus count little.
    """
    pairs = np.array(sorted({(a, b) for a, b in links if a != b}), np.int64)
    pairs = pairs.reshape(-1, 2)
    size = len(values)
    sources, targets = pairs[:, 0], pairs[:, 1]
    out_degrees = np.bincount(sources, minlength=size)[sources]
    in_degrees = np.bincount(targets, minlength=size)[targets]
    weights = 1 / np.sqrt(out_degrees * in_degrees)
    sums, total = np.zeros(size), np.full(size, NO_NEIGHBORS)
    for owners, others in ((sources, targets), (targets, sources)):
        np.add.at(sums, owners, weights * values[others])
        np.add.at(total, owners, weights)
    means: FloatArray = sums / total
    return means


def subject_odds(values: FloatArray, neighbors: FloatArray) -> FloatArray:
    """Return the log odds that documents are on the subject, given terms and neighbors."""
    odds: FloatArray = DENSITY_WEIGHT * values + NEIGHBOR_WEIGHT * neighbors + INTERCEPT
    return odds


def pool_odds(odds: FloatArray, learned: FloatArray) -> FloatArray:
    """Return the mean of two log odds, or ``odds`` if ``learned`` is NaN.

    This is a logarithmic opinion pool with equal weights (Genest and Zidek 1986).
    """
    bounded = np.clip(learned, -_MAX_ODDS, _MAX_ODDS)
    pooled: FloatArray = np.where(np.isnan(learned), odds, (odds + bounded) / 2)
    return pooled


def join_translations(odds: FloatArray, pairs: Iterable[tuple[int, int]]) -> FloatArray:
    """Return the log odds with those of translations replaced by their mean.

    ``pairs`` are indices of ``odds``; pairs with a page in common form one group.
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
