"""Passages of texts around the words of a search.

FTS5 makes them too, in a time that grows with the square of the words found: of a page that
says one word 40,000 times it is half a minute, which nothing can interrupt.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import islice

from ilspfc.exceptions import ArgumentError

_MAX_WORDS = 32
_MAX_CHARS = 500
_PASSAGE_CHARS = 160
_LEAD_CHARS = 40
_MAX_PLACES = 50


def split_words(text: str) -> list[str]:
    """Return the distinct words of a search; ArgumentError for none and for too many.

    >>> split_words("Honig  HONIG Biene")
    ['HONIG', 'Biene']
    """
    # SQLite ends a query at a NUL.
    words = {word.casefold(): word for word in text.replace("\0", " ").split()}
    if not words:
        raise ArgumentError("There is no word to search for.")
    if len(words) > _MAX_WORDS or sum(map(len, words)) > _MAX_CHARS:
        limits = f"{_MAX_WORDS} words and {_MAX_CHARS} characters"
        raise ArgumentError(f"Give at most {limits} to search for.")
    return list(words.values())


class PassageFinder:
    """Finds the passage of a text that has most of some words."""

    def __init__(self, words: list[str]) -> None:
        folded = sorted((word.translate(_BASES) for word in words), key=len)[::-1]
        self._word_re = re.compile(rf"\b(?:{'|'.join(map(re.escape, folded))})\b")

    def find(self, text: str) -> str:
        """Return a passage with the words in brackets, else the beginning of the text."""
        matches = self._word_re.finditer(text.translate(_BASES))
        found = list(islice(matches, _MAX_PLACES))
        places = [match.start() for match in found]

        def count(start: int) -> int:
            near = range(start, start + _PASSAGE_CHARS)
            return len({match[0] for match in found if match.start() in near})

        first = max(places, key=count, default=0)
        begin = _step_back(text, max(0, first - _LEAD_CHARS))
        end = first + _PASSAGE_CHARS
        end = _step_back(text, end) if end < len(text) else len(text)
        parts, at = ["… " if begin else ""], begin
        for match in found:
            if begin <= match.start() and match.end() <= end:
                parts += [text[at : match.start()], f"[{text[slice(*match.span())]}]"]
                at = match.end()
        return "".join([*parts, text[at:end], " …" if end < len(text) else ""])


def _step_back(text: str, place: int) -> int:
    """Return the beginning of the word at a place, the place itself if that is far."""
    return text.rfind(" ", max(0, place - _LEAD_CHARS), place) + 1 or place


class _Bases(dict[int, str]):
    """Characters in lower case without marks, each as one, as ``str.translate`` takes them."""

    def __missing__(self, code: int) -> str:
        parts = unicodedata.normalize("NFD", chr(code))
        is_marked = all(map(unicodedata.combining, parts[1:]))
        base = (parts[0] if is_marked else chr(code)).lower()
        self[code] = base if len(base) == 1 else chr(code)
        return self[code]


_BASES = _Bases()
