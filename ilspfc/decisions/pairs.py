"""Decision on candidates: pairs, one-to-one, by probability and by alignment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from ilspfc.documents import PairState

if TYPE_CHECKING:
    from ilspfc.documents import DocumentPair

Figures = tuple[float, float]
"""Null share and mean score of an alignment."""


@dataclass(frozen=True, slots=True)
class ParallelBounds:
    """Bounds of the figures of an alignment within which two documents are parallel."""

    max_null_share: float = 1.0
    min_mean_score: float = 0.0

    def accept(self, figures: Figures) -> bool:
        """Test whether an alignment is that of parallel documents.

        >>> ParallelBounds(0.4, 0.5).accept((0.25, 0.7))
        True
        """
        null_share, mean_score = figures
        return null_share <= self.max_null_share and mean_score >= self.min_mean_score


def decide_pairs(
    candidates: Iterable[DocumentPair],
    figures: Mapping[tuple[str, str], Figures] = MappingProxyType({}),
    bounds: ParallelBounds = ParallelBounds(),
) -> dict[DocumentPair, PairState]:
    """Return the decision on each candidate, the most probable first.

    A candidate is a pair unless its alignment refutes it or one of its documents is in a
    more probable pair. ``figures`` are by the ids of both documents; a candidate without
    them cannot be refuted.
    """
    # Rounded, so that the last digit of a sum does not decide.
    ordered = sorted(
        candidates, key=lambda p: (-round(p.probability, 9), p.source, p.target)
    )
    paired: set[str] = set()
    states: dict[DocumentPair, PairState] = {}
    for candidate in ordered:
        key = (candidate.source, candidate.target)
        if key in figures and not bounds.accept(figures[key]):
            states[candidate] = PairState.NOT_PARALLEL
        elif paired.isdisjoint(key):
            states[candidate] = PairState.PAIR
            paired.update(key)
        else:
            states[candidate] = PairState.TAKEN
    return states
