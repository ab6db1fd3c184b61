"""Content of a dictionary file: its entries, and the lines that could not be used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from ilspfc.exceptions import LexiconError
from ilspfc.lexicon.entries import Entry

MAX_WORD_CHARS = 200
"""Longer "words" are text that got into the wrong place."""

MAX_PROBLEMS = 20
"""Bad lines that are remembered one by one; all are counted."""

DICTIONARY_VALUE = 0.7
"""Value of the only translation of a word in a dictionary, against 1 for certainty."""

AMBIGUITY = 0.7
"""Each of n translations is worth n to the power of minus this as much."""

MAX_PHRASE_TOKENS = 4
"""Longer entries are explanations, no translations."""


@dataclass(slots=True)
class Dictionary:
    """The entries of a file in its order, each pair of words once.

    ``langs`` are the codes that the file gives, as it writes them; empty where it gives
    none. ``bad_lines`` counts the lines that were left out, ``problems`` are the first.
    """

    entries: list[Entry] = field(default_factory=list)
    langs: tuple[str, ...] = ()
    bad_lines: int = 0
    problems: list[str] = field(default_factory=list)
    _known: set[tuple[str, str]] = field(default_factory=set, repr=False)

    def refuse(self, line: int, cause: str) -> None:
        """Count a line that cannot be used."""
        self.bad_lines += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(f"line {line}: {cause}")

    def add(self, line: int, entry: Entry) -> None:
        """Add an entry, unless it is known already or one of its words cannot be one."""
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
        """Return the dictionary; LexiconError if nothing in the file could be used."""
        if self.entries:
            return self
        cause = f"; {self.problems[0]}" if self.problems else ""
        raise LexiconError(f"{path}: no entries{cause}; give {expected}")

    def transpose(self) -> Dictionary:
        """Return the dictionary in the other direction."""
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
    """Return the entries of a dictionary as tokens, sorted, with scores as a prior.

    A word with n translations (or a translation of n words) gives each of them
    ``0.7 / n ** 0.7`` times its score; of a phrase, each pair of tokens gets its share.
    Phrases of more than four tokens are left out. Learned entries, which count segments,
    keep score and counts. A pair found twice has the better score.
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
