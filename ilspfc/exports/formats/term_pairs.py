"""Terms in two languages, found in the units of a language pair.

Candidates are the words and n-grams of :mod:`~ilspfc.exports.formats.words`. Two are translations
of each other if each is the best of the other by the Dice coefficient of the units that
have them (Smadja, McKeown and Hatzivassiloglou 1996, "Translating collocations for bilingual
lexicons").
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from ilspfc.atomic import write_lines
from ilspfc.exports.formats.words import (
    COMMONEST,
    MAX_LENGTH,
    general_frequencies,
    has_common_end,
    iter_ngrams,
    measure_keyness,
)
from ilspfc.exports.writers import Target, UnitWriter
from ilspfc.text.tbx import TermEntry, write_tbx
from ilspfc.text.word_split import UNSPACED, iter_spans, split_words

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from ilspfc.exports.units import ExportUnit

COLUMNS = (
    *("source", "target", "score", "units", "source_units", "target_units"),
    *("source_keyness", "target_keyness"),
)
MAX_CHARACTERS = 6
"""Characters of the longest candidates in scripts without spaces between words; one is none."""
MIN_SCORE = 0.5
"""Dice coefficient of two terms that are said to be translations."""
MIN_UNITS = 3
"""Units that have both terms."""
MAX_UNITS = 100_000
"""Units of a language pair that are counted; of more, every second, third and so on."""

_UNSPACED_RE = re.compile(f"[{UNSPACED}]")
_BETWEEN_CHARACTERS_RE = re.compile(rf"(?<=[{UNSPACED}]) (?=[{UNSPACED}])")


class TermPair(NamedTuple):
    """Two terms, the Dice coefficient of their units, the numbers of units, and keyness.

    Keyness is that of :mod:`~ilspfc.exports.formats.words`, once a unit and with the general
    frequency of the rarest word for an n-gram; None where general frequencies are not known.
    """

    source: str
    target: str
    score: float
    units: int
    source_units: int
    target_units: int
    source_keyness: float | None
    target_keyness: float | None


class _Side:
    """The n-grams of one side of the units."""

    def __init__(self, lang: str) -> None:
        self._general = general_frequencies(lang)
        self._numbers: dict[str, int] = {}
        self._found = array("i")
        self._ends = array("q", [0])
        self._words = 0
        self._forms: Counter[str] = Counter()

    def add(self, text: str) -> None:
        """Add the text of a unit."""
        found = set()
        longest = MAX_CHARACTERS if _UNSPACED_RE.search(text) else MAX_LENGTH
        for ngram in iter_ngrams(text, longest):
            self._words += " " not in ngram
            if _UNSPACED_RE.fullmatch(ngram):
                continue
            if self._general is None or not has_common_end(ngram, self._general):
                found.add(self._numbers.setdefault(ngram, len(self._numbers)))
        self._found.extend(sorted(found))
        # The first word of a sentence has a capital in any case.
        self._forms.update(split_words(text, lower=False)[1:])
        self._ends.append(len(self._found))

    def candidates(self) -> tuple[list[str], csr_array]:
        """Return the candidates, and a matrix of units by candidates with ones where they are."""
        from scipy.sparse import csr_array  # noqa: PLC0415 - takes a quarter of a second

        ngrams = [*self._numbers]
        found = np.frombuffer(self._found, np.int32)
        counts = np.bincount(found, minlength=len(ngrams))
        common: set[str] = set()
        if self._general is None:
            by_count = (ngrams[n] for n in np.argsort(-counts, kind="stable").tolist())
            words = (one for one in by_count if " " not in one)
            common = {one for one, _ in zip(words, range(COMMONEST), strict=False)}
        chosen = [
            number
            for number in np.flatnonzero(counts >= MIN_UNITS).tolist()
            if common.isdisjoint(_ends(ngrams[number]))
        ]
        # An n-gram that is always part of a longer one is not a term of its own.
        inner = {
            part
            for number in chosen
            for part in map(self._numbers.get, _parts(ngrams[number]))
            if part is not None and counts[part] == counts[number]
        }
        chosen = [number for number in chosen if number not in inner]
        shape = len(self._ends) - 1, len(ngrams)
        ones = np.ones(found.size, np.int32)
        matrix = csr_array((ones, found, np.frombuffer(self._ends, np.int64)), shape)
        return [ngrams[number] for number in chosen], matrix[:, chosen]

    def keyness(self, term: str, units: int) -> float | None:
        """Return the keyness of a term that so many units have."""
        if self._general is None:
            return None
        general = min(map(self._general, term.split(" ")))
        return measure_keyness(1e6 * units / self._words, general)

    def spell(self, term: str) -> str:
        """Return a term with the capitals that its words mostly have within sentences.

        Characters of scripts without spaces between words are joined.
        """
        spelled = (
            max(word, word.capitalize(), word.upper(), key=self._forms.__getitem__)
            for word in term.split(" ")
        )
        return _BETWEEN_CHARACTERS_RE.sub("", " ".join(spelled))


def _ends(ngram: str) -> tuple[str, str]:
    words = ngram.split(" ")
    return words[0], words[-1]


def _parts(ngram: str) -> Iterator[str]:
    """Yield the shorter n-grams in an n-gram."""
    words = ngram.split(" ")
    for start, end in iter_spans(len(words), len(words) - 1):
        yield " ".join(words[start:end])


def find_terms(source: _Side, target: _Side) -> list[TermPair]:
    """Return the pairs of terms of two sides of units, by keyness, where known, and score."""
    (terms, here), (others, there) = source.candidates(), target.candidates()
    counts, other_counts = here.sum(axis=0), there.sum(axis=0)
    together = (here.T @ there).tocoo()
    rows, columns = together.coords
    units = together.data
    scores = 2 * units / (counts[rows] + other_counts[columns])
    wanted = (scores >= MIN_SCORE) & (units >= MIN_UNITS)
    # Of equal scores the pair in more units is better, then that of longer terms.
    sizes, other_sizes = (np.array([*map(len, one)], int) for one in (terms, others))
    chars = sizes[rows] + other_sizes[columns]
    order = np.lexsort((columns, rows, -chars, -units, -scores))
    order = order[wanted[order]]
    first_of_row = np.unique(rows[order], return_index=True)[1]
    first_of_column = np.unique(columns[order], return_index=True)[1]
    pairs = []
    for number in order[np.intersect1d(first_of_row, first_of_column)].tolist():
        row, column = rows[number], columns[number]
        totals = int(counts[row]), int(other_counts[column])
        pair = TermPair(
            source.spell(terms[row]),
            target.spell(others[column]),
            float(scores[number]),
            int(units[number]),
            *totals,
            source.keyness(terms[row], totals[0]),
            target.keyness(others[column], totals[1]),
        )
        pairs.append(pair)
    return sorted(pairs, key=_rank)


def _rank(pair: TermPair) -> tuple[float, float, str]:
    known = [k for k in (pair.source_keyness, pair.target_keyness) if k is not None]
    return (
        -(float(np.prod(known)) ** (1 / max(len(known), 1))),
        -pair.score,
        pair.source,
    )


class TermsWriter(UnitWriter):
    """Writes a TSV of terms in two languages, by keyness. Needs the extra ``words``.

    ``units`` is the number of units to be written.
    """

    def __init__(self, path: Path, langs: tuple[str, ...], units: int) -> None:
        super().__init__(path)
        self._langs = langs
        self._step = max(-(-units // MAX_UNITS), 1)
        self._units = 0

    @classmethod
    def open(cls, to: Target) -> Self:
        """Return the writer of a language pair."""
        return cls(to.paths[0], to.langs, to.found.units)

    def write(self, unit: ExportUnit) -> None:
        """Count the n-grams of a unit."""
        if self._units % self._step == 0:
            for side, text in zip(self._sides, (unit.source, unit.target), strict=True):
                side.add(text)
        self._units += 1

    def _open(self) -> None:
        self._sides = [_Side(lang) for lang in self._langs]

    def _finish(self) -> None:
        pairs = find_terms(*self._sides)
        self.counts["exports/terms"] += len(pairs)
        self._save(pairs)

    def _save(self, pairs: list[TermPair]) -> None:
        rows = [COLUMNS, *(map(_format, pair) for pair in pairs)]
        write_lines(self.paths[0], map("\t".join, rows))


def _format(cell: object) -> str:
    if isinstance(cell, float):
        return f"{cell:.2f}"
    return "" if cell is None else str(cell)


class TbxWriter(TermsWriter):
    """Writes the terms as TBX-Basic, an entry a pair."""

    def _save(self, pairs: list[TermPair]) -> None:
        source, target = self._langs
        entries = (
            TermEntry({source: [pair.source], target: [pair.target]}) for pair in pairs
        )
        write_tbx(self.paths[0], entries, self._langs, self.paths[0].stem)
