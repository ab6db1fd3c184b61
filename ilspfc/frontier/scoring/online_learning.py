"""Learning online what links pay."""

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
    from ilspfc.frontier.store.protocol import Candidate

# The model and the score before learning weigh the same after so many outcomes.
_TRUST_OUTCOMES = 150
# It is fitted again when there are this many outcomes, this part more than at the last fit.
_FIRST_FIT = 8
_GROWTH = 0.2
# The last so many outcomes are learned from: what a site pays changes as a crawl goes on.
_MAX_OUTCOMES = 4000
# How much a directory that was never visited is worth trying, in log odds.
_CURIOSITY = 1.0
# Groups of features whose log odds are remembered: a site's links are the same on page
# after page.
_CACHED_GROUPS = 1 << 15
# A feature that every link has.
_BIAS = 0


@dataclass(slots=True)
class _Outcome:
    """What is known of a visited link: its features, and what the visit paid."""

    features: list[int]
    gain: float


class YieldLearner:
    """Corrects the scores of links by what links like them have paid.

    A logistic regression over hosts, path prefixes, words of URL and anchor, depth and the
    page a link stands on (:mod:`~ilspfc.frontier.scoring.link_features`) gives the log odds z that
    a link pays. With n outcomes seen and w its score before learning in units of one term,
    a link scores (1 - t) · log(1 + w) + t · z, t = n / (n + 150): the order of the first
    links is that of the score alone, and w is itself a feature, so that a score that
    misleads loses its say. What has not been seen yet counts for nothing, so a link unlike
    those that failed goes before them; and 1 / √(1 + v) is added for a directory that has
    been visited v times, so that no part of a site goes untried (as in UCB, Auer and others
    2002).

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
        # Scores below nothing (terms that speak against a link) stay in their order.
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
        """Learn what a visit paid, from 0 to 1; return whether scores have changed.

        A later call for the same URL replaces what was known.
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
        """Replace what the visit of a URL paid, if it is still remembered."""
        if (outcome := self._outcomes.get(key)) is not None:
            outcome.gain = gain

    def _fit(self) -> None:
        """Fit the model to the outcomes.

        A gain g counts as a success with the weight g and a failure with the weight 1 - g.
        One of each without any feature keeps the model sane while all outcomes are alike.
        """
        # Imported late, as numpy is with it: short crawls never come here.
        from ilspfc.frontier.scoring.logistic import fit_logistic  # noqa: PLC0415

        outcomes = self._outcomes.values()
        self._weights = fit_logistic(
            [[_BIAS], [_BIAS], *(outcome.features for outcome in outcomes)],
            [1.0, 0.0, *(outcome.gain for outcome in outcomes)],
        )
        self._odds_of.cache_clear()
