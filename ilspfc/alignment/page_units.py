"""Pages as texts to align, and their alignment: units and unaligned segments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ilspfc.alignment.beads import Bead, WordCounts
from ilspfc.alignment.sides import TextPair
from ilspfc.documents import ParagraphType, TranslationUnit

UNSPACED_LANGS = frozenset({"cmn", "jpn", "lzh", "wuu", "yue", "zho"})
"""Languages without a space between sentences."""

# Words explained as usual that are added to those of a page.
_KNOWN_PRIOR = 2.0

# Kinds of paragraphs; types of one kind correspond on two versions of a page.
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
    """Reason why a segment is in no translation unit."""

    UNALIGNED_SOURCE = "unaligned_source"
    UNALIGNED_TARGET = "unaligned_target"
    NOT_PARALLEL = "not_parallel"


@dataclass(frozen=True, slots=True)
class Alignment:
    """The translation units of two documents.

    ``segments`` is the number of segments of both sides, ``null_share`` the share of them
    without a partner, ``mean_score`` the mean posterior of the units; all are 0 if there are
    none. ``dropped`` counts the segments without a partner, by reason. ``explained`` is the
    log of the share of known words that the units explain, relative to that of sure units,
    the mean of both directions; None without a lexicon, or sure units to compare with.
    """

    units: list[TranslationUnit]
    segments: int
    null_share: float
    mean_score: float
    dropped: Mapping[str, int]
    explained: float | None = None


@dataclass(frozen=True, slots=True)
class PageText:
    """The sentences of the clean paragraphs of a document, with their structure.

    ``blocks`` are the numbers of the sentences' paragraphs, ``kinds`` their kinds.
    """

    glue: str
    sentences: list[str]
    blocks: list[int]
    kinds: list[int]

    @classmethod
    def of(
        cls, blocks: Iterable[tuple[ParagraphType | None, Sequence[str]]], lang: str
    ) -> PageText:
        """Return a page from the type and the sentences of each paragraph."""
        page = cls.of_sentences((), lang)
        for number, (type_, sentences) in enumerate(blocks):
            kind = _KINDS.get(type_, 0) if type_ else 0
            page.sentences.extend(sentences)
            page.blocks.extend([number] * len(sentences))
            page.kinds.extend([kind] * len(sentences))
        return page

    @classmethod
    def of_sentences(cls, sentences: Iterable[str], lang: str) -> PageText:
        """Return a page of one paragraph from sentences in a language (ISO 639-3)."""
        texts = list(sentences)
        glue = "" if lang in UNSPACED_LANGS else " "
        return cls(glue, texts, [0] * len(texts), [0] * len(texts))

    def join(self, numbers: Iterable[int]) -> str:
        """Return adjacent sentences as one segment."""
        return self.glue.join(self.sentences[number] for number in numbers)


def pair_pages(source: PageText, target: PageText, *, is_lesson: bool) -> TextPair:
    """Return two pages as texts to align."""
    return TextPair(
        source.sentences,
        target.sentences,
        source.blocks,
        target.blocks,
        source.kinds,
        target.kinds,
        is_lesson,
    )


def make_alignment(
    source: PageText, target: PageText, beads: Iterable[Bead]
) -> Alignment:
    """Return the alignment of two pages from their beads."""
    units: list[TranslationUnit] = []
    posteriors: list[float] = []
    counts: list[WordCounts] = []
    sides = AlignmentReason.UNALIGNED_SOURCE, AlignmentReason.UNALIGNED_TARGET
    dropped: dict[str, int] = dict.fromkeys(sides, 0)
    for bead in beads:
        if bead.source and bead.target:
            kind = f"{len(bead.source)}:{len(bead.target)}"
            texts = source.join(bead.source), target.join(bead.target)
            units.append(TranslationUnit(*texts, kind, bead.score))
            posteriors.append(bead.posterior)
        else:
            dropped[sides[0]] += len(bead.source)
            dropped[sides[1]] += len(bead.target)
        if bead.words is not None:
            counts.append(bead.words)
    segments = len(source.sentences) + len(target.sentences)
    return Alignment(
        units=units,
        segments=segments,
        null_share=sum(dropped.values()) / segments if segments else 0.0,
        mean_score=sum(posteriors) / len(units) if units else 0.0,
        dropped=dropped,
        explained=_share_explained(counts) if counts else None,
    )


def _share_explained(counts: Sequence[WordCounts]) -> float:
    """Return the log share of words explained; few known words say little."""
    totals = np.array(counts).sum(axis=0) + _KNOWN_PRIOR
    return float(np.log(totals[:2] / totals[2:]).mean())
