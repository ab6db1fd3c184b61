"""Words that both pages have: identical ones, and cognates.

Identical tokens are names, numbers, code and the like, which translation leaves alone. The
weight of a token is the smaller of its inverse document frequencies in the two languages,
so that no word that is frequent in either counts. Numbers and dates, and titles and
headings, are kinds of evidence of their own. Cognates, loanwords and names in another
script are compared by their first letters (Simard, Foster and Isabelle 1992), with one key
for many spellings; they find the first pairs of short texts without a common name or
number, before there is a lexicon.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ilspfc.pairing.evidence.kind import SharedFeatures

if TYPE_CHECKING:
    from ilspfc.pairing.comparison import Comparison, Sides


@dataclass(frozen=True)
class IdenticalTokens(SharedFeatures):
    """Cosine of the tokens that both pages have; ``of`` names an array of Pages."""

    of: str = "words"
    numbers: bool = False

    def sides(self, comparison: Comparison) -> Sides:
        """Return the weighted tokens of both sides."""
        return comparison.tokens(self.of, numbers=self.numbers)


class Cognates(SharedFeatures):
    """Cosine of the cognate keys that both pages have."""

    def sides(self, comparison: Comparison) -> Sides:
        """Return the weighted cognate keys of both sides."""
        return comparison.cognates()


IDENTICAL = IdenticalTokens("identical", "tokens")
NUMBERS = IdenticalTokens("numbers", "tokens", numbers=True)
TITLES = IdenticalTokens("titles", "tokens", of="titles")
COGNATES = Cognates("cognates", "cognates")
