"""Judged candidates as pairs of documents, and what is left without one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.documents import DocumentPair
from ilspfc.pairing.evidence import EVIDENCE
from ilspfc.pairing.ranking import best_rivals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ilspfc.pairing.judged import Judged

# Claims name a pair from these values on; without one, what its content says the most.
_CLAIMS = {"versions": 0.85, "urls": 0.85, "images": 0.6}
_CONTENT = ("identical", "lexicon", "structure", "link_votes")
# No rival is worth naming below this.
_MIN_RIVAL = 0.01


@dataclass(frozen=True, slots=True)
class Rival:
    """The most probable partner of a document that has no pair; ids of both."""

    document: str
    rival: str
    probability: float


def iter_pairs(judged: Judged, threshold: float) -> Iterator[DocumentPair]:
    """Yield the pairs that are at least so probable."""
    probabilities, candidates = judged.probabilities, judged.candidates
    rivals = np.maximum(
        best_rivals(probabilities, candidates.rows),
        best_rivals(probabilities, candidates.columns),
    )
    left, right = judged.comparison.left.documents, judged.comparison.right.documents
    for place in judged.chosen.tolist():
        probability = float(probabilities[place])
        if probability < threshold:
            continue
        values = tuple(
            (evidence.name, round(float(value), 4))
            for evidence, value in zip(EVIDENCE, judged.values[place], strict=True)
        )
        yield DocumentPair(
            left[candidates.rows[place]].id,
            right[candidates.columns[place]].id,
            probability,
            _name_evidence(values),
            margin=round(probability - float(rivals[place]), 4),
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


def iter_rivals(judged: Judged, threshold: float) -> Iterator[Rival]:
    """Yield the best candidate of each document without a pair, if it has any."""
    probabilities, candidates = judged.probabilities, judged.candidates
    taken = judged.chosen[probabilities[judged.chosen] >= threshold]
    comparison = judged.comparison
    sides = (
        (candidates.rows, candidates.columns, comparison.left, comparison.right),
        (candidates.columns, candidates.rows, comparison.right, comparison.left),
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
                    own.documents[owner].id,
                    other.documents[others[place]].id,
                    round(probability, 4),
                )
