"""The state of one site from round to round: candidates, evidence, pairs."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from ilspfc.pairing.assignment import assign_greedily, find_sure
from ilspfc.pairing.comparison import NO_MATCHES, Candidates, Comparison, Matches
from ilspfc.pairing.evidence import EVIDENCE
from ilspfc.pairing.model.candidate_features import Features
from ilspfc.pairing.model.pair_model import probability
from ilspfc.pairing.model.probabilities import heed_versions, judge_candidates
from ilspfc.pairing.model.ranking import best_of_each
from ilspfc.pairing.model.scored import MIN_PROBABILITY, Judged
from ilspfc.pairing.segment_pairs import iter_segments

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from ilspfc.pairing.model.pair_model import PairingModel
    from ilspfc.text.arrays import FloatArray, IdArray, IntArray

    SegmentPair = tuple[IdArray, IdArray]
    Observer = Callable[[int, Comparison, Candidates, FloatArray], None]

# Candidates of a page that outlive the first round.
KEPT = 12
MAX_LESSONS = 20_000


class Site:
    """What is known of a site's pages after each round."""

    def __init__(self, comparison: Comparison, model: PairingModel) -> None:
        self.comparison = comparison
        self._model = model
        self._lessons: dict[tuple[int, int], list[SegmentPair]] = {}
        nothing = np.zeros((0, len(EVIDENCE)))
        self._candidates, self._values = Candidates.union([], 0), nothing
        self._logits, self._probabilities = np.zeros(0), np.zeros(0)
        self.chosen = np.zeros(0, np.int64)
        self._measure([])

    def _measure(self, kept: Sequence[tuple[IntArray, IntArray]]) -> None:
        """Propose candidates beside those kept, and measure them.

        What does not learn is asked for candidates in the first round alone, and measured
        once for each.
        """
        comparison = self.comparison
        is_first = comparison.scores is None
        proposed = [
            evidence.propose(comparison)
            for evidence in EVIDENCE
            if is_first or evidence.learns
        ]
        candidates = self._union([*kept, *(p for p in proposed if p is not None)])
        places = self._places(candidates)
        old = places >= 0
        values = np.zeros((len(candidates), len(EVIDENCE)))
        fixed = np.array([not evidence.learns for evidence in EVIDENCE])
        values[np.ix_(old, fixed)] = self._values[np.ix_(places[old], fixed)]
        self._candidates, self._values = candidates, values
        new = candidates.take(~old)
        for column, evidence in enumerate(EVIDENCE):
            if evidence.learns:
                values[:, column] = evidence.score(comparison, candidates)
            elif len(new):
                values[~old, column] = evidence.score(comparison, new)
            comparison.measured[evidence.name] = values[:, column]
        comparison.measured.clear()
        comparison.forget()

    def _union(self, parts: Sequence[tuple[IntArray, IntArray]]) -> Candidates:
        """Return the pairs of all parts in which both pages have text."""
        left, right = self.comparison.left, self.comparison.right
        found = Candidates.union(parts, len(right))
        return found.take(
            (left.sizes[found.rows] > 0) & (right.sizes[found.columns] > 0)
        )

    def _places(self, candidates: Candidates) -> npt.NDArray[np.int64]:
        """Return where candidates stood in the round before, -1 for new ones."""
        width = len(self.comparison.right)
        before = self._candidates.rows * width + self._candidates.columns
        keys = candidates.rows * width + candidates.columns
        if not len(before):
            return np.full(len(keys), -1)
        places = np.minimum(np.searchsorted(before, keys), len(before) - 1)
        return np.where(before[places] == keys, places, -1)

    def judge(self, number: int, observe: Observer | None = None) -> int:
        """Judge all candidates; return how many pairs were not pairs before."""
        comparison, candidates = self.comparison, self._candidates
        features = Features(self._values, comparison, candidates)
        if observe is not None:
            observe(number, comparison, candidates, features.take(slice(None)))
        self._logits = judge_candidates(
            self._model.full if number else self._model.start,
            features,
            self._values,
            candidates,
            comparison.sure if number else None,
        )
        self._probabilities = heed_versions(
            probability(self._logits), self._values, candidates
        )
        self.chosen = assign_greedily(candidates, self._probabilities, MIN_PROBABILITY)
        before = comparison.matches or NO_MATCHES
        pairs, probabilities = candidates.take(self.chosen), self._probabilities
        comparison.matches = Matches(
            pairs.rows, pairs.columns, probabilities[self.chosen]
        )
        pages = min(len(comparison.left), len(comparison.right))
        comparison.learn_from(find_sure(candidates, probabilities, self.chosen, pages))
        return int((~pairs.among(before)).sum())

    def advance(self, lexicon: csr_array, shared: csr_array) -> None:
        """Take up what was learned: propose and measure anew."""
        comparison, candidates = self.comparison, self._candidates
        comparison.scores = csr_array(
            (self._probabilities, (candidates.rows, candidates.columns)),
            shape=(len(comparison.left), len(comparison.right)),
        )
        comparison.lexicon, comparison.shared_lexicon = lexicon, shared
        comparison.forget()
        comparison.votes = None
        kept = candidates.take(best_of_each(candidates, self._probabilities, KEPT))
        self._measure([(kept.rows, kept.columns)])

    def lessons(self) -> list[list[SegmentPair]]:
        """Return the segments of each sure pair."""
        sure = self.comparison.sure or NO_MATCHES
        pairs = zip(sure.rows.tolist(), sure.columns.tolist(), strict=True)
        return [self._lesson(row, column) for row, column in islice(pairs, MAX_LESSONS)]

    def _lesson(self, row: int, column: int) -> list[SegmentPair]:
        """Return the segments of a pair, which stay what they were found to be first."""
        if (row, column) not in self._lessons:
            left, right = self.comparison.left, self.comparison.right
            ratio = self.comparison.log_ratio
            self._lessons[row, column] = list(
                iter_segments(left, right, row, column, ratio)
            )
        return self._lessons[row, column]

    def result(self, number: int) -> Judged:
        """Return what the site has come to after so many rounds, not calibrated yet."""
        comparison = self.comparison
        return Judged(
            [document.id for document in comparison.left.documents],
            [document.id for document in comparison.right.documents],
            self._candidates,
            self._values,
            probability(self._logits),
            number,
        )
