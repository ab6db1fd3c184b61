"""Method that combines all evidence in one probability; each round learns from the last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from ilspfc.pairing.comparison import (
    NO_MATCHES,
    Candidates,
    Comparison,
    Lesson,
    Matches,
    join_lessons,
    narrow,
    narrow_lexicon,
)
from ilspfc.pairing.evidence.catalog import EVIDENCE
from ilspfc.pairing.model.candidate_features import Features
from ilspfc.pairing.model.pair_model import (
    PairingModel,
    boost_versions,
    calibrate,
    judge_candidates,
)
from ilspfc.pairing.outcome import MIN_PROBABILITY, ScoredCandidates
from ilspfc.pairing.ranking import assign_greedily, best_of_each, find_sure
from ilspfc.spool import Spool, pack
from ilspfc.tasks import RunTasks, run_here
from ilspfc.text.arrays import FloatArray, IntArray
from ilspfc.text.log_odds import to_probability
from ilspfc.text.vocabulary import Segments

Observer = Callable[[int, Comparison, Candidates, FloatArray], None]


ROUNDS = 3
# A round that changes a smaller share of the pairs, of a site or of all, is the last.
MIN_CHANGE = 0.02


class LearnLexicon(Protocol):
    """Learner of the stems that translate each other."""

    def __call__(
        self, source: Segments, target: Segments, documents: IntArray
    ) -> tuple[csr_array, csr_array]:
        """Return two lexicons: scores in [0, 1], shape (left stems, right stems).

        ``documents`` gives the number of the page pair of each pair of segments. The
        second lexicon holds only entries learned from two or more page pairs; it scores
        the pairs that the lexicon was learned from.
        """


def pair_sites(
    comparisons: Iterable[Comparison],
    model: PairingModel,
    learn: LearnLexicon,
    *,
    rounds: int = ROUNDS,
    kept: int | None = None,
    run: RunTasks = run_here,
) -> list[ScoredCandidates]:
    """Return the scored candidates of each site, in input order, calibrated.

    Sites are independent within a round; ``run`` scores them. ``kept`` is the number of
    best candidates to return for each page, None for all.
    """

    def finish(site: ScoredCandidates) -> ScoredCandidates:
        calibrated = calibrate(site, model.calibration)
        return calibrated if kept is None else calibrated.keep_best(kept)

    return judge_sites(comparisons, model, learn, rounds=rounds, finish=finish, run=run)


def judge_sites(
    comparisons: Iterable[Comparison],
    model: PairingModel,
    learn: LearnLexicon,
    *,
    rounds: int = ROUNDS,
    observe: Observer | None = None,
    finish: Callable[[ScoredCandidates], ScoredCandidates] = lambda site: site,
    run: RunTasks = run_here,
) -> list[ScoredCandidates]:
    """Return the scored candidates of each site, in input order, not calibrated.

    The lexicon is learned from the sure pairs of all sites together. Between rounds the
    sites are on disk, their pages but once; ``finish`` is applied to the result of each.
    """
    start = Spool(
        narrow(comparison)
        for comparison in comparisons
        if len(comparison.left) and len(comparison.right)
    )
    if not len(start):
        return []
    numbers = range(len(start))
    sites = _JudgedSites(run(_start_site, numbers, (start, model, observe)))
    for number in range(1, rounds + 1):
        lexicons = learn(*join_lessons(chain.from_iterable(sites.lessons)))
        own, common = ((lexicon, csr_array(lexicon.T)) for lexicon in lexicons)
        current = _Round(number, start, sites.sites, own, common, observe)
        active = [place for place in numbers if sites.is_changing(place)]
        advanced = run(_advance_site, active, current)
        sites = _JudgedSites(
            next(advanced) if sites.is_changing(place) else sites.judged(place)
            for place in numbers
        )
        if sum(sites.new) < MIN_CHANGE * sum(sites.chosen):
            break
    return [finish(_load_site(start, sites.sites, place).result()) for place in numbers]


# A site on disk, without its pages; the segments of its sure pairs; the number of its pairs,
# and of those that are new.
JudgedSite: TypeAlias = "tuple[bytes, list[Lesson], int, int]"


class _JudgedSites:
    """The sites after a round, on disk: only one of them is in memory at a time.

    ``lessons`` are the segments of the sure pairs of each; ``chosen`` is the number of its
    pairs, ``new`` of those that its last round added.
    """

    def __init__(self, judged: Iterable[JudgedSite]) -> None:
        self.sites: Spool[Site] = Spool()
        self.lessons: list[list[Lesson]] = []
        self.chosen: list[int] = []
        self.new: list[int] = []
        for site, lessons, chosen, new in judged:
            self.sites.append_packed(site)
            self.lessons.append(lessons)
            self.chosen.append(chosen)
            self.new.append(new)

    def is_changing(self, place: int) -> bool:
        """Test whether a site goes through the next round, as one without pairs does."""
        return self.new[place] >= MIN_CHANGE * self.chosen[place]

    def judged(self, place: int) -> JudgedSite:
        """Return a site as it is, with nothing new."""
        return self.sites.packed(place), self.lessons[place], self.chosen[place], 0


def _start_site(
    shared: tuple[Spool[Comparison], PairingModel, Observer | None], number: int
) -> JudgedSite:
    """Return a site scored without a lexicon of the corpus."""
    comparisons, model, observe = shared
    site = Site(comparisons[number], model)
    return _pack_site(site, site.judge(0, observe))


class _Round(NamedTuple):
    """Input that the sites of a round share; lexicons also transposed."""

    number: int
    comparisons: Spool[Comparison]
    sites: Spool[Site]
    lexicon: tuple[csr_array, csr_array]
    shared_lexicon: tuple[csr_array, csr_array]
    observe: Observer | None


def _advance_site(current: _Round, number: int) -> JudgedSite:
    """Return a site after another round."""
    site = _load_site(current.comparisons, current.sites, number)
    stems = site.comparison.stems
    lexicons = (current.lexicon, current.shared_lexicon)
    site.advance(*(narrow_lexicon(*both, stems) for both in lexicons))
    return _pack_site(site, site.judge(current.number, current.observe))


def _load_site(comparisons: Spool[Comparison], sites: Spool[Site], number: int) -> Site:
    """Return a site that :func:`_pack_site` left without its pages."""
    site, pages = sites[number], comparisons[number]
    comparison = site.comparison
    comparison.left, comparison.right = pages.left, pages.right
    comparison.table = pages.table
    return site


def _pack_site(site: Site, new: int) -> JudgedSite:
    lessons = site.lessons()
    del site.comparison.left, site.comparison.right, site.comparison.table
    return pack(site), lessons, len(site.chosen), new


# Candidates of a page that survive the first round.
KEPT = 12
MAX_LESSONS = 20_000


class Site:
    """Candidates, evidence and pairs of a site, round by round."""

    def __init__(self, comparison: Comparison, model: PairingModel) -> None:
        self.comparison = comparison
        self._model = model
        self._lessons: dict[tuple[int, int], Lesson] = {}
        nothing = np.zeros((0, len(EVIDENCE)))
        self._candidates, self._values = Candidates.union([], 0), nothing
        self._logits, self._probabilities = np.zeros(0), np.zeros(0)
        self.chosen = np.zeros(0, np.int64)
        self._round = 0
        self._score_evidence([])

    def _score_evidence(self, kept: Sequence[tuple[IntArray, IntArray]]) -> None:
        """Propose candidates in addition to those kept, and score them.

        Kinds of evidence that do not learn propose in the first round only, and score
        each candidate once.
        """
        comparison = self.comparison
        is_first = comparison.scores is None
        kinds = [kind for kind in EVIDENCE if is_first or kind.learns]
        proposed = [kind.propose(comparison) for kind in kinds]
        candidates = self._union([*kept, *(p for p in proposed if p is not None)])
        places = self._find_previous(candidates)
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
        """Return the pairs of all parts whose pages both have text."""
        left, right = self.comparison.left, self.comparison.right
        found = Candidates.union(parts, len(right))
        return found.take(
            (left.whole.sizes[found.rows] > 0) & (right.whole.sizes[found.columns] > 0)
        )

    def _find_previous(self, candidates: Candidates) -> npt.NDArray[np.int64]:
        """Return the indices of candidates in the previous round, -1 for new ones."""
        width = len(self.comparison.right)
        previous = self._candidates.rows * width + self._candidates.columns
        keys = candidates.rows * width + candidates.columns
        if not len(previous):
            return np.full(len(keys), -1)
        places = np.minimum(np.searchsorted(previous, keys), len(previous) - 1)
        return np.where(previous[places] == keys, places, -1)

    def judge(self, number: int, observe: Observer | None = None) -> int:
        """Score all candidates and assign pairs; return the number of new pairs."""
        comparison, candidates = self.comparison, self._candidates
        self._round = number
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
        self._probabilities = boost_versions(
            to_probability(self._logits), self._values, candidates
        )
        self.chosen = assign_greedily(candidates, self._probabilities, MIN_PROBABILITY)
        previous = comparison.matches or NO_MATCHES
        pairs, probabilities = candidates.take(self.chosen), self._probabilities
        comparison.matches = Matches(
            pairs.rows, pairs.columns, probabilities[self.chosen]
        )
        pages = min(len(comparison.left), len(comparison.right))
        comparison.learn_from(find_sure(candidates, probabilities, self.chosen, pages))
        comparison.drop_caches()
        return int((~pairs.among(previous)).sum())

    def advance(self, lexicon: csr_array, shared: csr_array) -> None:
        """Propose and score candidates with a newly learned lexicon."""
        comparison, candidates = self.comparison, self._candidates
        comparison.scores = csr_array(
            (self._probabilities, (candidates.rows, candidates.columns)),
            shape=(len(comparison.left), len(comparison.right)),
        )
        comparison.set_lexicon(lexicon, shared)
        kept = candidates.take(best_of_each(candidates, self._probabilities, KEPT))
        self._score_evidence([(kept.rows, kept.columns)])

    def lessons(self) -> list[Lesson]:
        """Return the segments of each sure pair, as aligned when it first became sure."""
        sure, stems = self.comparison.sure or NO_MATCHES, self.comparison.stems
        pairs = list(zip(sure.rows.tolist(), sure.columns.tolist(), strict=True))
        pairs = pairs[:MAX_LESSONS]
        new = [pair for pair in pairs if pair not in self._lessons]
        rows, columns = np.array(new, np.int64).reshape(-1, 2).T
        source, target, numbers = self.comparison.lessons(rows, columns)
        cuts = np.searchsorted(numbers, np.arange(len(new) + 1))
        for number, pair in enumerate(new):
            own = np.arange(cuts[number], cuts[number + 1])
            left, right = (side.take(own) for side in (source, target))
            self._lessons[pair] = (
                Segments(stems[0][left.ids], left.offsets),
                Segments(stems[1][right.ids], right.offsets),
            )
        return [self._lessons[pair] for pair in pairs]

    def result(self) -> ScoredCandidates:
        """Return the scored candidates after the last round, not calibrated yet."""
        comparison, candidates = self.comparison, self._candidates
        texts = np.minimum(
            comparison.left.whole.sizes[candidates.rows],
            comparison.right.whole.sizes[candidates.columns],
        )
        return ScoredCandidates(
            [document.id for document in comparison.left.documents],
            [document.id for document in comparison.right.documents],
            candidates,
            self._values,
            to_probability(self._logits),
            texts,
            self._round,
        )
