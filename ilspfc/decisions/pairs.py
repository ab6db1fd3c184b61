"""Decision on candidates: one-to-one pairs, by probability and alignment."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from ilspfc.documents import DocumentPair, PairState
from ilspfc.text.log_odds import to_log_odds

MAX_NULL_SHARE = 0.5
"""Null share above which a pair is a partial translation."""

MIN_ALIGNED_SHARE = 0.2
"""Expected share of segments with a right partner, times the pair's probability, below which
two pages with weak units are not parallel (measured: docs/evaluation.md)."""

WEAK_MEAN_SCORE = 0.5
"""Mean score of units below which they are more likely wrong than right."""

EXPLAINED_BIAS, ODDS_WEIGHT, EXPLAINED_WEIGHT = 1.14, 0.81, 2.01
"""Log odds that documents are a pair, given the words explained: bias, weight of the log odds of
pairing, weight of the log share of words explained (fitted by ``evaluation.decisions --fit``)."""

LEAST_DOUBT = 1e-3
"""Least probability of pairing's error that counts beside the words explained."""

LEAST_ODDS = -math.log(2)
"""Log odds relative to the threshold below which short pages are not parallel: at a threshold
of .5, where wrong is twice as probable as right."""


class Figures(NamedTuple):
    """Figures of the alignment of two documents, None where they say nothing.

    See :class:`ilspfc.alignment.page_units.Alignment`. Pages with few segments have neither
    null share nor mean score.
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

    def refutes(self, probability: float, threshold: float) -> bool:
        """Test whether documents that are a pair with this probability are not parallel."""
        if self.mean_score is not None:
            return self.is_weak and probability * self.aligned_share < MIN_ALIGNED_SHARE
        odds = self._odds(probability, threshold)
        return odds is not None and odds < LEAST_ODDS

    def bears_out(self, probability: float, threshold: float) -> bool:
        """Test whether documents of a probability below the threshold are a pair still."""
        odds = self._odds(probability, threshold)
        return odds is not None and odds >= 0 and not self.is_weak

    def _odds(self, probability: float, threshold: float) -> float | None:
        """Return log odds given the words explained, relative to those of the threshold."""
        if self.explained is None:
            return None
        before, wanted = map(float, to_log_odds([probability, threshold], LEAST_DOUBT))
        odds = EXPLAINED_BIAS + ODDS_WEIGHT * before + EXPLAINED_WEIGHT * self.explained
        return odds - wanted


def decide_pairs(
    candidates: Iterable[DocumentPair],
    figures: Mapping[tuple[str, str], Figures] = MappingProxyType({}),
    *,
    threshold: float,
) -> dict[DocumentPair, PairState]:
    """Return the decision on each candidate, the best first.

    A candidate is a pair unless its alignment refutes it or one of its documents is in a
    better pair. An alignment refutes a candidate if its units are weak and also too few for
    the probability of the pair: many segments without a partner alone may mean an abridged
    translation. Short pages are refuted if probability and words explained together
    speak against the pair. Candidates with weak units rank below all others, however probable.
    One whose probability is below the threshold is a pair if probability and words
    explained together reach it. ``figures`` are keyed by the ids of both documents; a
    candidate without them cannot be refuted.
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
        found = figures.get(key, Figures())
        bounds = candidate.probability, threshold
        is_below = candidate.probability < threshold
        if not candidate.values:  # a score of another method, on a scale of its own
            found, is_below = found._replace(explained=None), False
        if is_below and not found.bears_out(*bounds):
            states[candidate] = PairState.UNSURE
        elif not is_below and found.refutes(*bounds):
            states[candidate] = PairState.NOT_PARALLEL
        elif paired.isdisjoint(key):
            states[candidate] = PairState.PAIR
            paired.update(key)
        else:
            states[candidate] = PairState.TAKEN
    return states
