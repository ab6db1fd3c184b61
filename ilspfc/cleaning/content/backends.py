"""Methods to tell content from boilerplate, by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache
from importlib.util import find_spec
from math import inf
from pkgutil import resolve_name
from textwrap import shorten

from ilspfc.cleaning.blocks.parsed import ParsedPage
from ilspfc.cleaning.content.choice import mark_learned
from ilspfc.documents import Document

Extract = Callable[[bytes, str], str | list[str]]
"""A function of the user's: markup in UTF-8 and URL of a page to the lines of its text."""

ASKED_BELOW = 0.8
"""Expected F1 of a page below which ``learned,PATH`` asks the function of the user's.

Of the pages of CleanEval .05 are below, and 7 of the 14 whose F1 is below .5.
"""

_MAX_ERROR_CHARS = 200
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


def split_backend(value: str) -> tuple[Backend, str, float]:
    """Return the backend that CLEANING_BACKEND names, and whom it asks: a path and a bound.

    The function of the user's at the path is asked for pages with a lower expected F1.
    ValueError for a value that is none.

    >>> split_backend("none"), split_backend("mine.extract")[1:]
    ((<Backend.NONE: 'none'>, '', 0.0), ('mine.extract', inf))
    """
    name, comma, path = map(str.strip, value.partition(","))
    if comma and path and name == Backend.LEARNED:
        return Backend.LEARNED, path, ASKED_BELOW
    if "." in value and not comma:
        return Backend.LEARNED, name, inf
    return Backend(value), "", 0.0


@cache
def load_function(path: str) -> Extract:
    """Return the function of the user's at a Python path; its module may raise anything."""
    function: Extract = resolve_name(path)
    if not callable(function):
        problem = f"{path} is no function"
        raise TypeError(problem)
    return function


def mark_blocks(
    page: ParsedPage, document: Document, backend: str, *, html: bytes, threshold: float
) -> None:
    """Set ``is_content`` of the blocks of a page; ``html`` is its markup in UTF-8.

    The document gets the expected F1 of the learned result where that stays, and the error of
    a function of the user's.
    """
    name, path, bound = split_backend(backend)
    if name is Backend.LEARNED:
        score = mark_learned(page, document.metadata.title, threshold=threshold)
        if path and score is not None and score < bound:
            document.backend_error = _ask(path, page, html, document.url)
            score = score if document.backend_error else None
        document.cleaning_score = None if score is None else round(score, 3)
    elif name is Backend.BOILERPY3:
        # Takes a tenth of a second to load, and is not the default.
        from ilspfc.cleaning.content.boilerpipe import mark_content  # noqa: PLC0415

        mark_content(page.blocks)
    elif name is Backend.TRAFILATURA:
        # An optional extra, and slow to import.
        import trafilatura  # noqa: PLC0415

        _mark_covered(page, trafilatura.extract(html.decode()) or "")
    else:
        for block in page.blocks:
            block.is_content = True


def _mark_covered(page: ParsedPage, kept: str) -> None:
    marks = covered_blocks([block.text for block in page.blocks], kept)
    for block, mark in zip(page.blocks, marks, strict=True):
        block.is_content, block.score = mark, None


def _read_answer(answer: object) -> str:
    if isinstance(answer, str | list):
        return answer if isinstance(answer, str) else "\n".join(answer)
    problem = f"gave {type(answer).__name__}, no text"
    raise TypeError(problem)


def _ask(path: str, page: ParsedPage, html: bytes, url: str) -> str:
    """Mark blocks by a function of the user's; return its error, which leaves them as they are."""
    try:
        kept = _read_answer(load_function(path)(html, url))
    except Exception as error:  # noqa: BLE001 - code of the user's
        problem = f"{path}: {type(error).__name__}: {error}"
        return shorten(problem, _MAX_ERROR_CHARS, placeholder=" …")
    _mark_covered(page, kept)
    return ""
