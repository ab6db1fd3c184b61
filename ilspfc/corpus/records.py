"""The rows of the corpus index as records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ilspfc.documents import DocumentPair, PairState


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """Exported document as the index has it; fields as in the schema of the table.

    ``is_off_topic`` comes from the table ``subject``.
    """

    id: str
    lang: str
    url: str
    host: str
    site: str
    url_depth: int
    file: str
    title: str
    paragraphs: int
    clean_paragraphs: int
    tokens: int
    relevance: float
    terms: int
    subdomains: str
    license: str
    encoding: str
    fetched_at: str
    optouts: str = ""
    reserved: bool = False
    license_id: str = ""
    license_place: str = ""
    genre: str = ""
    duplicate_of: str = ""
    is_off_topic: bool = False

    @property
    def is_licensed(self) -> bool:
        """True for a page under a license that is known by its identifier."""
        return bool(self.license_id)

    @property
    def path(self) -> str:
        """Path of the file from the folder of the corpus; duplicates and others are apart."""
        folder = "off-topic" if self.is_off_topic else "xml"
        return f"{'duplicates' if self.duplicate_of else folder}/{self.file}"


class LinkEntry(NamedTuple):
    """A link of an exported document; a tuple, for a page has hundreds.

    ``target`` is a document id, ``kind`` and ``lang`` are the translation cue it shows.
    """

    target: str
    kind: str = ""
    lang: str = ""
    anchor: str = ""


class Markup(NamedTuple):
    """Size of a document's HTML in bytes, and the signs of its tags; 0 and "" without HTML."""

    bytes: int = 0
    tags: str = ""


@dataclass(frozen=True, slots=True)
class PairEntry:
    """A candidate with its documents, its state and, once aligned, its figures."""

    pair: DocumentPair
    source: DocumentEntry
    target: DocumentEntry
    null_share: float | None
    mean_score: float | None
    state: PairState = PairState.PAIR
