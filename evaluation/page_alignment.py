"""Aligns the sentences of pages whose blocks translate each other, and scores the units.

A unit is right if its sentences are from the same blocks on both sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import numpy as np

from evaluation.alignment import neighbors_of, rank
from ilspfc.alignment.collection import align_texts
from ilspfc.alignment.sides import TextPair
from ilspfc.lexicon.ibm1 import learn_tables
from ilspfc.text.sentences import split_sentences

if TYPE_CHECKING:
    from evaluation.page_silver import Block, Page
    from ilspfc.alignment.beads import Bead


@dataclass(frozen=True)
class Text:
    """The sentences of one side with the blocks that they are from."""

    sentences: list[str]
    blocks: list[int]
    kinds: list[int]

    @classmethod
    def split(cls, blocks: list[Block], lang: str) -> Text:
        """Return the sentences of blocks."""
        rows = [
            (sentence, number, kind)
            for kind, number, text in blocks
            for sentence in split_sentences(text, lang)
        ]
        return cls(
            [row[0] for row in rows], [row[1] for row in rows], [r[2] for r in rows]
        )


def align(
    way: str, pages: list[Page], langs: tuple[str, str]
) -> list[tuple[Text, Text, list[Bead]]]:
    """Return texts and beads of all pages."""
    texts = [
        (Text.split(page.source, langs[0]), Text.split(page.target, langs[1]))
        for page in pages
    ]
    if way == "length":
        pairs = [TextPair(s.sentences, t.sentences) for s, t in texts]
        found = align_texts(pairs, langs, None)
    else:
        is_guided = way == "structure"
        pairs = [
            TextPair(
                source.sentences,
                target.sentences,
                _number(source.blocks) if is_guided else None,
                _number(target.blocks) if is_guided else None,
                source.kinds if is_guided else None,
                target.kinds if is_guided else None,
            )
            for source, target in texts
        ]
        found = align_texts(pairs, langs, learn_tables)
    return [(*sides, beads) for sides, beads in zip(texts, found, strict=True)]


def _number(blocks: list[int]) -> list[int]:
    """Return blocks in the order in which they stand."""
    if not blocks:
        return []
    return list(accumulate((a != b for a, b in pairwise(blocks)), initial=0))


@dataclass(frozen=True)
class Figures:
    """Precision of units and recall of blocks; of each unit whether it is right.

    ``scores`` and ``neighbors`` are its score and the mean score of its neighbors.
    """

    precision: float
    recall: float
    scores: list[float]
    neighbors: list[float]
    are_right: list[bool]

    @cached_property
    def ranks(self) -> tuple[float, float]:
        """AUC of the score, and precision of the best nine tenths by it."""
        return rank(self.scores, self.are_right)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / max(both, 1e-9)


def judge(aligned: list[tuple[Text, Text, list[Bead]]]) -> Figures:
    """Return how good units are, and how well their score tells the wrong ones."""
    scores: list[float] = []
    are_right: list[bool] = []
    found = wanted = 0
    for source, target, beads in aligned:
        hit: set[int] = set()
        for bead in beads:
            if bead.source and bead.target:
                left = {source.blocks[n] for n in bead.source}
                is_right = left == {target.blocks[n] for n in bead.target}
                scores.append(bead.score)
                are_right.append(is_right)
                hit |= left if is_right else set()
        both = set(source.blocks) & set(target.blocks)
        found += len(hit)
        wanted += len(both)
    return Figures(
        sum(are_right) / max(len(are_right), 1),
        found / max(wanted, 1),
        scores,
        [mean for *_, beads in aligned for mean in neighbors_of(beads)],
        are_right,
    )


def measures(aligned: list[tuple[Text, Text, list[Bead]]]) -> list[tuple[float, float]]:
    """Return null share and mean score, that of the posteriors, of each page."""
    found = []
    for source, target, beads in aligned:
        scores = [bead.posterior for bead in beads if bead.source and bead.target]
        nulls = sum(
            len(b.source) + len(b.target) for b in beads if not (b.source and b.target)
        )
        total = max(len(source.sentences) + len(target.sentences), 1)
        found.append((nulls / total, float(np.mean(scores)) if scores else 0.0))
    return found
