"""Methods to tell content from boilerplate, by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.cleaning.content.block_features import read_features
from ilspfc.cleaning.content.block_model import ParagraphModel, shipped_model
from ilspfc.cleaning.content.boilerpipe import mark_content
from ilspfc.cleaning.content.cohesion import lift_scores
from ilspfc.cleaning.content.frame import find_frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ilspfc.cleaning.blocks.parsed import ParsedPage
    from ilspfc.cleaning.content.block_features import PageFeatures

_LEAST = 1e-6
# Of the words of a menu at least this share is inside anchors.
_MENU_LINK_DENSITY = 0.8


def level_lists(
    probabilities: NDArray[np.float64], page: PageFeatures
) -> NDArray[np.float64]:
    """Return probabilities with those of list items replaced by the mean of their list.

    The mean is weighted by words. A list is thus kept or left out as a whole, with the
    lists inside it. A list of links is a menu or a table of contents, and no text.
    """
    items = page.surroundings.items()
    lists = page.surroundings.lists()[items]
    words = page.words[items]
    total = np.bincount(lists, words)
    mean = np.bincount(lists, probabilities[items] * words) / np.maximum(total, 1)
    links = np.bincount(lists, page.link_density[items] * words)
    mean[links > _MENU_LINK_DENSITY * total] = 0
    leveled = probabilities.copy()
    leveled[items] = mean[lists]
    return leveled


def page_scores(
    probabilities: NDArray[np.float64], words: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return scores of at least 0.5 for the blocks above the F1-optimal threshold.

    The threshold maximizes the expected F1 of a page by words (Lewis 1995, Ye et al. 2012)
    and differs from page to page; the scores are the probabilities with their odds divided
    by those of the threshold.
    """
    sure = np.clip(probabilities, _LEAST, 1 - _LEAST)
    order = np.argsort(-sure, kind="stable")
    mass = sure * words
    kept = np.cumsum(mass[order]) / (np.cumsum(words[order]) + mass.sum())
    bound = sure[order[int(np.argmax(kept))]]
    odds = sure / (1 - sure) * (1 - bound) / bound
    # The threshold itself scores 0.5, whatever the rounding.
    scores = odds / (1 + odds)
    return np.asarray(np.where(sure >= bound, np.maximum(scores, 0.5), scores))


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
    if backend != Backend.TRAFILATURA:
        return True
    return find_spec("trafilatura") is not None


def mark_learned(
    page: ParsedPage,
    title: str,
    *,
    threshold: float = 0.5,
    model: ParagraphModel | None = None,
) -> None:
    """Score the blocks of a page by a model, the one that ships if none is given.

    Blocks that score at least ``threshold`` are content.
    """
    if not page.blocks:
        return
    features = read_features(page, title)
    probabilities = (model or shipped_model()).predict(features)
    leveled = level_lists(probabilities, features)
    leveled[list(find_frame(page))] = 0
    scores = page_scores(leveled, features.words).tolist()
    lifted = lift_scores(page, scores, threshold)
    for block, score in zip(page.blocks, lifted, strict=True):
        block.score = score
        block.is_content = score >= threshold


def mark_by_trafilatura(page: ParsedPage, html: bytes) -> None:
    """Mark the blocks that trafilatura keeps of a page, given in UTF-8."""
    # An optional extra, and slow to import.
    import trafilatura  # noqa: PLC0415

    kept = trafilatura.extract(html.decode()) or ""
    marks = covered_blocks([block.text for block in page.blocks], kept)
    for block, mark in zip(page.blocks, marks, strict=True):
        block.is_content = mark


def mark_blocks(
    page: ParsedPage,
    backend: Backend,
    *,
    title: str,
    html: bytes,
    threshold: float,
) -> None:
    """Set ``is_content`` of the blocks of a page; ``html`` is its markup in UTF-8."""
    if backend is Backend.LEARNED:
        mark_learned(page, title, threshold=threshold)
    elif backend is Backend.BOILERPY3:
        mark_content(page.blocks)
    elif backend is Backend.TRAFILATURA:
        mark_by_trafilatura(page, html)
    else:
        for block in page.blocks:
            block.is_content = True
