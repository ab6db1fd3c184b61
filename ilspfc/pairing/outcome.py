"""Judged candidates as pairs of documents, and what is left without one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.documents import DocumentPair
from ilspfc.pairing.evidence import EVIDENCE
from ilspfc.pairing.model.probabilities import CLAIMED
from ilspfc.pairing.model.ranking import best_rivals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ilspfc.pairing.model.scored import Judged
    from ilspfc.text.arrays import FloatArray

# Claims name a pair from these values on; without one, what its content says the most.
_CLAIMS = {"versions": CLAIMED, "urls": CLAIMED, "images": 0.6}
_CONTENT = ("identical", "lexicon", "structure", "link_votes")
# No rival is worth naming below this.
_MIN_RIVAL = 0.01


@dataclass(frozen=True, slots=True)
class Rival:
    """The most probable partner of a document that has no pair; ids of both."""

    document: str
    rival: str
    probability: float


def iter_pairs(
    judged: Judged, threshold: float, min_margin: float = 0.0
) -> Iterator[DocumentPair]:
    """Yield the pairs that are at least so probable, and so much more than any rival."""
    margins = _margins(judged)
    for place in judged.chosen.tolist():
        margin = float(margins[place])
        if judged.probabilities[place] >= threshold and margin >= min_margin:
            yield _make_pair(judged, place, margin)


def iter_spares(
    judged: Judged, threshold: float, min_margin: float = 0.0
) -> Iterator[DocumentPair]:
    """Yield what would be a pair if those of its pages were none.

    The margin is that to rivals that are no pairs either.
    """
    free = judged.probabilities.copy()
    free[judged.chosen] = 0.0
    margins = judged.probabilities - _best_rivals(judged, free)
    is_spare = (free >= max(threshold, _MIN_RIVAL)) & (margins >= min_margin)
    for place in np.nonzero(is_spare)[0].tolist():
        yield _make_pair(judged, place, float(margins[place]))


def _margins(judged: Judged) -> FloatArray:
    return judged.probabilities - _best_rivals(judged, judged.probabilities)


def _best_rivals(judged: Judged, probabilities: FloatArray) -> FloatArray:
    return np.maximum(
        best_rivals(probabilities, judged.candidates.rows),
        best_rivals(probabilities, judged.candidates.columns),
    )


def _make_pair(judged: Judged, place: int, margin: float) -> DocumentPair:
    values = tuple(
        (evidence.name, round(float(value), 4))
        for evidence, value in zip(EVIDENCE, judged.values[place], strict=True)
    )
    return DocumentPair(
        judged.left[judged.candidates.rows[place]],
        judged.right[judged.candidates.columns[place]],
        float(judged.probabilities[place]),
        _name_evidence(values),
        margin=round(margin, 4),
        values=values,
        round=judged.round,
    )


def _name_evidence(values: tuple[tuple[str, float], ...]) -> str:
    """Return the kind that speaks the most for a pair: a claim, or the strongest other."""
    said = dict(values)
    for name, least in _CLAIMS.items():
        if said.get(name, 0.0) >= least:
            return name
    return max(_CONTENT, key=lambda name: said.get(name, 0.0))


def iter_rivals(
    judged: Judged, threshold: float, min_margin: float = 0.0
) -> Iterator[Rival]:
    """Yield the best candidate of each document without a pair, if it has any."""
    probabilities, candidates = judged.probabilities, judged.candidates
    chosen = judged.chosen
    is_pair = probabilities[chosen] >= threshold
    taken = chosen[is_pair & (_margins(judged)[chosen] >= min_margin)]
    sides = (
        (candidates.rows, candidates.columns, judged.left, judged.right),
        (candidates.columns, candidates.rows, judged.right, judged.left),
    )
    for owners, others, own, other in sides:
        free = np.ones(len(own), bool)
        free[owners[taken]] = False
        order = np.lexsort((others, -probabilities, owners))
        _, first = np.unique(owners[order], return_index=True)
        for place in order[first].tolist():
            owner, probability = int(owners[place]), float(probabilities[place])
            if free[owner] and probability >= _MIN_RIVAL:
                yield Rival(
                    own[owner],
                    other[others[place]],
                    round(probability, 4),
                )
