"""What visits teach the frontier: which links pay, which hosts step back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ilspfc.frontier.frontier import Frontier
    from ilspfc.frontier.scoring.focus import Focus
    from ilspfc.frontier.scoring.scouting import Scouts
    from ilspfc.frontier.store.protocol import Candidate

# Of the queued URLs the best so many get new scores when the focus has learned.
_RESCORED = 20_000
# Of the visited ones the last so many are learned from when a crawl goes on.
_REMEMBERED = 4_000


class Feedback:
    """Passes on what visits paid: to the focus, the scouts and the order of the queue."""

    def __init__(self, frontier: Frontier, focus: Focus, scouts: Scouts) -> None:
        self._frontier = frontier
        self._focus = focus
        self._scouts = scouts
        for candidate in frontier.store.gains(_REMEMBERED):
            focus.learn(candidate, candidate.gain or 0.0)

    def visited(
        self, candidate: Candidate, lang: str, gains: Mapping[str, float]
    ) -> None:
        """Learn from a visit; ``lang`` is the language of a kept page, else empty.

        ``gains`` are from 0 to 1 by canonical URL: that of the candidate, and those of
        pages which now turn out to have paid more.
        """
        host, frontier, learner = candidate.host, self._frontier, self._focus.learner
        hosts = self._scouts.visited(host, lang, is_kept=bool(lang))
        frontier.compare_again(hosts)
        if learner is None:
            return
        for key, gain in gains.items():
            frontier.store.set_gain(key, gain)
            learner.revise(key, gain)
        if self._focus.learn(candidate, gains.get(candidate.key, 0.0)):
            frontier.rescore(self._focus.scores, _RESCORED)
