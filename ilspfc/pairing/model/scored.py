"""What the combined method has come to for a site."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ilspfc.pairing.assignment import assign_greedily
from ilspfc.pairing.model.ranking import best_of_each

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ilspfc.pairing.comparison import Candidates
    from ilspfc.text.arrays import FloatArray, IntArray

# Less probable candidates are no pairs, whatever the threshold.
MIN_PROBABILITY = 0.05


@dataclass(frozen=True)
class Judged:
    """The candidates of a site after the last round.

    ``left`` and ``right`` are the ids of the documents, ``values`` the evidence, shape
    (candidates, kinds of evidence).
    """

    left: Sequence[str]
    right: Sequence[str]
    candidates: Candidates
    values: FloatArray
    probabilities: FloatArray
    round: int

    @cached_property
    def chosen(self) -> IntArray:
        """The places of the pairs, one-to-one."""
        return assign_greedily(self.candidates, self.probabilities, MIN_PROBABILITY)

    def with_probabilities(self, probabilities: FloatArray) -> Judged:
        """Return the same candidates, judged otherwise."""
        return replace(self, probabilities=probabilities)

    def keep_best(self, count: int) -> Judged:
        """Return it with the ``count`` best candidates of each page alone."""
        kept = best_of_each(self.candidates, self.probabilities, count)
        return replace(
            self,
            candidates=self.candidates.take(kept),
            values=self.values[kept].astype("f4"),
            probabilities=self.probabilities[kept],
        )
