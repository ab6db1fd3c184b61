"""Decision on candidates: one-to-one pairs, by probability and alignment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ilspfc.documents import PairState

if TYPE_CHECKING:
    from ilspfc.documents import DocumentPair

MAX_NULL_SHARE = 0.5
"""Null share above which a pair is a partial translation."""

MIN_ALIGNED_SHARE = 0.2
"""Expected share of segments with a right partner, times the pair's probability, below which
two pages with weak units are not parallel (measured: docs/evaluation.md)."""

WEAK_MEAN_SCORE = 0.5
"""Mean score of units below which they are more likely wrong than right."""


class Figures(NamedTuple):
    """Figures of the alignment of two documents: null share and mean score."""

    null_share: float
    mean_score: float

    @property
    def aligned_share(self) -> float:
        """Expected share of the segments of both documents with a right partner.

        >>> Figures(0.75, 0.8).aligned_share
        0.2
        """
        return (1 - self.null_share) * self.mean_score

    @property
    def is_weak(self) -> bool:
        """Test whether the units are more likely wrong than right."""
        return self.mean_score < WEAK_MEAN_SCORE


def decide_pairs(
    candidates: Iterable[DocumentPair],
    figures: Mapping[tuple[str, str], Figures] = MappingProxyType({}),
) -> dict[DocumentPair, PairState]:
    """Return the decision on each candidate, the best first.

    A candidate is a pair unless its alignment refutes it or one of its documents is in a
    better pair. An alignment refutes a candidate if its units are weak and also too few for
    the probability of the pair: many segments without a partner alone may mean an abridged
    translation. Candidates with weak units rank below all others, however probable.
    ``figures`` are keyed by the ids of both documents; a candidate without them cannot be
    refuted.
    """

    def rank(pair: DocumentPair) -> tuple[bool, float, str, str]:
        found = figures.get((pair.source, pair.target))
        is_weak = found is not None and found.is_weak
        # Rounding makes the order independent of floating-point noise.
        return is_weak, -round(pair.probability, 9), pair.source, pair.target

    ordered = sorted(candidates, key=rank)
    paired: set[str] = set()
    states: dict[DocumentPair, PairState] = {}
    for candidate in ordered:
        key = (candidate.source, candidate.target)
        found = figures.get(key)
        share = candidate.probability * found.aligned_share if found else 1.0
        if found and found.is_weak and share < MIN_ALIGNED_SHARE:
            states[candidate] = PairState.NOT_PARALLEL
        elif paired.isdisjoint(key):
            states[candidate] = PairState.PAIR
            paired.update(key)
        else:
            states[candidate] = PairState.TAKEN
    return states
