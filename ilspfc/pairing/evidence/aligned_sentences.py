"""Aligned sentences that the lexicon bears out (002, equations 4 to 6).

The costliest kind: only the best candidates of each page are measured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.evidence.identical_tokens import IDENTICAL
from ilspfc.pairing.evidence.translations import LEXICON
from ilspfc.pairing.model.ranking import best_of_each
from ilspfc.pairing.segment_pairs import iter_segments
from ilspfc.pairing.sentence_similarity import list_translations, page_similarity

if TYPE_CHECKING:
    from ilspfc.pairing.comparison import Candidates, Comparison
    from ilspfc.text.arrays import FloatArray

MEASURED = 3
# Of longer pages other evidence tells enough, and their alignment costs the most.
MAX_BLOCKS = 30


@dataclass(frozen=True, slots=True)
class Sentences:
    """The similarity of the aligned sentences of the best candidates."""

    name: str = "sentences"
    group: str = "lexicon"
    learns: bool = True

    def propose(self, comparison: Comparison) -> None:
        """Propose nothing: the lexicon has done so."""

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the similarity of each candidate, in [0, 1]; 0 without a lexicon."""
        scores = np.zeros(len(candidates))
        if comparison.lexicon is None:
            return scores
        likeness = np.zeros(len(candidates))
        for kind in (LEXICON, IDENTICAL):
            known = comparison.measured.get(kind.name)
            likeness += kind.score(comparison, candidates) if known is None else known
        translations = list_translations(comparison.lexicon)
        is_short = [
            np.array([len(kinds) <= MAX_BLOCKS for kinds in side.kinds], bool)
            for side in (comparison.left, comparison.right)
        ]
        measured = best_of_each(candidates, likeness, MEASURED)
        measured &= is_short[0][candidates.rows] & is_short[1][candidates.columns]
        for place in np.nonzero(measured)[0]:
            segments = iter_segments(
                comparison.left,
                comparison.right,
                int(candidates.rows[place]),
                int(candidates.columns[place]),
                comparison.log_ratio,
            )
            scores[place] = page_similarity(segments, translations)
        return scores


SENTENCES = Sentences()
