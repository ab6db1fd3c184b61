"""From evidence to probabilities: the shipped model, the site's own, what pages declare."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.evidence import EVIDENCE
from ilspfc.pairing.model import probability, site_logits

if TYPE_CHECKING:
    from ilspfc.pairing.comparison import Candidates, Matches
    from ilspfc.pairing.features import Features
    from ilspfc.pairing.model import LogisticModel
    from ilspfc.pairing.sparse import FloatArray

# From this value of versions on pages declare them; what that leaves to a rival.
DECLARED = 0.95
RIVAL_SHARE = 0.3
_VERSIONS = [evidence.name for evidence in EVIDENCE].index("versions")


def judge_candidates(
    model: LogisticModel,
    features: Features,
    values: FloatArray,
    candidates: Candidates,
    sure: Matches | None,
) -> FloatArray:
    """Return the probability of each candidate, shape (candidates,).

    Where there are enough ``sure`` pairs a model of the site itself speaks as well.
    """
    logits = features.map(model.logits)
    if sure is not None:
        own = site_logits(features, model.standardize, candidates, sure)
        if own is not None:
            logits = (logits + own) / 2
    return _heed_versions(probability(logits), values[:, _VERSIONS], candidates)


def _heed_versions(
    probabilities: FloatArray, versions: FloatArray, candidates: Candidates
) -> FloatArray:
    """Return the probabilities with what pages declare (hreflang) above all likeness."""
    is_declared = versions >= DECLARED
    is_rival = ~is_declared & (
        np.isin(candidates.rows, candidates.rows[is_declared])
        | np.isin(candidates.columns, candidates.columns[is_declared])
    )
    heeded = np.where(is_declared, np.maximum(probabilities, DECLARED), probabilities)
    return np.where(is_rival, heeded * RIVAL_SHARE, heeded)
