"""Translation units and pairs of pages as the exports hold them, and their origin."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ilspfc.text.xml_text import clean_text

if TYPE_CHECKING:  # TMX files are read and written without a corpus
    from ilspfc.corpus.records import DocumentEntry, PairEntry

DAY_CHARS = len("2026-01-31")
"""Characters of a date without its time, in ISO 8601."""

SCORE_DIGITS = 4
"""Decimal places of scores and probabilities."""


def _clean_fields(record: PageOrigin | UnitOrigin) -> None:
    """Clean texts, lists and numbers of a record for the files."""
    for one in fields(record):
        value = getattr(record, one.name)
        if isinstance(value, str):
            object.__setattr__(record, one.name, clean_text(value))
        elif isinstance(value, tuple):
            object.__setattr__(record, one.name, _clean_list(value))
        elif isinstance(value, int | float):
            object.__setattr__(record, one.name, _round(value, one.name))


def _round(value: float, name: str) -> float:
    """Return a number as it is written; ValueError for one that is not finite."""
    if not math.isfinite(value):
        raise ValueError(f"{name} is {value!r}; give a finite number")
    return round(float(value), SCORE_DIGITS)


def _clean_list(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the texts that are not empty, without the separator."""
    clean = (clean_text(text).replace("|", "/").strip() for text in texts)
    return tuple(text for text in clean if text)


@dataclass(frozen=True, slots=True)
class PageOrigin:
    """Origin of one side of a unit; unknown fields are empty.

    ``file`` is the path of its cesDoc file from the corpus folder, ``license`` the license
    that it states, ``optouts`` its signals on text and data mining.
    """

    url: str = ""
    file: str = ""
    subdomains: str = ""
    license: str = ""
    optouts: tuple[str, ...] = ()
    fetched_at: str = ""

    def __post_init__(self) -> None:
        _clean_fields(self)


@dataclass(frozen=True, slots=True)
class UnitOrigin:
    """Origin of all units of a pair of pages."""

    source: PageOrigin = field(default_factory=PageOrigin)
    target: PageOrigin = field(default_factory=PageOrigin)
    probability: float | None = None
    evidence: str = ""
    domain: str = ""

    def __post_init__(self) -> None:
        _clean_fields(self)


NO_ORIGIN = UnitOrigin()
"""Origin of units of unknown pages."""


@dataclass(frozen=True, slots=True)
class ExportUnit:
    """A translation unit as an export can hold it.

    Characters that XML forbids are removed and numbers rounded when a unit is made, so that a
    unit read back equals the one written. ``kind`` is the alignment type
    (``1:1``), ``score`` is None where unknown, ``info`` are the remarks on it
    (:class:`ilspfc.exports.Selection`), ``props`` the properties, type and value, that a
    memory of another tool gave it, ``scores`` those of the user's scorers by name. Raises ValueError for a number that is not finite.
    """

    source: str
    target: str
    kind: str = ""
    score: float | None = None
    info: tuple[str, ...] = ()
    origin: UnitOrigin = NO_ORIGIN
    props: tuple[tuple[str, str], ...] = ()
    scores: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        # Without a loop, because there are millions of units and most need no change.
        if not self.source.isprintable():
            object.__setattr__(self, "source", clean_text(self.source))
        if not self.target.isprintable():
            object.__setattr__(self, "target", clean_text(self.target))
        if not self.kind.isprintable():
            object.__setattr__(self, "kind", clean_text(self.kind))
        if self.score is not None:
            object.__setattr__(self, "score", _round(self.score, "score"))
        if self.info:
            object.__setattr__(self, "info", _clean_list(self.info))
        if self.props:
            props = tuple((clean_text(k), clean_text(v)) for k, v in self.props)
            object.__setattr__(self, "props", props)
        if self.scores:
            scores = tuple((clean_text(k), _round(v, k)) for k, v in self.scores)
            object.__setattr__(self, "scores", scores)

    def exchanged(self) -> ExportUnit:
        """Return the unit in the other direction.

        >>> unit = ExportUnit("Ja.", "Yes. I do.", "1:2").exchanged()
        >>> unit.source, unit.kind
        ('Yes. I do.', '2:1')
        """
        origin = replace(
            self.origin, source=self.origin.target, target=self.origin.source
        )
        kind = ":".join(self.kind.split(":")[::-1])
        return replace(
            self, source=self.target, target=self.source, kind=kind, origin=origin
        )


class SentenceLink(NamedTuple):
    """Sentences, by number from 1, that translate each other; one side may be empty."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    certainty: float | None = None

    @property
    def xtargets(self) -> str:
        """The numbers as OPUS writes them.

        >>> SentenceLink((1, 2), (1,)).xtargets, SentenceLink((), (3,)).xtargets
        ('1 2;1', ';3')
        """
        return ";".join(" ".join(map(str, side)) for side in self.sides)

    @property
    def sides(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The numbers of both sides."""
        return self.source, self.target


@dataclass(frozen=True, slots=True)
class SplitDocument:
    """Sentences of a document, the numbers of their paragraphs, and the separator between them."""

    name: str
    sentences: Sequence[str]
    blocks: Sequence[int]
    glue: str = " "

    def find(self, text: str, number: int, start: int) -> tuple[int, ...]:
        """Return the places of a segment of ``number`` sentences at ``start`` or later, if any."""
        for first in range(start, len(self.sentences) - number + 1):
            if self.glue.join(self.sentences[first : first + number]) == text:
                return tuple(range(first, first + number))
        return ()


class AlignedPages(NamedTuple):
    """Two documents in sentences, and the links between these in reading order."""

    source: SplitDocument
    target: SplitDocument
    links: Sequence[SentenceLink]


@dataclass
class PairOfPages:
    """A pair of pages with its units to export; ``align`` is called for its sentences on demand.

    ``to_corpus`` is the path from a folder of exports to the corpus.
    """

    entry: PairEntry
    origin: UnitOrigin
    units: Sequence[ExportUnit]
    align: Callable[[], AlignedPages]
    to_corpus: str = ".."

    @property
    def name(self) -> str:
        """The base name of its files."""
        ids = self.entry.source.id, self.entry.target.id
        return "_".join((*ids, self.entry.pair.evidence))

    @cached_property
    def aligned(self) -> AlignedPages:
        """The sentences of both pages, and the links between them."""
        return self.align()


def make_origin(entry: PairEntry, domain: str) -> UnitOrigin:
    """Return the origin that all units of a pair share."""
    return UnitOrigin(
        _page_origin(entry.source),
        _page_origin(entry.target),
        probability=entry.pair.probability,
        evidence=entry.pair.evidence,
        domain=domain,
    )


def _page_origin(entry: DocumentEntry) -> PageOrigin:
    return PageOrigin(
        url=entry.url,
        file=entry.path,
        subdomains=entry.subdomains,
        license=entry.license,
        optouts=tuple(entry.optouts.splitlines()),
        # Without the time: crawls of the same day write the same files.
        fetched_at=entry.fetched_at[:DAY_CHARS],
    )


def length_ratio(source: str, target: str) -> float:
    """Return source characters per target character, spaces included.

    Infinite if only the target is empty, 1 if both are.

    >>> length_ratio("abc", "ab")
    1.5
    """
    if not target:
        return float("inf") if source else 1.0
    return len(source) / len(target)
