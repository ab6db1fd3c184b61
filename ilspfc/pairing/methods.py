"""Pairing methods by name; those of the papers are an add-on (ilspfc/papers)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from ilspfc.documents import DocumentPair
from ilspfc.pairing.combined import LearnLexicon, pair_sites
from ilspfc.pairing.comparison import Candidates, Comparison
from ilspfc.pairing.evidence.claims import URLS, VERSIONS, Claims
from ilspfc.pairing.model.agreement import agree
from ilspfc.pairing.model.pair_model import shipped_model
from ilspfc.pairing.outcome import PairingOutcome, rank, settle
from ilspfc.pairing.ranking import assign_greedily
from ilspfc.tasks import RunTasks, run_here
from ilspfc.text.arrays import FloatArray

# Pairs of a site with their probabilities.
FindPairs = Callable[
    [Comparison, "PairingOptions", LearnLexicon], tuple[Candidates, FloatArray]
]


# Candidates of a page that pairs with other languages may support or contradict.
_KEPT = 5
# Three languages, the fewest that can support each other, have three pairs.
_MIN_LANGUAGE_PAIRS = 3


@dataclass(frozen=True, slots=True)
class PairingOptions:
    """Settings of pairing; ``method`` holds the options of a custom method, by name.

    ``run`` runs independent tasks: the sites.
    """

    threshold: float = 0.5
    min_margin: float = 0.0
    method: Mapping[str, str] = field(default_factory=dict)
    run: RunTasks = run_here


class Method(Protocol):
    """Pairing method for the pages of two languages, with a comparison for each site."""

    def __call__(
        self,
        comparisons: Iterable[Comparison],
        options: PairingOptions,
        learn: LearnLexicon,
    ) -> PairingOutcome:
        """Return the one-to-one pairs."""


def pair_combined(
    comparisons: Iterable[Comparison], options: PairingOptions, learn: LearnLexicon
) -> PairingOutcome:
    """Pair by all evidence, combined in one probability."""
    best = pair_sites(
        comparisons,
        shipped_model(),
        learn,
        kept=_KEPT,
        run=options.run,
    )
    return settle(best, options.threshold, options.min_margin)


def reconcile(
    outcomes: Mapping[tuple[str, str], PairingOutcome], options: PairingOptions
) -> dict[tuple[str, str], PairingOutcome]:
    """Return the outcomes of all language pairs, each adjusted to the others.

    Outcomes of methods without scored candidates are unchanged.
    """
    scored = {langs: outcome.scored for langs, outcome in outcomes.items()}
    if len(outcomes) < _MIN_LANGUAGE_PAIRS or not any(scored.values()):
        return dict(outcomes)
    return {
        langs: settle(sites, options.threshold, options.min_margin)
        for langs, sites in agree(scored).items()
    }


def pair_each(
    comparisons: Iterable[Comparison],
    options: PairingOptions,
    learn: LearnLexicon,
    *,
    find: FindPairs,
    evidence: str,
) -> PairingOutcome:
    """Pair each site separately by ``find``; ``evidence`` is recorded in each pair."""
    pairs = []
    for site in comparisons:
        found, scores = find(site, options, learn)
        left, right = site.left.documents, site.right.documents
        rows = zip(
            found.rows.tolist(), found.columns.tolist(), scores.tolist(), strict=True
        )
        pairs += [
            DocumentPair(left[row].id, right[column].id, min(score, 1.0), evidence)
            for row, column, score in rows
        ]
    return PairingOutcome(sorted(pairs, key=rank))


def _find_claimed(
    claims: Claims, comparison: Comparison, options: PairingOptions, learn: LearnLexicon
) -> tuple[Candidates, FloatArray]:
    """Return the pairs by a single kind of claim: declared versions, or URLs."""
    found = Candidates.union([claims.propose(comparison)], len(comparison.right))
    scores = claims.score(comparison, found)
    chosen = assign_greedily(found, scores, options.threshold)
    return found.take(chosen), scores[chosen]


PAIRING_METHODS: Mapping[str, Method] = {
    "combined": pair_combined,
    "urls": partial(pair_each, find=partial(_find_claimed, URLS), evidence="urls"),
    "declared": partial(
        pair_each, find=partial(_find_claimed, VERSIONS), evidence="versions"
    ),
}
