"""Result of pairing: scored candidates, pairs, runners-up, and documents without a pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ilspfc.documents import DocumentPair
from ilspfc.pairing.comparison import Candidates
from ilspfc.pairing.evidence.catalog import EVIDENCE
from ilspfc.pairing.evidence.kind import CLAIMED
from ilspfc.pairing.page_content import PairingReason
from ilspfc.pairing.ranking import assign_greedily, best_of_each, best_rivals
from ilspfc.text.arrays import FloatArray, IntArray
from ilspfc.text.log_odds import to_log_odds, to_probability

# Less probable candidates are never pairs, whatever the threshold.
MIN_PROBABILITY = 0.05
# Thresholds from which a claim is recorded as the evidence of a pair; otherwise the
# strongest kind of content evidence is.
_CLAIMS = {"versions": CLAIMED, "urls": CLAIMED, "images": 0.6}
_CONTENT = ("identical", "lexicon", "structure", "link_votes")
# Less probable rivals are not reported.
_MIN_RIVAL = 0.01
# Log odds below the threshold up to which alignment may bear a candidate out: at .5 from .3.
_DOUBTFUL_ODDS = 0.85


@dataclass(frozen=True)
class ScoredCandidates:
    """The candidates of a site after the last round.

    ``left`` and ``right`` are the ids of the documents, ``values`` the evidence, shape
    (candidates, kinds of evidence), ``texts`` the text length of each candidate's shorter
    page, in characters normalized across scripts.
    """

    left: Sequence[str]
    right: Sequence[str]
    candidates: Candidates
    values: FloatArray
    probabilities: FloatArray
    texts: FloatArray
    round: int

    @cached_property
    def chosen(self) -> IntArray:
        """The indices of the one-to-one pairs among the candidates."""
        return assign_greedily(self.candidates, self.probabilities, MIN_PROBABILITY)

    @cached_property
    def margins(self) -> FloatArray:
        """The difference in probability between each candidate and its best rival."""
        return self.probabilities - best_rivals(self.candidates, self.probabilities)

    def keep_best(self, count: int) -> ScoredCandidates:
        """Return the site with only the ``count`` best candidates of each page."""
        kept = best_of_each(self.candidates, self.probabilities, count)
        return replace(
            self,
            candidates=self.candidates.take(kept),
            values=self.values[kept].astype("f4"),
            probabilities=self.probabilities[kept],
            texts=self.texts[kept],
        )


@dataclass(frozen=True, slots=True)
class Rival:
    """The most probable partner of a document without a pair; ids of both."""

    document: str
    rival: str
    probability: float


@dataclass(frozen=True, slots=True)
class PairingOutcome:
    """The pairs of two languages, with runners-up and unpaired documents.

    ``runners_up`` are candidates that lost to a more probable pair, and those not far below
    the threshold, which alignment may bear out;
    ``rivals`` are the best candidates of unpaired documents, None for methods without
    scores; ``scored`` are the best candidates of all documents, empty for such methods.
    """

    pairs: list[DocumentPair] = field(default_factory=list)
    runners_up: list[DocumentPair] = field(default_factory=list)
    rivals: list[Rival] | None = None
    scored: Sequence[ScoredCandidates] = ()

    def reasons(
        self, threshold: float
    ) -> tuple[dict[str, PairingReason], PairingReason]:
        """Return the reasons of unpaired documents with a rival, and that of all others."""
        if self.rivals is None:
            return {}, PairingReason.UNPAIRED
        reasons = {
            rival.document: PairingReason.AMBIGUOUS
            if rival.probability >= threshold
            else PairingReason.BELOW_THRESHOLD
            for rival in self.rivals
        }
        return reasons, PairingReason.NO_CANDIDATE


def settle(
    sites: Sequence[ScoredCandidates], threshold: float, min_margin: float
) -> PairingOutcome:
    """Return the outcome of all sites; pairs and runners-up in decreasing probability."""
    least = float(to_probability(to_log_odds(threshold) - _DOUBTFUL_ODDS))
    pairs, spares = list[DocumentPair](), list[DocumentPair]()
    for site in sites:
        for pair in iter_pairs(site, least, min_margin):
            (pairs if pair.probability >= threshold else spares).append(pair)
        spares += iter_spares(site, least, min_margin)
    rivals = [one for site in sites for one in iter_rivals(site, threshold, min_margin)]
    return PairingOutcome(
        sorted(pairs, key=rank), sorted(spares, key=rank), rivals, sites
    )


def rank(pair: DocumentPair) -> tuple[float, str, str]:
    """Return a sort key for pairs: decreasing probability, then ids."""
    return -pair.probability, pair.source, pair.target


def iter_pairs(
    site: ScoredCandidates, threshold: float, min_margin: float = 0.0
) -> Iterator[DocumentPair]:
    """Yield the pairs with at least this probability and this margin over any rival."""
    for place in site.chosen.tolist():
        margin = float(site.margins[place])
        if site.probabilities[place] >= threshold and margin >= min_margin:
            yield _make_pair(site, place, margin)


def iter_spares(
    site: ScoredCandidates, threshold: float, min_margin: float = 0.0
) -> Iterator[DocumentPair]:
    """Yield the runners-up: candidates that would be pairs without their pages' pairs.

    Their margin is that over the best rival that is not a pair.
    """
    free = site.probabilities.copy()
    free[site.chosen] = 0.0
    margins = site.probabilities - best_rivals(site.candidates, free)
    is_spare = (free >= max(threshold, _MIN_RIVAL)) & (margins >= min_margin)
    for place in np.nonzero(is_spare)[0].tolist():
        yield _make_pair(site, place, float(margins[place]))


def _make_pair(site: ScoredCandidates, place: int, margin: float) -> DocumentPair:
    values = tuple(
        (kind.name, round(float(value), 4))
        for kind, value in zip(EVIDENCE, site.values[place], strict=True)
    )
    return DocumentPair(
        site.left[site.candidates.rows[place]],
        site.right[site.candidates.columns[place]],
        float(site.probabilities[place]),
        _name_evidence(dict(values)),
        margin=round(margin, 4),
        values=values,
        round=site.round,
    )


def _name_evidence(values: dict[str, float]) -> str:
    """Return the name of a claim above its threshold, or the strongest content evidence."""
    claims = [name for name, least in _CLAIMS.items() if values[name] >= least]
    return claims[0] if claims else max(_CONTENT, key=values.__getitem__)


def iter_rivals(
    site: ScoredCandidates, threshold: float, min_margin: float = 0.0
) -> Iterator[Rival]:
    """Yield the best candidate of each document without a pair, if it has any."""
    probabilities, candidates, chosen = site.probabilities, site.candidates, site.chosen
    is_pair = (probabilities[chosen] >= threshold) & (
        site.margins[chosen] >= min_margin
    )
    sides = (
        (candidates.rows, candidates.columns, site.left, site.right),
        (candidates.columns, candidates.rows, site.right, site.left),
    )
    for owners, others, own, other in sides:
        paired = set(owners[chosen[is_pair]].tolist())
        order = np.lexsort((others, -probabilities, owners))
        _, first = np.unique(owners[order], return_index=True)
        for place in order[first].tolist():
            owner, probability = int(owners[place]), float(probabilities[place])
            if owner not in paired and probability >= _MIN_RIVAL:
                yield Rival(own[owner], other[others[place]], round(probability, 4))
