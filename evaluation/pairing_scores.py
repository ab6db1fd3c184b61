"""Precision, recall and F1 of pairs against gold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.outcome import iter_pairs

if TYPE_CHECKING:
    from evaluation.pairing_cases import Case
    from ilspfc.documents import DocumentPair
    from ilspfc.pairing.outcome import ScoredCandidates


@dataclass(frozen=True, slots=True)
class Scores:
    """Shares in [0, 1]; ``gold`` is the number of pairs to find.

    Where no pair is found none is wrong: the precision is 1, the recall 0.
    """

    precision: float
    recall: float
    f1: float
    gold: int

    def __str__(self) -> str:
        return (
            f"P {self.precision:.3f} R {self.recall:.3f} F1 {self.f1:.3f} ({self.gold})"
        )


def score(case: Case, pairs: Iterable[DocumentPair]) -> Scores:
    """Return the scores of pairs; one whose page is not in the gold does not count.

    Pages that cleaning or identification has lost count as not found.
    """
    found = list(pairs)
    wrong = find_wrong(case, found)
    hits = {case.document_keys[pair.source] for pair in found if pair not in wrong}
    return make_scores(len(hits & case.gold), len(wrong), len(case.gold))


def find_wrong(case: Case, pairs: Iterable[DocumentPair]) -> list[DocumentPair]:
    """Return the pairs whose pages are not versions of one page."""
    keys = case.document_keys
    return [p for p in pairs if not keys[p.source] or keys[p.source] != keys[p.target]]


def make_scores(hits: int, errors: int, gold: int) -> Scores:
    """Return the scores of so many right and wrong pairs."""
    precision = hits / (hits + errors) if hits + errors else 1.0
    recall = hits / gold if gold else 0.0
    total = precision + recall
    f1 = 2 * precision * recall / total if total else 0.0
    return Scores(precision, recall, f1, gold)


def score_judged(
    case: Case, judged: ScoredCandidates, threshold: float, min_margin: float = 0.0
) -> Scores:
    """Return the scores of the pairs that are so probable, and so much more than any rival."""
    return score(case, iter_pairs(judged, threshold, min_margin))


def mean_f1(scores: Iterable[Scores]) -> float:
    """Return the mean over language pairs."""
    return float(np.mean([one.f1 for one in scores]))
