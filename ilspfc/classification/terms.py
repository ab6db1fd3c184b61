"""Finding a domain's terms in text: sequences of stems in a trie."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import Stemmer

from ilspfc.classification.words import split_folded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ilspfc.classification.domain import Term

# A crawl meets the same words again and again; the cache is emptied when it is full.
_MAX_CACHED_STEMS = 200_000


@dataclass(slots=True)
class _Node:
    """A node of the trie: the next stems, and the term that ends here."""

    children: dict[str, _Node] = field(default_factory=dict)
    term: int | None = None


class StemmingTokenizer:
    """Text to stems: Snowball where the language has a stemmer, else folded forms."""

    def __init__(self, lang: str, snowball: str | None) -> None:
        self.lang = lang
        self._stem: Callable[[str], str] = (
            Stemmer.Stemmer(snowball, 0).stemWord if snowball else str
        )
        self._cache: dict[str, str] = {}

    def stems(self, text: str) -> list[str]:
        """Return the stems of a text in order; punctuation and blanks are left out.

        Elided articles are cut off ("l'infortunio"), for they are words of their own.
        """
        return [self._cached_stem(word) for word in split_folded(text)]

    def _cached_stem(self, word: str) -> str:
        stem = self._cache.get(word)
        if stem is None:
            if len(self._cache) >= _MAX_CACHED_STEMS:
                self._cache.clear()
            stem = self._cache[word] = self._stem(word)
        return stem


def snowball_name(english_name: str) -> str | None:
    """Return the Snowball algorithm for a language by its English name, or None.

    >>> snowball_name("German"), snowball_name("Croatian")
    ('german', None)
    """
    name = english_name.casefold()
    return name if name in Stemmer.algorithms() else None


class TermMatcher:
    """Counts the terms of one language in texts of that language.

    Terms that have the same stems are one entry with the mean of their weights. Every
    occurrence of every term counts, also inside a longer term.
    """

    def __init__(self, terms: Iterable[Term], tokenizer: StemmingTokenizer) -> None:
        self._tokenizer = tokenizer
        self._root = _Node()
        by_stems: dict[tuple[str, ...], list[Term]] = {}
        for term in terms:
            by_stems.setdefault(tuple(tokenizer.stems(term.text)), []).append(term)
        self.terms: list[Term] = []
        self.weights: list[float] = []
        for stems, same in by_stems.items():
            if not stems:
                continue
            self.terms.append(same[0])
            self.weights.append(sum(term.weight for term in same) / len(same))
            self._insert(stems, len(self.terms) - 1)

    def _insert(self, stems: Sequence[str], index: int) -> None:
        node = self._root
        for stem in stems:
            node = node.children.setdefault(stem, _Node())
        node.term = index

    def count(self, text: str) -> Counter[int]:
        """Return how often each term, by its index in ``terms``, occurs in a text."""
        found: Counter[int] = Counter()
        stems = self._tokenizer.stems(text)
        for start, stem in enumerate(stems):
            node = self._root.children.get(stem)
            position = start
            while node is not None:
                if node.term is not None:
                    found[node.term] += 1
                position += 1
                if position == len(stems):
                    break
                node = node.children.get(stems[position])
        return found

    def score(self, text: str) -> float:
        """Return the sum of occurrences times weight over the terms in a text."""
        counts = self.count(text)
        return sum(number * self.weights[index] for index, number in counts.items())
