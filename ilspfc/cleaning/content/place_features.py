"""Where a block stands on its page, and between which others."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from ilspfc.cleaning.annotation import title_variants
from ilspfc.cleaning.content.scales import log_scaled, shifted, windowed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ilspfc.cleaning.blocks.parsed import Block
    from ilspfc.cleaning.content.text_features import Basics

    Row = NDArray[Any]

_NEIGHBORS = 3
_WINDOWS = (3, 7, 15, 31)
_TITLE_WORDS = 30
_TAG_ORDER = (
    "li td th div dt dd section article caption figcaption h6 h5 h4 h3 h2 h1 p blockquote pre"
).split()
_TAG_CODES = {tag: (i + 1) / len(_TAG_ORDER) for i, tag in enumerate(_TAG_ORDER)}
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


def tag_codes(blocks: Sequence[Block]) -> Row:
    """Return numbers of the tags of blocks, the likelier ones of content the greater."""
    return np.array([_TAG_CODES.get(block.tag, 0) for block in blocks])


def place_rows(
    blocks: Sequence[Block], basics: Basics, codes: Row, title: str
) -> list[Row]:
    """Return where each block stands, and how it is to the page's title and to repeats."""
    count = len(blocks)
    places = np.arange(count)
    texts = [block.text.casefold() for block in blocks]
    repeats = Counter(texts)
    variants = title_variants(title)
    title_words = set(title.casefold().split())
    overlap = np.zeros(count)
    headings = np.array([_HEADINGS.get(block.tag, 0) for block in blocks])
    is_title = np.array([text in variants for text in texts])
    if title_words:
        for place, (block, text) in enumerate(zip(blocks, texts, strict=True)):
            if block.words <= _TITLE_WORDS:
                shared = title_words.intersection(text.split())
                overlap[place] = len(shared) / len(title_words)
    words = np.cumsum(basics.words)
    prose = np.cumsum(basics.prose)
    is_heading = headings > 0
    anchors = (is_title & is_heading) | (headings == 1)
    start = int(np.argmax(anchors)) if anchors.any() else -1
    since_title = (places - start) / count if start >= 0 else np.zeros(count)
    return [
        np.array([repeats[text] for text in texts]) / 8,
        overlap,
        is_title,
        codes,
        headings / 6,
        np.array([block.is_frame for block in blocks]),
        np.array([block.is_hidden for block in blocks]),
        np.array([block.is_list_item for block in blocks]),
        np.array([block.comment != 0 for block in blocks]),
        np.array([block.cell > 0 for block in blocks]),
        np.array([len(block.bold_lines) > 0 for block in blocks]),
        np.array([block.level for block in blocks]) / 40,
        places / count,
        log_scaled(places, 1000),
        log_scaled(places[::-1], 1000),
        words / words[-1],
        (prose - basics.prose / 2) / max(prose[-1], 1),
        (since_title + 1) / 2,
        log_scaled(_since(is_heading), 200),
        log_scaled(_since(basics.is_prose), 200),
        log_scaled(_since(basics.is_prose[::-1])[::-1], 200),
        log_scaled(_since(basics.link_density > 0.5), 200),
        log_scaled(_since((basics.link_density > 0.5)[::-1])[::-1], 200),
        basics.words / basics.words.max(),
    ]


def _since(marks: NDArray[np.bool_]) -> Row:
    """Return how many blocks ago the last marked one was; a great number if none was."""
    places = np.arange(len(marks))
    last = np.maximum.accumulate(np.where(marks, places, -1000))
    return np.asarray(places - last)


def page_rows(basics: Basics, codes: Row) -> list[Row]:
    """Return features of the page as a whole, the same for each block."""
    words = basics.words.sum()
    values = [
        log_scaled(words, 20000),
        log_scaled(len(basics.words), 2000),
        (basics.link_density * basics.words).sum() / words,
        basics.prose.sum() / words,
        log_scaled(basics.words.max(), 2000),
        basics.is_prose.mean(),
        log_scaled(words / len(basics.words), 100),
        (basics.words * (codes == _TAG_CODES["p"])).sum() / words,
        (basics.words * (codes == _TAG_CODES["li"])).sum() / words,
    ]
    return [np.full(len(basics.words), value) for value in values]


def neighbor_rows(basics: Basics, codes: Row) -> list[Row]:
    """Return what the blocks around each block are like."""
    words = log_scaled(basics.words, 1000)
    near = np.stack([words, basics.link_density, basics.ends_sentence, codes])
    steps = [k for k in range(-_NEIGHBORS, _NEIGHBORS + 1) if k]
    far = np.stack([words, basics.link_density])
    rows = [*shifted(near, _NEIGHBORS, steps), *shifted(far, 5, [-5, -4, 4, 5])]
    sums = np.stack([basics.plain, basics.words, basics.prose, basics.ends_sentence])
    for width in _WINDOWS:
        plain, all_words, prose, ends = windowed(sums, width)
        rows += [
            log_scaled(plain / width, 300),
            plain / np.maximum(all_words, 1),
            log_scaled(prose / width, 300),
            ends / width,
        ]
    return rows
