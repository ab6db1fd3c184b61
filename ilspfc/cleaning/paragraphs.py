"""Blocks to annotated paragraphs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ilspfc.cleaning.tags import HEADING_TAGS
from ilspfc.documents import CrawlInfo, Paragraph, ParagraphType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ilspfc.cleaning.blocks import Block

# Scripts written without spaces between words: a token is two of these characters.
_UNSPACED_RE = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"
)
_TITLE_SEPARATORS_RE = re.compile(r"\s+[|\-–—:·»«•]+\s+|\s*[|»]\s*")
_SENTENCE_ENDS = tuple('.!?:;。！？：…"»”)')
_MIN_TITLE_CHARS = 3


def count_tokens(text: str) -> int:
    """Return the number of tokens of a text.

    They are words between blanks, or character pairs where a script has no blanks.

    >>> count_tokens("Sicherheit am Arbeitsplatz"), count_tokens("安全第一")
    (3, 2)
    """
    unspaced = len(_UNSPACED_RE.findall(text))
    if not unspaced:
        return len(text.split())
    spaced = len(_UNSPACED_RE.sub(" ", text).split())
    return spaced + (unspaced + 1) // 2


def _iter_lines(text: str) -> Iterator[str]:
    """Yield the lines of a block, those rejoined that a br cuts amid a sentence."""
    current: list[str] = []
    for line in text.split("\n"):
        if current and not (
            line[:1].islower() and not current[-1].endswith(_SENTENCE_ENDS)
        ):
            yield " ".join(current)
            current = []
        if line:
            current.append(line)
    if current:
        yield " ".join(current)


def title_variants(title: str) -> frozenset[str]:
    """Return the case-folded title and its parts, in which a page may repeat it.

    >>> sorted(title_variants("Lärm am Arbeitsplatz | Fachstelle"))
    ['fachstelle', 'lärm am arbeitsplatz', 'lärm am arbeitsplatz | fachstelle']
    """
    parts = [title, *_TITLE_SEPARATORS_RE.split(title)]
    folded = (part.strip().casefold() for part in parts)
    return frozenset(part for part in folded if len(part) >= _MIN_TITLE_CHARS)


def find_title(blocks: Sequence[Block], title: str) -> None:
    """Mark the block that shows the page's title; it is content.

    It is the first heading that repeats the title element or a part of it; else the first
    ``h1``; else the first other block that repeats the whole title.
    """
    variants, folded = title_variants(title), title.casefold()
    body = [block for block in blocks if not block.is_frame]
    headings = [block for block in body if block.tag in HEADING_TAGS]
    candidates = [
        *(block for block in headings if block.text.casefold() in variants),
        *(block for block in headings if block.tag == "h1"),
        *(block for block in body if block.text.casefold() == folded),
    ]
    if candidates:
        candidates[0].is_title = candidates[0].is_content = True


def _type_of(block: Block) -> ParagraphType | None:
    if block.is_title:
        return ParagraphType.TITLE
    if block.tag in HEADING_TAGS:
        return ParagraphType.HEADING
    if block.is_list_item:
        return ParagraphType.LISTITEM
    return None


def make_paragraphs(
    blocks: Sequence[Block], *, min_paragraph_tokens: int = 3
) -> list[Paragraph]:
    """Return the paragraphs of the blocks, typed and with their crawlinfo.

    A block ends at a paragraph, list item, cell or the like; inside it, each br ends a
    paragraph unless it stands amid a sentence (000, section 3.3). Content paragraphs of
    fewer than ``min_paragraph_tokens`` tokens are ``ooi-length``.
    """
    paragraphs = []
    for block in blocks:
        for line in _iter_lines(block.text):
            crawlinfo = None
            if not block.is_content:
                crawlinfo = CrawlInfo.BOILERPLATE
            elif count_tokens(line) < min_paragraph_tokens:
                crawlinfo = CrawlInfo.OOI_LENGTH
            paragraphs.append(Paragraph(line, _type_of(block), crawlinfo))
    return paragraphs
