"""Words that are spelled alike: cognates, loanwords, names in another script.

Like identical tokens, by what words begin with (Simard, Foster and Isabelle 1992), a key
for many spellings. It finds the first pairs of short texts that share no name or number,
before there is a lexicon.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ilspfc.pairing.sparse import most_alike, pair_products

if TYPE_CHECKING:
    from ilspfc.pairing.comparison import Candidates, Comparison
    from ilspfc.text.arrays import FloatArray, IntArray

CANDIDATES = 15
MAX_POSTINGS = 200


@dataclass(frozen=True, slots=True)
class Cognates:
    """The cosine of the keys that both pages have."""

    name: str = "cognates"
    group: str = "cognates"
    learns: bool = False

    def propose(self, comparison: Comparison) -> tuple[IntArray, IntArray]:
        """Return for each page the most alike of the other language."""
        left, right = comparison.cognates()
        return most_alike(left, right, count=CANDIDATES, max_postings=MAX_POSTINGS)

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the cosine of each candidate, in [0, 1]."""
        left, right = comparison.cognates()
        return pair_products(left, right, candidates.rows, candidates.columns)


COGNATES = Cognates()
