"""Probability from evidence: a shipped logistic model, and one fitted to the site."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from ilspfc.pairing.comparison import Candidates, Matches
from ilspfc.pairing.evidence.catalog import EVIDENCE
from ilspfc.pairing.evidence.kind import CLAIMED
from ilspfc.pairing.model.candidate_features import FEATURES, Features
from ilspfc.pairing.outcome import ScoredCandidates
from ilspfc.pairing.ranking import best_rivals
from ilspfc.text.arrays import FloatArray
from ilspfc.text.log_odds import fit_logistic, to_log_odds, to_probability

# Site model: minimum number of training pairs, and inverse regularization strength (C).
MIN_SITE_PAIRS = 20
SITE_PENALTY = 0.02
_FOLDS = 3
# Maximum number of training candidates; more do not change the model.
_MAX_FITTED = 150_000
MAX_LOGIT = 12.0


@dataclass(frozen=True, slots=True)
class LogisticModel:
    """Weights of standardized features; all of shape (features,)."""

    mean: FloatArray
    scale: FloatArray
    weights: FloatArray
    bias: float

    def standardize(self, features: FloatArray) -> FloatArray:
        """Return the features scaled to mean 0, deviation 1 on the training pages."""
        standardized: FloatArray = features - self.mean
        standardized /= self.scale
        return np.clip(standardized, -8, 8, out=standardized)

    def logits(self, features: FloatArray) -> FloatArray:
        """Return the log odds of each candidate, shape (candidates,)."""
        logits = self.standardize(features) @ self.weights + self.bias
        return np.clip(logits, -MAX_LOGIT, MAX_LOGIT)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of log odds, of their margin over the best rival's, and of text length.

    ``text`` is the weight of the logarithm of the text length, ``odds_by_text`` that of
    its product with the log odds: the same odds may mean less for short pages.
    """

    odds: float = 1.0
    margin: float = 0.0
    text: float = 0.0
    odds_by_text: float = 0.0
    bias: float = 0.0


@dataclass(frozen=True, slots=True)
class PairingModel:
    """Models of the first round (``start``, no lexicon or pairs yet) and later (``full``).

    ``calibration`` turns the scores of the last round into probabilities.
    """

    start: LogisticModel
    full: LogisticModel
    calibration: Calibration = Calibration()


def read_model(data: Mapping[str, Any]) -> PairingModel:
    """Return the model of a parsed JSON object; ValueError if its features differ."""
    if tuple(data["features"]) != FEATURES:
        raise ValueError("the pairing model was trained for other features")

    def read(part: Mapping[str, Any]) -> LogisticModel:
        mean, scale, weights = (
            np.array(part[name], float) for name in ("mean", "scale", "weights")
        )
        return LogisticModel(mean, scale, weights, float(part["bias"]))

    calibration = Calibration(**data["calibration"])
    return PairingModel(read(data["start"]), read(data["full"]), calibration)


@cache
def shipped_model() -> PairingModel:
    """Return the model that comes with the package (``evaluation/train_pairing.py``)."""
    path = files("ilspfc.pairing.model") / "model.json"
    return read_model(json.loads(path.read_text("utf-8")))


def site_logits(
    features: Features,
    standardize: Callable[[FloatArray], FloatArray],
    candidates: Candidates,
    sure: Matches,
    *,
    penalty: float = SITE_PENALTY,
) -> FloatArray | None:
    """Return the log odds under models fitted to the site's own sure pairs.

    Positives are the sure pairs, negatives their rivals. Each candidate is scored by a
    model not trained on its left page (three folds). None if there are too few pairs.
    """
    if len(sure) < MIN_SITE_PAIRS:
        return None
    known = _choose_known(candidates, sure)
    training = candidates.take(known)
    is_sure = training.among(sure)
    inputs, folds = standardize(features.take(known)), training.rows % _FOLDS
    weights, biases = [], []
    for fold in range(_FOLDS):
        seen = folds != fold
        if len(np.unique(is_sure[seen])) < 2:
            return None
        fitted, bias = fit_logistic(inputs[seen], is_sure[seen], penalty)
        weights.append(fitted)
        biases.append(bias)
    del inputs
    judged = features.map(
        lambda part: standardize(part) @ np.array(weights).T + np.array(biases)
    )
    logits = judged[np.arange(len(judged)), candidates.rows % _FOLDS]
    # With this penalty, the models rank well but are far underconfident.
    scale, bias = fit_logistic(logits[known, None], is_sure, 1.0)
    return np.clip(logits * scale + bias, -MAX_LOGIT, MAX_LOGIT)


