"""The methods of pairing by name, each of them a paper's or ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Protocol

from ilspfc.documents import DocumentPair
from ilspfc.pairing.assignment import assign_greedily
from ilspfc.pairing.baselines.ets import EtsOptions, find_by_neighbors
from ilspfc.pairing.baselines.ilsp_fc import PairingBounds, pair_documents
from ilspfc.pairing.baselines.pwcc import (
    THRESHOLD,
    judge,
    learn_dictionary,
    prepare_candidates,
)
from ilspfc.pairing.combined import ROUNDS, LearnLexicon, pair_sites
from ilspfc.pairing.comparison import Candidates
from ilspfc.pairing.evidence.claims import URLS, VERSIONS, Claims
from ilspfc.pairing.model.agreement import agree
from ilspfc.pairing.model.pair_model import shipped_model
from ilspfc.pairing.outcome import Rival, iter_pairs, iter_rivals, iter_spares
from ilspfc.pairing.page_content import PairingReason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ilspfc.pairing.comparison import Comparison
    from ilspfc.pairing.model.scored import Judged
    from ilspfc.text.arrays import FloatArray

# Candidates of a page that other languages may speak for or against.
_KEPT = 5
# Two languages have no third, three have three pairs.
_MIN_LANGUAGE_PAIRS = 3


@dataclass(frozen=True, slots=True)
class PairingOptions:
    """What the settings of pairing say. The ratios and the depth are ILSP-FC's bounds."""

    threshold: float = 0.5
    min_margin: float = 0.0
    rounds: int = ROUNDS
    max_depth_difference: int = 1
    min_length_ratio: float = 0.4
    min_paragraph_ratio: float = 0.6
    ets: EtsOptions = field(default_factory=EtsOptions)
    pwcc_threshold: float = THRESHOLD


@dataclass(frozen=True, slots=True)
class Outcome:
    """The pairs of two languages, and what is left without one.

    ``spares`` are candidates that are probable enough and gave way to a more probable pair;
    ``rivals`` the best candidates of documents without a pair, None where the method does
    not tell them; ``judged`` the best candidates of all documents, where it does.
    """

    pairs: list[DocumentPair] = field(default_factory=list)
    spares: list[DocumentPair] = field(default_factory=list)
    rivals: list[Rival] | None = None
    judged: Sequence[Judged] = ()

    def reasons(
        self, threshold: float
    ) -> tuple[dict[str, PairingReason], PairingReason]:
        """Return why documents are in no candidate, and why all others are not."""
        if self.rivals is None:
            return {}, PairingReason.UNPAIRED
        reasons = {
            rival.document: PairingReason.AMBIGUOUS
            if rival.probability >= threshold
            else PairingReason.BELOW_THRESHOLD
            for rival in self.rivals
        }
        return reasons, PairingReason.NO_CANDIDATE


class Method(Protocol):
    """Pairs the pages of two languages, a comparison for each site."""

    def __call__(
        self,
        comparisons: Sequence[Comparison],
        options: PairingOptions,
        learn: LearnLexicon,
    ) -> Outcome:
        """Return the pairs, one-to-one."""


def pair_combined(
    comparisons: Sequence[Comparison], options: PairingOptions, learn: LearnLexicon
) -> Outcome:
    """Pair by all evidence in one probability."""
    sites = pair_sites(comparisons, shipped_model(), learn, rounds=options.rounds)
    return _settle([site.keep_best(_KEPT) for site in sites], options)


def reconcile(
    outcomes: Mapping[tuple[str, str], Outcome], options: PairingOptions
) -> dict[tuple[str, str], Outcome]:
    """Return the outcomes of all pairs of languages, each in the light of the others.

    Those of methods that do not tell all candidates stay as they are.
    """
    judged = {langs: outcome.judged for langs, outcome in outcomes.items()}
    if len(outcomes) < _MIN_LANGUAGE_PAIRS or not any(judged.values()):
        return dict(outcomes)
    return {langs: _settle(sites, options) for langs, sites in agree(judged).items()}


