"""Words shared by both pages: identical tokens, and cognates.

Identical tokens are names, numbers, code and the like, which translation leaves unchanged.
The weight of a token is the smaller of its inverse document frequencies in the two
languages, so frequent words of either do not count. Numbers and dates, and titles and
headings, are separate kinds of evidence. Cognates, loanwords and names in another script
are compared by their first letters (Simard, Foster and Isabelle 1992), with one key for
many spellings; they find the first pairs of short texts without a common name or number,
before there is a lexicon.
"""

from __future__ import annotations

from dataclasses import dataclass

from ilspfc.pairing.comparison import Comparison, Sides
from ilspfc.pairing.evidence.kind import SharedFeatures


@dataclass(frozen=True)
class IdenticalTokens(SharedFeatures):
    """Cosine over identical tokens; ``of`` is the attribute path of an array of Pages."""

    of: str = "clean.words"
    numbers: bool = False

    def sides(self, comparison: Comparison) -> Sides:
        """Return the weighted tokens of both sides."""
        return comparison.tokens(self.of, numbers=self.numbers)


@dataclass(frozen=True)
class Cognates(SharedFeatures):
    """Cosine over cognate keys; ``of`` is the attribute path of an array of Pages."""

    of: str = "clean.words"

    def sides(self, comparison: Comparison) -> Sides:
        """Return the weighted cognate keys of both sides."""
        return comparison.cognates(self.of)


IDENTICAL = IdenticalTokens("identical", "tokens")
NUMBERS = IdenticalTokens("numbers", "tokens", numbers=True)
TITLES = IdenticalTokens("titles", "tokens", of="whole.titles")
COGNATES = Cognates("cognates", "cognates")
IDENTICAL_WHOLE = IdenticalTokens("identical_whole", "tokens", of="whole.words")
COGNATES_WHOLE = Cognates("cognates_whole", "cognates", of="whole.words")
COGNATE_TITLES = Cognates("cognate_titles", "cognates", of="whole.titles")
