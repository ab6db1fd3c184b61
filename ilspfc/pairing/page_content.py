"""Features of a document for pairing, and reasons why a document has no pair."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from ilspfc.documents import CrawlInfo, Paragraph, ParagraphType

# Codes of the paper's fingerprint (000, figure 2).
_TYPE_CODES = {
    ParagraphType.TITLE: -2,
    ParagraphType.HEADING: -3,
    ParagraphType.LISTITEM: -4,
}
_TOPIC_CODE = -5


class PairingReason(StrEnum):
    """Reasons why a document has no translation, the closest to a pair first.

    The first two follow from the states of its candidates; the others are for documents
    without a recorded candidate.
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

    ``paragraphs`` is the number of all paragraphs, ``tokens`` that of the clean text;
    ``images`` are file names; ``depth`` is that of the URL. ``text_bytes`` is the size of
    all text in UTF-8, ``html_bytes`` that of the HTML, 0 if unknown or not HTML; ``tags``
    has one character for each start tag of the page, in order.
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

    Boilerplate is skipped. A paragraph yields the code of its type, if any (-2 title, -3
    heading, -4 list item), -5 if it has domain terms, and its length in characters.
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
    """Return the ratio of the smaller to the larger of two sizes, 0 if either is 0.

    >>> ratio(2, 4), ratio(3, 0)
    (0.5, 0.0)
    """
    return min(a, b) / max(a, b) if a and b else 0.0
