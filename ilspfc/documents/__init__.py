"""The records that travel through the stages: pages, documents, pairs, units.

A :class:`Page` is what was fetched; cleaning makes its :class:`Document`; the later stages
fill the document in. Records know no crawler and no file format.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from ilspfc.documents.page_licenses import License, LicensePlace
from ilspfc.documents.paragraphs import CrawlInfo, Paragraph, ParagraphType

if TYPE_CHECKING:
    from asyncio import Future


class Link(NamedTuple):
    """A link as its page has it, with what may tell where it leads.

    A page has hundreds, and a tuple is made and sent between processes at a third of what
    a dataclass costs.

    ``url`` is absolute and without a fragment; ``context`` is the text around the anchor
    (anchor included), ``title`` the title attribute with the alternative texts of images
    inside the anchor. ``rel`` is ``alternate`` for a version declared in the page's head,
    ``refresh`` for the page that the reader is sent on to after a while.
    """

    url: str
    anchor: str = ""
    context: str = ""
    title: str = ""
    rel: str = ""
    hreflang: str = ""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says of itself. Every field is empty where the page is silent.

    ``license`` is the URL of the license that the page is taken to be under. ``date`` and
    ``modified`` are in ISO 8601, to the day at most; ``type`` is that of Open Graph
    (``article``) or, where it is silent, that of JSON-LD (``NewsArticle``).
    """

    title: str = ""
    description: str = ""
    keywords: str = ""
    author: str = ""
    date: str = ""
    publisher: str = ""
    license: str = ""
    declared_lang: str = ""
    canonical: str = ""
    modified: str = ""
    type: str = ""


@dataclass(slots=True)
class Document:
    """The content of a page, in reading order.

    ``lang`` is an ISO 639-3 code, empty until the language stage has run. ``relevance``
    is the paper's p, ``terms`` its m (000, section 3.5); ``probability`` is that of being
    relevant by the words that the crawl has learned, None without such a model;
    ``perplexity`` is that of the clean text under the model of the domain texts, infinite
    where it was not measured; ``subdomains`` are ordered by their share of the relevance.
    ``tokens`` counts the clean text; ``images`` are file names. ``follow`` and ``index``
    are false where the page asks for it. ``meta`` holds its meta elements by lower-cased
    name, ``head_links`` rel, href and type of its link elements; ``licenses`` all that the
    page names, the most trusted first; ``optouts`` the signals on text and data mining that
    hold for it, ``is_reserved`` what they come to. ``unusable`` counts the addresses on it
    that cannot be asked for, by reason.
    """

    id: str
    url: str
    paragraphs: list[Paragraph]
    metadata: Metadata = field(default_factory=Metadata)
    links: list[Link] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    encoding: str = "utf-8"
    follow: bool = True
    index: bool = True
    meta: dict[str, str] = field(default_factory=dict, repr=False)
    head_links: list[tuple[str, str, str]] = field(default_factory=list, repr=False)
    unusable: Counter[str] = field(default_factory=Counter, repr=False)
    licenses: tuple[License, ...] = ()
    optouts: tuple[str, ...] = ()
    is_reserved: bool = False
    lang: str = ""
    relevance: float = 0.0
    probability: float | None = None
    perplexity: float = inf
    terms: int = 0
    subdomains: tuple[str, ...] = ()
    tokens: int = 0
    fetched_at: str = ""
    mime: str = "text/html"
    depth: int = 0

    @property
    def clean_paragraphs(self) -> list[Paragraph]:
        """The clean text: the paragraphs without a crawlinfo."""
        return [one for one in self.paragraphs if one.crawlinfo is None]


@dataclass(slots=True)
class Page:
    """A fetched page on its way through the item pipelines.

    ``id`` is that of its document; ``depth`` counts the links from a seed. ``outcome``
    resolves to the page itself when the last pipeline, a drop or an error has ended its
    way; ``drop`` then says why it was not exported (``stage/reason``), empty if it was.
    ``signals`` are what headers and the site's files say of text and data mining.
    ``is_unchanged``: the corpus has the document already, with the same text;
    ``is_recorded``: the index knows what became of the page. ``cpu_seconds`` are what it
    has cost the workers, ``work`` what they made of it; the paragraphs stay with them
    unless WORKERS_PARAGRAPHS is set.
    """

    url: str
    id: str
    body: bytes = field(repr=False)
    content_type: str
    fetched_at: str
    depth: int
    outcome: Future[Page] = field(repr=False)
    link_header: str = ""
    robots_header: str = ""
    signals: tuple[object, ...] = ()
    document: Document | None = field(default=None, repr=False)
    work: object = field(default=None, repr=False)
    drop: str = ""
    is_unchanged: bool = False
    is_recorded: bool = False
    cpu_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class DocumentPair:
    """Two documents that translate each other.

    ``source`` and ``target`` are document ids, in the order of the languages;
    ``probability`` is in (0, 1]; ``evidence`` names what speaks for the pair. ``margin``
    is how much less probable the best rival of either page is; ``values`` hold what each
    kind of evidence says, by name; ``round`` is the round of pairing that they are from.
    """

    source: str
    target: str
    probability: float
    evidence: str
    margin: float = 0.0
    values: tuple[tuple[str, float], ...] = ()
    round: int = 0


class PairState(StrEnum):
    """Decision on a candidate: two documents that may translate each other."""

    PAIR = "pair"
    TAKEN = "taken"  # a document of it is in a more probable pair
    NOT_PARALLEL = "not_parallel"  # by the figures of its alignment


@dataclass(frozen=True, slots=True)
class TranslationUnit:
    """Source and target segments that translate each other.

    ``kind`` is the alignment type (``1:1``, ``2:1`` …), ``score`` its quality in [0, 1].
    """

    source: str
    target: str
    kind: str
    score: float


def document_id(canonical_url: str) -> str:
    """Return the identity of the document at a canonical URL.

    It is 12 hex digits of the URL's BLAKE2b digest.

    >>> document_id("https://example.org/")
    'c7644b98a790'
    """
    url = canonical_url.encode("utf-8", "surrogatepass")
    return blake2b(url, digest_size=6).hexdigest()


__all__ = [
    "CrawlInfo",
    "Document",
    "DocumentPair",
    "License",
    "LicensePlace",
    "Link",
    "Metadata",
    "Page",
    "Paragraph",
    "ParagraphType",
    "TranslationUnit",
    "document_id",
]
