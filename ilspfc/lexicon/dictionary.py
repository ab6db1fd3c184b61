"""Content of a dictionary file: its entries, and its rejected lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from ilspfc.exceptions import LexiconError
from ilspfc.lexicon.entries import Entry

MAX_WORD_CHARS = 200
"""Longer "words" are misplaced text."""

MAX_PROBLEMS = 20
"""Maximum number of bad lines to report individually; all are counted."""

DICTIONARY_VALUE = 0.7
"""Prior value of the only translation of a word in a dictionary; 1 is certainty."""

AMBIGUITY = 0.7
"""Exponent of the ambiguity discount: each of n translations gets a factor n ** -AMBIGUITY."""

MAX_PHRASE_TOKENS = 4
"""Longer entries are explanations, not translations."""


@dataclass(slots=True)
class Dictionary:
    """The distinct entries of a file, in its order.

    ``langs`` are the language codes as spelled in the file, empty if it has none.
    ``bad_lines`` counts the rejected lines, ``problems`` describes the first of them.
    """

    entries: list[Entry] = field(default_factory=list)
    langs: tuple[str, ...] = ()
    bad_lines: int = 0
    problems: list[str] = field(default_factory=list)
    _known: set[tuple[str, str]] = field(default_factory=set, repr=False)

    def refuse(self, line: int, cause: str) -> None:
        """Count and record a rejected line."""
        self.bad_lines += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(f"line {line}: {cause}")

    def add(self, line: int, entry: Entry) -> None:
        """Add an entry, unless it is a repetition or has an impossible word."""
        for word in (entry.source, entry.target):
            if not word:
                self.refuse(line, "a word is missing")
                return
            if len(word) > MAX_WORD_CHARS:
                self.refuse(line, f"a word of {len(word)} characters")
                return
        key = (entry.source, entry.target)
        if key not in self._known:
            self._known.add(key)
            self.entries.append(entry)

    def require(self, path: Path, expected: str) -> Dictionary:
        """Return the dictionary; LexiconError if it has no entries."""
        if self.entries:
            return self
        cause = f"; {self.problems[0]}" if self.problems else ""
        raise LexiconError(f"{path}: no entries{cause}; give {expected}")

    def transpose(self) -> Dictionary:
        """Return the dictionary with source and target swapped."""
        return Dictionary(
            [entry.transpose() for entry in self.entries],
            self.langs[::-1],
            self.bad_lines,
            self.problems,
        )


def cut_entries(
    entries: Sequence[Entry],
    split_source: Callable[[str], list[str]],
    split_target: Callable[[str], list[str]],
) -> list[Entry]:
    """Return the entries of a dictionary split into tokens, sorted, with prior scores.

    Each of n translations of a word (or n words of a translation) gets ``0.7 / n ** 0.7``
    times its score; in a phrase, each token pair gets an equal share. Phrases of more than
    four tokens are left out. Learned entries, which have segment counts, keep score and
    counts. Of repeated pairs, the best score is kept.
    """
    sources = Counter(entry.source for entry in entries)
    targets = Counter(entry.target for entry in entries)
    best: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        left, right = split_source(entry.source), split_target(entry.target)
        longest = max(len(left), len(right))
        if not left or not right or longest > MAX_PHRASE_TOKENS:
            continue
        score = entry.score
        if not entry.segments:
            number = max(sources[entry.source], targets[entry.target])
            score *= DICTIONARY_VALUE / number**AMBIGUITY / longest
        for key in product(left, right):
            if key not in best or best[key].score < score:
                counts = entry.segments, entry.documents, entry.sites
                best[key] = Entry(*key, score, *counts)
    return [entry for _, entry in sorted(best.items())]
