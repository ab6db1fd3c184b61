"""Finding a domain's terms in text: sequences of stems in a trie."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import Stemmer

from ilspfc.classification.definition import Term
from ilspfc.text.codes import language_name
from ilspfc.text.word_split import split_folded

# A crawl meets the same words again and again; the cache is emptied when it is full.
_MAX_CACHED_WORDS = 200_000
# The number of every stem that is in no term.
_IN_NO_TERM = 0
# What Snowball calls languages whose names in English are others.
_SNOWBALL_NAMES = {
    "norwegian bokmål": "norwegian",
    "norwegian nynorsk": "norwegian",
    "southern sotho": "sesotho",
}

# A node of the trie: the term that ends here, and the nodes of the next stems by number.
_Node = tuple[list[int], dict[int, "_Node"]]


class StemmingTokenizer:
    """Text to stems: Snowball where the language (ISO 639-3) has a stemmer, else folded forms."""

    def __init__(self, lang: str) -> None:
        snowball = snowball_name(language_name(lang))
        # Without Snowball's own cache: whoever calls it keeps the stems in a dict.
        self.stem: Callable[[str], str] = (
            Stemmer.Stemmer(snowball, 0).stemWord if snowball else str
        )

    def stems(self, text: str) -> list[str]:
        """Return the stems of a text in order; punctuation and blanks are left out.

        Elided articles are cut off ("l'infortunio"), for they are words of their own.
        """
        return list(map(self.stem, split_folded(text)))


def snowball_name(english_name: str) -> str | None:
    """Return the Snowball algorithm for a language by its English name, or None.

    >>> snowball_name("German"), snowball_name("Norwegian Bokmål"), snowball_name("Croatian")
    ('german', 'norwegian', None)
    """
    name = english_name.casefold()
    name = _SNOWBALL_NAMES.get(name, name)
    return name if name in Stemmer.algorithms() else None


class _Numbers(dict[str, int]):
    """The number of each word's stem among the stems of the terms, worked out once."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        super().__init__()
        self._stem = stem
        self.of_stem: dict[str, int] = {}

    def __missing__(self, word: str) -> int:
        if len(self) >= _MAX_CACHED_WORDS:
            self.clear()
        number = self[word] = self.of_stem.get(self._stem(word), _IN_NO_TERM)
        return number

    def add(self, stem: str) -> int:
        """Return the number of a term's stem, a new one if it has none yet."""
        return self.of_stem.setdefault(stem, len(self.of_stem) + 1)


class TermMatcher:
    """Counts the terms of one language in texts of that language.

    Terms that have the same stems are one entry with the mean of their weights. Every
    occurrence of every term counts, also inside a longer term. What a text costs hardly
    depends on the number of terms: most words are in none.
    """

    def __init__(self, terms: Iterable[Term], tokenizer: StemmingTokenizer) -> None:
        self._numbers = _Numbers(tokenizer.stem)
        self._root: dict[int, _Node] = {}
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
        children = self._root
        ending: list[int] = []
        for stem in stems:
            ending, children = children.setdefault(self._numbers.add(stem), ([], {}))
        ending.append(index)

    def count(self, text: str) -> Counter[int]:
        """Return the occurrences of each term in a text, by its index in ``terms``."""
        numbers = list(map(self._numbers.__getitem__, split_folded(text)))
        found: list[int] = []
        if not any(numbers):  # as in most texts around links
            return Counter(found)
        numbers.append(_IN_NO_TERM)
        root = self._root
        for start, number in enumerate(numbers):
            if not number:
                continue
            position, node = start, root.get(number)
            while node is not None:
                found += node[0]
                position += 1
                node = node[1].get(numbers[position])
        return Counter(found)

    def score(self, text: str) -> float:
        """Return the sum of occurrences times weight over the terms in a text."""
        counts = self.count(text)
        if not counts:
            return 0.0
        return sum(number * self.weights[index] for index, number in counts.items())


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


class UnwantedWords:
    """Finds words and phrases in texts, whatever their case (``-neg`` of ILSP-FC's manual).

    ILSP-FC looks for strings, also inside of words; here a phrase is a row of whole words,
    and a character is a word in scripts without blanks. Endings count: each form has to be
    given.

    >>> words = UnwantedWords(["cookie policy"])
    >>> words.are_in(["Our Cookie Policy:"]), words.are_in(["cookies, policy"])
    (True, False)
    """

    def __init__(self, phrases: Iterable[str]) -> None:
        folded = {_fold(phrase) for phrase in phrases} - {""}
        # Without a phrase the pattern is one that nothing matches.
        self._pattern = re.compile("|".join(map(re.escape, sorted(folded))) or "(?!)")

    def are_in(self, texts: Iterable[str]) -> bool:
        """Test whether one of the texts holds one of the phrases."""
        return any(self._pattern.search(_fold(text)) for text in texts)


def _fold(text: str) -> str:
    """Return the words of a text between single blanks, one at each end."""
    words = " ".join(split_folded(text))
    return f" {words} " if words else ""
