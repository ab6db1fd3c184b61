"""Methods to tell content from boilerplate, by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ilspfc.cleaning.content.choice import mark_learned

if TYPE_CHECKING:
    from ilspfc.cleaning.blocks.parsed import ParsedPage


_WORD_RE = re.compile(r"\w+")
_CONTENT_SHARE = 0.5
_NEAR_BLOCKS = 5


def words_of(text: str) -> list[str]:
    """Return the words that are compared, lower-cased."""
    return _WORD_RE.findall(text.lower())


def _covered(words: Sequence[str], wanted: Sequence[str]) -> list[bool]:
    """Mark the words in runs of three that occur in ``wanted`` as well."""
    runs = set(zip(wanted, wanted[1:], wanted[2:], strict=False))
    covered = [False] * len(words)
    for place, run in enumerate(zip(words, words[1:], words[2:], strict=False)):
        if run in runs:
            covered[place] = covered[place + 1] = covered[place + 2] = True
    return covered


def covered_blocks(texts: Sequence[str], reference: str) -> list[bool]:
    """Mark the blocks that a reference text contains.

    At least half of the words of such a block stand in a run of three, neighboring blocks
    included, that occurs in the reference. Of blocks with the same text as many are marked
    as occur in the reference, those with the most contained text around them.
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
            max(index - _NEAR_BLOCKS, 0), min(index + _NEAR_BLOCKS + 1, len(blocks))
        )
        return sum(weights[one] / (1 + abs(one - index)) for one in near)

    for text, indices in places.items():
        if len(indices) > 1:
            held = max(reference.count(f" {text} "), 1)
            ranked = sorted(indices, key=lambda index: (-around(index), index))
            for index in ranked[held:]:
                marks[index] = False


class Backend(StrEnum):
    """Method to tell content from boilerplate: a value of CLEANING_BACKEND."""

    LEARNED = "learned"
    BOILERPY3 = "boilerpy3"
    TRAFILATURA = "trafilatura"
    NONE = "none"


def is_installed(backend: str) -> bool:
    """Test whether a backend can be used; trafilatura is an optional extra."""
    return backend != Backend.TRAFILATURA or find_spec("trafilatura") is not None


def mark_blocks(
    page: ParsedPage, backend: Backend, *, title: str, html: bytes, threshold: float
) -> None:
    """Set ``is_content`` of the blocks of a page; ``html`` is its markup in UTF-8."""
    if backend is Backend.LEARNED:
        mark_learned(page, title, threshold=threshold)
    elif backend is Backend.BOILERPY3:
        # Takes a tenth of a second to load, and is not the default.
        from ilspfc.cleaning.content.boilerpipe import mark_content  # noqa: PLC0415

        mark_content(page.blocks)
    elif backend is Backend.TRAFILATURA:
        # An optional extra, and slow to import.
        import trafilatura  # noqa: PLC0415

        kept = trafilatura.extract(html.decode()) or ""
        marks = covered_blocks([block.text for block in page.blocks], kept)
        for block, mark in zip(page.blocks, marks, strict=True):
            block.is_content = mark
    else:
        for block in page.blocks:
            block.is_content = True
