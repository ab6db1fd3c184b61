"""Scripts of texts and of languages."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import langcodes
import numpy as np
from numpy.typing import NDArray

_DATA = tomllib.loads(files(__package__).joinpath("scripts.toml").read_text("utf-8"))
_BLOCKS: dict[str, str] = _DATA["blocks"]
SCRIPTS = tuple(_BLOCKS)
#: The number of a text in no one script; of a character, that it is a symbol.
MIXED = len(SCRIPTS)
# The number of characters in any text.
_NEUTRAL = MIXED + 1

# How many letters of an alphabet one of each script says as much as.
_WEIGHTS = np.array([_DATA["weights"].get(script, 1.0) for script in SCRIPTS])

# A script decides where it has this share of the letters; names are often in another.
MIN_SHARE = 0.8
# Case is looked for up to here: beyond are no scripts with capitals that a model knows.
_CASED_END = 0x2000


@lru_cache(maxsize=256)
def scripts_of(lang: str) -> frozenset[str]:
    """Return the scripts (ISO 15924) that a language is written in; empty if not known.

    >>> sorted(scripts_of("ell")), sorted(scripts_of("srp")), sorted(scripts_of("jpn"))
    (['Grek'], ['Cyrl', 'Latn'], ['Hani', 'Kana'])
    """
    return likely_scripts_of(lang) | frozenset(_DATA["further"].get(lang, ()))


@lru_cache(maxsize=256)
def likely_scripts_of(lang: str) -> frozenset[str]:
    """Return the script that most text in a language is in: its parts where it mixes some.

    >>> sorted(likely_scripts_of("srp")), sorted(likely_scripts_of("jpn"))
    (['Cyrl'], ['Hani', 'Kana'])
    """
    try:
        likely = langcodes.Language.get(lang).maximize().script or ""
    except (langcodes.tag_parser.LanguageTagError, LookupError):
        likely = ""
    return frozenset(_DATA["parts"].get(likely, (likely,) if likely in _BLOCKS else ()))


@lru_cache(maxsize=1)
def _tables() -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """Return the script of each code point, and its case (1 upper, -1 lower)."""
    scripts = np.full(0x110000, MIXED, dtype=np.uint8)
    numbered = [*enumerate(_BLOCKS.values()), (_NEUTRAL, _DATA["neutral"]["blocks"])]
    for number, blocks in numbered:
        for block in blocks.split():
            first, last = (int(end, 16) for end in block.split("-"))
            scripts[first : last + 1] = number
    case = np.zeros(0x110000, dtype=np.int8)
    characters = map(chr, range(_CASED_END))
    case[:_CASED_END] = [c.isupper() - c.islower() for c in characters]
    return scripts, case


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters of texts: how many of each script (a column for each of ``SCRIPTS``).

    ``symbols`` are the characters that are neither letters nor digits nor punctuation; a
    text is in capitals (``is_upper``) where they are more than its small letters.
    """

    counts: NDArray[np.int64]
    symbols: NDArray[np.int64]
    is_upper: NDArray[np.bool_]

    @property
    def totals(self) -> NDArray[np.int64]:
        """The number of letters of each text."""
        totals: NDArray[np.int64] = self.counts.sum(axis=1)
        return totals

    def find_scripts(self, selected: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return the number of the script of each text, and of those selected together.

        It is ``MIXED`` where no script has 80 % of the letters, or where there are none.
        """
        counts = np.vstack([self.counts, self._add_up(selected)])
        totals = counts.sum(axis=1)
        is_clear = (totals > 0) & (counts.max(axis=1) >= MIN_SHARE * totals)
        return np.where(is_clear, counts.argmax(axis=1), MIXED)

    def _add_up(self, selected: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the number of letters of each script in the texts selected.

        A character of words or syllables counts as the letters that it says as much as where
        an alphabet is beside it in its text: what is in that are often names.
        """
        counts = self.counts[selected]
        weighted = counts * _WEIGHTS
        shares = weighted @ (_WEIGHTS == 1) / np.maximum(weighted.sum(axis=1), 1)
        is_mixed = (shares > 1 - MIN_SHARE) & (shares < MIN_SHARE)
        added: NDArray[np.float64] = np.where(is_mixed[:, None], weighted, counts).sum(
            axis=0
        )
        return added


def scripts_in(text: str) -> frozenset[str]:
    """Return the scripts (ISO 15924) that a good part of a text is written in.

    >>> sorted(scripts_in("Das ist Deutsch, не русский текст и не греческий"))
    ['Cyrl', 'Latn']
    """
    counts = count_letters([text]).counts[0]
    shares = counts / max(counts.sum(), 1)
    return frozenset(SCRIPTS[n] for n in np.flatnonzero(shares >= 1 - MIN_SHARE))


def count_letters(texts: Sequence[str]) -> Letters:
    """Return the letters of texts."""
    scripts, case = _tables()
    joined = "".join(texts).encode("utf-32-le", "surrogatepass")
    points = np.frombuffer(joined, dtype=np.uint32)
    owners = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    kinds = _NEUTRAL + 1
    counts = np.bincount(
        owners * kinds + scripts[points], minlength=len(texts) * kinds
    ).reshape(len(texts), kinds)
    balance = np.bincount(owners, weights=case[points], minlength=len(texts))
    return Letters(counts[:, :MIXED], counts[:, MIXED], balance > 0)
