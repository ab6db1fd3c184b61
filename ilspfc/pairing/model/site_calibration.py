"""How probable pairs are: what the rounds end with, in the light of sites left out.

The models of a round rank candidates well, but say too much or too little of how often the
best ones are right: the site's own model takes the pairs it learns from for right. Log odds
and their margin over the best rival tell more together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.model.pair_model import MAX_LOGIT, logit, probability
from ilspfc.pairing.model.probabilities import heed_versions
from ilspfc.pairing.model.ranking import best_rivals

if TYPE_CHECKING:
    from ilspfc.pairing.comparison import Candidates
    from ilspfc.pairing.model.pair_model import Calibration
    from ilspfc.pairing.model.scored import Judged
    from ilspfc.text.arrays import FloatArray


def measure_odds(judged: Judged) -> FloatArray:
    """Return log odds and their margin over the best rival's, shape (candidates, 2)."""
    logits = logit(judged.probabilities)
    rivals = _best_rivals(logits, judged.candidates)
    return np.column_stack([logits, np.clip(logits - rivals, -MAX_LOGIT, MAX_LOGIT)])


def _best_rivals(logits: FloatArray, candidates: Candidates) -> FloatArray:
    """Return the log odds of the best other candidate of either page."""
    # A page without another candidate has one of the lowest odds.
    above = np.maximum(logits + MAX_LOGIT, 0.0)
    rivals = np.maximum(
        best_rivals(above, candidates.rows), best_rivals(above, candidates.columns)
    )
    return rivals - MAX_LOGIT


def calibrate(judged: Judged, calibration: Calibration) -> Judged:
    """Return the same candidates, as probable as such ones were right on sites left out."""
    odds, margins = measure_odds(judged).T
    logits = calibration.odds * odds + calibration.margin * margins + calibration.bias
    return judged.with_probabilities(
        heed_versions(probability(logits), judged.values, judged.candidates)
    )
