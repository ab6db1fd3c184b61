"""Which blocks of a page another text of the same page holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD_RE = re.compile(r"\w+")
_CONTENT_SHARE = 0.5
_NEIGHBORS = 5


def words_of(text: str) -> list[str]:
    """Return the words that are compared, lower-cased."""
    return _WORD_RE.findall(text.lower())


def _covered(words: Sequence[str], wanted: Sequence[str]) -> list[bool]:
    """Return of each word whether it is one of three in a row that are wanted in a row."""
    runs = set(zip(wanted, wanted[1:], wanted[2:], strict=False))
    covered = [False] * len(words)
    for place, run in enumerate(zip(words, words[1:], words[2:], strict=False)):
        if run in runs:
            covered[place] = covered[place + 1] = covered[place + 2] = True
    return covered


def covered_blocks(texts: Sequence[str], reference: str) -> list[bool]:
    """Return of each block whether the reference text holds it.

    It does when at least half of the block's words stand in a run of three, the words of
    its neighbors among them, that the reference has too. Of blocks with the same text as
    many are held as the reference has, those with most such text around them.
    """
    blocks = [words_of(text) for text in texts]
    wanted = words_of(reference)
    covered = _covered([word for block in blocks for word in block], wanted)
    marks, place = [], 0
    for block in blocks:
        share = sum(covered[place : place + len(block)]) / max(len(block), 1)
        marks.append(bool(block) and share >= _CONTENT_SHARE)
        place += len(block)
    _thin_repeats(blocks, marks, f" {' '.join(wanted)} ")
    return marks


def _thin_repeats(blocks: list[list[str]], marks: list[bool], reference: str) -> None:
    places: dict[str, list[int]] = {}
    for index, (block, mark) in enumerate(zip(blocks, marks, strict=True)):
        if mark:
            places.setdefault(" ".join(block), []).append(index)
    weights = [
        len(block) if mark else 0 for block, mark in zip(blocks, marks, strict=True)
    ]

    def around(index: int) -> float:
        near = range(
            max(index - _NEIGHBORS, 0), min(index + _NEIGHBORS + 1, len(blocks))
        )
        return sum(weights[one] / (1 + abs(one - index)) for one in near)

    for text, indices in places.items():
        if len(indices) > 1:
            held = max(reference.count(f" {text} "), 1)
            ranked = sorted(indices, key=lambda index: (-around(index), index))
            for index in ranked[held:]:
                marks[index] = False
