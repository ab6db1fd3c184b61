"""Scripts of texts and of languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import langcodes
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# ISO 15924 codes; blocks of the Unicode Character Database (Blocks.txt), letters alone.
_BLOCKS = {
    "Latn": "0041-005A 0061-007A 00AA-00AA 00BA-00BA 00C0-00D6 00D8-00F6 00F8-02AF 1D00-1DBF"
    " 1E00-1EFF 2C60-2C7F A720-A7FF AB30-AB6F FB00-FB06 FF21-FF3A FF41-FF5A",
    "Grek": "0370-03FF 1F00-1FFF",
    "Cyrl": "0400-052F 1C80-1C8F 2DE0-2DFF A640-A69F",
    "Armn": "0531-058F",
    "Hebr": "05D0-05FF FB1D-FB4F",
    "Arab": "0620-065F 066E-06FF 0750-077F 08A0-08FF FB50-FDFF FE70-FEFE",
    "Thaa": "0780-07BF",
    "Deva": "0900-0963 0970-097F A8E0-A8FF",
    "Beng": "0980-09E3 09F0-09FF",
    "Guru": "0A00-0A65 0A70-0A7F",
    "Gujr": "0A80-0AE3 0AF9-0AFF",
    "Orya": "0B00-0B63 0B70-0B7F",
    "Taml": "0B80-0BE5",
    "Telu": "0C00-0C63",
    "Knda": "0C80-0CE3",
    "Mlym": "0D00-0D63",
    "Sinh": "0D80-0DE5",
    "Thai": "0E01-0E4E",
    "Laoo": "0E80-0ECF 0EDC-0EDF",
    "Tibt": "0F00-0F1F 0F34-0FFF",
    "Mymr": "1000-103F 1050-109F AA60-AA7F",
    "Geor": "10A0-10FF 1C90-1CBF 2D00-2D2F",
    "Hang": "1100-11FF 3130-318F A960-A97F AC00-D7FF",
    "Ethi": "1200-139F 2D80-2DDF",
    "Cher": "13A0-13FF AB70-ABBF",
    "Cans": "1400-167F",
    "Khmr": "1780-17DF",
    "Mong": "1820-18AF",
    "Tfng": "2D30-2D7F",
    "Kana": "3041-30FF 31F0-31FF FF66-FF9F",
    "Hani": "3005-3007 3400-4DBF 4E00-9FFF F900-FAFF 20000-3FFFF",
}
_NEUTRAL_BLOCKS = (
    "0000-0022 0027-0029 002C-002E 0030-003B 003F-003F 00A0-00A1 00AB-00AB 00BB-00BB"
    " 00BF-00BF 0300-036F 0964-0965 2000-206F 3000-3003 3008-3020 FF01-FF0F FF1A-FF20"
)
SCRIPTS = tuple(_BLOCKS)
#: The number of a text in no one script; of a character, that it is a symbol.
MIXED = len(SCRIPTS)
# The number of characters in any text: blanks, punctuation, digits.
_NEUTRAL = MIXED + 1

# Scripts that Unicode has one code for where a language mixes several.
_PARTS = {
    "Hans": ("Hani",),
    "Hant": ("Hani",),
    "Jpan": ("Kana", "Hani"),
    "Kore": ("Hang", "Hani"),
    "Hrkt": ("Kana",),
}
# The further scripts of languages that are written in more than their likely one (CLDR).
_FURTHER = {
    **dict.fromkeys(("aze", "kur", "tat", "tuk", "uig"), ("Latn", "Cyrl", "Arab")),
    **dict.fromkeys(("kaz", "kir", "uzb"), ("Latn", "Cyrl", "Arab")),
    **dict.fromkeys(("srp", "crh", "ron", "tgk"), ("Latn", "Cyrl")),
    **dict.fromkeys(("hau", "msa", "fuv"), ("Latn", "Arab")),
    "mon": ("Cyrl", "Mong"),
    "pan": ("Guru", "Arab"),
    "snd": ("Arab", "Deva"),
    "kab": ("Latn", "Tfng"),
    "yue": ("Hani",),
}
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
    return likely_scripts_of(lang) | frozenset(_FURTHER.get(lang, ()))


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
    return frozenset(_PARTS.get(likely, (likely,) if likely in _BLOCKS else ()))


@lru_cache(maxsize=1)
def _tables() -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """Return the script of each code point, and its case (1 upper, -1 lower)."""
    scripts = np.full(0x110000, MIXED, dtype=np.uint8)
    for number, blocks in enumerate(_BLOCKS.values()):
        for block in blocks.split():
            first, last = (int(end, 16) for end in block.split("-"))
            scripts[first : last + 1] = number
    for block in _NEUTRAL_BLOCKS.split():
        first, last = (int(end, 16) for end in block.split("-"))
        scripts[first : last + 1] = _NEUTRAL
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
        together = self.counts[selected].sum(axis=0)
        counts = np.vstack([self.counts, together])
        totals = counts.sum(axis=1)
        is_clear = (totals > 0) & (counts.max(axis=1) >= MIN_SHARE * totals)
        return np.where(is_clear, counts.argmax(axis=1), MIXED)


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
