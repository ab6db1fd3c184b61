"""Unwanted words: documents that hold one of them are left out (``-neg`` of ILSP-FC's manual)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ilspfc.text.words import split_folded


class UnwantedWords:
    """Finds words and phrases in texts, whatever their case.

    ILSP-FC looks for strings, also inside of words; here a phrase is a row of whole words,
    and a character is a word in scripts without blanks. Endings count: each form has to be
    given.

    >>> words = UnwantedWords(["cookie policy"])
    >>> words.are_in(["Our Cookie Policy:"]), words.are_in(["cookies, policy"])
    (True, False)
    """

    def __init__(self, phrases: Iterable[str]) -> None:
        folded = {_fold(phrase) for phrase in phrases} - {""}
        self._pattern = re.compile("|".join(map(re.escape, sorted(folded))))
        self._is_empty = not folded

    def are_in(self, texts: Iterable[str]) -> bool:
        """Test whether one of the texts holds one of the phrases."""
        if self._is_empty:
            return False
        return any(self._pattern.search(_fold(text)) for text in texts)


def _fold(text: str) -> str:
    """Return the words of a text between single blanks, one at each end."""
    words = " ".join(split_folded(text))
    return f" {words} " if words else ""
