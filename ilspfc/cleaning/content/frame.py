"""Blocks that lead elsewhere by their form: breadcrumbs and lists of available languages.

No score is needed for them; learned models see the words of a page, and a breadcrumb on a
page of its own looks like a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ilspfc.cleaning.blocks.tags import HEADING_TAGS
from ilspfc.text.codes import two_letter_codes
from ilspfc.text.language_names import LISTED_NAMES

if TYPE_CHECKING:
    from ilspfc.cleaning.blocks.parsed import Block, ParsedPage

# Longer blocks are text.
_MAX_WORDS = 60
_MAX_ITEM_WORDS = 12
# Words before the first item: "You are here:", "Available languages:".
_LABEL_RE = re.compile(r"[^:：]{1,40}[:：]\s*")
_SENTENCE_ENDS = (".", "!", "?", ":", ";")
_STEP_RE = re.compile(r"\s*(?:>|»|›|→|❯|::)\s*")
_BETWEEN_RE = re.compile(r"\s*[,;|/·•、，\n]\s*")
_AROUND = " .()[]"
_REGION_RE = re.compile(r"[-_](?:[a-z]{2}|han[st]|419)$")
_MIN_LANGUAGES = 2
_TRAIL_RE = re.compile(
    r"(?:^|[\s_-])bread-?crumbs?(?:[-_](?:list|trail|nav|item|container|wrapper))?"
    r"(?=$|\s)|itemlist-breadcrumb",
    re.IGNORECASE,
)
# Elements whose names describe the whole page: "has-breadcrumbs".
_PAGE_TAGS = frozenset({"html", "body", "main", "article"})


def find_frame(page: ParsedPage) -> Iterator[int]:
    """Yield the places of the blocks that are breadcrumbs or lists of languages."""
    trails = {
        number
        for number, path in enumerate(page.distinct_paths)
        if path.tag not in _PAGE_TAGS and _TRAIL_RE.search(path.names)
    }
    for place, block in enumerate(page.blocks):
        if block.tag in HEADING_TAGS or block.words > _MAX_WORDS:
            continue
        if (trails and _is_inside(page, block, trails)) or (
            block.link_words and (_is_breadcrumb(block) or _lists_languages(block))
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
    steps = _STEP_RE.split(_LABEL_RE.sub("", block.text, count=1))
    words = [len(step.split()) for step in steps]
    return (
        len(steps) > 1
        and not block.text.endswith(_SENTENCE_ENDS)
        and all(0 < number <= _MAX_ITEM_WORDS for number in words)
        and block.link_words >= sum(words[:-1])
    )


def _lists_languages(block: Block) -> bool:
    """Test for a list of links that are names or codes of languages."""
    label = _LABEL_RE.match(block.text)
    items = _BETWEEN_RE.split(block.text[label.end() if label else 0 :])
    found = [item.strip(_AROUND).casefold() for item in items]
    found = [item for item in found if item]
    return (
        len(found) >= _MIN_LANGUAGES
        and 2 * block.link_words >= len(found)
        and all(map(_is_language, found))
    )


def _is_language(item: str) -> bool:
    base = _REGION_RE.sub("", item)
    return item in LISTED_NAMES or base in two_letter_codes()
