"""Words and n-grams of words of a language with their frequencies, beside those of general language.

Keyness is the "simple maths" of Kilgarriff 2009 ("Simple maths for keywords"): the quotient of
frequencies per million, here and in general, each with one added. General frequencies are those of
the library ``wordfreq``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Self

from ilspfc.documents import Document
from ilspfc.exports.writers import FileWriter, Target
from ilspfc.text.codes import to_bcp47
from ilspfc.text.word_split import iter_spans, split_words

COLUMNS = ("words", "length", "frequency", "per_million", "documents", "keyness")
MAX_LENGTH = 3
"""Words of the longest n-grams."""
MAX_NGRAMS = 2_000_000
"""Different n-grams in memory; beyond, the rarest are forgotten."""
MAX_PARAGRAPHS = 2_000_000
"""Different paragraphs in memory; those that come later count as often as they occur."""
MIN_FREQUENCY = 3
"""Occurrences of an n-gram of two or three words in the file."""
COMMON_PER_MILLION = 500
"""An n-gram that begins or ends with a word of this frequency is no term: articles, prepositions."""
COMMONEST = 50
"""Where general frequencies are not known, this many words of the corpus are common."""
# N-grams do not cross these; a blank, a hyphen or an apostrophe parts words only.
_BREAK_RE = re.compile(r"[^\w\s'’\-‐]+|\n")
# Without spaces between words, ``wordfreq`` needs further packages to find them.
_UNSPACED = frozenset({"ja", "ko", "zh"})


class WordsWriter(FileWriter["Document"]):
    """Writes a TSV of words and of n-grams of two and three, by keyness and frequency.

    Words are in lower case. A paragraph counts once, however many documents have it. Scripts
    without spaces between words are counted by character and have no keyness, nor have
    languages that ``wordfreq`` does not know. Needs the extra ``words``.
    """

    def __init__(self, path: Path, lang: str) -> None:
        super().__init__(path)
        self._lang = lang

    @classmethod
    def open(cls, to: Target) -> Self:
        """Return the writer of a language."""
        return cls(to.paths[0], to.langs[0])

    def write(self, document: Document) -> None:
        """Count the clean text of a document."""
        here: Counter[str] = Counter()
        for paragraph in document.clean_paragraphs:
            if (known := hash(paragraph.text)) in self._known:
                self.counts["exports/repeated_paragraphs"] += 1
                continue
            if len(self._known) < MAX_PARAGRAPHS:
                self._known.add(known)
            here.update(iter_ngrams(paragraph.text))
        self._size += sum(n for words, n in here.items() if " " not in words)
        self._frequency.update(here)
        self._documents.update(here.keys())
        if len(self._frequency) > MAX_NGRAMS:
            self._forget_rare()

    def _forget_rare(self) -> None:
        """Forget the rarest n-grams, half of them: not each document may lead to a search."""
        bound = sorted(self._frequency.values())[len(self._frequency) // 2]
        for rare in [one for one, n in self._frequency.items() if n <= bound]:
            del self._frequency[rare], self._documents[rare]
            self.counts["exports/forgotten_ngrams"] += 1

    def _open(self) -> None:
        self._frequency: Counter[str] = Counter()
        self._documents: Counter[str] = Counter()
        self._known: set[int] = set()
        self._size = 0
        super()._open()

    def _finish(self) -> None:
        lines = ("\t".join(row) + "\n" for row in (COLUMNS, *self._rows()))
        self._files[0].write("".join(lines).encode())

    def _rows(self) -> Iterator[tuple[str, ...]]:
        """Yield the rows: words before longer n-grams, each by keyness, then frequency."""
        general = general_frequencies(self._lang)
        commonest = {one for one, _ in self._frequency.most_common(COMMONEST)}
        rows = []
        for words, frequency in self._frequency.items():
            first, *rest = words.split(" ")
            per_million = 1e6 * frequency / self._size
            keyness = 0.0
            if rest:
                ends = first, rest[-1]
                if general:
                    is_common = has_common_end(words, general)
                else:
                    is_common = not commonest.isdisjoint(ends)
                if is_common or frequency < MIN_FREQUENCY:
                    continue
            elif general:
                keyness = measure_keyness(per_million, general(words))
            rows.append((len(rest), -keyness, -frequency, words, per_million))
        for further, minus_keyness, minus_frequency, words, per_million in sorted(rows):
            yield (
                words,
                str(further + 1),
                str(-minus_frequency),
                f"{per_million:.1f}",
                str(self._documents[words]),
                f"{-minus_keyness:.2f}" if minus_keyness else "",
            )


def iter_ngrams(text: str, longest: int = MAX_LENGTH) -> Iterator[str]:
    """Yield the words of a text in lower case, and its n-grams, their words joined by blanks.

    >>> list(iter_ngrams("Lärm, Staub im Betrieb"))
    ['lärm', 'staub', 'staub im', 'staub im betrieb', 'im', 'im betrieb', 'betrieb']
    """
    for part in _BREAK_RE.split(text):
        words = split_words(part)
        for start, end in iter_spans(len(words), longest):
            yield " ".join(words[start:end])


def has_common_end(ngram: str, general: Callable[[str], float]) -> bool:
    """Test whether an n-gram begins or ends with a common word, by general frequencies."""
    words = ngram.split(" ")
    return max(general(words[0]), general(words[-1])) >= COMMON_PER_MILLION


def measure_keyness(per_million: float, general: float) -> float:
    """Return the quotient of frequencies per million, here and in general, each with one added."""
    return (per_million + 1) / (general + 1)


def general_frequencies(lang: str) -> Callable[[str], float] | None:
    """Return a function from a word to its general frequency per million, None without a list."""
    import wordfreq  # noqa: PLC0415 - an extra

    code = to_bcp47(lang)
    if code not in wordfreq.available_languages() or code in _UNSPACED:
        return None

    @lru_cache(maxsize=100_000)
    def frequency(word: str) -> float:
        return 1e6 * wordfreq.word_frequency(word, code)

    return frequency
