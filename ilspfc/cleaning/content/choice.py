"""Choice of content: the learned scores, and what lists, code, headings and navigation change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from ilspfc.cleaning.blocks.parsed import Block, ParsedPage
from ilspfc.cleaning.blocks.tags import HEADING_TAGS, PREFORMATTED_TAGS
from ilspfc.cleaning.content.block_features import PageFeatures, read_features
from ilspfc.cleaning.content.block_model import ParagraphModel, shipped_model
from ilspfc.text.log_odds import to_log_odds, to_probability
from ilspfc.text.navigation import is_bracketed, split_languages, split_trail

_LEAST = 1e-6
# Of the words of a menu at least this share is inside anchors.
_MENU_LINK_DENSITY = 0.8


def level_alike(
    probabilities: NDArray[np.float64], page: PageFeatures
) -> NDArray[np.float64]:
    """Return probabilities drawn halfway to the mean of the blocks that are alike.

    Alike are blocks whose elements have the same way from the root by tags and names: the
    items of a list, the titles of cards, the texts of posts. The mean is one of log odds,
    weighted by words. A list of links is a menu or a table of contents, and no text.
    """
    paths = page.surroundings.paths[page.surroundings.around[0]]
    odds = to_log_odds(probabilities)
    mean = np.bincount(paths, odds * page.words) / np.maximum(
        np.bincount(paths, page.words), 1
    )
    leveled = to_probability((odds + mean[paths]) / 2)
    items = page.surroundings.items()
    lists = page.surroundings.lists()[items]
    words = page.words[items]
    links = np.bincount(lists, page.link_density[items] * words)
    is_menu = links > _MENU_LINK_DENSITY * np.bincount(lists, words)
    leveled[items] *= ~is_menu[lists]
    return np.asarray(leveled)


def score_page(
    probabilities: NDArray[np.float64], words: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    """Return the scores of the blocks of a page, and the expected F1 of the page.

    The F1-optimal threshold maximizes the expected F1 of a page by words (Lewis 1995, Ye et
    al. 2012) and differs from page to page; the scores are the probabilities with their odds
    divided by those of the threshold.
    """
    sure = np.clip(probabilities, _LEAST, 1 - _LEAST)
    order = np.argsort(-sure, kind="stable")
    mass = sure * words
    kept = np.cumsum(mass[order]) / (np.cumsum(words[order]) + mass.sum())
    best = int(np.argmax(kept))
    bound = sure[order[best]]
    odds = sure / (1 - sure) * (1 - bound) / bound
    # The threshold itself scores 0.5, whatever the rounding.
    scores = odds / (1 + odds)
    scores = np.where(sure >= bound, np.maximum(scores, 0.5), scores)
    return scores, 2 * float(kept[best])


# -- blocks that lead elsewhere by their form: breadcrumbs, lists of languages, links to neighbors
# No score is needed for them; learned models see the words of a page, and a breadcrumb on a
# page of its own looks like a sentence.

# Longer blocks are text.
_MAX_FRAME_WORDS = 60
_TRAIL_RE = re.compile(
    r"(?:^|[\s_-])bread-?crumbs?(?:[-_](?:list|trail|nav|item|container|wrapper))?"
    r"(?=$|\s)|itemlist-breadcrumb",
    re.IGNORECASE,
)
# Elements whose names describe the whole page: "has-breadcrumbs".
_PAGE_TAGS = frozenset({"html", "body", "main", "article"})


def find_frame(page: ParsedPage) -> Iterator[int]:
    """Yield the places of the blocks that lead elsewhere by their form."""
    trails = {
        number
        for number, path in enumerate(page.distinct_paths)
        if "crumb" in path.names.lower()  # at a tenth of the cost
        and path.tag not in _PAGE_TAGS
        and _TRAIL_RE.search(path.names)
    }
    for place, block in enumerate(page.blocks):
        if block.tag in HEADING_TAGS or block.words > _MAX_FRAME_WORDS:
            continue
        if (trails and _is_inside(page, block, trails)) or (
            block.link_words
            and (
                _is_breadcrumb(block)
                or _lists_languages(block)
                or (2 * block.link_words >= block.words and is_bracketed(block.text))
            )
        ):
            yield place


def _is_inside(page: ParsedPage, block: Block, paths: set[int]) -> bool:
    """Test whether an element around a block has one of some paths."""
    element = block.container
    while element:
        if page.paths[element] in paths:
            return True
        element = page.parents[element]
    return False


def _is_breadcrumb(block: Block) -> bool:
    """Test for a way through the site: steps of which all but the last are links."""
    steps = split_trail(block.text)
    linked = sum(len(step.split()) for step in steps[:-1])
    return bool(steps) and block.link_words >= linked


def _lists_languages(block: Block) -> bool:
    """Test for a list of names or codes of languages, half of them links or more."""
    items = split_languages(block.text)
    return bool(items) and 2 * block.link_words >= len(items)


# -- blocks that are content together: code and the prose between it, headings and their text

# On longer blocks the model can be relied.
_MAX_WORDS = 50


def lift_scores(
    page: ParsedPage, scores: Sequence[float], threshold: float
) -> list[float]:
    """Return scores with those of blocks raised that belong to content.

    ``threshold`` is the score of content. Prose between code and before it is short, and the
    model takes it for boilerplate: in a run of prose and code half of whose blocks are
    content, short code is, too, and short prose beside code, up to the last code. A heading
    has the mean score of itself and of the content below it; the headers of a table are content
    if the first row below them is. Where headings alone are content,
    as on the page of a term with one sentence on it, so is the plain text below them.
    """
    lifted = list(scores)
    _lift_runs(page, lifted, threshold)
    _lift_headings(page.blocks, lifted, threshold)
    _lift_headers(page.blocks, lifted, threshold)
    kept = [place for place, score in enumerate(lifted) if score >= threshold]
    if all(page.blocks[place].tag in HEADING_TAGS for place in kept):
        for place in kept:
            _lift_text_below(page, lifted, place)
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


def _lift_text_below(page: ParsedPage, scores: list[float], place: int) -> None:
    """Give the plain text below a heading its score, in the element that holds both."""
    below = place + 1
    if below == len(page.blocks):
        return
    element = page.blocks[place].container
    while page.blocks[below].container not in range(element, page.ends[element]):
        element = page.parents[element]
    inside = range(element, page.ends[element])
    while below < len(page.blocks) and _is_in_run(page.blocks[below], inside):
        scores[below] = max(scores[below], scores[place])
        below += 1


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


def _lift_headers(
    blocks: Sequence[Block], scores: list[float], threshold: float
) -> None:
    """Give a row of headers the score of the row below it, where most of that is content."""
    rows = groupby(range(len(blocks)), key=lambda place: blocks[place].row)
    for heads, below in pairwise([*places] for _, places in rows):
        kept = [place for place in below if scores[place] >= threshold]
        if (
            all(blocks[place].tag == "th" for place in heads)
            and blocks[heads[0]].table == blocks[below[0]].table
            and 2 * _count(blocks, kept) > _count(blocks, below)
        ):
            least = min(scores[place] for place in kept)
            for place in heads:
                scores[place] = max(scores[place], least)


def _count(blocks: Sequence[Block], places: Sequence[int]) -> int:
    return sum(blocks[place].words for place in places)


def mark_learned(
    page: ParsedPage,
    title: str,
    *,
    threshold: float = 0.5,
    model: ParagraphModel | None = None,
) -> float | None:
    """Score the blocks of a page by a model, the one that ships if none is given.

    Blocks that score at least ``threshold`` are content. Return the expected F1 of the page,
    None for a page without blocks.
    """
    if not page.blocks:
        return None
    features = read_features(page, title)
    probabilities = (model or shipped_model()).predict(features)
    leveled = level_alike(probabilities, features)
    leveled[list(find_frame(page))] = 0
    scores, expected = score_page(leveled, features.words)
    lifted = lift_scores(page, scores.tolist(), threshold)
    for block, score in zip(page.blocks, lifted, strict=True):
        block.score = score
        block.is_content = score >= threshold
    return expected
