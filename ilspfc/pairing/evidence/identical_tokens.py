"""Identical tokens: names, numbers, code and the like, which translation leaves alone.

A token's weight is the smaller of its inverse document frequencies in the two languages,
so that no word that is frequent in either counts. Numbers and dates, and titles and
headings, are kinds of evidence of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ilspfc.pairing.sparse import most_alike, pair_products

if TYPE_CHECKING:
    from ilspfc.pairing.comparison import Candidates, Comparison
    from ilspfc.text.arrays import FloatArray, IntArray

CANDIDATES = 15
# A token on more pages than this proposes none: it costs much and says little.
MAX_POSTINGS = 200


@dataclass(frozen=True, slots=True)
class IdenticalTokens:
    """The cosine of the tokens that both pages have; ``of`` names an array of Pages."""

    name: str
    group: str
    of: str = "words"
    numbers: bool = False
    learns: bool = False

    def propose(self, comparison: Comparison) -> tuple[IntArray, IntArray]:
        """Return for each page the most alike of the other language."""
        left, right = comparison.tokens(self.of, numbers=self.numbers)
        return most_alike(left, right, count=CANDIDATES, max_postings=MAX_POSTINGS)

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the cosine of each candidate, in [0, 1]."""
        left, right = comparison.tokens(self.of, numbers=self.numbers)
        return pair_products(left, right, candidates.rows, candidates.columns)


IDENTICAL = IdenticalTokens("identical", "tokens")
NUMBERS = IdenticalTokens("numbers", "tokens", numbers=True)
TITLES = IdenticalTokens("titles", "tokens", of="titles")
