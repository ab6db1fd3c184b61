"""Online learning of the gains of links."""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from math import log1p, sqrt
from typing import TYPE_CHECKING

from ilspfc.frontier.scoring.link_features import (
    directory_of,
    feature_groups,
    link_features,
)

if TYPE_CHECKING:
    from ilspfc.frontier.store.candidates import Candidate

# Number of outcomes after which model and score before learning have the same weight.
_TRUST_OUTCOMES = 150
# Number of outcomes of the first fit, and growth of their number until the next one.
_FIRST_FIT = 8
_GROWTH = 0.2
# Number of the last outcomes that are learned from: gains of a site change over time.
_MAX_OUTCOMES = 4000
# Bonus of a directory without visits, in log odds.
_CURIOSITY = 1.0
# Size of the cache of log odds by group of features: pages of a site repeat links.
_CACHED_GROUPS = 1 << 15
# A feature that every link has.
_BIAS = 0


@dataclass(slots=True)
class _Outcome:
    """Visited link: its features and its gain."""

    features: list[int]
    gain: float


class YieldLearner:
    """Learner that corrects the scores of links by the gains of similar links.

    A logistic regression over hosts, path prefixes, words of URL and anchor, depth and the
    page of a link (:mod:`~ilspfc.frontier.scoring.link_features`) gives the log odds z of a
    gain. With n outcomes seen and w its score before learning in units of one term,
    a link scores (1 - t) · log(1 + w) + t · z, t = n / (n + 150): the order of the first
    links is that of the score alone; w is itself a feature, so that a misleading score
    loses its weight. Unseen features have weight 0, so links unlike those that failed go
    before them. 1 / √(1 + v) is added for a directory with v visits, so that every part of
    a site is tried (as in UCB, Auer and others 2002).

    ``unit`` is the weight of one term of the domain. The model depends on the order of the
    calls alone.
    """

    def __init__(self, unit: float = 1.0) -> None:
        self._unit = unit or 1.0
        self._outcomes: OrderedDict[str, _Outcome] = OrderedDict()
        self._seen = 0
        self._next_fit = _FIRST_FIT
        self._weights: dict[int, float] = {}
        self._odds_of = lru_cache(_CACHED_GROUPS)(self._sum_weights)
        self._visits: Counter[str] = Counter()

    def score(self, candidate: Candidate, base: float) -> float:
        """Return the score of a link whose score before learning is ``base``."""
        worth = base / self._unit
        # Negative scores (terms with negative weights) keep their order.
        plain = log1p(worth) if worth > 0 else worth
        visits = self._visits[directory_of(candidate.url)]
        curiosity = _CURIOSITY / sqrt(1 + visits)
        if not self._weights:
            return plain + curiosity
        trust = self._seen / (self._seen + _TRUST_OUTCOMES)
        odds = sum(map(self._odds_of, feature_groups(candidate, worth)))
        return (1 - trust) * plain + trust * odds + curiosity

    def _sum_weights(self, features: tuple[int, ...]) -> float:
        return sum(map(self._weights.get, features, repeat(0.0)))

    def learn(self, candidate: Candidate, base: float, gain: float) -> bool:
        """Learn the gain of a visit, from 0 to 1; return whether scores have changed.

        A later call for the same URL replaces its gain.
        """
        known = self._outcomes.get(candidate.key)
        if known is not None:
            known.gain = gain
            return False
        self._visits[directory_of(candidate.url)] += 1
        features = link_features(candidate, base / self._unit)
        self._outcomes[candidate.key] = _Outcome(features, gain)
        if len(self._outcomes) > _MAX_OUTCOMES:
            self._outcomes.popitem(last=False)
        self._seen += 1
        if self._seen < self._next_fit:
            return False
        more = min(self._seen, _MAX_OUTCOMES) * _GROWTH
        self._next_fit = self._seen + max(_FIRST_FIT, int(more))
        self._fit()
        return True

    def revise(self, key: str, gain: float) -> None:
        """Replace the gain of the visit of a URL, if it is still remembered."""
        if (outcome := self._outcomes.get(key)) is not None:
            outcome.gain = gain

    def _fit(self) -> None:
        """Fit the model to the outcomes.

        A gain g counts as a success with the weight g and a failure with the weight 1 - g.
        One of each without features regularizes the model while all outcomes are alike.
        """
        # Late import of numpy: short crawls never fit.
        from ilspfc.frontier.scoring.logistic import fit_logistic  # noqa: PLC0415

        outcomes = self._outcomes.values()
        self._weights = fit_logistic(
            [[_BIAS], [_BIAS], *(outcome.features for outcome in outcomes)],
            [1.0, 0.0, *(outcome.gain for outcome in outcomes)],
        )
        self._odds_of.cache_clear()
