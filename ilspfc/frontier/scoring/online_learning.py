"""Online learning of the gains of links, from hashed features."""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, repeat
from math import log1p, log2, sqrt
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from zlib import crc32

if TYPE_CHECKING:
    from ilspfc.frontier.store.candidates import Candidate

# Number of hashed features.
DIMENSIONS = 1 << 18

_MAX_WORDS = 12
_MAX_LEVELS = 3
_MAX_DEPTH = 8
_MAX_DISTANCE = 4
# Cache sizes for features of URLs, and for all others.
_CACHED_URLS = 1 << 15
_CACHED = 1 << 12
_WORD_RE = re.compile(r"[^\W\d_]+|\d+")
_TOKEN_RE = re.compile(r"[^\W\d_]{2,}")


def feature_groups(candidate: Candidate, worth: float) -> tuple[tuple[int, ...], ...]:
    """Return the features of a link in four groups, as numbers below :data:`DIMENSIONS`.

    They are its host, path prefixes, words of path and query; the page that it is on, and
    that page's first directory; words of the anchor; depth, distance and ``worth``: the
    score before learning in units of one term, in logarithmic steps. Features are distinct
    within a group; hash collisions may repeat one in two groups.
    """
    steps = round(log2(1 + worth)) if worth > 0 else -1
    return (
        _url_features(candidate.url),
        _source_features(candidate.referrer),
        _anchor_features(candidate.anchor),
        _step_features(candidate.depth, candidate.distance, steps),
    )


@lru_cache(maxsize=_CACHED_URLS)
def directory_of(url: str) -> str:
    """Return host and directory of a page, to the third level.

    >>> directory_of("http://example.org/de/news/2024/05/a.html")
    'example.org/de/news/2024'
    """
    parts = urlsplit(url)
    return "/".join([parts.netloc, *parts.path.split("/")[1:-1][:_MAX_LEVELS]])


def _hash(name: str) -> int:
    return crc32(name.encode("utf-8", "surrogatepass")) % DIMENSIONS


# Cached, as a link is scored each time it is found, and after each fit.
@lru_cache(maxsize=_CACHED_URLS)
def _url_features(url: str) -> tuple[int, ...]:
    parts = urlsplit(url)
    host, directories = parts.netloc, parts.path.split("/")[1:-1]
    levels = range(1, min(len(directories), _MAX_LEVELS) + 1)
    names = [f"host {host}"]
    names += [f"path {host}/{'/'.join(directories[:level])}" for level in levels]
    words = _TOKEN_RE.finditer(f"{parts.path} {parts.query}".lower())
    names += [f"url {match[0]}" for match in islice(words, _MAX_WORDS)]
    return tuple(sorted({*map(_hash, names)}))


@lru_cache(maxsize=_CACHED)
def _step_features(depth: int, distance: int, step: int) -> tuple[int, ...]:
    return (
        _hash(f"depth {min(depth, _MAX_DEPTH)}"),
        _hash(f"distance {min(distance, _MAX_DISTANCE)}"),
        _hash(f"worth {step}"),
    )


@lru_cache(maxsize=_CACHED)
def _source_features(url: str) -> tuple[int, ...]:
    parts = urlsplit(url)
    directory = parts.path.split("/")[1:2] if parts.path.count("/") > 1 else [""]
    return _hash(f"page {url}"), _hash(f"from {parts.netloc}/{directory[0]}")


@lru_cache(maxsize=_CACHED)
def _anchor_features(anchor: str) -> tuple[int, ...]:
    words = _WORD_RE.findall(anchor.casefold()[:200])[:_MAX_WORDS]
    names = [f"anchor {word}" for word in words or ["none"]]
    return tuple(sorted({*map(_hash, names)}))


# Number of outcomes at which the model and the score before learning have equal weights.
_TRUST_OUTCOMES = 150
# Number of outcomes for the first fit, and relative growth until the next one.
_FIRST_FIT = 8
_GROWTH = 0.15
# Number of last outcomes to learn from: gains of a site change over time.
_MAX_OUTCOMES = 4000
DISTANCE_COST = 0.5
"""Cost of each page in a row that was not kept, before there are outcomes."""
# Bonus of a directory without visits, in log odds.
_CURIOSITY = 1.0
# Cache size for log odds of feature groups: pages of a site repeat links.
_CACHED_GROUPS = 1 << 15
# Feature of every link.
_BIAS = 0


@dataclass(slots=True)
class _Outcome:
    """Features and gain of a visited link."""

    features: list[int]
    gain: float


class YieldLearner:
    """Learner that corrects the scores of links by the gains of similar links.

    A logistic regression over hosts, path prefixes, words of URL and anchor, depth and the
    page of a link (:func:`feature_groups`) gives the log odds z of a gain. Given n outcomes
    and a score before learning of w, in units of one term, a link scores
    (1 - t) · (log(1 + w) - c · d) + t · z, t = n / (n + 150), after d pages in a row that
    were not kept and cost c each: z has no say in the order of the first links, and w is
    itself a feature, so a misleading score loses its weight. Unseen features have weight 0,
    so links unlike failed ones precede these. 1 / √(1 + v) is added for a directory with v
    visits, so that every part of a site is explored (as in UCB, Auer et al. 2002).

    ``unit`` is the weight of one domain term, ``distance_cost`` the cost c. The model depends
    only on the order of calls.
    """

    def __init__(self, unit: float = 1.0, distance_cost: float = 0.0) -> None:
        self._unit = unit or 1.0
        self._distance_cost = distance_cost
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
        # Without outcomes, as best-first: not all languages of a site at once.
        plain -= self._distance_cost * candidate.distance
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
        """Learn the gain of a visit, from 0 to 1; return True if scores have changed.

        A later call for the same URL replaces its gain.
        """
        known = self._outcomes.get(candidate.key)
        if known is not None:
            known.gain = gain
            return False
        self._visits[directory_of(candidate.url)] += 1
        groups = feature_groups(candidate, base / self._unit)
        features = sorted(set().union(*groups))
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
        """Replace the gain of a visit, if it is still remembered."""
        if (outcome := self._outcomes.get(key)) is not None:
            outcome.gain = gain

    def _fit(self) -> None:
        """Fit the model to the outcomes.

        A gain g counts as a success of weight g and a failure of weight 1 - g. One of each
        with only the bias regularizes the model while all outcomes are alike.
        """
        # Late import of numpy, as short crawls never fit.
        from ilspfc.frontier.scoring.logistic import fit_logistic  # noqa: PLC0415

        outcomes = self._outcomes.values()
        self._weights = fit_logistic(
            [[_BIAS], [_BIAS], *(outcome.features for outcome in outcomes)],
            [1.0, 0.0, *(outcome.gain for outcome in outcomes)],
        )
        self._odds_of.cache_clear()
