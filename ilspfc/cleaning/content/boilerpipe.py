"""Boilerpipe's rules on the blocks of our own parse: the backend ``boilerpy3``."""

from __future__ import annotations

from collections.abc import Sequence

from boilerpy3.document import TextBlock, TextDocument
from boilerpy3.extractors import DefaultExtractor

from ilspfc.cleaning.blocks.parsed import Block
from ilspfc.cleaning.blocks.tags import HEADING_TAGS

# The filters are boilerpy3's (Kohlschütter et al. 2010); its HTML parser is not used, for it
# loses the text of pages without a body tag or with an unclosed option or script.

# Boilerpipe's text density is words per line of this many characters.
_LINE_CHARS = 80
_FILTER = DefaultExtractor().filter
# Boilerpipe's own bound on the link density of content is one third.
_PROSE_LINK_DENSITY = 1 / 3
_PROSE_WORDS = 10
_SENTENCE_ENDS = (".", "!", "?", ":", "。", "！", "？", "…", ";", "·")
_CLOSING = "\"'»”’)] "
# A list belongs to the text when at least this share of its words is content.
_LIST_CONTENT_SHARE = 0.5
# Above this share of words inside anchors, a list is a menu.
_MENU_LINK_DENSITY = 0.5


def _wrapped(words: Sequence[str]) -> tuple[int, int]:
    """Return (words in full lines, full lines) of a block wrapped as Boilerpipe does.

    The last, unfinished line does not count, unless it is the only one.
    """
    lines = 0
    chars = -1
    in_line = 0
    for word in words:
        chars += len(word) + 1
        in_line += 1
        if chars > _LINE_CHARS:
            lines += 1
            chars = len(word)
            in_line = 1
    if lines == 0:
        return len(words), 1
    return len(words) - in_line, lines


class _TextBlock(TextBlock):  # type: ignore[misc]
    """A block without its text.

    The filters do not read it, and merging n blocks would copy it n times.
    """

    def merge_next(self, next_text_block: TextBlock) -> None:
        super().merge_next(next_text_block)
        self.text = ""


def _mark_prose(blocks: Sequence[Block]) -> None:
    """Keep whole sentences, which the density rules lose between short neighbors."""
    for block in blocks:
        is_prose = (
            block.words >= _PROSE_WORDS
            and block.link_words <= _PROSE_LINK_DENSITY * block.words
            and block.text.rstrip(_CLOSING).endswith(_SENTENCE_ENDS)
        )
        block.is_content = block.is_content or is_prose


def _mark_headings(blocks: Sequence[Block]) -> None:
    """Keep a heading, however short, with the text that it heads."""
    follows_content = False
    for block in reversed(blocks):
        if block.tag in HEADING_TAGS and not block.is_frame:
            block.is_content = block.is_content or follows_content
        follows_content = block.is_content


def _mark_lists(blocks: Sequence[Block]) -> None:
    """Keep the items of a list together, unless it is a menu."""
    start = 0
    while start < len(blocks):
        end = start
        number = blocks[start].list_number
        while (
            end < len(blocks)
            and blocks[end].is_list_item
            and blocks[end].list_number == number
        ):
            end += 1
        items = [block for block in blocks[start:end] if not block.is_frame]
        words = sum(block.words for block in items)
        kept = sum(block.words for block in items if block.is_content)
        linked = sum(block.link_words for block in items)
        if items and linked < _MENU_LINK_DENSITY * words:
            is_content = kept >= _LIST_CONTENT_SHARE * words or (
                # Short items of a list that a content block introduces.
                start > 0 and blocks[start - 1].is_content
            )
            for block in items:
                block.is_content = block.is_content or is_content
        start = max(end, start + 1)


def mark_content(blocks: Sequence[Block]) -> None:
    """Set ``is_content`` of each block.

    Blocks inside navigation, footers and forms are boilerplate before any rule; the others
    pass Boilerpipe's default chain, which looks at text and link densities of a block and
    its neighbors. Headings and lists then follow the text that they belong to.
    """
    candidates = [block for block in blocks if not block.is_frame]
    text_blocks = []
    for index, block in enumerate(candidates):
        linked = min(block.link_words, block.words)
        wrapped = _wrapped(block.text.split())
        one = _TextBlock("", set(), block.words, linked, *wrapped, index)
        text_blocks.append(one)
    document = TextDocument(text_blocks)
    _FILTER.process(document)
    for merged in document.text_blocks:
        for index in range(merged.offset_blocks_start, merged.offset_blocks_end + 1):
            candidates[index].is_content = bool(merged.is_content)
    _mark_prose(candidates)
    _mark_lists(blocks)
    _mark_headings(blocks)
