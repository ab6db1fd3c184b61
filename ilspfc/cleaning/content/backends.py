"""The ways to tell content from boilerplate, by name."""

from __future__ import annotations

from enum import StrEnum
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ilspfc.cleaning.content.block_features import read_features
from ilspfc.cleaning.content.block_model import ParagraphModel, shipped_model
from ilspfc.cleaning.content.boilerpipe import mark_content
from ilspfc.cleaning.content.choice import level_lists, page_scores
from ilspfc.cleaning.content.containment import covered_blocks

if TYPE_CHECKING:
    from ilspfc.cleaning.blocks.parsed import ParsedPage


class Backend(StrEnum):
    """What decides which blocks are content: a value of CLEANING_BACKEND."""

    LEARNED = "learned"
    BOILERPY3 = "boilerpy3"
    TRAFILATURA = "trafilatura"
    NONE = "none"


def is_installed(backend: str) -> bool:
    """Return whether what a backend needs is there; trafilatura is an optional extra."""
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
    scores = page_scores(leveled, features.words).tolist()
    for block, score in zip(page.blocks, scores, strict=True):
        block.score = score
        block.is_content = score >= threshold


def mark_by_trafilatura(page: ParsedPage, text: str) -> None:
    """Mark the blocks that trafilatura keeps of a page, given as text."""
    # An optional extra, and slow to import.
    import trafilatura  # noqa: PLC0415

    kept = trafilatura.extract(text) or ""
    marks = covered_blocks([block.text for block in page.blocks], kept)
    for block, mark in zip(page.blocks, marks, strict=True):
        block.is_content = mark


def mark_blocks(
    page: ParsedPage,
    backend: Backend,
    *,
    title: str,
    text: str,
    threshold: float,
) -> None:
    """Set ``is_content`` of the blocks of a page; ``text`` is its HTML."""
    if backend is Backend.LEARNED:
        mark_learned(page, title, threshold=threshold)
    elif backend is Backend.BOILERPY3:
        mark_content(page.blocks)
    elif backend is Backend.TRAFILATURA:
        mark_by_trafilatura(page, text)
    else:
        for block in page.blocks:
            block.is_content = True
