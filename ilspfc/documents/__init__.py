"""The records that travel through the stages: pages, documents, pairs, units.

A :class:`Page` is a fetched page with its fate; cleaning makes its :class:`Document`, which
the later stages complete. Records know no crawler and no file format.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import blake2b
from itertools import groupby
from math import inf
from typing import NamedTuple


class Link(NamedTuple):
    """A link of a page, with the text from which its target can be guessed.

    A page has hundreds; tuples are made and sent between processes at a third of the cost
    of dataclasses.

    ``url`` is absolute and without a fragment; ``context`` is the text around the anchor
    (anchor included), ``title`` the title attribute with the alternative texts of images
    inside the anchor. ``rel`` is ``alternate`` for a version declared in the page's head,
    ``refresh`` for the target of a delayed redirect. ``place`` is the place on the page: the
    same number for the same path of tags, classes and ids down to the anchor, on all pages of
    all sites; 0 for a link that is not in the text.
    """

    url: str
    anchor: str = ""
    context: str = ""
    title: str = ""
    rel: str = ""
    hreflang: str = ""
    place: int = 0


class LicensePlace(StrEnum):
    """Place where a page names a license, the most trusted first."""

    LINK_HEADER = "link-header"
    LINK_REL = "link-rel"
    A_REL = "a-rel"
    JSON_LD = "json-ld"
    META = "meta"
    FOOTER = "footer"
    A_HREF = "a-href"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class License:
    """License that a page names.

    ``id`` is its SPDX identifier, or one of that form, and empty for an unknown license;
    ``url`` is absolute and as found, or the URL of the license's text where the page has
    the name alone.
    """

    id: str
    url: str
    place: LicensePlace


class ParagraphType(StrEnum):
    """Type of a paragraph: the ``type`` of an exported ``p``."""

    TITLE = "title"
    HEADING = "heading"
    LISTITEM = "listitem"
    # Unknown to ILSP-FC, whose tools take them for plain paragraphs.
    ROW = "row"  # of a table, its cells parted by "|"
    CELL = "cell"  # or a paragraph of one, where the row is too much for one paragraph
    CAPTION = "caption"
    QUOTE = "quote"
    CODE = "code"
    PREFORMATTED = "preformatted"
    COMMENT = "comment"  # by a reader, below the text


class CrawlInfo(StrEnum):
    """Reason for which a paragraph is not clean text: ``crawlinfo`` of an exported ``p``."""

    BOILERPLATE = "boilerplate"
    OOI_LENGTH = "ooi-length"
    OOI_LANG = "ooi-lang"
    OOI_NEG = "ooi-neg"  # has an unwanted word: in files of ILSP-FC alone


LISTING_TYPES = frozenset({ParagraphType.CODE, ParagraphType.PREFORMATTED})
"""Types of the lines of programs, terminals and poems."""

_HEADING_TYPES = frozenset({ParagraphType.TITLE, ParagraphType.HEADING})
_HEADING_TOKENS = 2
# Lines of a program, terminal or poem have fewer words than this on average; text does not.
LINE_WORDS = 8


def is_too_short(tokens: int, kind: ParagraphType | None, least: int) -> bool:
    """Test whether a text has too few tokens for clean text; for a heading two are enough.

    >>> is_too_short(2, ParagraphType.HEADING, 3), is_too_short(2, None, 3)
    (False, True)
    """
    return tokens < (min(least, _HEADING_TOKENS) if kind in _HEADING_TYPES else least)


def find_listings(paragraphs: Sequence[Paragraph]) -> Iterator[slice]:
    """Yield the places of adjacent lines of a program or the like: they are text together."""
    for kind, place in iter_runs(paragraphs):
        lines = paragraphs[place]
        if kind in LISTING_TYPES and len(lines) > 1:
            words = sum(len(line.text.split()) for line in lines)
            if kind is ParagraphType.CODE or words < LINE_WORDS * len(lines):
                yield place


def iter_runs(
    paragraphs: Sequence[Paragraph],
) -> Iterator[tuple[ParagraphType | None, slice]]:
    """Yield the type of adjacent paragraphs that share it, and their places."""
    end = 0
    for kind, run in groupby(paragraphs, key=lambda one: one.type):
        start, end = end, end + len(list(run))
        yield kind, slice(start, end)


CLEAN_TEXT = "text"
"""Value of :attr:`Paragraph.cleaning` for a paragraph that cleaning took for clean text."""


@dataclass(slots=True)
class Paragraph:
    """A stretch of text between block boundaries of a page.

    ``lang`` is an ISO 639-3 code, ``None`` where not identified; ``topic`` holds the terms of
    the domain definition in the text, as the definition spells them; ``level`` is that of a
    heading, else 0; ``score`` is the model's score for content, and ``place`` a number for its
    path of tags and class names, negative if all of it is a link, 0 where unknown (both ignored
    in comparisons). ``indent`` is the number of blanks before a line of a program or the like,
    ``gap`` is 1 below an empty line.
    ``cleaning`` is the verdict of cleaning, which saw the page alone, where the decision on
    the text is another: a ``CrawlInfo``, or ``text`` for clean text; else empty.
    """

    text: str
    type: ParagraphType | None = None
    crawlinfo: CrawlInfo | None = None
    lang: str | None = None
    topic: tuple[str, ...] = ()
    level: int = 0
    score: float | None = field(default=None, compare=False)
    cleaning: str = ""
    place: int = field(default=0, compare=False)
    indent: int = 0
    gap: int = 0

    def __reduce__(self) -> tuple[object, ...]:
        """Travel to workers and back at a third of what dataclasses cost."""
        head = self.text, self.type, self.crawlinfo, self.lang
        tail = self.score, self.cleaning, self.place, self.indent, self.gap
        return Paragraph, (*head, self.topic, self.level, *tail)

    @property
    def page_verdict(self) -> CrawlInfo | None:
        """The crawlinfo that cleaning gave, before the site and the translation spoke."""
        if not self.cleaning:
            return self.crawlinfo
        return None if self.cleaning == CLEAN_TEXT else CrawlInfo(self.cleaning)

    @property
    def line(self) -> str:
        """The text in one line, indented as on the page, and below an empty line if there."""
        return "\n" * self.gap + " " * self.indent + " ".join(self.text.split())

    @property
    def is_content(self) -> bool:
        """True for content, also where it is too short for clean text."""
        return self.crawlinfo in {None, CrawlInfo.OOI_LENGTH}


@dataclass(frozen=True, slots=True)
class Metadata:
    """Metadata that a page declares. Undeclared fields are empty.

    ``license`` is the URL of the license that the page is taken to be under. ``date`` and
    ``modified`` are in ISO 8601, to the day at most; ``type`` is that of Open Graph
    (``article``) or, without one, that of JSON-LD (``NewsArticle``).
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

    ``lang`` is an ISO 639-3 code, empty for a page dropped before language identification.
    ``relevance`` is the paper's p, ``terms`` its m (000, section 3.5); ``probability`` is
    the learned probability of relevance, None without a model; ``perplexity`` is that of
    the clean text under the model of the domain texts, infinite where not measured,
    ``bucket`` the name of its bucket, empty without a model;
    ``subdomains`` are ordered by their share of the relevance. ``tokens`` counts the clean
    text; ``images`` are file names. ``follow`` and ``index`` are the robots directives of
    the page. ``meta`` holds its meta elements by lower-cased name, ``head_links`` rel, href
    and type of its link elements; ``licenses`` all licenses that the page names, the most
    trusted first; ``optouts`` its signals on text and data mining, ``is_reserved`` whether
    they reserve it. ``unusable`` counts its links that cannot be requested, by reason.
    ``scores`` are those of the user's scorers, in exports alone.
    ``genre`` is the type of the page by the model of genres, ``genre_probability`` its
    probability, None where no model has judged. ``sources`` name the page as fetched: a
    file, the digest of a WARC record.
    ``cleaning_score`` is the F1 that the learned backend expects of its result, None where that
    is not what decides; ``backend_error`` the error of a backend of the user's, empty for none.
    ``html_bytes`` is the size of its HTML, decompressed, 0 for other formats; ``tags`` has a
    sign for each of its start tags, in order. ``needs_javascript`` marks a page whose text
    scripts build.
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
    html_bytes: int = 0
    needs_javascript: bool = False
    tags: str = field(default="", repr=False)
    licenses: tuple[License, ...] = ()
    optouts: tuple[str, ...] = ()
    is_reserved: bool = False
    lang: str = ""
    relevance: float = 0.0
    probability: float | None = None
    perplexity: float = inf
    bucket: str = ""
    terms: int = 0
    subdomains: tuple[str, ...] = ()
    tokens: int = 0
    fetched_at: str = ""
    mime: str = "text/html"
    depth: int = 0
    genre: str = ""
    genre_probability: float | None = None
    scores: dict[str, float] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    cleaning_score: float | None = None
    backend_error: str = ""

    @property
    def clean_paragraphs(self) -> list[Paragraph]:
        """The clean text: the paragraphs without a crawlinfo."""
        return [one for one in self.paragraphs if one.crawlinfo is None]

    def turn_to(self, lang: str) -> None:
        """Exchange the clean text for that in the second language of the page."""
        self.paragraphs = turn_paragraphs(self.paragraphs, self.lang, lang)
        self.lang = lang


