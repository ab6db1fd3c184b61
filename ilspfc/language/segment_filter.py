"""Filter of segments in another language than their pages, for millions of segments.

The log odds of each word are looked up and added. Only where the sum leaves a doubt is the
segment itself identified, at ten times the cost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ilspfc.text.log_odds import to_log_odds
from ilspfc.text.word_split import UNSPACED

if TYPE_CHECKING:
    from ilspfc.language.identification import PageIdentifier

MIN_CHARS = 20
"""Characters of the shortest segment whose language is identified."""

MAX_CHARS = 100
"""Characters of a segment that are read."""

FIRST_WORDS = 8
"""Words of a segment, the first ones, that are looked up."""

MAX_WORDS = 40_000
"""Words in memory, the first ones met: the frequent ones are among them."""

# How much likelier than another language that of the page is for each word, as log odds.
# Chosen on the calibration part of the data of evaluation/language.py.
_WORD_ODDS = 3.0
# Log odds of a word that is not in memory: a foreign segment has many of them.
_UNKNOWN_ODDS = -3.0
# Words learned at a time, which bounds memory.
_WORDS_AT_ONCE = 1_000

_UNSPACED_RE = re.compile(f"[{UNSPACED}]")
# Words of more characters, on average, are none: there are no blanks between them.
_MEAN_CHARS = 12


class _Odds(dict[str, float]):
    """Log odds of words; ``asked`` are those that it was asked for and does not have."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: dict[str, None] = {}

    def __missing__(self, word: str) -> float:
        self.asked[word] = None
        return _UNKNOWN_ODDS


class SegmentJudge:
    """Finds segments in another language on pages in one language (ISO 639-3)."""

    def __init__(self, identifier: PageIdentifier, lang: str) -> None:
        self._identifier = identifier
        self._lang = lang
        self._odds = _Odds()

    def find_foreign(self, texts: Sequence[str]) -> list[bool]:
        """Return a flag for each text in another language; never for short ones."""
        foreign = [False] * len(texts)
        doubtful = self.find_doubtful(texts)
        cut = [texts[number][:MAX_CHARS] for number in doubtful]
        verdicts = self._identifier.identify(cut, self._lang)
        for number, verdict in zip(doubtful, verdicts, strict=True):
            foreign[number] = verdict.lang != self._lang
        return foreign

    def find_doubtful(self, texts: Sequence[str]) -> list[int]:
        """Return the numbers of the texts whose words do not tell that they are its own."""
        numbers = [n for n, text in enumerate(texts) if len(text) >= MIN_CHARS]
        rows = [_split(texts[number]) for number in numbers]
        sums = self._add_up(rows)
        if self._learn():
            sums = self._add_up(rows)
        return [n for n, odds in zip(numbers, sums, strict=True) if odds < 0]

    def _add_up(self, rows: Iterable[list[str]]) -> list[float]:
        look_up = self._odds.__getitem__
        return [sum(map(look_up, row)) for row in rows]

    def _learn(self) -> bool:
        """Remember what new words say, as long as there is room; return if there were any."""
        words = list(self._odds.asked)[: max(MAX_WORDS - len(self._odds), 0)]
        self._odds.asked.clear()
        for start in range(0, len(words), _WORDS_AT_ONCE):
            some = words[start : start + _WORDS_AT_ONCE]
            padded = [f" {word} " for word in some]
            shares = self._identifier.weigh_words(padded, self._lang)
            odds = to_log_odds(shares) + _WORD_ODDS
            self._odds.update(zip(some, odds.tolist(), strict=True))
        return bool(words)


def _split(text: str) -> list[str]:
    """Return the first words; of a text without blanks between them, pairs of characters."""
    text = text.replace("\u200b", " ")
    words = text.split(maxsplit=FIRST_WORDS)[:FIRST_WORDS]
    is_spaced = len(words) == FIRST_WORDS or len(words) * _MEAN_CHARS > len(text)
    if is_spaced or not _UNSPACED_RE.search(text):
        return words
    start = text[: 4 * FIRST_WORDS]
    return [start[place : place + 2] for place in range(0, len(start), 2)]
