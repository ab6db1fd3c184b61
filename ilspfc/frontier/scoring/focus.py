"""Focus of a crawl: the scores of links, before and after learning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ilspfc.frontier.scoring.link_features import directory_of
from ilspfc.frontier.store.candidates import Candidate
from ilspfc.web.urls import host_of

if TYPE_CHECKING:
    from ilspfc.frontier.scoring.link_score import (
        FoundLink,
        LinkScorer,
        TranslationBonus,
    )
    from ilspfc.frontier.scoring.online_learning import YieldLearner

# Score of links that are visited right after the seeds.
LISTED_SCORE = 1e11


class SeedLists:
    """Seeds as lists of links: selects their links that go before all scored links.

    A seed that was not kept was given for its links, which a scorer cannot know: the sites
    of a mere list may score 0 and would wait behind every link with a term of the domain.
    The first link of such a seed to each other host is visited right after the seeds. If
    the seed had no text in a language of the crawl, the first link to each directory is
    (topicrawler, too, puts links of seeds that it could not judge first).
    """

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def lists(self, found: FoundLink) -> bool:
        """Test whether a link is the first from a list to its host or directory."""
        if found.depth != 1 or not found.distance:
            return False
        place_of = host_of if found.is_judged else directory_of
        url = found.link.url
        place = place_of(url)
        if place == place_of(found.source_url):
            return False
        return self._first.setdefault(place, url) == url


class Focus:
    """Scores links: translation bonus c plus the scorer's value, corrected by learning.

    Without a ``learner`` the score is c plus the value of the scorer: the paper's formula
    (000, section 3.6) for the scorer of terms. With one, c and p/L are only for links on
    kept pages: other pages cannot complete a pair and are not about the domain. The links
    that ``lists`` selects from seeds go before all others.
    """

    def __init__(
        self,
        scorer: LinkScorer,
        bonus: TranslationBonus | None = None,
        learner: YieldLearner | None = None,
        lists: SeedLists | None = None,
    ) -> None:
        self._scorer = scorer
        self.bonus = bonus
        self.learner = learner
        self._lists = lists

    def candidate(self, found: FoundLink, key: str) -> Candidate | None:
        """Return the scored candidate of a link, None for a link not to be followed."""
        base = self.base_score(found)
        if base is None:
            return None
        url = found.link.url
        candidate = Candidate(
            key,
            url,
            host_of(url),
            base,
            depth=found.depth,
            distance=found.distance,
            referrer=found.source_url,
            anchor=found.link.anchor,
            base=base,
        )
        return replace(candidate, score=self.score(candidate))

    def base_score(self, found: FoundLink) -> float | None:
        """Return the score before learning, None for a link not to be followed."""
        if self._lists is not None and self._lists.lists(found):
            return LISTED_SCORE
        if self.learner is not None and found.distance:
            # A few terms on a page that was not kept recommend nothing.
            found = found._replace(relevance_share=0.0)
        value = self._scorer.score(found)
        if value is None or self.bonus is None:
            return value
        return value + self.bonus.score(found)

    def score(self, candidate: Candidate) -> float:
        """Return the score by which a link is queued."""
        if self.learner is None or candidate.base >= LISTED_SCORE:
            return candidate.base
        bonus = self._bonus_in(candidate)
        score = self.learner.score(candidate, candidate.base - bonus)
        return score if candidate.distance else score + bonus

    def scores(self, candidates: Sequence[Candidate]) -> list[float]:
        """Return the current scores of queued links."""
        return [self.score(candidate) for candidate in candidates]

    def learn(self, candidate: Candidate, gain: float) -> bool:
        """Learn the gain of a visit; return whether scores of queued links have changed."""
        if self.learner is None or candidate.base >= LISTED_SCORE:
            return False
        base = candidate.base - self._bonus_in(candidate)
        return self.learner.learn(candidate, base, gain)

    def _bonus_in(self, candidate: Candidate) -> float:
        """Return c if it is part of the score before learning, else 0."""
        bonus = self.bonus.bonus if self.bonus is not None else 0.0
        return bonus if candidate.base >= bonus / 2 else 0.0
