"""Features of a document for pairing, and the reasons of documents without a pair."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ilspfc.documents import CrawlInfo, ParagraphType

if TYPE_CHECKING:
    from ilspfc.documents import Paragraph

# The codes of the paper's fingerprint (000, figure 2).
_TYPE_CODES = {
    ParagraphType.TITLE: -2,
    ParagraphType.HEADING: -3,
    ParagraphType.LISTITEM: -4,
}
_TOPIC_CODE = -5


class PairingReason(StrEnum):
    """Reasons of documents without a translation, the nearest to a pair first.

    The first two are states of its candidates, the others are given to documents that have
    none.
    """

    NOT_PARALLEL = "not_parallel"
    TAKEN = "taken"
    AMBIGUOUS = "ambiguous"
    BELOW_THRESHOLD = "below_threshold"
    UNPAIRED = "unpaired"
    NO_CANDIDATE = "no_candidate"
    NO_OTHER_LANGUAGE = "no_other_language"
    NO_TEXT = "no_text"


@dataclass(frozen=True, slots=True)
class VersionLink:
    """A link that announces the page's version in another language."""

    target: str
    is_declared: bool


@dataclass(frozen=True, slots=True)
class PairingDocument:
    """The features of a document (000, section 3.9).

    ``paragraphs`` counts all of them, ``tokens`` those of the clean text; ``images`` are
    file names; ``depth`` is that of the URL. ``text_bytes`` is the size of all text in
    UTF-8, ``html_bytes`` that of the page's HTML, 0 where it was none or is not known;
    ``tags`` has a sign for each start tag of the page, in order.
    """

    id: str
    lang: str
    url: str
    depth: int
    paragraphs: int
    tokens: int
    fingerprint: tuple[int, ...]
    images: frozenset[str] = frozenset()
    versions: tuple[VersionLink, ...] = ()
    text_bytes: int = 0
    html_bytes: int = 0
    tags: str = ""


def make_fingerprint(paragraphs: Iterable[Paragraph]) -> tuple[int, ...]:
    """Return the structure of a document as integers (000, section 3.9, figure 2).

    Boilerplate is passed over. A paragraph gives the code of its type, if that has one (-2
    title, -3 heading, -4 list item), -5 if it has domain terms, and its length in
    characters.
    """
    fingerprint: list[int] = []
    for paragraph in paragraphs:
        if paragraph.crawlinfo is CrawlInfo.BOILERPLATE:
            continue
        if paragraph.type in _TYPE_CODES:
            fingerprint.append(_TYPE_CODES[paragraph.type])
        if paragraph.topic:
            fingerprint.append(_TOPIC_CODE)
        fingerprint.append(len(paragraph.text))
    return tuple(fingerprint)


def ratio(a: float, b: float) -> float:
    """Return the smaller of two sizes over the larger; 0 where one is 0.

    >>> ratio(2, 4), ratio(3, 0)
    (0.5, 0.0)
    """
    return min(a, b) / max(a, b) if a and b else 0.0
