"""The length of a segment, comparable across scripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ilspfc.text.arrays import FloatArray

# Latin characters that one character of these scripts stands for: measured on pages with
# the same blocks in English and Chinese, Japanese or Korean, and rounded. The ratio of
# the pair corrects what is left; the weights keep the lengths of mixed text comparable.
HAN_WEIGHT = 3.0
KANA_WEIGHT = 1.5
HANGUL_WEIGHT = 2.5

_BLANKS_RE = re.compile(r"\s+")
_WIDE_RE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def measure_length(text: str) -> float:
    """Return the length of a text in characters without blanks, as Latin ones.

    Never less than 1, so that empty segments have a place in the model.

    >>> measure_length("two words")
    8.0
    >>> measure_length("你好。")
    7.0
    """
    length = float(len(_BLANKS_RE.sub("", text)))
    for character in _WIDE_RE.findall(text):
        length += _weigh(character) - 1.0
    return max(length, 1.0)


def _weigh(character: str) -> float:
    """Return how many Latin characters a character of East Asia stands for."""
    if character <= "\u30ff":
        return KANA_WEIGHT
    return HANGUL_WEIGHT if "\uac00" <= character <= "\ud7af" else HAN_WEIGHT


def measure_lengths(texts: Iterable[str]) -> FloatArray:
    """Return the lengths of texts, shape (number of texts,)."""
    return np.array([measure_length(text) for text in texts], dtype=np.float64)
