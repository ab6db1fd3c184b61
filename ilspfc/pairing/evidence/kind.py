"""Base classes of the kinds of evidence that two pages translate each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ilspfc.pairing.comparison import Candidates, Comparison, Sides
from ilspfc.pairing.sparse import most_alike, pair_products
from ilspfc.text.arrays import FloatArray, IntArray

Pairs = tuple[IntArray, IntArray]


CLAIMED = 0.85
"""Value of versions or urls from which a pair counts as claimed by the site itself."""


@dataclass(frozen=True)
class EvidenceKind:
    """Kind of evidence; kinds of one ``group`` (links, tokens, structure …) fail together.

    ``name`` identifies it in tables and files. A kind that ``learns`` may change the score
    of a candidate in later rounds; all others score and propose once.
    """

    name: str
    group: str
    learns: bool = False

    def propose(self, comparison: Comparison) -> Pairs | None:
        """Return possible translations, as row numbers of the left and the right side.

        None by default: proposals of other kinds suffice.
        """
        return None

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the score of each candidate, in [0, 1]."""
        raise NotImplementedError


@dataclass(frozen=True)
class SharedFeatures(EvidenceKind):
    """Inner product of the features of two pages, as given by :meth:`sides`."""

    proposed: int = 15

    def sides(self, comparison: Comparison) -> Sides | None:
        """Return the weighted features of both sides, a row for each page.

        None in rounds before they are available.
        """
        raise NotImplementedError

    def propose(self, comparison: Comparison) -> Pairs | None:
        """Return each page with its ``proposed`` most similar in the other language."""
        sides = self.sides(comparison)
        return most_alike(*sides, count=self.proposed) if sides else None

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the inner product of each candidate, 0 without features."""
        sides = self.sides(comparison)
        if sides is None:
            return np.zeros(len(candidates))
        return pair_products(*sides, candidates.rows, candidates.columns)
