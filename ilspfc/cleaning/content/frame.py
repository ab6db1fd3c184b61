"""Blocks that lead elsewhere by their form: breadcrumbs, lists of languages, links to neighbors.

No score is needed for them; learned models see the words of a page, and a breadcrumb on a
page of its own looks like a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ilspfc.cleaning.blocks.tags import HEADING_TAGS
from ilspfc.text.navigation import is_bracketed, split_languages, split_trail

if TYPE_CHECKING:
    from ilspfc.cleaning.blocks.parsed import Block, ParsedPage

# Longer blocks are text.
_MAX_WORDS = 60
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
        if path.tag not in _PAGE_TAGS and _TRAIL_RE.search(path.names)
    }
    for place, block in enumerate(page.blocks):
        if block.tag in HEADING_TAGS or block.words > _MAX_WORDS:
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