def _settle(sites: Sequence[Judged], options: PairingOptions) -> Outcome:
    bounds = (options.threshold, options.min_margin)
    return Outcome(
        sorted((p for site in sites for p in iter_pairs(site, *bounds)), key=_order),
        sorted((p for site in sites for p in iter_spares(site, *bounds)), key=_order),
        [rival for site in sites for rival in iter_rivals(site, *bounds)],
        sites,
    )


def pair_cascade(
    comparisons: Sequence[Comparison], options: PairingOptions, learn: LearnLexicon
) -> Outcome:
    """Pair as ILSP-FC does: one kind of evidence after the other (000, section 3.9)."""
    bounds = PairingBounds(
        options.threshold,
        options.max_depth_difference,
        options.min_length_ratio,
        options.min_paragraph_ratio,
    )
    pairs = []
    for comparison in comparisons:
        left, right = comparison.left.documents, comparison.right.documents
        if left and right:
            langs = (left[0].lang, right[0].lang)
            marks = dict(zip(langs, comparison.marks, strict=True))
            pairs += pair_documents(left, right, marks=marks, bounds=bounds)
    return Outcome(sorted(pairs, key=_order))


def pair_ets(
    comparisons: Sequence[Comparison], options: PairingOptions, learn: LearnLexicon
) -> Outcome:
    """Pair by neighbors in the link graph (001)."""
    pairs: list[DocumentPair] = []
    for comparison in comparisons:
        found, scores = find_by_neighbors(comparison, options.ets)
        pairs += _make_pairs(comparison, found, scores, "ets")
    return Outcome(sorted(pairs, key=_order))


def pair_pwcc(
    comparisons: Sequence[Comparison], options: PairingOptions, learn: LearnLexicon
) -> Outcome:
    """Pair by URLs and sizes, judged by aligned sentences (002)."""
    pairs: list[DocumentPair] = []
    for comparison in comparisons:
        lexicon = learn_dictionary(comparison, learn)
        candidates = prepare_candidates(comparison)
        scores = judge(comparison, candidates, lexicon)
        chosen = assign_greedily(candidates, scores, options.pwcc_threshold)
        pairs += _make_pairs(
            comparison, candidates.take(chosen), scores[chosen], "pwcc"
        )
    return Outcome(sorted(pairs, key=_order))


def pair_claims(
    comparisons: Sequence[Comparison],
    options: PairingOptions,
    learn: LearnLexicon,
    *,
    claims: Claims,
) -> Outcome:
    """Pair by one kind of claim alone: declared versions, or URLs."""
    pairs: list[DocumentPair] = []
    for comparison in comparisons:
        proposed = claims.propose(comparison)
        found = Candidates.union([proposed], len(comparison.right))
        scores = claims.score(comparison, found)
        chosen = assign_greedily(found, scores, options.threshold)
        pairs += _make_pairs(
            comparison, found.take(chosen), scores[chosen], claims.name
        )
    return Outcome(sorted(pairs, key=_order))


def _make_pairs(
    comparison: Comparison, found: Candidates, scores: FloatArray, evidence: str
) -> list[DocumentPair]:
    left, right = comparison.left.documents, comparison.right.documents
    return [
        DocumentPair(left[row].id, right[column].id, min(score, 1.0), evidence)
        for row, column, score in zip(
            found.rows.tolist(), found.columns.tolist(), scores.tolist(), strict=True
        )
    ]


def _order(pair: DocumentPair) -> tuple[float, str, str]:
    return -pair.probability, pair.source, pair.target


METHODS: Mapping[str, Method] = {
    "combined": pair_combined,
    "ilsp-fc": pair_cascade,
    "ets": pair_ets,
    "pwcc": pair_pwcc,
    "urls": partial(pair_claims, claims=URLS),
    "declared": partial(pair_claims, claims=VERSIONS),
}
