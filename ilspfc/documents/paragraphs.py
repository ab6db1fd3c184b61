"""Paragraphs: what they are, and why some are not clean text."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class ParagraphType(StrEnum):
    """What a paragraph is on its page: the ``type`` of an exported ``p``."""

    TITLE = "title"
    HEADING = "heading"
    LISTITEM = "listitem"
    # What ILSP-FC does not know; its tools take them for plain paragraphs.
    ROW = "row"  # of a table, its cells parted by "|"
    CELL = "cell"  # or a paragraph of one, where the row is too much for one paragraph
    CAPTION = "caption"
    QUOTE = "quote"
    CODE = "code"
    PREFORMATTED = "preformatted"
    COMMENT = "comment"  # by a reader, below the text


class CrawlInfo(StrEnum):
    """Why a paragraph is not clean text: the ``crawlinfo`` of an exported ``p``."""

    BOILERPLATE = "boilerplate"
    OOI_LENGTH = "ooi-length"
    OOI_LANG = "ooi-lang"
    OOI_NEG = "ooi-neg"  # has an unwanted word: in files of ILSP-FC alone


@dataclass(slots=True)
class Paragraph:
    """A stretch of text between block boundaries of a page.

    ``lang`` is an ISO 639-3 code, ``None`` where not identified; ``topic`` the terms of the
    domain definition in the text, as it spells them; ``level`` that of a heading, else 0;
    ``score`` is the higher the more surely a model takes it for content (not compared).
    """

    text: str
    type: ParagraphType | None = None
    crawlinfo: CrawlInfo | None = None
    lang: str | None = None
    topic: tuple[str, ...] = ()
    level: int = 0
    score: float | None = field(default=None, compare=False)

    def __reduce__(self) -> tuple[object, ...]:
        """Travel to workers and back at a third of what dataclasses cost."""
        head = self.text, self.type, self.crawlinfo, self.lang
        return Paragraph, (*head, self.topic, self.level, self.score)

    @property
    def is_content(self) -> bool:
        """Whether the cleaner judged it content, too short for clean text or not."""
        return self.crawlinfo in {None, CrawlInfo.OOI_LENGTH}
