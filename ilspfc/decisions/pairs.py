"""Decision on candidates: one-to-one pairs, by probability and alignment."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ilspfc.documents import PairState
from ilspfc.text.log_odds import to_log_odds

if TYPE_CHECKING:
    from ilspfc.documents import DocumentPair

MAX_NULL_SHARE = 0.5
"""Null share above which a pair is a partial translation."""

MIN_ALIGNED_SHARE = 0.2
"""Expected share of segments with a right partner, times the pair's probability, below which
two pages with weak units are not parallel (measured: docs/evaluation.md)."""

WEAK_MEAN_SCORE = 0.5
"""Mean score of units below which they are more likely wrong than right."""

EXPLAINED_BIAS, ODDS_WEIGHT, EXPLAINED_WEIGHT = 1.37, 0.77, 2.2
"""Log odds that short pages are a pair: bias, weight of the log odds of pairing, weight of the
log share of words explained (fitted by ``evaluation.decisions --fit``)."""

LEAST_DOUBT = 1e-3
"""Least probability of pairing's error that counts with short pages."""

LEAST_ODDS = -math.log(2)
"""Log odds below which short pages are not parallel: wrong is twice as probable as right."""


class Figures(NamedTuple):
    """Figures of the alignment of two documents, None where they say nothing.

    Null share and mean score are those of pages with enough segments, ``explained`` of
    shorter ones; see :class:`ilspfc.alignment.page_units.Alignment`.
    """

    null_share: float | None = None
    mean_score: float | None = None
    explained: float | None = None

    @property
    def aligned_share(self) -> float:
        """Expected share of the segments of both documents with a right partner.

        >>> Figures(0.75, 0.8).aligned_share
        0.2
        """
        if self.null_share is None or self.mean_score is None:
            return 1.0
        return (1 - self.null_share) * self.mean_score

    @property
    def is_weak(self) -> bool:
        """Test whether the units are more likely wrong than right."""
        return self.mean_score is not None and self.mean_score < WEAK_MEAN_SCORE

    def refutes(self, probability: float) -> bool:
        """Test whether documents that are a pair with this probability are not parallel."""
        if self.explained is None:
            return self.is_weak and probability * self.aligned_share < MIN_ALIGNED_SHARE
        odds = EXPLAINED_BIAS + EXPLAINED_WEIGHT * self.explained
        odds += ODDS_WEIGHT * float(to_log_odds(probability, LEAST_DOUBT))
        return odds < LEAST_ODDS


def decide_pairs(
    candidates: Iterable[DocumentPair],
    figures: Mapping[tuple[str, str], Figures] = MappingProxyType({}),
) -> dict[DocumentPair, PairState]:
    """Return the decision on each candidate, the best first.

    A candidate is a pair unless its alignment refutes it or one of its documents is in a
    better pair. An alignment refutes a candidate if its units are weak and also too few for
    the probability of the pair: many segments without a partner alone may mean an abridged
    translation. Short pages are refuted if probability and words explained together
    speak against the pair. Candidates with weak units rank below all others, however probable.
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
        if found is not None and found.refutes(candidate.probability):
            states[candidate] = PairState.NOT_PARALLEL
        elif paired.isdisjoint(key):
            states[candidate] = PairState.PAIR
            paired.update(key)
        else:
            states[candidate] = PairState.TAKEN
    return states
