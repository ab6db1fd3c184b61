"""Pages of real sites that have the same sequence of blocks in two languages.

Block *n* of the one translates block *n* of the other, so that the links between them are
known; blocks can be deleted and shuffled.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from evaluation.data import SITES
from evaluation.lexicon import read_blocks

MAX_PAGES = 20
_MIN_BLOCKS = 5
_HEADING, _ITEM, _CELL = 1, 2, 3

Block = tuple[int, int, str]
"""Kind, number on the page as it was, text."""


@dataclass(frozen=True)
class Page:
    """A page in two languages, block by block."""

    source: list[Block]
    target: list[Block]


def _kind(tag: str) -> int:
    if tag.startswith("h"):
        return _HEADING
    return _ITEM if tag in {"li", "dt", "dd"} else _CELL if tag[0] == "t" else 0


def read_pages(name: str, pair: str, most: int = MAX_PAGES) -> list[Page]:
    """Return pages of a site that have the same blocks in two languages."""
    site, pages = SITES / name, []
    for line in sorted((site / "gold" / f"{pair}.tsv").read_text("utf-8").splitlines()):
        left, right = (
            read_blocks(site / "www" / path) for path in line.split("\t")[:2]
        )
        if [tag for tag, _ in left] != [tag for tag, _ in right]:
            continue
        both = [
            (_kind(tag), n, text, other)
            for n, ((tag, text), (_, other)) in enumerate(zip(left, right, strict=True))
            if text and other
        ]
        translated = sum(text != other for *_, text, other in both)
        if translated >= max(_MIN_BLOCKS, 0.6 * len(both)):
            source = [(kind, n, text) for kind, n, text, _ in both]
            pages.append(Page(source, [(kind, n, text) for kind, n, _, text in both]))
    return pages[:: max(len(pages) // most, 1)][:most]


def delete(page: Page, share: float, chance: Random) -> Page:
    """Return a page with this share of the target's blocks left out."""
    return Page(page.source, [b for b in page.target if chance.random() >= share])


def shuffle(page: Page, chance: Random) -> Page:
    """Return a page with the target's headings and list items in another order."""
    target = list(page.target)
    for kind in (_HEADING, _ITEM):
        places = [n for n, block in enumerate(target) if block[0] == kind]
        blocks = [target[n] for n in places]
        chance.shuffle(blocks)
        for place, block in zip(places, blocks, strict=True):
            target[place] = block
    return Page(page.source, target)
