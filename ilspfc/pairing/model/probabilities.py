"""From evidence to probabilities: the shipped model, the site's own, what pages declare."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.evidence import EVIDENCE
from ilspfc.pairing.model.pair_model import site_logits

if TYPE_CHECKING:
    import numpy.typing as npt

    from ilspfc.pairing.comparison import Candidates, Matches
    from ilspfc.pairing.model.candidate_features import Features
    from ilspfc.pairing.model.pair_model import LogisticModel
    from ilspfc.text.arrays import FloatArray

# From this value of versions on pages declare them; what that leaves to a rival.
DECLARED = 0.95
RIVAL_SHARE = 0.3
# From this value of versions or urls on the site itself claims a pair.
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

    Where there are enough ``sure`` pairs a model of the site itself speaks as well.
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
    """Return what it takes from the log odds of candidates that the site does not claim.

    The site claims pairs by links between versions and by its URLs. Where it claims all but
    few of its sure pairs, one that it does not claim is hardly ever right (Bayes' rule: so
    often a right pair goes without a claim, by Laplace's rule of succession).
    """
    is_claimed = (values[:, _VERSIONS] >= CLAIMED) | (values[:, _URLS] >= CLAIMED)
    unclaimed = (candidates.among(sure) & ~is_claimed).sum()
    silence = np.log((unclaimed + 1) / (len(sure) + 2))
    return np.where(is_claimed, 0.0, silence)


def heed_versions(
    probabilities: FloatArray, values: FloatArray, candidates: Candidates
) -> FloatArray:
    """Return the probabilities with what pages declare (hreflang) above all likeness."""
    is_declared = find_declared(values)
    is_rival = ~is_declared & (
        np.isin(candidates.rows, candidates.rows[is_declared])
        | np.isin(candidates.columns, candidates.columns[is_declared])
    )
    heeded = raise_declared(probabilities, values)
    return np.where(is_rival, heeded * RIVAL_SHARE, heeded)


def raise_declared(probabilities: FloatArray, values: FloatArray) -> FloatArray:
    """Return the probabilities, at least ``DECLARED`` for what pages declare."""
    raised = np.maximum(probabilities, DECLARED)
    return np.where(find_declared(values), raised, probabilities)


def find_declared(values: FloatArray) -> npt.NDArray[np.bool_]:
    """Return which candidates pages declare to be versions of each other."""
    return np.asarray(values[:, _VERSIONS] >= DECLARED)
