"""Blocks that are content together: code and the prose between it, headings and their text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ilspfc.cleaning.blocks.tags import HEADING_TAGS, PREFORMATTED_TAGS

if TYPE_CHECKING:
    from ilspfc.cleaning.blocks.parsed import Block, ParsedPage

# On longer blocks the model can be relied.
_MAX_WORDS = 50


def lift_scores(
    page: ParsedPage, scores: Sequence[float], threshold: float
) -> list[float]:
    """Return scores with those of blocks raised that belong to content.

    ``threshold`` is the score of content. Prose between code and before it is short, and the
    model takes it for boilerplate: in a run of prose and code half of whose blocks are
    content, short code is, too, and short prose beside code, up to the last code. A heading
    has the mean score of itself and of the content below it.
    """
    lifted = list(scores)
    _lift_runs(page, lifted, threshold)
    _lift_headings(page.blocks, lifted, threshold)
    return lifted


def _lift_runs(page: ParsedPage, scores: list[float], threshold: float) -> None:
    end = 0
    for place, block in enumerate(page.blocks):
        if place < end or not (_is_code(block) and _is_plain(block)):
            continue
        start, end = _find_run(page, place)
        last = max(p for p in range(start, end) if _is_code(page.blocks[p]))
        is_headed = (
            start > 0
            and page.blocks[start - 1].tag in HEADING_TAGS
            and scores[start - 1] >= threshold
        )
        while not is_headed and start <= last and scores[start] < threshold:
            start += 1
        _lift_run(page.blocks, scores, threshold, range(start, last + 1))


def _lift_run(
    blocks: Sequence[Block], scores: list[float], threshold: float, run: range
) -> None:
    kept = [scores[place] for place in run if scores[place] >= threshold]
    if not kept or 2 * len(kept) < len(run):
        return
    for place in run:
        beside = blocks[max(place - 1, run.start) : min(place + 2, run.stop)]
        if blocks[place].words <= _MAX_WORDS and any(map(_is_code, beside)):
            scores[place] = max(scores[place], min(kept))


def _find_run(page: ParsedPage, place: int) -> tuple[int, int]:
    """Return the range of the plain blocks around a block of code.

    They are in the innermost element in which the code has other plain blocks beside it.
    """
    blocks, element = page.blocks, page.blocks[place].container
    while True:
        inside = range(element, page.ends[element])
        start, end = place, place + 1
        while start and _is_in_run(blocks[start - 1], inside):
            start -= 1
        while end < len(blocks) and _is_in_run(blocks[end], inside):
            end += 1
        if not element or not all(map(_is_code, blocks[start:end])):
            return start, end
        element = page.parents[element]


def _is_in_run(block: Block, inside: range) -> bool:
    return block.container in inside and _is_plain(block)


def _is_plain(block: Block) -> bool:
    """Test for text that is neither a heading nor mostly links, nor of the frame."""
    return (
        block.tag not in HEADING_TAGS
        and 2 * block.link_words < block.words
        and not (block.is_frame or block.is_hidden or block.comment)
    )


def _is_code(block: Block) -> bool:
    return block.tag in PREFORMATTED_TAGS or block.is_code


def _lift_headings(
    blocks: Sequence[Block], scores: list[float], threshold: float
) -> None:
    for place in range(len(blocks) - 2, -1, -1):
        heading, below = blocks[place], blocks[place + 1]
        if (
            heading.tag in HEADING_TAGS
            and (below.tag not in HEADING_TAGS or below.tag > heading.tag)
            and scores[place] < threshold <= scores[place + 1]
            and not (heading.is_frame or heading.is_hidden)
            and not (below.is_frame or below.is_hidden)
        ):
            scores[place] = (scores[place] + scores[place + 1]) / 2
