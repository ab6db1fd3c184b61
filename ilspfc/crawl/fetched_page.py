"""Records of the page line: a page on its way through the pipelines, and the work done on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from ilspfc.corpus.reading import encode_reading, text_digest
from ilspfc.corpus.xml import format_paragraphs
from ilspfc.documents import Document, Page

if TYPE_CHECKING:
    from ilspfc.classification.learned import PageWords
    from ilspfc.classification.perplexity.expectation import PageEntropy
    from ilspfc.frontier.traps.seen_text import TextKeys
    from ilspfc.optout.signals import Signal


@dataclass(slots=True, kw_only=True)
class FetchedPage(Page):
    """A page with its response: the item of the pipelines.

    ``signals`` are the opt-out signals of the header and of the site's files, ``payload_digest``
    is that of the WARC record of the response, empty where none is written. ``work`` is set, and
    ``body`` emptied, when a worker has processed the page.
    """

    body: bytes = field(repr=False)
    content_type: str = ""
    link_header: str = ""
    robots_header: str = ""
    payload_digest: str = ""
    signals: tuple[Signal, ...] = ()
    work: PageWork | None = field(default=None, repr=False)


@dataclass(slots=True)
class PageWork:
    """Result of a worker's call for a page.

    ``verdicts`` has the reason for dropping the page, None for passing, of each stage that
    the page reached. ``document`` is None where cleaning failed; its paragraphs stay in the
    worker unless the project has item pipelines of its own. ``is_reserved`` is the decision on opt-outs.
    ``cleaned`` and ``text`` are the keys of the clean text before and after language
    identification, which labels paragraphs in other languages. ``words`` are for learned
    relevance, ``entropy`` is that of the page and of the texts around its links, None where
    no model measured it. The other fields are for export, see :meth:`render`.
    """

    document: Document | None = None
    verdicts: dict[str, StrEnum | None] = field(default_factory=dict)
    is_reserved: bool = False
    cleaned: TextKeys | None = None
    text: TextKeys | None = None
    words: PageWords | None = None
    entropy: PageEntropy | None = None
    body: bytes = b""
    reading: bytes = b""
    digest: str = ""
    paragraphs: int = 0
    clean_paragraphs: int = 0

    def render(self, document: Document) -> None:
        """Set body of the cesDoc file, reading, digest of the text and numbers of paragraphs."""
        self.digest = text_digest(document)
        self.reading = encode_reading(document)
        self.body = format_paragraphs(document.paragraphs)
        self.paragraphs = len(document.paragraphs)
        self.clean_paragraphs = len(document.clean_paragraphs)
