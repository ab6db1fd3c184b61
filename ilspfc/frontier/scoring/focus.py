"""The focus of a crawl: what a link is worth, and how that changes as the crawl learns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.frontier.scoring.scouting import LISTED_SCORE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ilspfc.frontier.scoring.link_score import (
        FoundLink,
        LinkScorer,
        TranslationBonus,
    )
    from ilspfc.frontier.scoring.online_learning import YieldLearner
    from ilspfc.frontier.scoring.scouting import SeedLists
    from ilspfc.frontier.store.protocol import Candidate


class Focus:
    """Scores links: the paper's c, and what the scorer says, corrected by learning.

    Without a ``learner`` the score is c plus the scorer's: the paper's formula (000,
    section 3.6) for the scorer of terms. With one, c and p/L are for links on pages that
    were kept: others cannot complete a pair, and are not about the domain. What ``lists``
    says of seeds goes before all of it.
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

    def base_score(self, found: FoundLink) -> float | None:
        """Return the score before learning, None for a link not to be followed."""
        if self._lists is not None and self._lists.lists(found):
            return LISTED_SCORE
        if self.learner is not None and found.distance:
            # The page was not kept: a few terms of the domain on it recommend nothing.
            found = found._replace(relevance_share=0.0)
        worth = self._scorer.score(found)
        if worth is None or self.bonus is None:
            return worth
        return worth + self.bonus.score(found)

    def score(self, candidate: Candidate) -> float:
        """Return the score by which a link is queued."""
        if self.learner is None or candidate.base >= LISTED_SCORE:
            return candidate.base
        bonus = self._bonus_in(candidate)
        score = self.learner.score(candidate, candidate.base - bonus)
        return score if candidate.distance else score + bonus

    def scores(self, candidates: Sequence[Candidate]) -> list[float]:
        """Return the scores of queued links as they are by now."""
        return [self.score(candidate) for candidate in candidates]

    def learn(self, candidate: Candidate, gain: float) -> bool:
        """Learn what a visit paid; return whether queued links have other scores now."""
        if self.learner is None or candidate.base >= LISTED_SCORE:
            return False
        worth = candidate.base - self._bonus_in(candidate)
        return self.learner.learn(candidate, worth, gain)

    def _bonus_in(self, candidate: Candidate) -> float:
        """Return the part of the score before learning that is c."""
        bonus = self.bonus.bonus if self.bonus is not None else 0.0
        return bonus if candidate.base >= bonus / 2 else 0.0