def _choose_known(candidates: Candidates, sure: Matches) -> npt.NDArray[np.bool_]:
    """Return a mask of the training candidates: those of pages with a sure pair."""
    known = np.isin(candidates.rows, sure.rows) | np.isin(
        candidates.columns, sure.columns
    )
    step = -(-int(known.sum()) // _MAX_FITTED)
    known &= candidates.rows // _FOLDS % max(step, 1) == 0
    return known


# Value of versions from which a pair is declared, and the factor on rivals of such a pair.
DECLARED = 0.95
RIVAL_SHARE = 0.3
# Characters of a page of average length, and bounds to which lengths are clipped.
_USUAL_TEXT = 1000.0
_TEXT_BOUNDS = (50.0, 5000.0)
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

    With enough ``sure`` pairs, these are averaged with the log odds of the site model.
    """
    logits = features.map(model.logits)
    if sure is not None:
        own = site_logits(features, model.standardize, candidates, sure)
        if own is not None:
            logits = (logits + own) / 2
        logits += _penalize_unclaimed(values, candidates, sure)
    return logits


def _penalize_unclaimed(
    values: FloatArray, candidates: Candidates, sure: Matches
) -> FloatArray:
    """Return the penalty on the log odds of candidates that the site does not claim.

    The site claims pairs by links between versions and by its URLs. If it claims nearly all
    of its sure pairs, a candidate without a claim is hardly ever right (Bayes' rule with the
    share of unclaimed sure pairs, by Laplace's rule of succession).
    """
    is_claimed = (values[:, _VERSIONS] >= CLAIMED) | (values[:, _URLS] >= CLAIMED)
    unclaimed = (candidates.among(sure) & ~is_claimed).sum()
    penalty = np.log((unclaimed + 1) / (len(sure) + 2))
    return np.where(is_claimed, 0.0, penalty)


def boost_versions(
    probabilities: FloatArray, values: FloatArray, candidates: Candidates
) -> FloatArray:
    """Return the probabilities with declared versions (hreflang) above other evidence."""
    is_declared = find_declared(values)
    is_rival = ~is_declared & (
        np.isin(candidates.rows, candidates.rows[is_declared])
        | np.isin(candidates.columns, candidates.columns[is_declared])
    )
    boosted = raise_declared(probabilities, values)
    return np.where(is_rival, boosted * RIVAL_SHARE, boosted)


def raise_declared(probabilities: FloatArray, values: FloatArray) -> FloatArray:
    """Return the probabilities, at least ``DECLARED`` for declared versions."""
    raised = np.maximum(probabilities, DECLARED)
    return np.where(find_declared(values), raised, probabilities)


def find_declared(values: FloatArray) -> npt.NDArray[np.bool_]:
    """Return a mask of the candidates declared to be versions of each other."""
    return np.asarray(values[:, _VERSIONS] >= DECLARED)


def measure_odds(site: ScoredCandidates) -> FloatArray:
    """Return the columns that a :class:`Calibration` weighs, shape (candidates, 4)."""
    logits = to_log_odds(site.probabilities)
    # A page without a rival gets one with the lowest possible log odds.
    above = np.maximum(logits + MAX_LOGIT, 0.0)
    rivals = best_rivals(site.candidates, above) - MAX_LOGIT
    margins = np.clip(logits - rivals, -MAX_LOGIT, MAX_LOGIT)
    text = np.log(np.clip(site.texts, *_TEXT_BOUNDS) / _USUAL_TEXT)
    return np.column_stack([logits, margins, text, logits * text])


def calibrate(site: ScoredCandidates, calibration: Calibration) -> ScoredCandidates:
    """Return the candidates with probabilities calibrated on held-out sites."""
    *weights, bias = astuple(calibration)
    logits = measure_odds(site) @ weights + bias
    probabilities = boost_versions(to_probability(logits), site.values, site.candidates)
    return replace(site, probabilities=probabilities)
