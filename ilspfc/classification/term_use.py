"""How a domain's terms are used in documents: which never occur, which say nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ilspfc.classification.definition import Term
    from ilspfc.classification.terms import StemmingTokenizer, TermMatcher

# A term in more than this part of the documents hardly tells one from another.
COMMON_SHARE = 0.9
# In fewer documents anything is in nearly all.
MIN_DOCUMENTS = 10


@dataclass(slots=True)
class TermUse:
    """In how many documents of one language each term of a matcher occurs."""

    matcher: TermMatcher
    documents: int = 0
    _found: Counter[int] = field(default_factory=Counter)

    def add(self, texts: Iterable[str]) -> None:
        """Count a document, given as its texts (title, keywords, paragraphs)."""
        self.documents += 1
        seen: set[int] = set()
        for text in texts:
            seen.update(self.matcher.count(text))
        self._found.update(seen)

    def unused(self) -> list[Term]:
        """Return the terms that no document has, in the order of the definition."""
        return [t for n, t in enumerate(self.matcher.terms) if not self._found[n]]

    def common(self, share: float = COMMON_SHARE) -> list[tuple[Term, int]]:
        """Return the terms that nearly all documents have, with how many have each."""
        if self.documents < MIN_DOCUMENTS:
            return []
        return [
            (term, self._found[number])
            for number, term in enumerate(self.matcher.terms)
            if self._found[number] > share * self.documents
        ]


def find_near_duplicates(
    terms: Iterable[Term], tokenizer: StemmingTokenizer
) -> list[list[Term]]:
    """Return terms of one language that are the same after stemming, in groups.

    So are those that differ in the order of their words, or in where a compound is parted.
    """
    groups: dict[str, list[Term]] = {}
    joined: dict[str, str] = {}
    for term in terms:
        stems = tokenizer.stems(term.text)
        if not stems:
            continue
        compound = tokenizer.stem("".join(stems))
        key = joined.setdefault(compound, " ".join(sorted(stems)))
        groups.setdefault(key, []).append(term)
    return [group for group in groups.values() if len(group) > 1]
