"""Alignment of two documents: first their paragraphs, then the sentences inside."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.alignment.beads import DELETION, INSERTION, MATCH, Bead, Shape
from ilspfc.alignment.lengths import LengthModel, LengthScorer
from ilspfc.alignment.page_units import (
    UNSPACED_LANGS,
    Alignment,
    AlignmentReason,
    Splitter,
)
from ilspfc.alignment.segments import align_scored, fit_scorer
from ilspfc.documents import ParagraphType, TranslationUnit
from ilspfc.text.measure import measure_lengths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ilspfc.documents import Document

KIND_PENALTY = 3.0
"""What unequal paragraph types cost a bead: e to this power as rare as equal ones."""

# The published figures with two of them exchanged: those are counted on sentences, which
# translators merge; a page sooner leaves a paragraph out. Two paragraphs against two are
# better told apart, as two beads.
PARAGRAPH_PRIORS: Mapping[Shape, float] = MappingProxyType(
    {
        MATCH: 0.89,
        DELETION: 0.089 / 2,
        INSERTION: 0.089 / 2,
        (2, 1): 0.0099 / 2,
        (1, 2): 0.0099 / 2,
    }
)

_KINDS = {None: 0} | {kind: number for number, kind in enumerate(ParagraphType, 1)}


class _Side:
    """The sentences of one document, by paragraph; paragraphs without any are left out."""

    def __init__(self, document: Document, split: Splitter) -> None:
        self.glue = "" if document.lang in UNSPACED_LANGS else " "
        self.paragraphs: list[list[str]] = []
        self.kinds: list[int] = []
        for paragraph in document.clean_paragraphs:
            sentences = split(paragraph.text, document.lang)
            if sentences:
                self.paragraphs.append(sentences)
                self.kinds.append(_KINDS[paragraph.type])
        # A paragraph is as long as its sentences: measured once, used on both levels.
        self.lengths = [measure_lengths(sentences) for sentences in self.paragraphs]
        self.totals = np.array([lengths.sum() for lengths in self.lengths])
        self.all_lengths = np.concatenate([np.zeros(0), *self.lengths])

    def join(self, sentences: list[str]) -> str:
        """Return neighboring sentences as one segment."""
        return self.glue.join(sentences)


def align_documents(
    source: Document, target: Document, *, split: Splitter
) -> Alignment:
    """Align the clean paragraphs of two documents, then the sentences inside each bead.

    ``split`` gives the sentences of a paragraph. Ratio and variance are fitted to the
    paragraphs and hold for the sentences too. No unit crosses the border of a paragraph
    bead; its score is the posterior of that bead times the one of its sentence bead.
    Source: Gale and Church 1993, who align paragraphs, then sentences.
    """
    left, right = _Side(source, split), _Side(target, split)
    scorer = fit_scorer(
        left.totals,
        right.totals,
        priors=PARAGRAPH_PRIORS,
        source_kinds=left.kinds,
        target_kinds=right.kinds,
        kind_penalty=KIND_PENALTY,
    )
    model = LengthModel.start(
        right.all_lengths, scorer.model.ratio, variance=scorer.model.variance
    )
    units: list[TranslationUnit] = []
    dropped = dict.fromkeys(AlignmentReason, 0)
    for paragraph_bead in align_scored(scorer):
        for bead, sources, targets in _align_inside(paragraph_bead, left, right, model):
            if sources and targets:
                kind = f"{len(sources)}:{len(targets)}"
                texts = left.join(sources), right.join(targets)
                units.append(TranslationUnit(*texts, kind, bead.score))
            else:
                dropped[AlignmentReason.UNALIGNED_SOURCE] += len(sources)
                dropped[AlignmentReason.UNALIGNED_TARGET] += len(targets)
    segments = left.all_lengths.size + right.all_lengths.size
    return Alignment(
        units=units,
        null_share=sum(dropped.values()) / segments if segments else 0.0,
        mean_score=sum(unit.score for unit in units) / len(units) if units else 0.0,
        dropped=dropped,
    )


def _align_inside(
    paragraphs: Bead, left: _Side, right: _Side, model: LengthModel
) -> Iterator[tuple[Bead, list[str], list[str]]]:
    """Yield the sentence beads of a paragraph bead, with their sentences."""
    sources = [text for number in paragraphs.source for text in left.paragraphs[number]]
    targets = [
        text for number in paragraphs.target for text in right.paragraphs[number]
    ]
    if not sources or not targets or len(sources) == len(targets) == 1:
        # There is nothing left to choose; asking twice would count one doubt twice.
        whole = tuple(range(len(sources))), tuple(range(len(targets)))
        yield Bead(*whole, paragraphs.score), sources, targets
        return
    scorer = LengthScorer(
        np.concatenate([left.lengths[number] for number in paragraphs.source]),
        np.concatenate([right.lengths[number] for number in paragraphs.target]),
        model,
    )
    for bead in align_scored(scorer):
        yield (
            Bead(bead.source, bead.target, paragraphs.score * bead.score),
            [sources[number] for number in bead.source],
            [targets[number] for number in bead.target],
        )
