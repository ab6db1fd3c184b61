"""Probabilities of candidates: the shipped model, the site's own, and declared versions.

The models of a round rank candidates well, but their probabilities are too high or too
low: the site's own model takes the pairs it learns from for right. Calibration on sites
left out makes probabilities of the log odds and of their margin over the best rival.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.evidence import EVIDENCE
from ilspfc.pairing.model.pair_model import MAX_LOGIT, logit, probability, site_logits
from ilspfc.pairing.ranking import best_rivals

if TYPE_CHECKING:
    import numpy.typing as npt

    from ilspfc.pairing.comparison import Candidates, Matches
    from ilspfc.pairing.model.candidate_features import Features
    from ilspfc.pairing.model.pair_model import Calibration, LogisticModel
    from ilspfc.pairing.outcome import ScoredCandidates
    from ilspfc.text.arrays import FloatArray


# Value of versions from which pages declare them, and the factor on a rival of such a pair.
DECLARED = 0.95
RIVAL_SHARE = 0.3
# Value of versions or urls from which the site itself claims a pair.
CLAIMED = 0.85
_NAMES = [evidence.name for evidence in EVIDENCE]
_VERSIONS, _URLS = _NAMES.index("versions"), _NAMES.index("urls")


def judge_candidates(
    model: LogisticModel,
    features: Features,
    values: FloatArray,
    candidates: Candidates,
    sure: Matches | None,
) -> FloatArray:
    """Return the log odds of each candidate, shape (candidates,).

    With enough ``sure`` pairs, averaged with the log odds of a model of the site itself.
    """
    logits = features.map(model.logits)
    if sure is not None:
        own = site_logits(features, model.standardize, candidates, sure)
        if own is not None:
            logits = (logits + own) / 2
        logits += _weigh_silence(values, candidates, sure)
    return logits


def _weigh_silence(
    values: FloatArray, candidates: Candidates, sure: Matches
) -> FloatArray:
    """Return the penalty on the log odds of candidates that the site does not claim.

    The site claims pairs by links between versions and by its URLs. Where it claims all but
    few of its sure pairs, a candidate without a claim is hardly ever right (Bayes' rule with
    the share of sure pairs without a claim, by Laplace's rule of succession).
    """
    is_claimed = (values[:, _VERSIONS] >= CLAIMED) | (values[:, _URLS] >= CLAIMED)
    unclaimed = (candidates.among(sure) & ~is_claimed).sum()
    silence = np.log((unclaimed + 1) / (len(sure) + 2))
    return np.where(is_claimed, 0.0, silence)


def heed_versions(
    probabilities: FloatArray, values: FloatArray, candidates: Candidates
) -> FloatArray:
    """Return the probabilities with declared versions (hreflang) above all likeness."""
    is_declared = find_declared(values)
    is_rival = ~is_declared & (
        np.isin(candidates.rows, candidates.rows[is_declared])
        | np.isin(candidates.columns, candidates.columns[is_declared])
    )
    heeded = raise_declared(probabilities, values)
    return np.where(is_rival, heeded * RIVAL_SHARE, heeded)


def raise_declared(probabilities: FloatArray, values: FloatArray) -> FloatArray:
    """Return the probabilities, at least ``DECLARED`` for declared versions."""
    raised = np.maximum(probabilities, DECLARED)
    return np.where(find_declared(values), raised, probabilities)


def find_declared(values: FloatArray) -> npt.NDArray[np.bool_]:
    """Return which candidates pages declare to be versions of each other."""
    return np.asarray(values[:, _VERSIONS] >= DECLARED)


def measure_odds(site: ScoredCandidates) -> FloatArray:
    """Return log odds and their margin over the best rival's, shape (candidates, 2)."""
    logits = logit(site.probabilities)
    # A page without another candidate has one of the lowest odds.
    above = np.maximum(logits + MAX_LOGIT, 0.0)
    rivals = best_rivals(site.candidates, above) - MAX_LOGIT
    return np.column_stack([logits, np.clip(logits - rivals, -MAX_LOGIT, MAX_LOGIT)])


def calibrate(site: ScoredCandidates, calibration: Calibration) -> ScoredCandidates:
    """Return the candidates with probabilities calibrated on sites left out."""
    odds, margins = measure_odds(site).T
    logits = calibration.odds * odds + calibration.margin * margins + calibration.bias
    probabilities = heed_versions(probability(logits), site.values, site.candidates)
    return replace(site, probabilities=probabilities)
