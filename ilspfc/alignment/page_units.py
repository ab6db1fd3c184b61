"""Pages as texts to align, and what comes of them: units, and what has no partner."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from ilspfc.alignment.sides import TextPair
from ilspfc.documents import ParagraphType, TranslationUnit

if TYPE_CHECKING:
    from ilspfc.alignment.beads import Bead
    from ilspfc.documents import Document

Splitter: TypeAlias = Callable[[str, str], list[str]]
"""From a text and its ISO 639-3 code to its sentences."""

UNSPACED_LANGS = frozenset({"cmn", "jpn", "lzh", "wuu", "yue", "zho"})
"""Languages whose sentences follow each other without a space."""

# Types that stand for each other on two versions of a page.
_KINDS = {
    ParagraphType.TITLE: 1,
    ParagraphType.HEADING: 1,
    ParagraphType.LISTITEM: 2,
    ParagraphType.ROW: 3,
    ParagraphType.CELL: 3,
    ParagraphType.CAPTION: 4,
    ParagraphType.CODE: 5,
    ParagraphType.PREFORMATTED: 5,
}


class AlignmentReason(StrEnum):
    """Why a segment is in no translation unit."""

    UNALIGNED_SOURCE = "unaligned_source"
    UNALIGNED_TARGET = "unaligned_target"
    NOT_PARALLEL = "not_parallel"


@dataclass(frozen=True, slots=True)
class Alignment:
    """The segments of two documents that translate each other.

    ``null_share`` is the share of all segments, of both sides, that found no partner;
    ``mean_score`` the mean posterior of the units; both are 0 where there is nothing to
    count. ``dropped`` holds every reason, with 0 where it did not occur.
    """

    units: list[TranslationUnit]
    null_share: float
    mean_score: float
    dropped: Mapping[AlignmentReason, int]


class PageText:
    """The sentences of the clean paragraphs of a document, with their structure."""

    def __init__(self, document: Document, split: Splitter) -> None:
        self._glue = "" if document.lang in UNSPACED_LANGS else " "
        self.sentences: list[str] = []
        self.blocks: list[int] = []
        self.kinds: list[int] = []
        for number, paragraph in enumerate(document.clean_paragraphs):
            kind = _KINDS.get(paragraph.type, 0) if paragraph.type else 0
            for sentence in split(paragraph.text, document.lang):
                self.sentences.append(sentence)
                self.blocks.append(number)
                self.kinds.append(kind)

    def join(self, numbers: Iterable[int]) -> str:
        """Return neighboring sentences as one segment."""
        return self._glue.join(self.sentences[number] for number in numbers)


def pair_pages(source: PageText, target: PageText) -> TextPair:
    """Return two pages as texts to align."""
    return TextPair(
        source.sentences,
        target.sentences,
        source.blocks,
        target.blocks,
        source.kinds,
        target.kinds,
    )


def make_alignment(
    source: PageText, target: PageText, beads: Iterable[Bead]
) -> Alignment:
    """Return the units that beads make of two pages."""
    units: list[TranslationUnit] = []
    posteriors: list[float] = []
    dropped = dict.fromkeys(AlignmentReason, 0)
    for bead in beads:
        if bead.source and bead.target:
            kind = f"{len(bead.source)}:{len(bead.target)}"
            texts = source.join(bead.source), target.join(bead.target)
            units.append(TranslationUnit(*texts, kind, bead.score))
            posteriors.append(bead.posterior)
        else:
            dropped[AlignmentReason.UNALIGNED_SOURCE] += len(bead.source)
            dropped[AlignmentReason.UNALIGNED_TARGET] += len(bead.target)
    segments = len(source.sentences) + len(target.sentences)
    return Alignment(
        units=units,
        null_share=sum(dropped.values()) / segments if segments else 0.0,
        mean_score=sum(posteriors) / len(units) if units else 0.0,
        dropped=dropped,
    )


def is_parallel(
    null_share: float,
    mean_score: float,
    *,
    max_null_share: float,
    min_mean_score: float,
) -> bool:
    """Return whether the figures of an :class:`Alignment` are those of parallel pages.

    They are where at most ``max_null_share`` of the sentences have no partner, and the
    units have a mean score of ``min_mean_score`` or more.
    """
    return null_share <= max_null_share and mean_score >= min_mean_score


def drop_units(alignment: Alignment) -> Alignment:
    """Return an alignment of pages that are not parallel: the units are counted only."""
    dropped = {**alignment.dropped, AlignmentReason.NOT_PARALLEL: len(alignment.units)}
    return replace(alignment, units=[], dropped=dropped)
