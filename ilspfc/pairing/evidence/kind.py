"""Base classes of the kinds of evidence that two pages translate each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.sparse import most_alike, pair_products

if TYPE_CHECKING:
    from ilspfc.pairing.comparison import Candidates, Comparison, Sides
    from ilspfc.text.arrays import FloatArray, IntArray

    Pairs = tuple[IntArray, IntArray]


CLAIMED = 0.85
"""Value of versions or urls from which the site itself claims a pair."""


@dataclass(frozen=True)
class EvidenceKind:
    """Kind of evidence. Kinds of one ``group`` (links, tokens, structure …) fail together.

    ``name`` is the word for it in tables and files. A kind that ``learns`` may give a
    candidate another score in later rounds; all others score and propose once.
    """

    name: str
    group: str
    learns: bool = False

    def propose(self, comparison: Comparison) -> Pairs | None:
        """Return pairs that may be translations, as rows of the left and the right.

        None by default: the proposals of other kinds suffice.
        """
        return None

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the score of each candidate, in [0, 1]."""
        raise NotImplementedError


@dataclass(frozen=True)
class SharedFeatures(EvidenceKind):
    """Inner product of the features of two pages, as :meth:`sides` has them."""

    proposed: int = 15

    def sides(self, comparison: Comparison) -> Sides | None:
        """Return the weighted features of both sides, a row each page.

        None before the round in which they can be known.
        """
        raise NotImplementedError

    def propose(self, comparison: Comparison) -> Pairs | None:
        """Return for each page the ``proposed`` most alike of the other language."""
        sides = self.sides(comparison)
        return most_alike(*sides, count=self.proposed) if sides else None

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the inner product of each candidate; 0 where there are no features."""
        sides = self.sides(comparison)
        if sides is None:
            return np.zeros(len(candidates))
        return pair_products(*sides, candidates.rows, candidates.columns)
