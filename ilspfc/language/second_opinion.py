"""Second opinion, by lingua and by whole words, on texts of which the n-gram model is not sure.

lingua knows fewer languages than the n-gram model, takes longer and has no notion of a
language that it was not asked for; on short texts in languages that are alike it is right
more often, and with the frequencies of words still more often. So both are asked where two
or more of the crawl's languages are in question, and about these alone: the probability
that they have together stays what it was.

Whole words tell close languages apart where n-grams of characters do not (the idea of HeLI:
Jauhiainen et al. 2016, "HeLI, a Word-Based Backoff Method for Language Identification").
``words.npz`` has the commonest ones and is made by ``python -m evaluation.train_words``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ilspfc.text.scripts import SCRIPTS, likely_scripts_of

if TYPE_CHECKING:
    from lingua import Language, LanguageDetector

    Words = tuple[NDArray[np.uint32], NDArray[np.float64]]

# A language is in question from this probability on.
_MIN_PROBABILITY = 0.01
# lingua rules languages out by single letters, which names and quotations bring along: a
# language that it rules out keeps this probability.
_MIN_OPINION = 0.001
# Shorter texts are names and labels, which are the same in many languages: they tell less.
_LABEL_CHARS = 20


@lru_cache(maxsize=1)
def _languages() -> dict[str, Language]:
    """Return lingua's languages by ISO 639-3 code, none where it was left out."""
    try:
        from lingua import Language  # noqa: PLC0415
    except ImportError:
        return {}
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


# -- frequencies of words ----------------------------------------------------------------

WORDS_NAME = "words.npz"
STEP = 0.1
"""A level is so much of a natural logarithm, from frequency 1 down."""
FLOOR = 1e-6
"""Added to each frequency: about that of a word that is in no list."""
_UNLISTED = np.log(FLOOR)
# Of the logarithms of the frequencies. Words of a text depend on one another, and lists hold
# words of other languages. Chosen with the floor and the number of words on the calibration
# part of pairs of words in ten groups of close languages: of .5, .7 and 1, with 1e-7 and 1e-6
# and 5,000 to 60,000 words all are within .01 (.831 without words, .866 with them).
_WEIGHT = 0.7
# The first words of a text say enough.
_MAX_WORDS = 50
_WORD_RE = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def word_key(word: str) -> int:
    """Return the key of a word in lower case, of 32 bits."""
    return crc32(word.encode("utf-8", "surrogatepass"))


@lru_cache(maxsize=1)
def listed_languages() -> frozenset[str]:
    """Return the ISO 639-3 codes of the languages that have a list."""
    with _open() as arrays:
        return frozenset(name for name in arrays.files if "." not in name)


@lru_cache(maxsize=64)
def _read(lang: str) -> Words:
    """Return the keys of a language's words, ascending, and the logarithms of their frequencies."""
    with _open() as arrays:
        keys = np.cumsum(arrays[lang], dtype=np.uint32)
        return keys, np.log(np.exp(-STEP * arrays[f"{lang}.levels"]) + FLOOR)


@contextmanager
def _open() -> Iterator[np.lib.npyio.NpzFile[Any]]:
    path = resources.files("ilspfc.language") / WORDS_NAME
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        yield arrays


def weigh_words(texts: Sequence[str], langs: Sequence[str]) -> NDArray[np.float64]:
    """Return log likelihoods of texts in languages that have a list, with the shape (texts, langs)."""
    keys: list[int] = []
    ends = []
    for text in texts:
        words = islice(_WORD_RE.findall(text.lower()), _MAX_WORDS)
        keys += map(word_key, words)
        ends.append(len(keys))
    sought = np.array(keys, np.uint32)
    sums = np.zeros((len(keys) + 1, len(langs)))
    for number, lang in enumerate(langs):
        listed, values = _read(lang)
        places = np.minimum(np.searchsorted(listed, sought), len(listed) - 1)
        is_listed = listed[places] == sought
        np.cumsum(np.where(is_listed, values[places], _UNLISTED), out=sums[1:, number])
    totals: NDArray[np.float64] = np.diff(sums[ends], axis=0, prepend=0)
    return _WEIGHT * totals