def turn_paragraphs(
    paragraphs: Iterable[Paragraph], own: str, lang: str
) -> list[Paragraph]:
    """Return paragraphs with the text in another language of the page for clean text.

    ``own`` is the language of what is clean text so far.
    """
    turned = []
    for one in paragraphs:
        if one.crawlinfo is None:
            turned.append(replace(one, crawlinfo=CrawlInfo.OOI_LANG, lang=own))
        elif one.crawlinfo is CrawlInfo.OOI_LANG and one.lang == lang:
            turned.append(replace(one, crawlinfo=None))
        else:
            turned.append(one)
    return turned


@dataclass(slots=True, kw_only=True)
class Page:
    """A fetched page and its fate.

    ``id`` is that of its document; ``depth`` counts the links from a seed; ``fetched_at`` is
    in ISO 8601. ``drop`` is the reason for which the page was not exported
    (``stage/reason``), empty for an exported page and while the page is under way.
    """

    url: str
    id: str
    fetched_at: str
    depth: int
    document: Document | None = field(default=None, repr=False)
    drop: str = ""


@dataclass(frozen=True, slots=True)
class DocumentPair:
    """Two documents that translate each other.

    ``source`` and ``target`` are document ids, in the order of the languages;
    ``probability`` is in (0, 1]; ``evidence`` names the kinds of evidence for the pair.
    ``margin`` is the distance in probability to the best rival of either page; ``values``
    holds the value of each kind of evidence, nothing for methods whose scores are no
    probabilities; ``round`` is the round of pairing of the pair.
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
    UNSURE = "unsure"  # below the threshold, and its alignment does not bear it out
    OFF_TOPIC = "off_topic"  # a pair, but a document of it is put apart


@dataclass(frozen=True, slots=True)
class TranslationUnit:
    """Source and target segments that translate each other.

    ``kind`` is the alignment type (``1:1``, ``2:1`` …), ``score`` its quality in [0, 1].
    """

    source: str
    target: str
    kind: str
    score: float

    def exchanged(self) -> TranslationUnit:
        """Return the unit in the other direction."""
        kind = ":".join(self.kind.split(":")[::-1])
        return replace(self, source=self.target, target=self.source, kind=kind)


def document_id(canonical_url: str) -> str:
    """Return the identity of the document at a canonical URL.

    It is 12 hex digits of the URL's BLAKE2b digest.

    >>> document_id("https://example.org/")
    'c7644b98a790'
    """
    url = canonical_url.encode("utf-8", "surrogatepass")
    return blake2b(url, digest_size=6).hexdigest()
