"""All evidence in one probability, in rounds: what a round finds the next one learns from."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Protocol

import numpy as np
from scipy.sparse import csr_array

from ilspfc.pairing.assignment import assign_greedily, find_sure
from ilspfc.pairing.comparison import NO_MATCHES, Candidates, Comparison, Matches
from ilspfc.pairing.evidence import EVIDENCE
from ilspfc.pairing.features import add_margins
from ilspfc.pairing.judged import Judged
from ilspfc.pairing.model import probability, site_logits
from ilspfc.pairing.segments import iter_segments

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from ilspfc.pairing.model import PairingModel
    from ilspfc.pairing.sparse import FloatArray, IntArray

    Ints = npt.NDArray[np.int32]
    SegmentPair = tuple[Ints, Ints]
    Observer = Callable[[int, Comparison, Candidates, FloatArray], None]

ROUNDS = 3
# A round that changes a smaller share of the pairs is the last.
MIN_CHANGE = 0.02
# From this value of versions on pages declare them; what that leaves to a rival.
DECLARED = 0.95
RIVAL_SHARE = 0.3
_VERSIONS = [evidence.name for evidence in EVIDENCE].index("versions")
# Candidates of a page that outlive the first round.
KEPT = 12
MAX_LESSONS = 20_000
_FIXED = frozenset(
    {"versions", "urls", "identical", "numbers", "titles", "images", "frame"}
)


class LearnLexicon(Protocol):
    """Learns which stems translate each other."""

    def __call__(
        self, segments: Sequence[SegmentPair], documents: Sequence[int]
    ) -> tuple[csr_array, csr_array]:
        """Return scores in [0, 1], shape (stems of the left, stems of the right).

        ``documents`` tells from which pair of pages each pair of segments is. The second
        array has what two pairs of pages have taught: by it a pair is judged that has
        taught the first itself.
        """


class _Site:
    """The state of one site from round to round."""

    def __init__(self, comparison: Comparison, model: PairingModel) -> None:
        self.comparison = comparison
        self._model = model
        self._fixed: FloatArray | None = None
        self.candidates = self._propose()
        self.values = self._measure(self.candidates)
        self.chosen = np.zeros(0, np.int64)
        self._lessons: dict[tuple[int, int], list[SegmentPair]] = {}
        self.probabilities = np.zeros(0)

    def _propose(self) -> Candidates:
        found = [evidence.propose(self.comparison) for evidence in EVIDENCE]
        return self._union([pairs for pairs in found if pairs is not None])

    def _union(self, parts: Sequence[tuple[IntArray, IntArray]]) -> Candidates:
        """Return the pairs of all parts in which both pages have text."""
        left, right = self.comparison.left, self.comparison.right
        found = Candidates.union(parts, len(right))
        return found.take(
            (left.sizes[found.rows] > 0) & (right.sizes[found.columns] > 0)
        )

    def _measure(self, candidates: Candidates) -> FloatArray:
        """Return all evidence; what is fixed is measured for new candidates alone."""
        comparison = self.comparison
        known = self._places(candidates)
        values = np.zeros((len(candidates), len(EVIDENCE)))
        old = known >= 0
        for column, evidence in enumerate(EVIDENCE):
            if evidence.name in _FIXED and self._fixed is not None:
                values[old, column] = self._fixed[known[old], column]
                if not old.all():
                    values[~old, column] = evidence.score(
                        comparison, candidates.take(~old)
                    )
            else:
                values[:, column] = evidence.score(comparison, candidates)
        self._fixed = values
        return values

    def _places(self, candidates: Candidates) -> npt.NDArray[np.int64]:
        """Return where candidates stood in the round before, -1 for new ones."""
        if self._fixed is None:
            return np.full(len(candidates), -1)
        width = len(self.comparison.right)
        before = self.candidates.rows * width + self.candidates.columns
        keys = candidates.rows * width + candidates.columns
        places = np.minimum(np.searchsorted(before, keys), max(len(before) - 1, 0))
        return (
            np.where(before[places] == keys, places, -1) if len(before) else places - 1
        )

    def judge(self, number: int, observe: Observer | None = None) -> int:
        """Judge all candidates; return how many pairs were not pairs before."""
        comparison = self.comparison
        features = add_margins(self.values, comparison, self.candidates)
        if observe is not None:
            observe(number, comparison, self.candidates, features)
        model = self._model.full if number else self._model.start
        logits = model.logits(features)
        if number and comparison.sure is not None:
            own = site_logits(
                model.standardize(features), self.candidates, comparison.sure
            )
            if own is not None:
                logits = (logits + own) / 2
        self.probabilities = self._heed_versions(probability(logits))
        self.chosen = assign_greedily(self.candidates, self.probabilities, 0.05)
        before = comparison.matches
        old = (
            set()
            if before is None
            else set(zip(before.rows.tolist(), before.columns.tolist(), strict=True))
        )
        pairs = self.candidates.take(self.chosen)
        comparison.matches = Matches(
            pairs.rows, pairs.columns, self.probabilities[self.chosen]
        )
        pages = min(len(comparison.left), len(comparison.right))
        comparison.learn_from(
            find_sure(self.candidates, self.probabilities, self.chosen, pages)
        )
        new = set(zip(pairs.rows.tolist(), pairs.columns.tolist(), strict=True))
        return len(new - old)

    def _heed_versions(self, probabilities: FloatArray) -> FloatArray:
        """Return the probabilities with what pages declare (hreflang) above all likeness."""
        is_declared = self.values[:, _VERSIONS] >= DECLARED
        candidates = self.candidates
        is_rival = ~is_declared & (
            np.isin(candidates.rows, candidates.rows[is_declared])
            | np.isin(candidates.columns, candidates.columns[is_declared])
        )
        heeded = np.where(
            is_declared, np.maximum(probabilities, DECLARED), probabilities
        )
        return np.where(is_rival, heeded * RIVAL_SHARE, heeded)

    def advance(self, lexicon: csr_array, shared: csr_array) -> None:
        """Take up what was learned: propose and measure anew."""
        comparison = self.comparison
        shape = (len(comparison.left), len(comparison.right))
        comparison.scores = csr_array(
            (self.probabilities, (self.candidates.rows, self.candidates.columns)),
            shape=shape,
        )
        comparison.lexicon, comparison.shared_lexicon = lexicon, shared
        comparison.projections.clear()
        comparison.votes = None
        kept = self._best()
        proposed = [
            evidence.propose(comparison)
            for evidence in EVIDENCE
            if evidence.name not in _FIXED and evidence.name != "structure"
        ]
        parts = [(kept.rows, kept.columns), *(p for p in proposed if p is not None)]
        candidates = self._union(parts)
        values = self._measure(candidates)
        self.candidates, self.values = candidates, values
        # They are as large as all pages, and of no use before they are made anew.
        comparison.projections.clear()

    def _best(self) -> Candidates:
        """Return the most probable candidates of each page of either side."""
        kept = np.zeros(len(self.candidates), bool)
        for owners in (self.candidates.rows, self.candidates.columns):
            order = np.lexsort((-self.probabilities, owners))
            sorted_owners = owners[order]
            starts = np.r_[True, sorted_owners[1:] != sorted_owners[:-1]]
            first = np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))
            kept[order[np.arange(len(order)) - first < KEPT]] = True
        return self.candidates.take(kept)

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


def pair_sites(
    comparisons: Sequence[Comparison],
    model: PairingModel,
    learn: LearnLexicon,
    *,
    rounds: int = ROUNDS,
    observe: Observer | None = None,
) -> list[Judged]:
    """Return the judged candidates of each site, in the order given.

    The lexicon is learned from the sure pairs of all sites together.
    """
    sites = [_Site(c, model) for c in comparisons if len(c.left) and len(c.right)]
    for site in sites:
        site.judge(0, observe)
    number = 0
    while number < rounds:
        number += 1
        segments: list[SegmentPair] = []
        documents: list[int] = []
        pair = 0
        for site in sites:
            for lesson in site.lessons():
                documents += [pair] * len(lesson)
                pair += 1
                segments += lesson
        lexicon, shared = learn(segments, documents)
        changed = total = 0
        for site in sites:
            site.advance(lexicon, shared)
            changed += site.judge(number, observe)
            total += len(site.chosen)
        if changed < MIN_CHANGE * total:
            break
    return [
        Judged(s.comparison, s.candidates, s.values, s.probabilities, s.chosen, number)
        for s in sites
    ]
