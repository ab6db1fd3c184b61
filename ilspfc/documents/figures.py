"""Counts of a corpus: what its index and frontier give, and what report and web pages show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class LanguageCount:
    """Documents of a language (ISO 639-3) in the corpus, near-duplicates left out.

    ``tokens`` counts the tokens of the clean paragraphs.
    """

    lang: str
    documents: int
    paragraphs: int
    clean_paragraphs: int
    tokens: int


@dataclass(frozen=True, slots=True)
class PairCount:
    """Document pairs of two languages (ISO 639-3) and their translation units.

    ``evidence`` counts the pairs by the kind of evidence that found them, the most frequent
    first; ``null_share`` is the share of alignments with an empty side, in [0, 1], or
    ``None`` before alignment.
    """

    source_lang: str
    target_lang: str
    pairs: int
    units: int = 0
    source_tokens: int = 0
    target_tokens: int = 0
    evidence: Mapping[str, int] = field(default_factory=dict)
    null_share: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusCounts:
    """The counts by which a corpus is known, in the report, its files and the web application.

    ``langs`` are the ISO 639-3 codes of the crawl; ``pages_fetched`` counts the pages that
    reached the cleaning stage.
    """

    langs: tuple[str, ...]
    pages_fetched: int = 0
    documents: tuple[LanguageCount, ...] = ()
    pairs: tuple[PairCount, ...] = ()

    @property
    def document_count(self) -> int:
        """Number of documents in the corpus, over all languages."""
        return sum(count.documents for count in self.documents)

    @property
    def token_count(self) -> int:
        """Number of tokens of clean text in the corpus, over all languages."""
        return sum(count.tokens for count in self.documents)

    @property
    def pair_count(self) -> int:
        """Number of document pairs, over all language pairs."""
        return sum(count.pairs for count in self.pairs)

    @property
    def unit_count(self) -> int:
        """Number of translation units, over all language pairs."""
        return sum(count.units for count in self.pairs)


@dataclass(frozen=True, slots=True)
class HostCount:
    """Counts of a host: pages fetched, documents kept, failed requests.

    A request fails with a status of 4xx or 5xx, or without an answer.
    """

    host: str
    fetched: int
    kept: int
    errors: int


@dataclass(frozen=True, slots=True)
class RunCount:
    """Begin and end of a run (ISO 8601, empty where unknown), its pages and exported documents."""

    started: str
    finished: str
    pages: int
    documents: int
    was_killed: bool = False  # the end is then the time of its last page


@dataclass(frozen=True, slots=True)
class HeldBack:
    """Addresses that were not asked for because those like them gave nothing new.

    Of those that are barren, a sample gave nothing new either; ``reason`` says which.
    """

    host: str
    pattern: str
    number: int
    examples: tuple[str, ...] = ()
    reason: str = "trap_barren"
