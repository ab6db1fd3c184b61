"""Second opinion, by lingua and by whole words, on texts of which the n-gram model is not sure.

lingua knows fewer languages than the n-gram model, takes longer and has no notion of a
language that it was not asked for; on short texts in languages that are alike it is right
more often, and with the frequencies of words still more often. So both are asked where two
or more of the crawl's languages are in question, and about these alone: the probability
that they have together stays what it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ilspfc.language.word_frequencies import listed_languages, weigh_words
from ilspfc.text.scripts import SCRIPTS, likely_scripts_of

if TYPE_CHECKING:
    from lingua import Language, LanguageDetector

# A language is in question from this probability on.
_MIN_PROBABILITY = 0.01
# lingua rules languages out by single letters, which names and quotations bring along: a
# language that it rules out keeps this probability.
_MIN_OPINION = 0.001
# Shorter texts are names and labels, which are the same in many languages: they tell less.
_LABEL_CHARS = 20


@lru_cache(maxsize=1)
def _languages() -> dict[str, Language]:
    """Return lingua's languages by ISO 639-3 code."""
    from lingua import Language  # noqa: PLC0415

    return {_code_of(language): language for language in Language.all()}


def _code_of(language: Language) -> str:
    return language.iso_code_639_3.name.lower()


@lru_cache(maxsize=256)
def _detector(langs: tuple[str, ...]) -> LanguageDetector:
    """Return lingua's detector; what it knows of a language is loaded when it is asked."""
    from lingua import LanguageDetectorBuilder  # noqa: PLC0415

    languages = [_languages()[lang] for lang in langs]
    return LanguageDetectorBuilder.from_languages(*languages).build()


class SecondOpinion:
    """Weighs texts of which some of ``langs`` (ISO 639-3) are in question once more."""

    def __init__(self, langs: Iterable[str]) -> None:
        self._langs = tuple(langs)
        self._listed = [lang for lang in self._langs if lang in listed_languages()]
        # What it learned of each language is text in one script.
        self._scripts = [likely_scripts_of(lang) for lang in self._langs]

    def weigh(
        self,
        texts: Sequence[str],
        scripts: NDArray[np.integer],
        probabilities: NDArray[np.float64],
    ) -> None:
        """Share the probability of the languages in question by lingua's confidence and by words.

        ``probabilities`` has a row a text, and a column for each language and further ones,
        which stay as they are; ``scripts`` are the numbers of the texts' scripts.
        """
        own = probabilities[:, : len(self._langs)]
        is_open = own >= _MIN_PROBABILITY
        rows = np.flatnonzero(is_open.sum(axis=1) > 1).tolist()
        if not rows:
            return
        asked = [texts[row] for row in rows]
        for row, logs in zip(rows, weigh_words(asked, self._listed), strict=True):
            columns = self._known(np.flatnonzero(is_open[row]), int(scripts[row]))
            if len(columns) > 1:
                _share(own[row], columns, self._ask(texts[row], columns))
            known = [c for c in columns if self._langs[c] in self._listed]
            if len(known) > 1:
                these = logs[[self._listed.index(self._langs[c]) for c in known]]
                _share(own[row], known, np.exp(these - these.max()))

    def _known(self, columns: NDArray[np.intp], script: int) -> list[int]:
        """Return the columns of the languages that lingua knows in a script."""
        if script == len(SCRIPTS):  # several
            return []
        return [
            column
            for column in columns.tolist()
            if self._langs[column] in _languages()
            and SCRIPTS[script] in self._scripts[column]
        ]

    def _ask(self, text: str, columns: list[int]) -> NDArray[np.float64]:
        """Return the probability of the language of each column, in lingua's opinion."""
        detector = _detector(tuple(self._langs[column] for column in columns))
        values = {
            _code_of(value.language): value.value
            for value in detector.compute_language_confidence_values(text)
        }
        opinion = [values[self._langs[column]] for column in columns]
        weight = min(1.0, len(text) / _LABEL_CHARS)
        opinions: NDArray[np.float64] = np.maximum(opinion, _MIN_OPINION) ** weight
        return opinions


def _share(
    row: NDArray[np.float64], columns: list[int], factors: NDArray[np.float64]
) -> None:
    """Weigh some of the probabilities of a text by factors; their sum stays what it was."""
    found = row[columns]
    weighed = found * np.maximum(factors, _MIN_OPINION)
    row[columns] = weighed * (found.sum() / weighed.sum())
